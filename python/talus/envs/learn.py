"""Learning without gradients: the cross-entropy method over environments side by side.

A policy is a function of parameters: `policy(parameters, observation, k)` gives the action number k of an episode. In each
round some vectors of parameters are drawn from a normal distribution, each is tried in an episode, and the distribution moves
to the best of them. R. Rubinstein, D. Kroese, The Cross-Entropy Method, Springer 2004.
"""
from typing import Any, Callable, NamedTuple, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from .vector import Vector

Floats = NDArray[np.float64]
Policy = Callable[[Floats, Any, int], Any]


class Learned(NamedTuple):
    """What came out."""

    parameters: Floats  # the mean of the last distribution
    best: Floats  # those of the best episode of all
    best_return: float
    returns: Floats  # (rounds, population), of the episodes


def episodes(envs: Vector, policy: Policy, parameters: Any, *, seed: Any, actions: int) -> Floats:
    """The return of one episode in each environment, with its own row of the parameters. Nothing counts after its end.

    seed: one for all, who thus meet the same world, or one for each.
    """
    rows = np.asarray(parameters, dtype=np.float64).reshape(envs.num_envs, -1)
    observations, _ = envs.reset(seed=[seed] * envs.num_envs if isinstance(seed, int) else seed)
    returns, going = np.zeros(envs.num_envs), np.ones(envs.num_envs, dtype=bool)
    for k in range(actions):
        chosen = np.stack([policy(row, seen, k) for row, seen in zip(rows, observations)]).astype(np.float32)
        observations, rewards, terminated, truncated, _ = envs.step(chosen)
        returns += np.where(going, rewards, 0.0)
        going &= ~(terminated | truncated)
        if not going.any():
            break
    return returns


def cross_entropy(envs: Vector, policy: Policy, start: Sequence[float], spread: Sequence[float], *, rounds: int,
                  actions: int, seed: int = 1, elite: float = 0.25, worlds: int = 1, least_spread: float = 0.1,
                  tell: Optional[Callable[[int, Floats], Any]] = None) -> Learned:
    """Learns the parameters of a policy; the same seed gives the same bits, on any number of threads.

    start, spread: mean and standard deviation of the first distribution. Each round tries as many vectors as there are
    environments, the first of them the mean; the best `elite` of them make the next distribution, whose spread stays above
    `least_spread` of the first. worlds: how many seeds the episodes take turns with, one per round. tell(round, returns).
    """
    random = np.random.default_rng(seed)
    mean, deviation = np.array(start, dtype=np.float64), np.array(spread, dtype=np.float64)
    least, count = least_spread * deviation, max(1, round(elite * envs.num_envs))
    best, best_return, returns = mean, -np.inf, np.zeros((rounds, envs.num_envs))
    for number in range(rounds):
        tried = mean + deviation * random.standard_normal((envs.num_envs, len(mean)))
        tried[0] = mean
        returns[number] = episodes(envs, policy, tried, seed=seed + number % worlds, actions=actions)
        order = np.argsort(-returns[number], kind="stable")
        if returns[number, order[0]] > best_return:
            best, best_return = tried[order[0]], float(returns[number, order[0]])
        chosen = tried[order[:count]]
        mean, deviation = chosen.mean(axis=0), np.maximum(chosen.std(axis=0), least)
        if tell is not None:
            tell(number, returns[number])
    return Learned(mean, best, best_return, returns)
