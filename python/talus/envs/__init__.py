"""Granular worlds to learn in: environments of Gymnasium.

>>> env = talus.envs.Gripper()
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

Gripper lifts a stone from a bed of grains, Blade levels sand. Vector steps several of them at once, on threads in C++;
cross_entropy() learns policies with it. The same seed and the same actions give the same bits. Needs gymnasium: pip install gymnasium.
"""
from ._base import WorldEnv
from .blade import Blade
from .gripper import Gripper
from .learn import Learned, cross_entropy, episodes
from .vector import Vector

__all__ = ["Blade", "Gripper", "Learned", "Vector", "WorldEnv", "cross_entropy", "episodes"]
