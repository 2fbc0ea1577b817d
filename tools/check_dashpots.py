#!/usr/bin/env python3
"""Dashpots at any step: the energy ledger closes, and what a packing does as a whole does not move.

    check_dashpots.py TALUS FOLDER [crystals] [triaxial]   run the scenes (default: both), print tables; exit 1 if a limit
                                                           is broken
    check_dashpots.py --self-test                          what is made and judged, on numbers that are known

Crystals of spheres with 2, 4, 6, 8 and 12 contacts each (a chain, diamond, and the three cubic ones), pressed together by
1 % of a diameter, get random velocities and spins, and come to rest by their dashpots: restitution 0.05 to 1, friction 0.5
and none, Hertz and Hooke, step_fraction 0.02 to 0.3. The largest energy_error of each run may be

    0.01                       up to a fraction of 0.05, from where on a run would warn
    0.03 + (w dt)^2 / 8        beyond

Heat is counted with velocities foreseen for the end of a step. In a motion that dashpots at their limit calm, that is off by
up to 5 % on the way and 2.5 % at the end, and not all of the energy is in such motions: 0.03. The second is the error of
velocity Verlet in an impact of angular frequency w, which ends somewhere in a period of it.

Triaxial tests, 500 spheres between six smooth walls of which four hold a pressure, with restitution 0.05, 0.3 and 0.8,
friction 0.5 and none, three seeds: the friction angle of the sheared packing, at fractions of 0.1, 0.2 and 0.3 against
0.05; for each restitution (18 comparisons), and for the means of all restitutions (6). Two means agree if their difference
is within the range in which all comparisons of the kind together stay in 95 of 100 such checks if nothing moves (Student's
distribution, Bonferroni). Three seeds tell little about their own scatter: that of all runs with this friction is used. If
that range is more than 4 degrees, or 2 for the means of all restitutions, the check says nothing, and fails.
"""
import csv
import itertools
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

RADIUS = 1e-3       # m, of the crystals' spheres
OVERLAP = 0.01      # of a diameter
SPEED = 0.1         # m/s, largest along each axis; surfaces by their spin twice as fast
FRACTIONS = (0.02, 0.05, 0.1, 0.2, 0.3)
RESTITUTIONS = (0.05, 0.1, 0.3, 0.5, 0.8, 1.0)
FRICTIONS = (0.5, 0.0)
LAWS = ("hertz", "hooke")
FACES = [(0, 0, 0), (0, .5, .5), (.5, 0, .5), (.5, .5, 0)]
# By contacts of a sphere: edge of the cell in diameters, places in it, cells along each axis.
CELLS = {2: (1, [(0, 0, 0)], (12, 1, 1)),
         4: (4 / math.sqrt(3), FACES + [tuple(x + 0.25 for x in place) for place in FACES], (2, 2, 2)),
         6: (1, [(0, 0, 0)], (4, 4, 4)),
         8: (2 / math.sqrt(3), [(0, 0, 0), (.5, .5, .5)], (4, 4, 4)),
         12: (math.sqrt(2), FACES, (3, 3, 3))}

CRYSTAL = """\
name: crystal
gravity: [0, 0, 0]
contact_law: {{normal: {law}}}
materials:
  glass: {{density: 2500, youngs_modulus: 20 MPa, poisson_ratio: 0.3, friction: {friction}, restitution: {restitution}}}
domain: {{low: [0, {low}, {low}], high: [{length}, {high}, {high}], periodic: {periodic}}}
bodies:
  - {{generate: csv, file: grains.csv, material: glass}}
run: {{time: 2 ms, step_fraction: {fraction}, max_overlap: 0.9, threads: 1}}
output: {{frames: 0, checkpoint: 0, plots: false}}
"""

FALSE_ALARM = 0.05     # how often the comparisons of a kind fail though nothing moves
BLIND_ANGLE, BLIND_MEAN = 4.0, 2.0      # degrees
SEEDS = (1, 2, 3)
SIDE = 14.5     # mm, half of the box at first
WALL = ("  - {{shape: plane, material: smooth, group: {name}, point: [{x} mm, {y} mm, {z} mm], normal: [{nx}, {ny}, {nz}], "
        "motion: {{type: servo, stress: 50 kPa, area: 529 mm^2, max_speed: 0.2 m/s}}}}\n")
TRIAXIAL = """\
name: triaxial
gravity: [0, 0, 0]
materials:
  sand: {{density: 2650, youngs_modulus: 50 MPa, poisson_ratio: 0.3, friction: {friction}, restitution: {restitution}}}
  smooth: {{youngs_modulus: 50 MPa, poisson_ratio: 0.3, friction: 0, restitution: {restitution}}}
bodies:
{walls}  - generate: random
    material: sand
    count: 500
    radius: {{distribution: uniform, low: 1.2 mm, high: 1.8 mm}}
    region: {{low: [-{side} mm, -{side} mm, -{side} mm], high: [{side} mm, {side} mm, {side} mm]}}
stages:
  - name: consolidate
    time: 0.1 s
    until: [{{quantity: stress_zhi, above: 49 kPa, for: 3 ms}}, {{quantity: mean_unbalanced_force, below: 0.02, for: 2 ms}}]
    unfinished: continue
  - name: shear
    time: 0.1 s
    change:
      - {{group: zlo, motion: {{type: table, points: [[0, 0, 0, 0], [5 ms, 0, 0, 21 mm/s], [1 s, 0, 0, 21 mm/s]]}}}}
      - {{group: zhi, motion: {{type: table, points: [[0, 0, 0, 0], [5 ms, 0, 0, -21 mm/s], [1 s, 0, 0, -21 mm/s]]}}}}
run: {{step_fraction: {fraction}, threads: 1}}
measure:
  regions: [{{name: sample, low: [-30 mm, -30 mm, -30 mm], high: [30 mm, 30 mm, 30 mm],
             between: [xlo, xhi, ylo, yhi, zlo, zhi]}}]
output: {{series: 1 ms, frames: 0, checkpoint: 0, plots: false}}
"""


def crystal_places(contacts):
    """Centres of the spheres and the periods (m) along the axes."""
    edge, places, cells = CELLS[contacts]
    edge *= 2 * RADIUS * (1 - OVERLAP)
    points = [tuple(edge * (c + p) for c, p in zip(cell, place))
              for cell in itertools.product(*map(range, cells)) for place in places]
    return points, [n * edge for n in cells]


def crystal_table(points):
    random = Random(1)
    rows = ["x,y,z,radius,vx,vy,vz,wx,wy,wz"]
    for point in points:
        kick = [random.uniform(-SPEED, SPEED) for _ in range(3)]
        kick += [2 / RADIUS * random.uniform(-SPEED, SPEED) for _ in range(3)]
        rows.append(",".join(f"{x:.17g}" for x in (*point, RADIUS, *kick)))
    return "\n".join(rows) + "\n"


def run_scene(talus, place, text, *options):
    """Runs a scene in a folder of its own: its summary and the rows of its series."""
    place.mkdir(parents=True, exist_ok=True)
    (place / "scene.yaml").write_text(text)
    shutil.rmtree(place / "run", ignore_errors=True)
    with open(place / "log", "w") as log:
        subprocess.run([talus, "run", str(place / "scene.yaml"), "-o", str(place / "run"), "--threads", "1", *options],
                       check=True, stdout=log, stderr=log)
    summary = json.loads((place / "run" / "summary.json").read_text())
    with open(place / "run" / "series.csv") as series:
        return summary, list(csv.DictReader(series))


def run_crystal(talus, folder, law, friction, contacts, restitution, fraction):
    """The largest energy_error on the way, and the contacts of a sphere at the start."""
    place = folder / "crystals" / f"{law}-{friction}-{contacts}-{restitution}-{fraction}"
    points, length = crystal_places(contacts)
    chain = contacts == 2
    text = CRYSTAL.format(law=law, friction=friction, restitution=restitution, fraction=fraction, length=length[0],
                          low=-0.02 if chain else 0, high=0.02 if chain else length[1],
                          periodic="[x]" if chain else "[x, y, z]")
    place.mkdir(parents=True, exist_ok=True)
    (place / "grains.csv").write_text(crystal_table(points))
    summary, rows = run_scene(talus, place, text)
    step = summary["results"]["step_length"]
    return max(abs(float(row["energy_error"] or 0)) for row in rows), float(rows[0]["coordination"]), step


def frequency(law):
    """1/s: of an impact of two spheres, Hooke, or Hertz at the larger of kick and press."""
    mass, modulus, radius = 0.5 * 2500 * 4 / 3 * math.pi * RADIUS ** 3, 20e6 / (2 * 0.91), RADIUS / 2
    if law == "hooke":
        return math.sqrt(4 * modulus * radius / mass)
    deepest = max(2 * RADIUS * OVERLAP, (15 / 16 * mass * (2 * SPEED) ** 2 / (modulus * math.sqrt(radius))) ** 0.4)
    return math.sqrt(2 * modulus * math.sqrt(radius * deepest) / mass)


def most_error(law, fraction, step):
    return 0.01 if fraction <= 0.05 else 0.03 + (frequency(law) * step) ** 2 / 8


def check_crystals(talus, folder, pool):
    waiting = {key: pool.submit(run_crystal, talus, folder, *key)
               for key in itertools.product(LAWS, FRICTIONS, CELLS, RESTITUTIONS, FRACTIONS)}
    good = True
    print("largest energy_error, in percent, by step_fraction")
    print("| law | friction | contacts | restitution | " + " | ".join(map(str, FRACTIONS)) + " |")
    print("|---" * (4 + len(FRACTIONS)) + "|")
    for law, friction, contacts, restitution in itertools.product(LAWS, FRICTIONS, CELLS, RESTITUTIONS):
        cells = []
        for fraction in FRACTIONS:
            error, touching, step = waiting[law, friction, contacts, restitution, fraction].result()
            fine = error <= most_error(law, fraction, step) and touching == contacts
            good = good and fine
            cells.append(f"{100 * error:.2f}" + ("" if fine else " FAILED"))
        print(f"| {law} | {friction} | {contacts} | {restitution} | " + " | ".join(cells) + " |")
    return good


def triaxial_walls():
    text = ""
    for axis, sign in itertools.product(range(3), (1, -1)):
        n = [0, 0, 0]
        n[axis] = sign
        x, y, z = (-SIDE * c for c in n)
        text += WALL.format(name="xyz"[axis] + ("lo" if sign > 0 else "hi"), x=x, y=y, z=z, nx=n[0], ny=n[1], nz=n[2])
    return text


def friction_angle(axial, lateral):
    """Degrees."""
    return math.degrees(math.asin((axial - lateral) / (axial + lateral)))


def run_triaxial(talus, folder, friction, restitution, fraction, seed):
    place = folder / "triaxial" / f"{friction}-{restitution}-{fraction}-{seed}"
    text = TRIAXIAL.format(friction=friction, restitution=restitution, fraction=fraction, walls=triaxial_walls(), side=SIDE)
    summary, rows = run_scene(talus, place, text, "--set", f"seed={seed}")
    sheared = [row for row in rows if float(row["stage"]) == 2]
    stress = [statistics.fmean(float(row[f"stress_{a}_sample [Pa]"]) for row in sheared[len(sheared) // 2:])
              for a in ("xx", "yy", "zz")]
    return friction_angle(stress[2], 0.5 * (stress[0] + stress[1])), abs(summary["results"]["energy_error"])


def scatter(samples):
    """Standard deviation of a run about the mean of its sample."""
    return math.sqrt(statistics.fmean(statistics.variance(sample) for sample in samples))


def quantile(comparisons, freedom):
    """Of Student's distribution, both sides, for one of so many comparisons: to second order in 1/freedom."""
    z = statistics.NormalDist().inv_cdf(1 - FALSE_ALARM / (2 * comparisons))
    return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)


def agree(ours, theirs, errors, blind):
    """Whether two samples of an angle have the same mean; errors is the range for samples of one run each."""
    most = errors * math.sqrt(1 / len(ours) + 1 / len(theirs))
    return abs(statistics.fmean(ours) - statistics.fmean(theirs)) <= most <= blind


def check_triaxial(talus, folder, pool):
    fractions, restitutions = (0.05, 0.1, 0.2, 0.3), (0.05, 0.3, 0.8)
    waiting = {key: pool.submit(run_triaxial, talus, folder, *key)
               for key in itertools.product(FRICTIONS, restitutions, fractions, SEEDS)}
    good = True
    print("friction angle in degrees, mean and standard error of three seeds, largest energy_error in percent")
    print("| friction | restitution | " + " | ".join(map(str, fractions)) + " |")
    print("|---" * (2 + len(fractions)) + "|")
    for friction in FRICTIONS:
        found = {(e, f): [waiting[friction, e, f, seed].result() for seed in SEEDS] for e in restitutions for f in fractions}
        angles = {key: [angle for angle, _ in runs] for key, runs in found.items()}
        deviation, freedom = scatter(angles.values()), len(angles) * (len(SEEDS) - 1)
        several = len(FRICTIONS) * (len(fractions) - 1)
        of_one = deviation * quantile(several * len(restitutions), freedom)
        of_all = deviation * quantile(several, freedom)
        for e in restitutions:
            cells = []
            for f in fractions:
                error = max(error for _, error in found[e, f])
                fine = agree(angles[e, f], angles[e, fractions[0]], of_one, BLIND_ANGLE) and error <= 0.01
                good = good and fine
                spread = statistics.stdev(angles[e, f]) / math.sqrt(len(SEEDS))
                cells.append(f"{statistics.fmean(angles[e, f]):.2f} +- {spread:.2f}, {100 * error:.2f}"
                             + ("" if fine else " FAILED"))
            print(f"| {friction} | {e} | " + " | ".join(cells) + " |")
        means = {f: [angle for e in restitutions for angle in angles[e, f]] for f in fractions}
        cells = []
        for f in fractions:
            fine = agree(means[f], means[fractions[0]], of_all, BLIND_MEAN)
            good = good and fine
            cells.append(f"{statistics.fmean(means[f]):.2f} +- {deviation / math.sqrt(len(means[f])):.2f}"
                         + ("" if fine else " FAILED"))
        print(f"| {friction} | all | " + " | ".join(cells) + " |")
    return good


def self_test():
    for contacts in CELLS:
        points, length = crystal_places(contacts)

        def gap(a, b):
            return math.hypot(*(min(abs(x - y), p - abs(x - y)) for x, y, p in zip(a, b, length)))

        near = [sum(1 for q in points if q != p and gap(p, q) < 2 * RADIUS) for p in points]
        assert set(near) == {contacts}, (contacts, set(near))
    assert abs(friction_angle(3.0, 1.0) - 30) < 1e-9
    assert abs(scatter([[26.0, 27.0, 28.0], [5.0, 6.0, 7.0]]) - 1) < 1e-9
    assert abs(quantile(1, 10) - 2.228) < 0.01 and abs(quantile(5, 24) - 2.797) < 0.01  # as in tables
    assert agree([26.1, 26.4, 25.9], [26.3, 25.8, 26.0], 0.9, BLIND_ANGLE)
    assert not agree([6.0, 6.2, 6.1], [26.3, 25.8, 26.0], 0.9, BLIND_ANGLE)
    assert not agree([6.0, 6.2, 6.1], [6.3, 5.8, 6.0], 30.0, BLIND_ANGLE)  # the same, but that says nothing
    assert most_error("hertz", 0.05, 1e-6) == 0.01 < most_error("hertz", 0.1, 1e-6)
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    talus, folder, parts = sys.argv[1], Path(sys.argv[2]), sys.argv[3:] or ["crystals", "triaxial"]
    checks = {"crystals": check_crystals, "triaxial": check_triaxial}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        good = [checks[part](talus, folder, pool) for part in parts]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
