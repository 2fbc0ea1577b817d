#!/usr/bin/env python3
"""Draws the layers of CMakeLists.txt: docs/images/layers.svg, the picture of docs/architecture.md.

    draw_layers.py              write the picture
    draw_layers.py --check      exit 1 if the picture there is not the one of the present CMakeLists.txt
    draw_layers.py --self-test  prove that a changed graph is noticed

Each layer stands above those it is built on; lines lead to these, and what follows from other lines is left out.
"""
import sys
from pathlib import Path

from check_layers import everything_below, read_layers

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/images/layers.svg"
FRONT_ENDS = "include/talus: cli, python, viewer, experiments"
BOX, HEIGHT, ROW, COLUMN, BEND, EDGE = 84, 28, 62, 104, 56, 16  # px


def reduced(layers):
    """For each layer those it stands on directly and through no other one."""
    below = {name: everything_below(layers, name) for name in layers}
    return {name: [low for low in dict.fromkeys(on) if not any(low in below[other] for other in on)]
            for name, on in layers.items()}


def rank_of(lines, name):
    return 1 + max((rank_of(lines, low) for low in lines[name]), default=-1)


def through_rows(lines):
    """The same with a bend in each row that a line passes, so that it goes round the boxes there."""
    rank = {name: rank_of(lines, name) for name in lines}
    bent = {name: [] for name in lines}
    for name, lowers in lines.items():
        for low in lowers:
            upper = name
            for row in range(rank[name] - 1, rank[low], -1):
                bend = (name, low, row)
                rank[bend] = row
                bent[bend] = []
                bent[upper].append(bend)
                upper = bend
            bent[upper].append(low)
    return bent, rank


def apart(one, other):
    return COLUMN if isinstance(one, str) and isinstance(other, str) else BEND


def spread(wanted):
    """Places near what is wanted, far enough apart, the mean where it was."""
    names = sorted(wanted, key=lambda n: wanted[n])
    placed = [wanted[names[0]]]
    for before, name in zip(names, names[1:]):
        placed.append(max(wanted[name], placed[-1] + apart(before, name)))
    shift = sum(wanted[n] - x for n, x in zip(names, placed)) / len(names)
    return {n: x + shift for n, x in zip(names, placed)}


def place(bent, rank):
    """x of each box and bend: near the mean of its neighbours, found in rounds."""
    rows = {}
    for name in bent:
        rows.setdefault(rank[name], []).append(name)
    upper = {name: [n for n in bent if name in bent[n]] for name in bent}
    x = {name: COLUMN * k for row in rows.values() for k, name in enumerate(row)}
    for _ in range(60):
        for row in sorted(rows):
            near = {n: [x[m] for m in bent[n] + upper[n]] or [x[n]] for n in rows[row]}
            x.update(spread({n: sum(v) / len(v) for n, v in near.items()}))
    least = min(v - (BOX / 2 if isinstance(n, str) else 0) for n, v in x.items())
    return {n: round(v - least + EDGE) for n, v in x.items()}


def draw(layers):
    bent, rank = through_rows(reduced(layers))
    x = place(bent, rank)
    top = max(rank.values()) + 1
    y = {n: EDGE + (top - r) * ROW for n, r in rank.items()}
    last = max((n for n in layers if rank[n] == top - 1), key=lambda n: x[n])
    wide = 8 * len(FRONT_ENDS)
    width = max(max(x.values()) + BOX // 2, wide + EDGE) + EDGE
    height = EDGE * 2 + HEIGHT + top * ROW
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
           f'height="{height}" font-family="sans-serif" font-size="13" text-anchor="middle">',
           '<rect width="100%" height="100%" fill="#ffffff"/>', '<g fill="none" stroke="#7a8a99" stroke-width="1.3">']
    for name, lowers in bent.items():
        for low in lowers:
            start, end = y[name] + HEIGHT, y[low]
            half = (start + end) // 2
            past = "" if isinstance(low, str) else f" V{end + HEIGHT}"
            out.append(f'<path d="M{x[name]} {start} C{x[name]} {half} {x[low]} {half} {x[low]} {end}{past}"/>')
    out.append(f'<path d="M{x[last]} {EDGE + HEIGHT} V{y[last]}"/>')
    out.append('</g>')
    centre = min(max(x[last], wide // 2 + EDGE), width - wide // 2 - EDGE)
    boxes = [(FRONT_ENDS, centre, EDGE, wide, "#fdf3d8")]
    boxes += [(name, x[name], y[name], BOX, "#e3eef8") for name in layers]
    for name, middle, up, across, colour in boxes:
        out.append(f'<rect x="{middle - across // 2}" y="{up}" width="{across}" height="{HEIGHT}" rx="4" '
                   f'fill="{colour}" stroke="#40566b"/>')
        out.append(f'<text x="{middle}" y="{up + 19}" fill="#1b2a38">{name}</text>')
    return "\n".join(out + ["</svg>", ""])


def self_test():
    layers = {"base": [], "laws": ["base"], "model": ["laws", "base"]}
    picture = draw(layers)
    lines = reduced(layers)
    changed = [draw({**layers, "model": ["base"]}), draw({**layers, "run": ["model"]}),
               draw({"base": [], "law": ["base"], "model": ["law"]})]
    good = lines["model"] == ["laws"] and picture == draw(layers) and picture not in changed
    print("self-test passed" if good else "self-test failed")
    return 0 if good else 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    picture = draw(read_layers(ROOT))
    if sys.argv[1:] == ["--check"]:
        current = PICTURE.exists() and PICTURE.read_text() == picture
        print("the picture of the layers is current" if current
              else f"{PICTURE.relative_to(ROOT)} is not that of CMakeLists.txt: run tools/draw_layers.py")
        return 0 if current else 1
    PICTURE.write_text(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
