#!/usr/bin/env python3
"""Discharge through a round hole in a flat bottom, against the law of Beverloo, Leniger and van de Velde (1961):

    W = C rho_b sqrt(g) (D - k d)^(5/2)

    check_orifice.py TALUS FOLDER      run the openings D, fit, compare; exit 1 if they do not follow the law

The bottom is made of fixed spheres in rings around the hole, since walls have no holes. Each opening is a run of its own
in FOLDER. k is taken from the straight line through W^(2/5) over D; the exponent from log W over log(D - 1.4 d), with
the usual k of spheres.
"""
import csv
import math
import shutil
import subprocess
import sys
from pathlib import Path

DIAMETER = 2e-3            # m, mean grain
DENSITY = 2500.0           # kg/m^3
GRAVITY = 9.81             # m/s^2
BULK_FRACTION = 0.58       # of the volume, loose packing: only C depends on it
DRUM_DIAMETERS = 20        # inner width of the silo in grain diameters
OPENINGS = (5, 6, 7, 8, 9)  # in grain diameters
START = 0.3                # s, by then the grains have fallen and the flow is steady
FILL_HEIGHT = 40 * DIAMETER  # m, of the random fill before it falls
FILL_FRACTION = 0.3        # of its volume
FILLED_MASS = FILL_FRACTION * DENSITY * FILL_HEIGHT * math.pi * (DRUM_DIAMETERS * DIAMETER / 2) ** 2
LARGEST_SHARE = 0.5        # of the grains discharged within the window, so that the head stays high

SCENE = """\
name: orifice {opening} d
materials:
  glass: {{density: {density}, youngs_modulus: 2 MPa, poisson_ratio: 0.3, friction: 0.5, restitution: 0.5}}
bodies:
  - {{shape: drum, centre: [0, 0, 0], axis: [0, 0, 1], radius: {silo}, length: 1 m, open: [low, high], group: silo}}
  - {{generate: csv, file: bottom.csv, fixed: true, group: bottom}}
  - generate: random
    region: {{centre: [0, 0, {middle}], axis: [0, 0, 1], radius: {silo}, length: {height}}}
    radius: {{distribution: uniform, low: {small}, high: {large}}}
    volume_fraction: {fraction}
sinks:
  - {{region: {{low: [-1, -1, -1], high: [1, 1, {sink}]}}}}
run: {{time: 1 s, step: auto, step_fraction: 0.15, energy_ledger: false}}
measure:
  planes: [{{name: outlet, point: [0, 0, {outlet}], normal: [0, 0, -1]}}]
output: {{series: 5 ms, frames: 0, checkpoint: 0, plots: false}}
"""


def bottom_rings(opening):
    """Centres of touching spheres in rings from the edge of the hole to the wall."""
    radius = DIAMETER / 2
    ring = opening * DIAMETER / 2 + radius
    while ring + radius <= DRUM_DIAMETERS * DIAMETER / 2:
        count = int(math.pi / math.asin(radius / ring))
        for k in range(count):
            angle = 2 * math.pi * k / count
            yield ring * math.cos(angle), ring * math.sin(angle), -radius, radius * (1 - 1e-9)
        ring += DIAMETER


def write_scene(folder, opening):
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "bottom.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["x", "y", "z", "radius"])
        rows.writerows(bottom_rings(opening))
    (folder / "scene.yaml").write_text(SCENE.format(
        opening=opening, density=DENSITY, silo=DRUM_DIAMETERS * DIAMETER / 2, fraction=FILL_FRACTION,
        middle=FILL_HEIGHT / 2 + DIAMETER, height=FILL_HEIGHT, small=0.45 * DIAMETER, large=0.55 * DIAMETER, sink=-20 * DIAMETER, outlet=-1.5 * DIAMETER))
    return folder / "scene.yaml"


def straight_line(x, y):
    """Slope, intercept and correlation of the least-squares line."""
    mx, my = sum(x) / len(x), sum(y) / len(y)
    sxx = sum((a - mx) ** 2 for a in x)
    syy = sum((b - my) ** 2 for b in y)
    sxy = sum((a - mx) * (b - my) for a, b in zip(x, y))
    return sxy / sxx, my - sxy / sxx * mx, sxy / math.sqrt(sxx * syy)


def flow_rate(run):
    """kg/s: slope of the discharged mass over time within the window of steady flow."""
    with open(run / "series.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    mass_name = next(name for name in rows[0] if name.startswith("mass_through_outlet"))
    times = [float(row["time [s]"]) for row in rows]
    masses = [float(row[mass_name]) for row in rows]
    window = [(t, m) for t, m in zip(times, masses) if t >= START and m <= LARGEST_SHARE * FILLED_MASS]
    if len(window) < 10:
        raise SystemExit(f"{run}: only {len(window)} rows of steady flow")
    return straight_line(*zip(*window))[0]


def main():
    talus, folder = sys.argv[1], Path(sys.argv[2])
    rates = []
    for opening in OPENINGS:
        scene = write_scene(folder / f"D{opening}", opening)
        run = folder / f"D{opening}" / "run"
        shutil.rmtree(run, ignore_errors=True)
        subprocess.run([talus, "run", str(scene), "-o", str(run)], check=True)
        rates.append(flow_rate(run))
        print(f"D = {opening} d: {rates[-1]:.5f} kg/s", flush=True)
    return judge(rates)


def judge(rates):
    widths = [opening * DIAMETER for opening in OPENINGS]
    slope, intercept, correlation = straight_line(widths, [rate ** 0.4 for rate in rates])
    k = -intercept / slope / DIAMETER
    constant = slope ** 2.5 / (BULK_FRACTION * DENSITY * math.sqrt(GRAVITY))
    exponent = straight_line([math.log(w - 1.4 * DIAMETER) for w in widths], [math.log(r) for r in rates])[0]
    findings = [("exponent with k = 1.4", exponent, 2.2, 2.8), ("k", k, 0.8, 2.2), ("C", constant, 0.45, 0.75),
                ("correlation of W^(2/5) with D", correlation, 0.99, 1.0 + 1e-12)]
    for name, value, low, high in findings:
        print(f"{name}: {value:.4f}, wanted {low:g} to {high:g}{'' if low <= value <= high else '   FAILED'}")
    return 0 if all(low <= value <= high for _, value, low, high in findings) else 1


if __name__ == "__main__":
    sys.exit(main())
