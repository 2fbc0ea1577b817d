#!/usr/bin/env python3
"""Discharge through a round hole in a flat bottom, against the law of Beverloo, Leniger and van de Velde (1961):

    W = C rho_b sqrt(g) (D - k d)^(5/2)

    check_orifice.py TALUS FOLDER      run the openings D, fit, compare; exit 1 if they do not follow the law
    check_orifice.py --self-test       the fit finds a law it is given, and the judgement fails on others

The bottom is made of fixed overlapping spheres in rings around the hole, since walls have no holes: fine ones at its
edge, coarse ones farther out, with their tops in one plane. Each opening is a run of its own in FOLDER. k and C are
taken from the straight line through W^(2/5) over D, with the bulk density measured above the hole.

The law holds if the silo is wider than 2.5 D and the filling is higher than 1.2 times its width (Nedderman, Statics
and Kinematics of Granular Materials, 1992; Mankoc et al., Granular Matter 9, 2007); the runs end before it is lower.
"""
import csv
import math
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

DIAMETER = 2e-3             # m, mean grain
DENSITY = 2500.0            # kg/m^3
GRAVITY = 9.81              # m/s^2
OPENINGS = (5, 6, 7, 8)     # in grain diameters; narrower ones may clog
SILO = 20                   # inner width of the silo in grain diameters
HEAD = 30                   # height of the settled filling, likewise; 1.2 times the width must be left
PACKED = 0.58               # solid fraction of the settled filling, roughly
POURED = 0.35               # of the random fill before it falls
START = 0.2                 # s, by then the grains have fallen and the flow is steady
LONGEST = 1.4               # s of steady flow at most
GRAINS = 2000               # that pass at most

# What the literature has: C from 0.55 to 0.65 and less for rough grains, k from 1 to 2, 1.5 for spheres. Simulated
# spheres with friction 0.3 to 0.5 gave C from 0.49 to 0.58.
LIMITS = {"C": (0.48, 0.66), "k": (1.0, 2.0), "exponent": (2.3, 2.7), "largest deviation": (0.0, 0.04)}

SCENE = """\
name: orifice {opening} d
materials:
  glass: {{density: {density}, youngs_modulus: 1 MPa, poisson_ratio: 0.3, friction: 0.4, restitution: 0.7}}
bodies:
  - {{shape: drum, centre: [0, 0, 0], axis: [0, 0, 1], radius: {silo}, length: {length}, open: [low, high], group: silo}}
  - {{generate: csv, file: bottom.csv, fixed: true, group: bottom}}
  - generate: random
    region: {{centre: [0, 0, {middle}], axis: [0, 0, 1], radius: {silo}, length: {height}}}
    radius: {{distribution: uniform, low: {small}, high: {large}}}
    volume_fraction: {fraction}
sinks:
  - {{region: {{low: [-1, -1, -1], high: [1, 1, {sink}]}}}}
run: {{time: {time}, step: auto, step_fraction: 0.15, energy_ledger: false, threads: 1,
      max_overlap: 0.6}}  # of the fine spheres at the edge: 0.08 grain diameters, when the filling lands
measure:
  regions: [{{name: bulk, low: [-{side}, -{side}, {low}], high: [{side}, {side}, {high}]}}]
  planes: [{{name: outlet, point: [0, 0, {outlet}], normal: [0, 0, -1]}}]
output: {{series: 5 ms, frames: 0, checkpoint: 0, plots: false}}
"""


def beverloo(opening, density, constant=0.58, k=1.4):
    """kg/s through an opening given in grain diameters."""
    return constant * density * math.sqrt(GRAVITY) * ((opening - k) * DIAMETER) ** 2.5


def grain_mass():
    return DENSITY * math.pi / 6 * DIAMETER ** 3


def steady_time(opening):
    """s: long enough for a good mean, short enough to keep the head."""
    return min(LONGEST, GRAINS * grain_mass() / beverloo(opening, PACKED * DENSITY))


def bottom_rings(opening):
    """Centres and radii of spheres in rings from the edge of the hole to the wall."""
    edge, wall = opening * DIAMETER / 2, SILO * DIAMETER / 2
    while edge < wall:
        # As fine as an eighth of a grain at the hole; each ring covers the gaps of the one before.
        radius = min(DIAMETER / 2, max(DIAMETER / 8, 0.25 * (edge - opening * DIAMETER / 2)))
        ring = edge + radius
        count = math.ceil(2 * math.pi * ring / radius)
        for k in range(count):
            angle = 2 * math.pi * k / count
            yield ring * math.cos(angle), ring * math.sin(angle), -radius, radius
        edge += radius


def write_scene(folder, opening):
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "bottom.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["x", "y", "z", "radius"])
        rows.writerows(bottom_rings(opening))
    d, height = DIAMETER, HEAD * PACKED / POURED * DIAMETER
    (folder / "scene.yaml").write_text(SCENE.format(
        opening=opening, density=DENSITY, silo=SILO * d / 2, length=2.2 * height, fraction=POURED,
        middle=height / 2 + d, height=height, small=0.45 * d, large=0.55 * d, sink=-12 * d, outlet=-2 * d,
        side=0.25 * SILO * d, low=8 * d, high=18 * d, time=START + steady_time(opening)))
    return folder / "scene.yaml"


def straight_line(x, y):
    """Slope and intercept of the least-squares line."""
    mx, my = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
    return slope, my - slope * mx


def measure(run):
    """In the window of steady flow: kg/s, the slope of the discharged mass over time; the mean solid fraction; and the
    flow of the second half over that of the first, which is 1 if it is steady."""
    with open(run / "series.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if float(row["time [s]"]) >= START]
    if len(rows) < 40:
        raise SystemExit(f"{run}: only {len(rows)} rows of steady flow")

    def column(start):
        name = next(name for name in rows[0] if name.startswith(start))
        return [float(row[name]) for row in rows]

    times, masses, packing = column("time"), column("mass_through_outlet"), column("packing_bulk")
    halves = [straight_line(times[a:b], masses[a:b])[0] for a, b in ((0, len(rows) // 2), (len(rows) // 2, None))]
    return straight_line(times, masses)[0], sum(packing) / len(packing), halves[1] / halves[0]


def discharge(talus, folder, opening):
    """Runs one opening and measures it."""
    scene, run = write_scene(folder, opening), folder / "run"
    shutil.rmtree(run, ignore_errors=True)
    with open(folder / "log", "w") as log:
        subprocess.run([talus, "run", str(scene), "-o", str(run)], check=True, stdout=log, stderr=log)
    return measure(run)


def fit(rates, fraction):
    """The numbers of the law for these rates (kg/s), one per opening."""
    widths = [opening * DIAMETER for opening in OPENINGS]
    slope, intercept = straight_line(widths, [rate ** 0.4 for rate in rates])
    law = [(slope * width + intercept) ** 2.5 for width in widths]
    exponent = straight_line([math.log(width - 1.5 * DIAMETER) for width in widths], [math.log(r) for r in rates])[0]
    return {"C": slope ** 2.5 / (fraction * DENSITY * math.sqrt(GRAVITY)),
            "k": -intercept / slope / DIAMETER,
            "exponent": exponent,  # of W over D - 1.5 d
            "largest deviation": max(abs(rate / wanted - 1) for rate, wanted in zip(rates, law))}


def judge(found):
    good = True
    for name, value in found.items():
        low, high = LIMITS[name]
        inside = low <= value <= high
        good = good and inside
        print(f"{name}: {value:.3f}, wanted {low:g} to {high:g}{'' if inside else '   FAILED'}")
    return good


def self_test():
    density = 0.6 * DENSITY
    found = fit([beverloo(opening, density, 0.58, 1.5) for opening in OPENINGS], 0.6)
    assert abs(found["C"] - 0.58) < 1e-9 and abs(found["k"] - 1.5) < 1e-9 and abs(found["exponent"] - 2.5) < 1e-9
    assert judge(found)
    # A liquid flows with D^2, whatever its grains; and a hole that is half clogged lies off the line.
    assert not judge(fit([0.004 * opening ** 2 for opening in OPENINGS], 0.6))
    clogged = [beverloo(opening, density) * (0.5 if opening == 6 else 1) for opening in OPENINGS]
    assert not judge(fit(clogged, 0.6))
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    talus, folder = sys.argv[1], Path(sys.argv[2])
    # The runs need nothing of each other: one per core, the longest first.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda opening: discharge(talus, folder / f"D{opening}", opening), OPENINGS))
    for opening, (rate, fraction, change) in zip(OPENINGS, results):
        print(f"D = {opening} d: {rate:.5f} kg/s, second half over first {change:.3f}, solid fraction {fraction:.4f}")
    fraction = sum(result[1] for result in results) / len(results)
    return 0 if judge(fit([result[0] for result in results], fraction)) else 1


if __name__ == "__main__":
    sys.exit(main())
