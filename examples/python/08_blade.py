"""A blade learns to level sand: how deep to go on its way there and back, found by the cross-entropy method.

A plan has four numbers: the depth and the speed of each of two passes over the heap. The first one is too high.
"""
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import talus.envs

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
talus.use_threads(1)  # the threads go to the worlds
actions, turn = 80, 40


def plan(parameters: np.ndarray, seen: np.ndarray, k: int) -> np.ndarray:
    """Speeds of the blade along the trough and upwards (m/s); its place is seen after the heights of the sand."""
    depths, speeds = parameters[:2], parameters[2:]
    there = k < turn
    target, speed = (depths[0], speeds[0]) if there else (depths[1], -speeds[1])
    up = float(np.clip(20 * (-target - seen[13]), -0.3, 0.3))
    waits = k % turn < 10 and abs(up) > 0.02  # until it is as deep as it wants
    return np.array([0.0 if waits else speed, up])


envs = talus.envs.Vector(lambda: talus.envs.Blade(grains=80), 8)
first = (0.01, 0.01, 0.25, 0.25)
learned = talus.envs.cross_entropy(envs, plan, first, spread=(0.01, 0.01, 0.03, 0.03), rounds=4, actions=actions, seed=5,
                                   tell=lambda k, r: print(f"round {k + 1}: mean plan {r[0]:6.3f}, best {r.max():6.3f}"))
print("learned: {:.0f} and {:.0f} mm deep, {:.2f} and {:.2f} m/s".format(*1e3 * learned.best[:2], *learned.best[2:]))

# Both plans on a heap that they were not made for.
envs = talus.envs.Vector(lambda: talus.envs.Blade(grains=80), 2)
before, _ = envs.reset(seed=[99, 99])
after, gained = before, np.zeros(2)
for k in range(actions):
    chosen = np.stack([plan(p, seen, k) for p, seen in zip((np.array(first), learned.best), after)])
    after, rewards, _, _, _ = envs.step(chosen.astype(np.float32))
    gained += rewards
print(f"on another heap: {gained[0]:.3f} diameters more level by the first plan, {gained[1]:.3f} by the learned one")

envs.envs[1].sim.picture(width=640, height=480, azimuth=-90, elevation=5).save(folder / "08_blade.png")
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
left.plot(np.arange(1, 5), learned.returns, "o", color="lightgrey")
left.plot(np.arange(1, 5), learned.returns.max(axis=1), "o-", label="best")
left.set(xlabel="round", ylabel="more level by [diameters]", ylim=(-0.5, None))
left.legend()
right.stairs(1e3 * before[1, :12], label="before")
right.stairs(1e3 * after[1, :12], label="after")
right.set(xlabel="column along the trough", ylabel="height [mm]", title="another heap")
right.legend()
figure.savefig(folder / "08_blade_learning.png")
assert learned.returns[-1].mean() > learned.returns[0].mean() + 0.05
assert gained[1] > gained[0]
