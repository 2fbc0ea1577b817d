"""Several environments at once: their worlds are stepped on threads in C++."""
import os
from contextlib import ExitStack
from typing import Any, Callable, Dict, List, Optional, Tuple

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space

from .. import _core
from ._base import WorldEnv


class Vector(gymnasium.vector.VectorEnv):
    """Environments of one kind side by side: talus.envs.Vector(talus.envs.Gripper, 8).

    Between observations all worlds are stepped on `threads` threads (0: one per core), without Python. An episode that is over
    begins anew at the next step, as Gymnasium's vector environments do. The same seed gives the same bits, and those of single
    environments with the seeds seed, seed + 1, ...
    """

    def __init__(self, make: Callable[[], WorldEnv], count: int, *, threads: int = 0) -> None:
        self.envs: List[WorldEnv] = [make() for _ in range(count)]
        self.num_envs = count
        self.threads = threads or os.cpu_count() or 1
        first = self.envs[0]
        self.metadata = dict(first.metadata)
        if hasattr(gymnasium.vector, "AutoresetMode"):
            self.metadata["autoreset_mode"] = gymnasium.vector.AutoresetMode.NEXT_STEP
        self.single_observation_space, self.single_action_space = first.observation_space, first.action_space
        self.observation_space = batch_space(first.observation_space, count)
        self.action_space = batch_space(first.action_space, count)
        self.over = np.zeros(count, dtype=bool)

    def reset(self, *, seed: Any = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Any, Dict[str, Any]]:
        seeds = [None] * self.num_envs if seed is None else [seed + k for k in range(self.num_envs)] if isinstance(
            seed, int) else list(seed)
        self.over[:] = False
        return np.stack([env.reset(seed=s)[0] for env, s in zip(self.envs, seeds)]), {}

    def step(self, actions: Any) -> Tuple[Any, Any, Any, Any, Dict[str, Any]]:
        anew, going = np.flatnonzero(self.over), np.flatnonzero(~self.over)
        results: List[Any] = [None] * self.num_envs
        for k in going:
            self.envs[k].begin(actions[k])
        failures = self._advance([self.envs[k] for k in going])
        for k, failure in zip(going, failures):
            results[k] = self.envs[k].finish(actions[k], failure)
        for k in anew:
            results[k] = (self.envs[k].reset()[0], 0.0, False, False, {})
        observations, rewards, terminated, truncated, _ = zip(*results)
        self.over = np.array(terminated) | np.array(truncated)
        return np.stack(observations), np.array(rewards), np.array(terminated), np.array(truncated), {}

    def _advance(self, envs: List[WorldEnv]) -> List[str]:
        """Why each of them cannot go on; empty where it can."""
        if not envs:
            return []
        with ExitStack() as stack:
            for env in envs:
                stack.enter_context(env.world._lender)
            done = _core.advance_many([env.sim._stepper for env in envs], [env.world._core for env in envs],
                                      envs[0].steps_per_action, self.threads)
        return [str(each.failure) for each in done]
