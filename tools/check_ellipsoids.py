#!/usr/bin/env python3
"""How densely ellipsoids pack, against Donev and others, Science 303, 990 (2004): random packings of smooth spheroids
are denser than those of spheres, 0.64, and densest, 0.70 to 0.71, at aspect ratios near 1.5 and 1/1.5.

    check_ellipsoids.py TALUS FOLDER      pack the aspect ratios, compare; exit 1 if they are not as dense as they should
    check_ellipsoids.py --self-test       the judgement tells packings apart

Grains of equal volume and random orientation drift in a column that is periodic across its axis; a servo lid presses
them together, without gravity, until they bear its stress, which is 1e-4 of their modulus. Solid fractions are those of
the middle of the column, where lid and floor do not order them. With friction packings are looser.
"""
import csv
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

RADIUS = 1e-3      # m, of the ball of equal volume
WIDTH = 12e-3      # m, of the column
COUNT = 500        # grains
LOOSE = 0.09       # solid fraction at the start
STRESS = 100.0     # Pa
TIME = 1.3         # s

# Aspect ratio (one axis over the two others), friction, and the solid fraction that is wanted. Overlaps count twice and
# make packings under this stress up to 0.01 denser. Smooth grains give way for long: the lid need not have come to rest.
CASES = {
    "spheres": (1.0, 0.0, (0.62, 0.655)),
    "prolate 1.25": (1.25, 0.0, (0.67, 0.71)),
    "prolate 1.5": (1.5, 0.0, (0.69, 0.725)),
    "oblate 1.5": (1 / 1.5, 0.0, (0.69, 0.725)),
    "prolate 1.5 with friction": (1.5, 0.5, (0.58, 0.67)),
}

SCENE = """\
name: {name}
gravity: [0, 0, 0]
domain: {{low: [0, 0, -1], high: [{width}, {width}, 1], periodic: [x, y]}}
materials:
  smooth: {{density: 2500, youngs_modulus: 1 MPa, poisson_ratio: 0.3, friction: {friction}, restitution: 0.3}}
bodies:
  - {{shape: plane, group: floor}}
  - {{shape: plane, group: lid, point: [0, 0, {top}], normal: [0, 0, -1],
     motion: {{type: servo, stress: {stress}, area: {area}, max_speed: 0.2}}}}
  - generate: random
    grains: [{{shape: ellipsoid, semi_axes: [1, 1, {aspect}]}}]
    radius: {radius}
    region: {{low: [0, 0, 0], high: [{width}, {width}, {height}]}}
    count: {count}
run: {{time: {time}, step_fraction: 0.15, threads: 1}}
measure:
  regions: [{{name: core, low: [0, 0, {low}], high: [{width}, {width}, {high}]}}]
output: {{series: 20 ms, frames: 0, checkpoint: 0, plots: false}}
"""


def write_scene(folder, name, aspect, friction):
    folder.mkdir(parents=True, exist_ok=True)
    volume = COUNT * 4.18879 * RADIUS ** 3
    height = volume / (LOOSE * WIDTH ** 2)
    packed = volume / (0.72 * WIDTH ** 2)
    scene = folder / "scene.yaml"
    scene.write_text(SCENE.format(
        name=name, width=WIDTH, friction=friction, top=height + RADIUS, stress=STRESS, area=WIDTH ** 2, aspect=aspect,
        radius=RADIUS, height=height, count=COUNT, time=TIME, low=5 * RADIUS, high=packed - 5 * RADIUS))
    return scene


def measure(run):
    """Solid fraction of the middle, stress over that of the lid, and contacts per grain that bears, at the end."""
    with open(run / "series.csv", newline="") as file:
        last = list(csv.DictReader(file))[-1]

    def column(start):
        return float(next(value for name, value in last.items() if name.startswith(start)))

    return column("packing_core"), column("stress_lid") / STRESS, column("coordination_without_rattlers")


def pack(talus, folder, name):
    aspect, friction, _ = CASES[name]
    place = folder / name.replace(" ", "-")
    scene, run = write_scene(place, name, aspect, friction), place / "run"
    shutil.rmtree(run, ignore_errors=True)
    with open(place / "log", "w") as log:
        subprocess.run([talus, "run", str(scene), "-o", str(run)], check=True, stdout=log, stderr=log)
    return measure(run)


def judge(found):
    """found: of each case its solid fraction and the stress over that of the lid."""
    good = True
    for name, (fraction, stress) in found.items():
        low, high = CASES[name][2]
        inside = low <= fraction <= high and 0.7 < stress < 1.1
        good = good and inside
        print(f"{name}: solid fraction {fraction:.4f}, wanted {low:g} to {high:g}; stress {stress:.3f} of the lid's"
              f"{'' if inside else '   FAILED'}")
    return good


def self_test():
    middle = {name: (0.5 * sum(limits), 1.0) for name, (_, _, limits) in CASES.items()}
    assert judge(middle)
    assert not judge({**middle, "prolate 1.5": (0.64, 1.0)})  # as spheres
    assert not judge({**middle, "spheres": (0.58, 1.0)})  # loose
    assert not judge({**middle, "spheres": (0.635, 0.3)})  # the lid has not arrived
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    talus, folder = sys.argv[1], Path(sys.argv[2])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(CASES, pool.map(lambda name: pack(talus, folder, name), CASES)))
    for name, (_, _, contacts) in results.items():
        print(f"{name}: {contacts:.2f} contacts per grain that bears")
    return 0 if judge({name: result[:2] for name, result in results.items()}) else 1


if __name__ == "__main__":
    sys.exit(main())
