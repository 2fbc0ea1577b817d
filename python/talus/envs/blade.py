"""A blade levels sand."""
from typing import Any, Optional, Tuple

import gymnasium
import numpy as np

from .._settings import Box, BoxRegion, Container, ContactDynamics, SlideLimits, SpeedDrive, UniformSize
from ..simulation import Simulation
from ..world import World
from ._base import Floats, WorldEnv


class Blade(WorldEnv):
    """A blade over a heap of grains in a trough that is two grains wide.

    Actions: speeds of the blade along the trough and upwards (m/s, -0.3 to 0.3). Observations: heights of the sand in 12
    columns along the trough, place and velocity of the blade (m, m/s). The reward is by how much more level the sand is: the
    fall of the standard deviation of its heights (in grain diameters); over when that is below half a radius.
    """

    columns, half, wide, radius = 12, 0.06, 0.013, 0.003  # -, m, m, m
    action_space = gymnasium.spaces.Box(-0.3, 0.3, (2,), np.float32)
    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (columns + 4,), np.float32)

    def __init__(self, render_mode: Optional[str] = None, grains: int = 160) -> None:
        super().__init__(render_mode)
        self.grains = grains

    def build(self, random: np.random.Generator) -> Simulation:
        world = World(seed=int(random.integers(2**31)))
        sand = world.add_material("sand", friction=0.5, restitution=0)
        world.add_wall(Container(centre=(0, 0, 0.1), size=(2 * self.half, self.wide, 0.2), open="+z"), material=sand)
        centre = float(random.uniform(-0.01, 0.02))
        self.heap = world.fill(BoxRegion((centre - 0.03, -self.wide / 2, 0.0), (centre + 0.03, self.wide / 2, 0.11)),
                               radius=UniformSize(0.9 * self.radius, 1.1 * self.radius), count=self.grains, material=sand)
        start = (-self.half + 0.01, 0, 0.065)
        self.carriage = world.add_body(Box((0.01, 0.011, 0.01)), position=(start[0], 0, 0.15), material=sand, group="blade")
        self.blade = world.add_body(Box((0.006, 0.011, 0.06)), position=start, material=sand, group="blade")
        self.along = world.add_joint(self.carriage, "world", "prismatic", point=start, axis=(1, 0, 0),
                                     drive=SpeedDrive(speed=0.0, max_force=20.0),
                                     limits=SlideLimits(lower=0.0, upper=2 * self.half - 0.02))
        self.up = world.add_joint(self.blade, self.carriage, "prismatic", point=start, axis=(0, 0, 1),
                                  drive=SpeedDrive(speed=0.0, max_force=20.0), limits=SlideLimits(lower=-0.03, upper=0.03))
        sim = Simulation(world, ContactDynamics(step=1e-3, tolerance=1e-3, solver="apgd"))
        sim._told.add("*")
        for _ in range(8):  # until the sand lies still
            sim.step(50)
            if np.abs(self.heap.velocity).max() < 0.02:
                break
        self.last = self.unevenness(world)
        return sim

    def heights(self, world: World) -> Any:
        """m, of the highest grain in each column"""
        grains = self.heap.row
        x, top = np.asarray(world.position)[grains, 0], np.asarray(world.position)[grains, 2] + self.radius
        column = np.clip(((x + self.half) / (2 * self.half) * self.columns).astype(int), 0, self.columns - 1)
        heights = np.zeros(self.columns)
        np.maximum.at(heights, column, top)
        return heights

    def unevenness(self, world: World) -> float:
        return float(np.std(self.heights(world)))

    def act(self, action: Floats) -> None:
        self.along.set_target(float(action[0]))
        self.up.set_target(float(action[1]))

    def observe(self) -> Floats:
        blade = [self.along.slide, self.up.slide, self.along.slide_speed, self.up.slide_speed]
        return np.array([*self.heights(self.world), *blade], dtype=np.float32)

    def judge(self, action: Any) -> Tuple[float, bool]:
        now = self.unevenness(self.world)
        gained = (self.last - now) / (2 * self.radius)
        self.last = now
        return gained, now < self.radius / 2
