"""A gripper learns to lift a stone from a bed of grains: three numbers, found by the cross-entropy method.

The policy goes down to some depth, closes its fingers with some speed and lifts from some moment on. The first one it tries
stays too high. Each round tries several side by side on threads, and goes on from the best of them.
"""
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import talus.envs

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
talus.use_threads(1)  # the threads go to the worlds
actions = 60


def policy(parameters: np.ndarray, seen: np.ndarray, k: int) -> np.ndarray:
    """Speeds of the carriage and of the fingers (m/s) from what is seen: the place of the carriage is the first of it."""
    depth, speed, lifts = parameters  # m, m/s, number of the action
    up = 0.15 if k >= lifts else float(np.clip(20 * (-depth - seen[0]), -0.2, 0.2))
    return np.array([up, speed if k >= lifts - 12 else 0.0])


envs = talus.envs.Vector(lambda: talus.envs.Gripper(grains=160), 10)
first = (0.01, 0.1, 30.0)
learned = talus.envs.cross_entropy(envs, policy, first, spread=(0.012, 0.05, 5.0), rounds=4, actions=actions, seed=3,
                                   tell=lambda k, r: print(f"round {k + 1}: mean policy {r[0]:5.2f}, best {r.max():5.2f}"))
depth, speed, lifts = learned.best
print(f"learned: {1e3 * depth:.0f} mm down, {speed:.2f} m/s, lift from action {lifts:.0f}: {learned.best_return:.2f} stone heights")

# The first policy and the best one, on the bed that was learned on; worlds=4 would learn on four, for others too.
env = talus.envs.Gripper(grains=160)
heights = {}
for name, parameters in (("first policy", np.array(first)), ("learned", learned.best)):
    seen, info = env.reset(seed=3)
    heights[name] = [float(seen[6])]
    for k in range(actions):
        seen, reward, terminated, truncated, info = env.step(policy(parameters, seen, k))
        heights[name].append(float(seen[6]))
        if terminated:
            break
env.sim.picture(width=640, height=480, elevation=10).save(folder / "07_gripper.png")

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
left.plot(np.arange(1, 5), learned.returns, "o", color="lightgrey")
left.plot(np.arange(1, 5), learned.returns[:, 0], "o-", label="mean policy")
left.set(xlabel="round", ylabel="height gained [stone heights]")
left.legend()
for name, values in heights.items():
    right.plot(0.01 * np.arange(len(values)), 1e3 * np.array(values), label=name)
right.set(xlabel="time [s]", ylabel="height of the stone [mm]", title="both policies")
right.legend()
figure.savefig(folder / "07_gripper_learning.png")

gained = {name: values[-1] - values[0] for name, values in heights.items()}
print(f"the stone rises by {1e3 * gained['first policy']:.1f} mm by the first policy, {1e3 * gained['learned']:.1f} mm by the learned one")
assert learned.returns[-1].mean() > learned.returns[0].mean() + 0.5
assert gained["learned"] > gained["first policy"] + 0.02
