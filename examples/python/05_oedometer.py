"""Sand is pressed together in a box: the stress on a region, step by step, and its ratio sideways over upright."""
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import talus

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

world = talus.World(contact_law=talus.ContactLaw(normal="hooke"))
sand = world.add_material("sand", friction=0.5, stiffness="40 kN/m", restitution=0.2)
smooth = world.add_material("smooth", friction=0, stiffness="40 kN/m", restitution=0.2)
world.set_pair(sand, smooth, friction=0)
world.add_wall(talus.Container(centre=(0, 0, 0.04), size=(0.04, 0.04, 0.08), open="+z"), material=smooth)
world.fill(talus.BoxRegion((-0.02, -0.02, 0), (0.02, 0.02, 0.075)), radius=talus.uniform("2.2 mm", "3 mm"),
           volume_fraction=0.3, material=sand)
sim = talus.Simulation(world, talus.Penalty(step="12 us"))
sim.run("0.2 s")  # falls down and comes to rest

top = float((world.position[:world.grain_count, 2] + world.radius[:world.grain_count]).max())
lid = world.add_wall(talus.Plane(point=(0, 0, top), normal=(0, 0, -1)), material=smooth, group="lid",
                     motion=talus.ConstantMotion(velocity=(0, 0, "-3 cm/s")))
upright: list[float] = []
sideways: list[float] = []


def record(s: talus.Simulation) -> None:
    stress = s.world.stress((-0.02, -0.02, 0.005), (0.02, 0.02, 0.03))
    upright.append(stress[2, 2])
    sideways.append(0.5 * (stress[0, 0] + stress[1, 1]))


sim.every(record, time="1 ms")
sim.run("0.2 s")
ratio = sideways[-1] / upright[-1]
print(f"{1e-3 * upright[-1]:.1f} kPa upright, ratio sideways over upright {ratio:.2f}")

figure, axes = plt.subplots(figsize=(5, 3.5), layout="constrained")
axes.plot(1e3 * 0.03e-3 * np.arange(1, len(upright) + 1), 1e-3 * np.array(upright), label="upright")
axes.plot(1e3 * 0.03e-3 * np.arange(1, len(upright) + 1), 1e-3 * np.array(sideways), label="sideways")
axes.set(xlabel="way of the lid [mm]", ylabel="stress [kPa]")
axes.legend()
figure.savefig(folder / "05_oedometer.png")
assert 0.2 < ratio < 1  # sand at rest: between Jaky's 1 - sin(40 deg) = 0.36 with room for few grains, and a fluid
