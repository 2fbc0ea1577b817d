"""A blade that levels sand: three plans tried at once, side by side on threads."""
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import talus.envs

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
talus.use_threads(1)  # the threads go to the worlds
plans = np.array([(0.0, 0.0), (0.3, -0.2), (0.3, -0.3)], dtype=np.float32)  # m/s along and upwards
envs = talus.envs.Vector(lambda: talus.envs.Blade(), len(plans))
before, _ = envs.reset(seed=[11] * len(plans))  # the same heap for all
gained = np.zeros(len(plans))
for k in range(25):  # down first, then along
    after, rewards, _, _, _ = envs.step(plans * ((0, 1) if k < 8 else (1, 0)))
    gained += rewards
for plan, gain in zip(plans, gained):
    print(f"{plan[0]:4.1f} m/s along, {plan[1]:4.1f} m/s up: {gain:6.3f} diameters more level")

last = len(plans) - 1
envs.envs[last].sim.picture(width=640, height=480, azimuth=-90, elevation=5).save(folder / "08_blade.png")
figure, axes = plt.subplots(figsize=(5, 3.5), layout="constrained")
axes.stairs(1e3 * before[last, :12], label="before")
axes.stairs(1e3 * after[last, :12], label="after")
axes.set(xlabel="column along the trough", ylabel="height [mm]")
axes.legend()
figure.savefig(folder / "08_blade_heights.png")
moved = after[:, 12]  # of the blades along the trough, m
assert abs(gained[0]) < 0.05 and moved[0] < 1e-3 and (moved[1:] > 0.03).all()
