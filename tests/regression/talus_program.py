"""Runs the program for the tests beside this file: small scenes, a folder of its own per test, results read back.

The program is named by the environment variable TALUS (CTest sets it). Each scene takes a second or less.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

GLASS = "materials: {glass: {density: 2500, youngs_modulus: 2 MPa, friction: 0.4, restitution: 0.6}}\n"

SETTLE = GLASS + """
bodies:
  - {shape: container, centre: [0, 0, 30 mm], size: [14 mm, 14 mm, 60 mm], open: [+z]}
  - generate: random
    region: {low: [-7 mm, -7 mm, 0], high: [7 mm, 7 mm, 24 mm]}
    radius: {distribution: uniform, low: 0.9 mm, high: 1.1 mm}
    count: 300
    velocity: [0, 0, -0.5]
    random_velocity: 0.2
run: {time: 20 ms}
"""

DRUM = """
materials:
  glass: {density: 2500, youngs_modulus: 2 MPa, friction: 0.5, restitution: 0.5}
  steel: {density: 7800, youngs_modulus: 5 MPa, friction: 0.6, restitution: 0.7}
pairs: [{between: [glass, steel], friction: 0.7}]
bodies:
  - shape: drum
    centre: [0, 0, 0]
    axis: [0, 1, 0]
    radius: 12 mm
    length: 10 mm
    material: steel
    motion: {type: rotation, axis: [0, 1, 0], point: [0, 0, 0], rate: 120 rpm}
  - generate: random
    region: {centre: [0, 0, 0], axis: [0, 1, 0], radius: 11.9 mm, length: 9.9 mm}
    radius: {distribution: table, radii: [1 mm, 1.5 mm], weights: [3, 1]}
    volume_fraction: 0.2
    velocity: [0, 0, -0.5]
    material: glass
run: {time: 20 ms, orientation: true}
"""

CHUTE = GLASS + """
gravity: [5, 0, -8.5]
domain: {low: [0, 0, -10 mm], high: [16 mm, 8 mm, 50 mm], periodic: [x, y]}
bodies:
  - {generate: lattice, lattice: sc, radius: 1 mm, origin: [0, 0, -1 mm], count: [8, 4, 1], fixed: true, group: bed}
  - generate: lattice
    lattice: sc
    radius: 0.9 mm
    spacing: 2 mm
    origin: [0.1 mm, 0.1 mm, 1.1 mm]
    count: [8, 4, 6]
    jitter: 0.04
    random_velocity: 0.3
run: {time: 20 ms}
"""

POUR = GLASS + """
domain: {low: [-9 mm, -9 mm, -20 mm], high: [9 mm, 9 mm, 40 mm]}
bodies:
  - {shape: container, centre: [0, 0, 10 mm], size: [16 mm, 16 mm, 60 mm], open: [-z, +z]}
  - {generate: lattice, lattice: sc, radius: 1 mm, region: {low: [-8 mm, -8 mm, -1 mm], high: [8 mm, -3 mm, 1 mm]}, fixed: true, group: floor}
  - {generate: lattice, lattice: sc, radius: 1 mm, region: {low: [-8 mm, 3 mm, -1 mm], high: [8 mm, 8 mm, 1 mm]}, fixed: true, group: floor}
sources:
  - region: {low: [-7 mm, -7 mm, 4 mm], high: [7 mm, 7 mm, 20 mm]}
    rate: 15000
    radius: {distribution: normal, mean: 0.8 mm, deviation: 0.1 mm, low: 0.6 mm, high: 1 mm}
    velocity: [0, 0, -1]
    limit: 250
sinks: [{region: {low: [-9 mm, -9 mm, -20 mm], high: [9 mm, 9 mm, -8 mm]}}]
run: {time: 25 ms}
measure: {planes: [{name: outlet, point: [0, 0, -3 mm], normal: [0, 0, -1]}]}
"""

TWO_SIZES = GLASS + """
bodies:
  - {shape: container, centre: [0, 0, 20 mm], size: [10 mm, 10 mm, 40 mm], open: [+z]}
  - {shape: sphere, radius: 4 mm, position: [0, 0, 4 mm], velocity: [0, 0.2, 0], spin: [0, 20, 0]}
  - generate: random
    region: {low: [-5 mm, -5 mm, 0], high: [5 mm, 5 mm, 3 mm]}
    radius: 0.2 mm
    count: 400
    velocity: [0, 0, -0.8]
run: {time: 4 ms}
"""

STICKY = """
materials:
  clay: {density: 2500, youngs_modulus: 2 MPa, friction: 0.4, restitution: 0.6, rolling_friction: 0.1, adhesion_work: 0.05}
contact_law: {rolling: spring, cohesion: jkr}
bodies:
  - {shape: container, centre: [0, 0, 30 mm], size: [12 mm, 12 mm, 60 mm], open: [+z]}
  - generate: random
    region: {low: [-6 mm, -6 mm, 0], high: [6 mm, 6 mm, 14 mm]}
    radius: {distribution: uniform, low: 0.8 mm, high: 1.1 mm}
    count: 150
    velocity: [0, 0, -0.6]
    random_velocity: 0.2
run: {time: 12 ms}
"""

RIGID = "method: contact-dynamics\n"
RIGID_DRUM, RIGID_POUR = RIGID + DRUM, RIGID + POUR
RIGID_SETTLE = RIGID + SETTLE.replace("time: 20 ms", "time: 20 ms, skin: 0.35 mm")
RIGID_CHUTE = RIGID + CHUTE.replace("time: 20 ms", "time: 100 ms")
ELASTIC_SETTLE = """
method: contact-dynamics
contact_law: {normal: hooke}
contact_dynamics: {contacts: elastic, theta: 0.6}
""" + SETTLE
GLUED_SETTLE = """
method: contact-dynamics
contact_law: {normal: hooke, cohesion: constant}
contact_dynamics: {contacts: elastic, friction_law: associated}
pairs:
  - between: [glass, glass]
    cohesion_force: 5 mN
    damping_time: 50 us
    rounding: 1 mN
    cap: 30 mN
    bond_stretch: 10 um
    cap_hardening: 100
""" + SETTLE
SQUEEZE = """
method: quasi-static
contact_law: {normal: hooke}
quasi_static: {tolerance: 1e-4}
""" + GLASS + """
bodies:
  - {shape: container, centre: [0, 0, 5 mm], size: [8 mm, 8 mm, 10 mm], open: [+z]}
  - {generate: lattice, lattice: sc, radius: 1 mm, origin: [-4 mm, -4 mm, 0], count: [4, 4, 3]}
  - {shape: plane, group: lid, point: [0, 0, 6 mm], normal: [0, 0, -1], motion: {type: constant, velocity: [0, 0, -0.01]}}
run: {time: 10 ms, step: 0.1 ms}
"""

# Filled without friction, loaded by a servo with rigid contacts, and held with springs.
STAGED = GLASS + """
bodies:
  - {shape: container, centre: [0, 0, 15 mm], size: [10 mm, 10 mm, 30 mm], open: [+z]}
  - {generate: lattice, lattice: sc, radius: 1 mm, spacing: 2.2 mm, jitter: 0.02, velocity: [0, 0, -0.3],
     region: {low: [-5 mm, -5 mm, 0], high: [5 mm, 5 mm, 8 mm]}}
stages:
  - {name: fill, time: 5 ms, materials: {glass: {friction: 0}}}
  - name: load
    time: 8 ms
    method: contact-dynamics
    step: 0.05 ms
    materials: {glass: {friction: 0.4}}
    bodies:
      - {shape: plane, group: lid, point: [0, 0, 5 cm], normal: [0, 0, -1], on: grains,
         motion: {type: servo, stress: 500 Pa, area: 1 cm^2, max_speed: 10 cm/s}}
  - {name: hold, time: 4 ms, method: penalty, until: [{quantity: max_speed, above: 1 km/s}], unfinished: continue}
"""

# A drum whose radius holds a stress.
CONFINED = GLASS + """
bodies:
  - {shape: drum, group: sleeve, centre: [0, 0, 5 mm], radius: 6 mm, length: 10 mm,
     motion: {type: radial-servo, stress: 500 Pa, max_speed: 10 cm/s}}
  - {generate: lattice, lattice: sc, radius: 1 mm, spacing: 2.1 mm, jitter: 0.02,
     region: {low: [-4 mm, -4 mm, 0], high: [4 mm, 4 mm, 10 mm]}}
run: {time: 15 ms}
"""

# A sleeve of rings that does the same around rigid grains, until a lid passes some of them.
RIGID_CONFINED = GLASS + """
method: contact-dynamics
bodies:
  - {shape: plane, group: floor, point: [0, 0, 0], normal: [0, 0, 1]}
  - {shape: sleeve, group: sleeve, centre: [0, 0, 6 mm], radius: 6 mm, length: 12 mm, rings: 3,
     motion: {type: radial-servo, stress: 500 Pa, max_speed: 10 cm/s, ends: [floor, lid]}}
  - {shape: plane, group: lid, point: [0, 0, 11 mm], normal: [0, 0, -1], motion: {type: constant, velocity: [0, 0, -5 cm/s]}}
  - {generate: lattice, lattice: sc, radius: 1 mm, spacing: 2.1 mm, jitter: 0.02,
     region: {low: [-4 mm, -4 mm, 0], high: [4 mm, 4 mm, 10 mm]}}
run: {time: 15 ms, step: 100 us}
"""

SHAPES = """
materials: {stone: {density: 2500, youngs_modulus: 2 MPa, friction: 0.4, restitution: 0.3}}
bodies:
  - {shape: container, centre: [0, 0, 30 mm], size: [40 mm, 40 mm, 60 mm], open: [+z]}
  - {shape: box, size: [10 mm, 10 mm, 6 mm], position: [0, 0, 4 mm], rotation: [0.1, 0.2, 0.3], fixed: true}
  - generate: random
    grains:
      - {shape: sphere, radius: 1}
      - {shape: box, size: [1, 1.3, 1.6]}
      - {shape: cylinder, radius: 1, length: 2, rounding: 0.1}
      - {shape: ellipsoid, semi_axes: [1, 1.2, 1.7]}
      - {shape: clump, spheres: [[0, 0, 0, 1], [1.2, 0, 0, 0.8]]}
      - {shape: hull, points: [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]}
    region: {low: [-20 mm, -20 mm, 10 mm], high: [20 mm, 20 mm, 40 mm]}
    radius: {distribution: uniform, low: 2.5 mm, high: 3 mm}
    count: 60
    velocity: [0, 0, -1.5]
run: {time: 20 ms, step: 20 us}
"""

# Grains in a crystal that dashpots would calm faster than a step of this length bears.
HELD_BACK = """
gravity: [0, 0, 0]
materials: {clay: {density: 2500, youngs_modulus: 20 MPa, friction: 0.5, restitution: 0.05}}
domain: {low: [0, 0, 0], high: [7.92 mm, 7.92 mm, 7.92 mm], periodic: [x, y, z]}
bodies:
  - {generate: lattice, lattice: sc, radius: 1 mm, spacing: 1.98 mm, origin: [0, 0, 0], count: [4, 4, 4],
     random_velocity: 0.1}
run: {time: 10 ms, step_fraction: 0.3}
"""

RIGID_SHAPES = SHAPES.replace("run: {time: 20 ms, step: 20 us}", "method: contact-dynamics\nrun: {time: 30 ms, step: 100 us}")

SCENES = {
    "settle": SETTLE, "drum": DRUM, "chute": CHUTE, "pour": POUR, "two sizes": TWO_SIZES, "sticky": STICKY,
    "rigid settle": RIGID_SETTLE, "rigid drum": RIGID_DRUM, "rigid chute": RIGID_CHUTE, "elastic settle": ELASTIC_SETTLE,
    "squeeze": SQUEEZE, "glued settle": GLUED_SETTLE, "staged": STAGED, "confined": CONFINED,
    "rigid confined": RIGID_CONFINED,
    "shapes": SHAPES, "rigid shapes": RIGID_SHAPES,
}

QUIET = ["output.frames=0", "output.checkpoint=0", "output.plots=false"]


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own, self.folder, removed at the end."""

    def setUp(self):
        self.program = os.environ["TALUS"]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="talus-program-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, text, name="scene.yaml"):
        file = self.folder / name
        file.write_text(text)
        return file

    def command(self, scene, out, settings=(), threads=1, more=()):
        sets = [word for setting in settings for word in ("--set", setting)]
        file = self.write(scene) if isinstance(scene, str) else scene
        return [self.program, "run", str(file), "-o", str(out), "--threads", str(threads), *sets, *more]

    def talus(self, *arguments, **options):
        """Runs to the end; returns the finished process with text output."""
        return subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, timeout=100,
                              **{"cwd": self.folder, **options})

    def run_scene(self, scene, out, settings=(), threads=1, more=(), **options):
        command = self.command(scene, out, settings, threads, more)
        return self.talus(*command[1:], **options)

    def finish_scene(self, scene, out, settings=(), threads=1, **options):
        """Runs a scene that must succeed; returns its summary."""
        done = self.run_scene(scene, out, settings, threads, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.summary(out)

    def summary(self, out):
        return json.loads((out / "summary.json").read_text())

    def start(self, command):
        """Starts a run in the background; it is ended with the test at the latest."""
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)

        def end():
            if process.poll() is None:
                process.kill()
            process.communicate()

        self.addCleanup(end)
        return process

    def wait_for(self, condition, process, what):
        """Waits until the condition holds; fails if the process ends before it does."""
        limit = time.monotonic() + 60
        while not condition():
            self.assertIsNone(process.poll(), f"the run ended before {what}")
            self.assertLess(time.monotonic(), limit, f"no {what} within a minute")
            time.sleep(0.005)

    def wait_until(self, condition):
        """Waits until the condition holds."""
        limit = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), limit, "it did not happen within a minute")
            time.sleep(0.05)

    def rows(self, out):
        file = out / "series.csv"
        return file.read_text().count("\n") - 1 if file.exists() else 0

    def interrupt(self, command, out, rows, number=signal.SIGTERM):
        """Starts the command and sends a signal once the series has so many rows; returns (status, stderr)."""
        process = self.start(command)
        self.wait_for(lambda: self.rows(out) >= rows, process, f"{rows} rows were written")
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        return process.returncode, errors
