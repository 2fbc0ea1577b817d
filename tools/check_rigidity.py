#!/usr/bin/env python3
"""The rigidity check against packings: how far few sweeps per step let them sink, predicted and measured.

    check_rigidity.py TALUS FOLDER [SEED [PACKING...]]   run the packings (default: seed 1, all), print the table; exit 1
                                                         if they differ
    check_rigidity.py --self-test                        what is measured and judged, on numbers that are known

A packing settles with a converged solver. From its positions, without its forces, it is loaded by its weight again:
once converged, and with few sweeps per step and stabilisation: quasi-inelastic. Measured is by how much lower the
centre of mass comes to lie than in the converged run. The run itself reports results.rigidity.shrinkage, from its
overlaps, and predicts expected_shrinkage, from its sweeps, step, masses and forces. Over the runs of a packing the mean of
either over what is measured must be within 20 % of 1, and the converged run must not be called soft. Single runs scatter
more: a few contacts that slide matter in packings of this size.
"""
import json
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from check_methods import last_frame

TOLERANCE = 0.2
CONVERGED = {"tolerance": 1e-6, "max_iterations": 2000}
DISKS = "{generate: random, region: {low: [-0.1, -5.5 mm, 0], high: [0.1, 5.5 mm, 0.36]}, " \
        "radius: {distribution: uniform, low: 4 mm, high: 5 mm}, count: 400}"
SPHERES = "{generate: random, region: {low: [-30 mm, -30 mm, 0], high: [30 mm, 30 mm, 0.26]}, " \
          "radius: {distribution: uniform, low: 4 mm, high: 5 mm}, count: 450}"
CHAIN = "{generate: lattice, lattice: sc, radius: 5 mm, count: [1, 1, 30]}"
# Name: planar, half width of the box (m), friction, what is in it, runs (sweeps, step in ms, other settings).
PACKINGS = {
    "chain": ("xz", 0.1, 0, CHAIN, [(10, 1, {}), (100, 1, {}), (10, 0.5, {}), (10, 1, {"sweep": "list"}),
                                    (10, 1, {"sweep": "random"}), (10, 1, {"solver": "jacobi"})]),
    "disks": ("xz", 0.1, 0.3, DISKS, [(5, 1, {}), (10, 1, {}), (40, 1, {}), (10, 0.5, {}), (10, 1, {"sweep": "random"}),
                                      (40, 1, {"solver": "jacobi"})]),
    "rough disks": ("xz", 0.1, 0.5, DISKS, [(10, 1, {}), (40, 1, {})]),
    "spheres": ("none", 0.03, 0.3, SPHERES, [(5, 1, {}), (10, 1, {}), (40, 1, {}), (10, 0.5, {})]),
    "rough spheres": ("none", 0.03, 0.5, SPHERES, [(10, 1, {}), (40, 1, {})]),
}


# ---- runs

def scene_of(planar, half, friction, grains, solver, time, step, seed=1):
    return f"""\
method: contact-dynamics
seed: {seed}
planar: {planar}
contact_dynamics: {json.dumps(solver)}
materials: {{glass: {{density: 2500, friction: {friction}, restitution: 0}}}}
bodies:
  - {{shape: container, centre: [0, 0, 0.5], size: [{2 * half}, {2 * half}, 1], open: ["+z"]}}
  - {grains}
run: {{time: {time}, step: {step} ms, max_overlap: 0.5}}
output: {{series: {time}, frames: {time}, checkpoint: 0, plots: false}}
"""


def run_scene(talus, place, text):
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    (place / "scene.yaml").write_text(text)
    with open(place / "log", "w") as log:
        subprocess.run([talus, "run", str(place / "scene.yaml"), "-o", str(place / "run")], check=True, stdout=log,
                       stderr=log)
    return json.loads((place / "run" / "summary.json").read_text())["results"]["rigidity"]


def write_table(bodies, path):
    """Positions and radii of a frame, in the order of ids, as a table of bodies."""
    rows = sorted(zip(bodies["id"], bodies["Points"], bodies["radius"]))
    path.write_text("x,y,z,radius\n" + "".join(f"{x!r},{y!r},{z!r},{r!r}\n" for _, (x, y, z), r in rows))


# ---- measurement and judgement

def centre_of_mass(bodies):
    """m, height."""
    return sum(m * p[2] for m, p in zip(bodies["mass"], bodies["Points"])) / sum(bodies["mass"])


def agree(ratios):
    return abs(statistics.fmean(ratios) - 1) <= TOLERANCE


def check(talus, folder, seed, name):
    planar, half, friction, grains, runs = PACKINGS[name]
    place = folder / name.replace(" ", "-")
    run_scene(talus, place / "settle", scene_of(planar, half, friction, grains, CONVERGED, 1.5, 1, seed))
    write_table(last_frame(place / "settle" / "run", "bodies"), place / "settled.csv")
    grains = "{generate: csv, file: ../settled.csv}"
    still = {"stabilisation": "quasi-inelastic"}
    rigid = run_scene(talus, place / "rigid", scene_of(planar, half, friction, grains, CONVERGED | still, 1.0, 1))
    height = centre_of_mass(last_frame(place / "rigid" / "run", "bodies"))
    reported, predicted = [], []
    for number, (sweeps, step, settings) in enumerate(runs):
        solver = {"fixed_iterations": sweeps} | still | settings
        soft = run_scene(talus, place / f"soft-{number}", scene_of(planar, half, friction, grains, solver, 1.0, step))
        measured = height - centre_of_mass(last_frame(place / f"soft-{number}" / "run", "bodies"))
        reported.append(soft["shrinkage"] / measured)
        predicted.append(soft["expected_shrinkage"] / measured)
        print(f"| {name} | {friction} | {' '.join(settings.values()) or 'coloured'} | {sweeps} | {step} | "
              f"{1e3 * measured:.3g} | {reported[-1]:.2f} | {predicted[-1]:.2f} |", flush=True)
    good = agree(reported) and agree(predicted) and not rigid["soft"]
    if not good:
        print(f"{name}: mean {statistics.fmean(reported):.2f}, {statistics.fmean(predicted):.2f}, "
              f"converged run soft: {rigid['soft']}   FAILED")
    return good


def self_test():
    assert agree([1.1, 0.8]) and agree([0.81])
    assert not agree([1.3, 1.2]) and not agree([0.7]) and not agree([-1.0])
    assert centre_of_mass({"mass": [1, 3], "Points": [(0, 0, 1), (0, 0, 2)]}) == 1.75
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    talus, folder, seed, names = sys.argv[1], Path(sys.argv[2]), *(sys.argv[3:4] or ["1"]), sys.argv[4:] or list(PACKINGS)
    print("| packing | friction | solver | sweeps | step, ms | sinks by, mm | reported/measured | predicted/measured |")
    print("|---|---|---|---|---|---|---|---|")
    return 0 if all([check(talus, folder, seed, name) for name in names]) else 1


if __name__ == "__main__":
    sys.exit(main())
