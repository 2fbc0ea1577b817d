#!/usr/bin/env python3
"""An installed wheel, tried as a new user would: python try_wheel.py [--system] [--no-page], in an environment with the wheel
and numpy alone. --system: libraries may be those of this computer; --no-page: there is no page of the viewer.

Exit 1, with the reason, if anything of the package, the program or the page of the viewer is not there, or if a library comes
from outside the wheel that not every Linux has.
"""
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import numpy as np

import talus

# Of glibc and g++, by the policy of manylinux.
EVERYWHERE = ("linux-vdso", "ld-linux", "libc.so", "libm.so", "libgcc_s", "libstdc++", "libpthread", "libdl", "librt", "libz.so")


def check(holds, what):
    if not holds:
        sys.exit(f"try_wheel: {what}")


def check_libraries(package):
    core = Path(sys.modules["talus._core"].__file__)
    for file in (core, talus.program()):
        linked = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
        for line in linked.splitlines():
            name, _, place = line.strip().partition(" => ")
            inside = os.path.realpath(place.split(" (")[0]).startswith(str(package.parent))
            check(inside or Path(name.split(" (")[0]).name.startswith(EVERYWHERE), f"{file.name} takes from outside: {line}")
            check("not found" not in line, f"{file.name} lacks {line}")


def check_python():
    world = talus.World()
    glass = world.add_material("glass", density=2500, friction=0.5, youngs_modulus="10 MPa")
    world.add_wall(talus.Plane(), material=glass)
    ball = world.add_body(talus.Sphere("5 mm"), position=(0, 0, "2 cm"), material=glass)
    hull = world.add_body(talus.Hull(points=[(0, 0, 0), (0.01, 0, 0), (0, 0.01, 0), (0, 0, 0.01)]), position=(0.1, 0, 0.1),
                          material=glass)
    sim = talus.Simulation(world, method=talus.ContactDynamics(step="1 ms"))
    scene = sim.to_scene(time="0.3 s", output={"frames": "0.1 s"})
    sim.run(0.3, progress=False)
    check(abs(ball.position[2] - 5e-3) < 1e-4 and hull.mass > 0, f"the ball ends at {ball.position}")
    check(sim.picture(width=200, height=150).pixels.std() > 1, "the picture is empty")
    found = talus.solve(talus.Problem(np.eye(3), [-1, 0.1, 0], mu=0.5))
    check(found.converged and abs(found.reactions[0, 0] - 1) < 1e-6, f"the solver says {found}")
    return scene, world.state_hash


def check_program(scene, state_hash, folder):
    scene.save(folder / "ball.yaml")
    command = Path(sys.executable).with_name("talus")
    check(command.exists(), "there is no command talus")
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    check(said.strip() == f"talus {talus.__version__}", f"the program is {said!r}")
    subprocess.run([command, "run", folder / "ball.yaml", "-o", folder / "run", "--threads", "1"], check=True, capture_output=True)
    summary = json.loads((folder / "run" / "summary.json").read_text())
    check(summary["state_hash"] == state_hash, "the program and the module end with other bits")
    subprocess.run([command, "export", folder / "run", "--npz"], check=True, capture_output=True)
    run = talus.open(folder / "run")
    check(len(run.frames) == 4 and run.groups, "the results are not whole")
    if "--no-page" not in sys.argv:
        view = run.view()
        with urllib.request.urlopen(view.url, timeout=20) as page:
            check(b"viewer.js" in page.read(), "the page of the viewer is not whole")
        view.close()


def main():
    package = Path(talus.__file__).resolve().parent
    check("site-packages" in package.parts, f"talus is that of {package}, not of the wheel")
    check((package / "py.typed").exists() and (package / "_core.pyi").exists(), "type hints are missing")
    if "--system" not in sys.argv:  # such a wheel is for this computer, with its libraries
        check_libraries(package)
    scene, state_hash = check_python()
    with tempfile.TemporaryDirectory() as folder:
        check_program(scene, state_hash, Path(folder))
    size = sum(f.stat().st_size for place in (package, package.parent / "talus.libs") for f in place.rglob("*") if f.is_file())
    print(f"talus {talus.__version__}, Python {sys.version.split()[0]}, numpy {np.__version__}: {size / 1e6:.1f} MB installed, "
          f"state {state_hash}")


if __name__ == "__main__":
    main()
