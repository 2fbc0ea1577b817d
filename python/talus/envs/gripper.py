"""A gripper lifts a stone from a bed of grains."""
from typing import Any, Optional, Tuple

import gymnasium
import numpy as np

from .._settings import BoxRegion, Box, Container, ContactDynamics, Ellipsoid, SlideLimits, SpeedDrive, UniformSize
from ..simulation import Simulation
from ..world import World
from ._base import Floats, WorldEnv


class Gripper(WorldEnv):
    """Two fingers on a carriage over a bed of grains with a stone in it.

    Actions: speeds of the carriage upwards and of the fingers towards each other (m/s, -0.3 to 0.3). Observations:
    height and speed of the carriage, opening of both fingers, place and velocity of the stone (m, m/s). The reward is the
    height that the stone gained (in its own heights); over when it is three of them above the bed.
    """

    size = 0.012  # m, semi-axis of the stone
    grip, lifting = 2.0, 4.0  # N, largest forces of a finger and of the carriage
    action_space = gymnasium.spaces.Box(-0.3, 0.3, (2,), np.float32)
    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (10,), np.float32)

    def __init__(self, render_mode: Optional[str] = None, grains: int = 200) -> None:
        super().__init__(render_mode)
        self.grains = grains

    def build(self, random: np.random.Generator) -> Simulation:
        world = World(seed=int(random.integers(2**31)))
        grit = world.add_material("grit", density=2500, friction=0.4, restitution=0)
        rubber = world.add_material("rubber", density=1500, friction=0.9, restitution=0)
        world.add_wall(Container(centre=(0, 0, 0.05), size=(0.066, 0.044, 0.1), open="+z"), material=grit)
        a = self.size
        self.stone = world.add_body(Ellipsoid((a, 0.8 * a, a)), position=(0, 0, a), material=grit, group="stone")
        self.carriage = world.add_body(Box((0.06, 0.02, 0.01)), position=(0, 0, 0.09), material=rubber, group="gripper")
        self.lift = world.add_joint(self.carriage, "world", "prismatic", point=(0, 0, 0.09), axis=(0, 0, 1),
                                    drive=SpeedDrive(speed=0.0, max_force=self.lifting),
                                    limits=SlideLimits(lower=-0.03, upper=0.1))
        self.fingers = []
        for side in (-1, 1):
            finger = world.add_body(Box((0.006, 0.02, 0.05)), position=(0.026 * side, 0, 0.058), material=rubber,
                                    group="gripper")
            self.fingers.append(world.add_joint(finger, self.carriage, "prismatic", point=(0.026 * side, 0, 0.085),
                                                axis=(-side, 0, 0), drive=SpeedDrive(speed=0.0, max_force=self.grip),
                                                limits=SlideLimits(lower=-0.003, upper=0.02)))
        world.fill(BoxRegion((-0.033, -0.022, 0.0), (0.033, 0.022, 0.04)), radius=UniformSize(0.0025, 0.0032),
                   count=self.grains, material=grit)
        sim = Simulation(world, ContactDynamics(step=1e-3, tolerance=1e-3, solver="apgd"))
        sim._told.add("*")
        sim.step(150)  # the grains fall and lie still
        self.start = self.highest = float(self.stone.position[2])
        return sim

    def act(self, action: Floats) -> None:
        self.lift.set_target(float(action[0]))
        for finger in self.fingers:
            finger.set_target(float(action[1]))

    def observe(self) -> Floats:
        return np.array([self.lift.slide, self.lift.slide_speed, self.fingers[0].slide, self.fingers[1].slide,
                         *self.stone.position, *self.stone.velocity], dtype=np.float32)

    def judge(self, action: Any) -> Tuple[float, bool]:
        height = float(self.stone.position[2])
        gained = (height - self.highest) / (2 * self.size)
        self.highest = height
        return gained, height - self.start > 6 * self.size
