#!/usr/bin/env python3
"""Contact dynamics against the penalty method: the same scenes, several seeds each, must agree within their scatter.

    check_methods.py TALUS FOLDER [SCENE...]   run the scenes (default: all), compare; exit 1 if the methods disagree
    check_methods.py --self-test               what is measured and judged, on numbers that are known

Packings: grains fall on a floor and come to rest, periodic sideways, with friction 0.5 and without. Compared are the
solid fraction, the neighbours within a small distance and the contacts that bear a force, away from floor and surface.
Penalty grains are soft: contacts overlap, by the mean overlap the packing is too dense (3 times the strain of the
contacts), and the neighbours are counted up to a distance that is as much shorter. Both are corrected for; the contacts
that bear a force are not, as their number depends on the stiffness, and are printed only.

Heap: grains on a rough platform, periodic along its edges, slide off over both until the rest stands at the angle of
repose. The angle is that of the line through the height of the columns, their solid volume over the fraction inside.

Each run has its own folder in FOLDER. Two means agree if they differ by at most 2.5 standard errors of the difference
(Welch), or by less than what is of interest. If the scatter is too large to tell, the check fails too.
"""
import json
import math
import os
import re
import shutil
import statistics
import struct
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

DIAMETER = 2e-3         # m, mean grain; radii differ by 10 % at most
METHODS = {"penalty": [], "contact-dynamics": ["--set", "run.step=0.2 ms"]}
SEEDS = (1, 2, 3, 4)
ERRORS = 2.5            # standard errors that two means may differ by
NEAR = 0.01             # of a diameter: who is nearer is a neighbour
EDGE = 15 * DIAMETER    # from the middle of the platform to its edges
THICK = 5 * DIAMETER    # period along the edges
FLOOR = (30, 5)         # fixed grains along x and y
FLANK = (0.2, 0.85)     # of EDGE: where the slope is measured, away from the round top and the loose edge

# Quantity: difference that is of no interest, largest 2.5 standard errors that still tell something.
# Between friction 0.5 and none lie 0.056 in fraction and 1.3 neighbours; 0.005 and 0.1 are a twelfth of that. Angles of
# heaps are given to 1 degree, and a heap that is 1 degree steeper has some 30 grains more.
LIMITS = {"solid fraction": (0.005, 0.01), "neighbours": (0.1, 0.3), "angle": (1.0, 3.0),
          "grains left": (30, 90)}

MATERIAL = """\
materials:
  glass: {density: 2500, youngs_modulus: 20 MPa, poisson_ratio: 0.3, friction: 0.5, restitution: 0.3}
"""
RUN = """\
run: {{time: {time}, step: auto, step_fraction: 0.15, threads: 1}}
output: {{series: 5 ms, frames: {time}, checkpoint: 0, plots: false}}
"""
PACKING = "name: packing\n" + MATERIAL + """\
domain: {low: [-8 mm, -8 mm, -4 mm], high: [8 mm, 8 mm, 80 mm], periodic: [x, y]}
bodies:
  - {shape: plane}
  - generate: random
    region: {low: [-8 mm, -8 mm, 0], high: [8 mm, 8 mm, 44 mm]}
    radius: {distribution: uniform, low: 0.9 mm, high: 1.1 mm}
    count: 800
measure:
  regions: [{name: bulk, low: [-8 mm, -8 mm, 5 mm], high: [8 mm, 8 mm, 18 mm]}]
""" + RUN.format(time=0.3)
PERIOD, BULK = 16e-3, (5e-3, 18e-3)     # m: of the packings along x and y, height of the region
HEAP = "name: heap\n" + MATERIAL + """\
domain: {low: [-60 mm, -5 mm, -20 mm], high: [60 mm, 5 mm, 60 mm], periodic: [y]}
bodies:
  - {generate: csv, file: floor.csv, fixed: true, group: floor}
  - generate: random
    region: {low: [-30 mm, -5 mm, 1 mm], high: [30 mm, 5 mm, 29 mm]}
    radius: {distribution: uniform, low: 0.9 mm, high: 1.1 mm}
    count: 1250
sinks:
  - {region: {low: [-60 mm, -5 mm, -20 mm], high: [60 mm, 5 mm, -3 mm]}}
measure:
  regions: [{name: bulk, low: [-10 mm, -5 mm, 3 mm], high: [10 mm, 5 mm, 7 mm]}]
""" + RUN.format(time=0.7)
SCENES = {"packing": (PACKING, []),
          # Without friction it takes longer to come to rest.
          "packing without friction": (PACKING, ["--set", "materials.glass.friction=0",
                                                 "--set", "run.time=0.6 s", "--set", "output.frames=0.6 s"]),
          "heap": (HEAP, [])}


# ---- runs

def floor_rows():
    """Fixed grains in the plane z = 0, each a little higher or lower, as a table."""
    random = Random(1)
    rows = ["x,y,z,radius"]
    for i in range(FLOOR[0]):
        for k in range(FLOOR[1]):
            rows.append(f"{(i - 14.5) * DIAMETER:.6g},{(k - 2) * DIAMETER:.6g},"
                        f"{random.uniform(-0.3, 0.3) * DIAMETER:.6g},{DIAMETER / 2:.6g}")
    return "\n".join(rows) + "\n"


def run_scene(talus, folder, scene, method, seed):
    """Runs one scene and measures it: a dictionary of numbers."""
    text, changes = SCENES[scene]
    place = folder / scene.replace(" ", "-") / f"{method}-{seed}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    (place / "scene.yaml").write_text(text)
    (place / "floor.csv").write_text(floor_rows())
    command = [talus, "run", str(place / "scene.yaml"), "-o", str(place / "run"), "--threads", "1",
               "--set", f"method={method}", "--set", f"seed={seed}", *changes, *METHODS[method]]
    with open(place / "log", "w") as log:
        subprocess.run(command, check=True, stdout=log, stderr=log)
    return measure(place / "run", scene)


# ---- frames

TYPES = {"Float64": "d", "Float32": "f", "Int64": "q", "UInt64": "Q", "Int32": "i", "UInt32": "I", "UInt16": "H",
         "UInt8": "B"}


def read_frame(path):
    """The arrays of a VTK file as Talus writes it (zlib, appended): by name, a list of numbers or of tuples."""
    data = path.read_bytes()
    head, _, rest = data.partition(b"<AppendedData")
    appended = rest[rest.index(b"_") + 1:]
    arrays = {}
    pattern = rb'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)"[^>]*offset="(\d+)"'
    for match in re.finditer(pattern, head):
        kind, name, components, at = match[1].decode(), match[2].decode(), int(match[3]), int(match[4])
        blocks, = struct.unpack_from("<Q", appended, at)
        sizes = struct.unpack_from(f"<{blocks}Q", appended, at + 24)
        at += 24 + 8 * blocks
        plain = b""
        for size in sizes:
            plain += zlib.decompress(appended[at:at + size])
            at += size
        code = TYPES[kind]
        numbers = struct.unpack(f"<{len(plain) // struct.calcsize(code)}{code}", plain)
        arrays[name] = list(zip(*[iter(numbers)] * components)) if components > 1 else list(numbers)
    return arrays


def last_frame(run, part):
    return read_frame(max((run / "frames").glob(f"{part}_*.vtp")))


# ---- what is measured

def mean_overlap(contacts):
    """m, of the contacts in the bulk of a packing; what is open counts as 0."""
    inside = [max(0.0, o) for o, p in zip(contacts["overlap"], contacts["Points"]) if BULK[0] < p[2] < BULK[1]]
    return statistics.fmean(inside) if inside else 0.0


def neighbours(points, radii, distance):
    """Mean number of grains whose surfaces are nearer than this, of those in the bulk."""
    order = sorted(range(len(points)), key=lambda k: points[k][2])
    reach, found = 2 * max(radii) + distance, 0
    for a, i in enumerate(order):
        (x, y, z), inside = points[i], BULK[0] < points[i][2] < BULK[1]
        for j in order[a + 1:]:
            dz = points[j][2] - z
            if dz > reach:
                break
            dx, dy = abs(points[j][0] - x), abs(points[j][1] - y)
            dx, dy = min(dx, PERIOD - dx), min(dy, PERIOD - dy)
            if dx * dx + dy * dy + dz * dz < (radii[i] + radii[j] + distance) ** 2:
                found += inside + (BULK[0] < points[j][2] < BULK[1])
    return found / sum(BULK[0] < p[2] < BULK[1] for p in points)


def repose_angle(points, radii, fraction):
    """Degrees: both flanks of a heap about x = 0 whose grains have this solid fraction."""
    width = DIAMETER
    first, last = round(FLANK[0] * EDGE / width), round(FLANK[1] * EDGE / width)
    volume = [0.0] * (last - first)
    for (x, _, _), radius in zip(points, radii):
        column = math.floor(abs(x) / width) - first
        if 0 <= column < len(volume):
            volume[column] += 4 / 3 * math.pi * radius ** 3
    x = [(first + k + 0.5) * width for k in range(len(volume))]
    height = [v / (2 * width * THICK * fraction) for v in volume]
    slope = statistics.linear_regression(x, height).slope
    return math.degrees(math.atan(-slope))


def measure(run, scene):
    summary = json.loads((run / "summary.json").read_text())
    results = summary["results"]
    bodies, contacts = last_frame(run, "bodies"), last_frame(run, "contacts")
    found = {}
    if scene == "heap":
        free = [k for k, body in enumerate(bodies["id"]) if body >= FLOOR[0] * FLOOR[1]]  # the floor comes first
        found["angle"] = repose_angle([bodies["Points"][k] for k in free], [bodies["radius"][k] for k in free],
                                      results["packing_bulk"])
        found["grains left"] = len(free)
        found["fraction inside"] = results["packing_bulk"]
    else:
        overlap = mean_overlap(contacts)
        found["solid fraction"] = results["packing_bulk"] * (1 - 3 * overlap / DIAMETER)
        found["neighbours"] = neighbours(bodies["Points"], bodies["radius"], NEAR * DIAMETER - overlap)
        found["fraction as measured"] = results["packing_bulk"]
        found["contacts with force"] = results["coordination_bulk"]
        found["mean overlap / d"] = overlap / DIAMETER
    found["largest overlap / r"] = summary["max_overlap"]
    found["energy error"] = results["energy_error"]
    found["fastest grain, m/s"] = results["max_speed"]
    found["unconverged steps, %"] = 100 * summary["unconverged_steps"] / summary["steps"]
    found["seconds"] = summary["wall_seconds"]
    return found


# ---- judgement

def standard_error(values):
    return statistics.stdev(values) / math.sqrt(len(values))


def judge(name, ours, theirs):
    """Whether two samples of a quantity of LIMITS agree."""
    small, blind = LIMITS[name]
    apart = abs(statistics.fmean(ours) - statistics.fmean(theirs))
    error = math.hypot(standard_error(ours), standard_error(theirs))
    good = apart <= max(small, ERRORS * error) and ERRORS * error <= blind
    print(f"  {name}: apart by {apart:.4f} = {apart / error if error else math.inf:.1f} standard errors"
          f"{'' if good else '   FAILED' if ERRORS * error <= blind else '   FAILED: too much scatter to tell'}")
    return good


def compare(scene, results):
    """results: by method, a list of what was measured."""
    print(scene)
    first = next(iter(results.values()))[0]
    for name in first:
        columns = {method: [r[name] for r in runs] for method, runs in results.items()}
        means = [f"{method} {statistics.fmean(values):.5g} +- {standard_error(values):.2g}"
                 for method, values in columns.items()]
        print(f"  {name}: {', '.join(means)}")
    ours, theirs = results.values()
    good = [judge(name, [r[name] for r in ours], [r[name] for r in theirs]) for name in first if name in LIMITS]
    return all(good)


def self_test():
    # A heap of 25 degrees, made of small grains in columns.
    fraction, radius, points = 0.6, 2e-4, []
    random = Random(3)
    number = round(EDGE * EDGE * math.tan(math.radians(25)) * THICK * fraction / (4 / 3 * math.pi * radius ** 3))
    for _ in range(number):
        points.append(((random.random() - random.random()) * EDGE, 0.0, 0.0))
    assert abs(repose_angle(points, [radius] * number, fraction) - 25) < 1.0
    # Grains on a cubic lattice have six neighbours, also across the periodic border.
    lattice = [(i * DIAMETER - PERIOD / 2, k * DIAMETER - PERIOD / 2, m * DIAMETER)
               for i in range(8) for k in range(8) for m in range(14)]
    assert neighbours(lattice, [DIAMETER / 2] * len(lattice), 0.01 * DIAMETER) == 6
    assert judge("angle", [22.0, 22.4, 21.8], [22.3, 22.9, 22.5])
    assert not judge("angle", [22.0, 22.4, 21.8], [25.3, 25.9, 25.5])
    assert not judge("angle", [15.0, 30.0, 22.0], [15.0, 30.0, 22.0])  # the same, but that says nothing
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    talus, folder, scenes = sys.argv[1], Path(sys.argv[2]), sys.argv[3:] or list(SCENES)
    # The runs need nothing of each other: one per core, the long ones first.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = {(scene, method, seed): pool.submit(run_scene, talus, folder, scene, method, seed)
                   for method in reversed(METHODS) for scene in scenes for seed in SEEDS}
        good = [compare(scene, {method: [waiting[scene, method, seed].result() for seed in SEEDS]
                                for method in METHODS}) for scene in scenes]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
