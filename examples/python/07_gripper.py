"""An environment to learn in: a gripper that lifts a stone from a bed of grains, here by a rule of three lines."""
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import talus.envs

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
env = talus.envs.Gripper()
observation, _ = env.reset(seed=3)
heights, total = [], 0.0
for k in range(60):
    lowers, closes = observation[0] > -0.029 and k < 20, k >= 20
    action = np.array([-0.2 if lowers else 0.15 if k > 32 else 0.0, 0.1 if closes else 0.0], dtype=np.float32)
    observation, reward, terminated, truncated, _ = env.step(action)
    heights.append(float(observation[6]))
    total += reward
    if terminated or truncated:
        break
print(f"the stone rose by {1e3 * (heights[-1] - heights[0]):.1f} mm, reward {total:.2f}")

env.sim.picture(width=640, height=480, elevation=10).save(folder / "07_gripper.png")
figure, axes = plt.subplots(figsize=(5, 3.5), layout="constrained")
axes.plot(0.01 * np.arange(len(heights)), 1e3 * np.array(heights))
axes.set(xlabel="time [s]", ylabel="height of the stone [mm]")
figure.savefig(folder / "07_gripper_height.png")
assert heights[-1] > heights[0] + 0.02
