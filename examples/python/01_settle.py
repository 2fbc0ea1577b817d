"""Spheres fall into a box and come to rest: the first example, with a picture of the end and a plot of the energies."""
import sys
from pathlib import Path

import matplotlib.pyplot as plt

import talus

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

world = talus.World(gravity=(0, 0, -9.81))
glass = world.add_material("glass", density=2500, friction=0.5, youngs_modulus="10 MPa")
world.add_wall(talus.Container(size=("30 mm", "30 mm", "50 mm"), open="+z"), material=glass)
world.fill(talus.Box(low=("-14 mm", "-14 mm", "-24 mm"), high=("14 mm", "14 mm", "24 mm")),
           radius=talus.uniform("1.8 mm", "2.4 mm"), volume_fraction=0.25, material=glass)
print(world)

sim = talus.Simulation(world, method=talus.ContactDynamics(step="0.4 ms", max_iterations=5000))
times: list[float] = []
kinetic: list[float] = []


def watch(s: talus.Simulation) -> None:
    times.append(s.time)
    kinetic.append(s.world.energy["kinetic"])


sim.every(watch, time="5 ms")
sim.run("0.2 s")

heights = world.position[:world.grain_count, 2]
weight = 9.81 * world.mass.sum()
floor = world.contacts
on_walls = floor.force[floor.bodies[:, 1] == world.id[world.grain_count]].sum(axis=0)
print(f"highest grain at {1e3 * heights.max():.1f} mm, {len(floor)} contacts")
print(f"the box carries {on_walls[2] / weight:.3f} of the weight")

sim.picture(width=800, height=600).save(folder / "01_settle.png")
figure, axes = plt.subplots(figsize=(5, 3.5), layout="constrained")
axes.semilogy(times, kinetic)
axes.set(xlabel="time [s]", ylabel="kinetic energy [J]")
figure.savefig(folder / "01_settle_energy.png")
assert 0.9 < on_walls[2] / weight < 1.1
