"""A fit: which friction gives the measured coefficient of a sliding block? scipy.optimize asks, Talus answers.

The "measurement" is made with friction 0.37 and hidden; the fit has to find it.
"""
import sys
from pathlib import Path

import matplotlib.pyplot as plt
from scipy.optimize import brentq

import talus

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")


def slide(friction: float) -> float:
    """How far a brick slides that is pushed off at 1 m/s, m."""
    world = talus.World()
    world.add_material(friction=friction, restitution=0)
    world.add_wall(talus.Plane())
    brick = world.add_body(talus.Box(("10 cm", "5 cm", "2 cm")), position=(0, 0, "1 cm"), velocity=(1, 0, 0))
    sim = talus.Simulation(world, talus.ContactDynamics(step="1 ms", tolerance=1e-8, solver="auto"))
    sim.run("0.6 s")
    return float(brick.position[0])


measured = slide(0.37)
asked: list[float] = []


def miss(friction: float) -> float:
    asked.append(friction)
    return slide(friction) - measured


found = brentq(miss, 0.2, 0.8, xtol=1e-4)
print(f"friction {found:.4f} after {len(asked)} runs; v^2/(2 mu g) = {1 / (2 * 0.37 * 9.81):.4f} m, slid {measured:.4f} m")

figure, axes = plt.subplots(figsize=(5, 3.5), layout="constrained")
axes.plot(asked, "o-")
axes.axhline(0.37, color="grey")
axes.set(xlabel="run", ylabel="friction asked for")
figure.savefig(folder / "06_calibrate.png")
assert abs(found - 0.37) < 1e-3
assert abs(measured - 1 / (2 * 0.37 * 9.81)) < 2e-3  # two steps of way
