"""A calibration: which friction and rolling friction has this sand? scipy.optimize asks, Talus answers.

Two tests are "measured": how far a brick of it slides, which friction alone decides, and the angle of repose of a heap, which
rolling friction changes too. They are made with hidden numbers here, on heaps that the fit does not see.
"""
import sys
from functools import lru_cache
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle
from scipy.optimize import brentq, minimize_scalar

import talus

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")


def slide(friction: float) -> float:
    """How far a brick slides that is pushed off at 1 m/s, m."""
    world = talus.World()
    world.add_material(friction=friction, restitution=0)
    world.add_wall(talus.Plane())
    brick = world.add_body(talus.Box(("10 cm", "5 cm", "2 cm")), position=(0, 0, "1 cm"), velocity=(1, 0, 0))
    talus.Simulation(world, talus.ContactDynamics(step="1 ms", tolerance=1e-8, solver="auto")).run("0.6 s")
    return float(brick.position[0])


def heap(friction: float, rolling: float, seed: int) -> talus.World:
    """A column of grains that has collapsed on a rough floor, between two plates of glass: a planar world."""
    world = talus.World(planar="xz", seed=seed, contact_law=talus.ContactLaw(normal="hooke", rolling="spring"))
    world.add_material("sand", friction=friction, rolling_friction=rolling, restitution=0.2, stiffness="20 kN/m")
    world.add_wall(talus.Plane())
    world.add_lattice("sc", spacing="5 mm", origin=("-25 mm", 0, "3 mm"), count=(11, 1, 18), jitter=0.05,
                      grains=[talus.Sphere(radius) for radius in ("1.6 mm", "2 mm", "2.4 mm")])
    sim = talus.Simulation(world, talus.Penalty(step="20 us"))
    sim.add_force(lambda w: -0.5 * np.asarray(w.velocity) * w.mass[:, None])  # air
    sim.run("0.8 s")
    return world


def angle(world: talus.World) -> float:
    """Of the slopes of a heap, in degrees: of the triangle that has the same mean height and mean distance from the middle."""
    x, z = np.asarray(world.position[:world.grain_count])[:, [0, 2]].T
    return float(np.degrees(np.arctan2(z.mean(), np.abs(x - np.median(x)).mean())))


@lru_cache(None)
def repose(friction: float, rolling: float, seeds: tuple[int, ...]) -> float:
    return float(np.mean([angle(heap(friction, rolling, seed)) for seed in seeds]))


hidden = (0.5, 0.25)
measured_slide, measured_angle = slide(hidden[0]), repose(*hidden, (11, 12))
print(f"measured: a brick slides {1e3 * measured_slide:.1f} mm, a heap has {measured_angle:.1f} degrees")

friction = float(brentq(lambda mu: slide(mu) - measured_slide, 0.2, 0.9, xtol=1e-4))
asked: list[tuple[float, float]] = []


def miss(rolling: float) -> float:
    found = repose(friction, float(rolling), (1, 2))
    asked.append((float(rolling), found))
    return (found - measured_angle)**2


fit = minimize_scalar(miss, bounds=(0.0, 0.6), method="bounded", options={"maxiter": 8, "xatol": 0.01})
print(f"friction {friction:.4f} (hidden: {hidden[0]}), rolling friction {fit.x:.2f} (hidden: {hidden[1]}), "
      f"{len(asked)} pairs of heaps")

best = heap(friction, fit.x, 1)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
left.plot(*np.array(sorted(asked)).T, "o-")
left.axhline(measured_angle, color="grey", linestyle="--", label="measured")
left.set(xlabel="rolling friction asked for", ylabel="angle of repose [degrees]")
left.legend()
grains = slice(best.grain_count)
for (x, _, z), r in zip(1e3 * np.asarray(best.position[grains]), 1e3 * np.asarray(best.radius[grains])):
    right.add_patch(Circle((x, z), r, facecolor="tan", edgecolor="black", linewidth=0.3))
right.set(xlabel="x [mm]", ylabel="z [mm]", aspect="equal", title="a heap of the fit", xlim=(-110, 110), ylim=(0, 45))
figure.savefig(folder / "06_calibrate.png")

assert abs(friction - hidden[0]) < 1e-3
assert abs(measured_slide - 1 / (2 * hidden[0] * 9.81)) < 2e-3  # v^2/(2 mu g), to two steps of way
assert abs(np.sqrt(fit.fun)) < 2  # degrees, the scatter of heaps of so few grains
