"""What environments have in common: a world that is built for each episode, and moved between observations."""
from typing import Any, Dict, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
except ImportError as error:
    raise ImportError("talus.envs needs gymnasium: pip install gymnasium") from error

from .._errors import RunError
from ..simulation import Simulation
from ..world import World

Floats = NDArray[np.float32]


class WorldEnv(gymnasium.Env):
    """An environment made of a world: say how it is built, what actions do, what is seen and what is good.

    A subclass sets action_space and observation_space and has build(), act(), observe() and judge(). An action after which the
    world cannot go on, because grains are crushed, ends the episode with the reward `crushed`; info["failure"] says what it was.
    """

    action_space: gymnasium.spaces.Box
    observation_space: gymnasium.spaces.Box
    metadata = {"render_modes": ["rgb_array"]}
    steps_per_action = 10
    longest = 200  # actions in an episode
    crushed = -1.0

    def __init__(self, render_mode: Optional[str] = None) -> None:
        self.render_mode = render_mode
        self.actions = 0

    # --- of a subclass

    def build(self, random: np.random.Generator) -> Simulation:
        """A new world and what moves it."""
        raise NotImplementedError

    def act(self, action: Floats) -> None:
        """What an action does to the world."""
        raise NotImplementedError

    def observe(self) -> Floats:
        raise NotImplementedError

    def judge(self, action: Floats) -> Tuple[float, bool]:
        """The reward of what has happened since the last action, and whether the episode is over."""
        raise NotImplementedError

    # --- Gymnasium

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Floats, Dict[str, Any]]:
        super().reset(seed=seed)
        self.sim = self.build(self.np_random)
        self.actions = 0
        return self.observe(), {}

    def step(self, action: Any) -> Tuple[Floats, float, bool, bool, Dict[str, Any]]:
        self.begin(action)
        try:
            self.sim.step(self.steps_per_action)
        except RunError as error:
            return self.finish(action, str(error))
        return self.finish(action)

    def begin(self, action: Any) -> None:
        self.act(np.clip(action, self.action_space.low, self.action_space.high))

    def finish(self, action: Any, failure: str = "") -> Tuple[Floats, float, bool, bool, Dict[str, Any]]:
        self.actions += 1
        info = {"time": self.sim.time, **({"failure": failure} if failure else {})}
        reward, terminated = (self.crushed, True) if failure else self.judge(action)
        return self.observe(), float(reward), bool(terminated), self.actions >= self.longest, info

    def render(self) -> Any:
        if self.render_mode != "rgb_array":
            return None
        return self.sim.picture(width=480, height=360).pixels

    @property
    def world(self) -> World:
        return self.sim.world
