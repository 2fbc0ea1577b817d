"""A force of one's own, for all bodies at once: beads in a vortex of water, with drag and buoyancy."""
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import talus

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
water, viscosity, rate = 1000.0, 1e-3, 6.0  # kg/m^3, Pa s, 1/s

world = talus.World()
world.add_material("plastic", density=1100, friction=0.3)
world.add_wall(talus.Drum(centre=(0, 0, "2 cm"), radius="5 cm", length="6 cm"))
beads = world.fill(talus.CylinderRegion(centre=(0, 0, "1 cm"), radius="45 mm", length="3 cm"), radius="1 mm", count=300)


def flow(w: talus.World) -> np.ndarray:
    """Stokes drag against water that turns as one, and buoyancy."""
    position, velocity = np.asarray(w.position), np.asarray(w.velocity)
    current = rate * np.stack([-position[:, 1], position[:, 0], np.zeros(len(w))], axis=1)
    radius = np.asarray(w.radius)[:, None]
    drag = 6 * np.pi * viscosity * radius * (current - velocity) * 30  # thickened
    lift = water * 9.81 * 4 / 3 * np.pi * radius**3 * (0, 0, 1)
    force: np.ndarray = drag + lift
    return force


sim = talus.Simulation(world, talus.ContactDynamics(step="0.5 ms"))
sim.add_force(flow)
sim.run("0.6 s")
end = beads.position

figure, axes = plt.subplots(figsize=(5, 5), layout="constrained")
axes.quiver(end[:, 0], end[:, 1], *beads.velocity[:, :2].T, np.hypot(*end[:, :2].T))
axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="beads in a vortex")
figure.savefig(folder / "02_own_force.png")
turning = np.cross(end, beads.velocity)[:, 2].mean()
print(f"mean angular momentum per mass {turning:.3g} m^2/s")
assert turning > 0
