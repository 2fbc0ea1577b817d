#!/usr/bin/env python3
"""Writes the recorded runs of the experiments (docs/recorded/*.json) into docs/validation.md, between two marks.

    recorded_runs.py write [ROOT]   write the section again
    recorded_runs.py stamp FOLDER COMMIT [ROOT]
                                    tell the records of the results in FOLDER which commit the program was of
    recorded_runs.py check [ROOT]   exit 1 if it is not what the records say, or an experiment has no page or record
    recorded_runs.py --self-test    prove, on records made for it, that a stale page is found

A record is made by `talus reproduce ID --scale SCALE --record docs/recorded`; ./dev record does that, stamps it with the
commit and copies the plots.
"""
import json
import sys
import tempfile
from pathlib import Path

BEGIN, END = "<!-- recorded runs: written by ./dev docs -->", "<!-- end of recorded runs -->"


def number(value):
    return "none" if value is None else f"{value:.4g}"


def table(record):
    """The lines of one record: where, when and how long; then a row per quantity."""
    result, machine = record["result"], record["machine"]
    memory = machine["memory_bytes"] / 2**30
    lines = [f"`{record['command']}`, {record['date']}, version {record['version']}, commit {record['commit']}, {machine['cores']} cores of {machine['cpu']}, {memory:.0f} GiB: "
             f"{result['seconds']:.0f} s, {'all hold' if result['pass'] else 'NOT all hold'}.", "",
             "| quantity | paper | Talus | allowed | verdict |", "|---|---|---|---|---|"]
    for row in result["rows"]:
        unit = f" [{row['unit']}]" if row["unit"] else ""
        source = " (theory)" if row["source"] == "theory" else ""
        lines.append(f"| {row['quantity']}{unit} | {number(row['paper'])}{source} | {number(row['talus'])} | {row['rule']} "
                     f"| {'holds' if row['pass'] else 'fails'} |")
    for note in result.get("notes", []):
        lines += ["", f"Note: {note}"]
    if result["error"]:
        lines += ["", f"It ended early: {result['error']}"]
    return lines + [""]


def section(root):
    records = [json.loads(f.read_text()) for f in sorted((root / "docs/recorded").glob("*.json"))]
    lines, last = [], None
    for record in records:
        identity = record["result"]["id"]
        if identity != last:
            lines += [f"### {identity}", f"[Set-up and what the paper leaves open](experiments/{identity.replace('/', '-')}.md).", ""]
        last = identity
        lines += table(record)
    return "\n".join([BEGIN, *lines, END])


def stamp(root, folder, commit):
    for file in sorted(Path(folder).rglob("result.json")):
        result = json.loads(file.read_text())
        record = root / "docs/recorded" / f"{result['id'].replace('/', '-')}-{result['scale']}.json"
        kept = json.loads(record.read_text())
        kept["commit"] = commit
        record.write_text(json.dumps(kept, indent=2, sort_keys=True, ensure_ascii=False) + "\n")


def unstamped(root):
    """Names of records that do not say which program made them."""
    files = sorted((root / "docs/recorded").glob("*.json"))
    return [f.name for f in files if not {"commit", "version"} <= json.loads(f.read_text()).keys()]


def differences(record, result):
    """Where a result is not what the record has of the same experiment, one line each.

    The same program gives the same bits. Quantities are compared to a millionth nevertheless, or to a thousandth of what
    the row allows if that is more, so that the last digits of a fit, or a residual that is nearly zero, may differ."""
    then, now = record["result"]["rows"], result["rows"]
    if [row["quantity"] for row in then] != [row["quantity"] for row in now]:
        return ["the rows are others than those of the record"]
    found = []
    for old, new in zip(then, now):
        if [old[key] for key in ("paper", "tolerance", "rule")] != [new[key] for key in ("paper", "tolerance", "rule")]:
            found.append(f"{new['quantity']}: the record has another rule")
        slack = max(1e-6 * abs(old["talus"]), 1e-3 * (old["tolerance"] or 0))
        if not abs(new["talus"] - old["talus"]) <= slack:
            found.append(f"{new['quantity']}: {new['talus']:.9g}, the record has {old['talus']:.9g}")
    return found


def split(page):
    """What is before, within and after the marks."""
    begin, end = page.index(BEGIN), page.index(END) + len(END)
    return page[:begin], page[begin:end], page[end:]


def write(root):
    file = root / "docs/validation.md"
    before, _, after = split(file.read_text())
    file.write_text(before + section(root) + after)


def findings(root):
    """What is not as it should be, one line each."""
    found = [f"docs/recorded/{name}: no commit or version; ./dev record writes both" for name in unstamped(root)]
    if found:
        return found
    if split((root / "docs/validation.md").read_text())[1] != section(root):
        found.append("docs/validation.md: the recorded runs are not those of docs/recorded; ./dev docs writes them")
    for folder in sorted(f for f in (root / "experiments").glob("*/*") if f.is_dir()):
        name = f"{folder.parent.name}-{folder.name}"
        if not (root / "docs/experiments" / f"{name}.md").exists():
            found.append(f"docs/experiments/{name}.md: the page of this experiment is missing")
        if not list((root / "docs/recorded").glob(f"{name}-*.json")):
            found.append(f"docs/recorded/{name}-*.json: no recorded run of this experiment; ./dev record makes one")
    return found


def self_test():
    row = {"quantity": "frequency", "unit": "1/s", "paper": 1.0, "talus": 1.01, "tolerance": 0.03, "rule": "within 3 %",
           "source": "theory", "pass": True}
    record = {"date": "2000-01-01", "command": "talus reproduce a/b --scale quick", "version": "0.1.0",
              "machine": {"cores": 2, "cpu": "any", "memory_bytes": 2**34},
              "result": {"id": "a/b", "scale": "quick", "seconds": 1.0, "pass": True, "error": "", "rows": [row],
                         "notes": ["a size"]}}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("docs/recorded", "docs/experiments", "experiments/a/b"):
            (root / name).mkdir(parents=True)
        (root / "docs/validation.md").write_text(f"above\n{BEGIN}\nold\n{END}\nbelow\n")
        # An old section, no page and no record; then a record without a commit, then with one; then written; then a page.
        counts = [len(findings(root))]
        (root / "docs/recorded/a-b-quick.json").write_text(json.dumps(record))
        counts.append(len(findings(root)))
        (root / "out").mkdir()
        (root / "out/result.json").write_text(json.dumps(record["result"]))
        stamp(root, root / "out", "abc1234")
        record["commit"] = "abc1234"
        counts.append(len(findings(root)))
        write(root)
        counts.append(len(findings(root)))
        (root / "docs/experiments/a-b.md").write_text("page")
        counts.append(len(findings(root)))
        text = (root / "docs/validation.md").read_text()
        good = counts == [3, 1, 2, 1, 0] and "| frequency [1/s] | 1 (theory) | 1.01 |" in text
        good = good and "Note: a size" in text and "commit abc1234" in text and text.startswith("above")
        record["result"]["rows"][0]["talus"] = 1.02
        (root / "docs/recorded/a-b-quick.json").write_text(json.dumps(record))
        good = good and len(findings(root)) == 1
    kept, rerun = {"result": record["result"]}, json.loads(json.dumps(record["result"]))
    good = good and differences(kept, rerun) == []
    rerun["rows"][0]["talus"] += 1e-4
    good = good and len(differences(kept, rerun)) == 1
    rerun["rows"][0]["tolerance"] = 1.0
    good = good and len(differences(kept, rerun)) == 2
    rerun["rows"].append(rerun["rows"][0])
    good = good and len(differences(kept, rerun)) == 1
    print("self-test passed" if good else f"self-test failed: {counts}\n{text}")
    return 0 if good else 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) in (4, 5) and sys.argv[1] == "stamp":
        stamp(Path(sys.argv[4] if len(sys.argv) == 5 else Path(__file__).parent.parent), sys.argv[2], sys.argv[3])
        return 0
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in ("write", "check"):
        raise SystemExit(__doc__)
    root = Path(sys.argv[2] if len(sys.argv) == 3 else Path(__file__).parent.parent).resolve()
    if sys.argv[1] == "write":
        write(root)
        return 0
    found = findings(root)
    print("\n".join(found) or "recorded runs: the page is current")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
