"""Granular matter and many-contact rigid-body dynamics.

>>> import talus
>>> world = talus.World()
>>> glass = world.add_material(density=2500, friction=0.5)
>>> world.add_wall(talus.Plane(), material=glass)
>>> ball = world.add_body(talus.Sphere("5 mm"), position=(0, 0, "2 cm"), material=glass)
>>> sim = talus.Simulation(world, method=talus.ContactDynamics(step="1 ms"))
>>> sim.run(0.2)
>>> ball.position

Names are those of scenes and of C++. Numbers are SI; texts may carry units. docs/python.md begins at the beginning.
"""
import os as _os
from typing import Any as _Any, Sequence as _Sequence

from ._base import Numbers, Points, Quantity, Settings, Vector
from ._errors import InputError, RunError, StaleViewError
from . import _core
from ._settings import *  # noqa: F403
from ._settings import __all__ as _settings_names
from ._settings import NormalSize, SingleSize, TableSize, UniformSize
from ._program import program
from .picture import Picture
from .problem import Problem, Solution, project, reaction_sets, solve, solvers
from .results import Frame, Run, Series, open, read_vtp
from .scene import Scene, load, resume, run
from .simulation import Simulation
from .sweep import sweep
from .view import View
from .world import Bodies, Body, Joint, Material, World

__version__: str = _core.version


def uniform(low: Quantity, high: Quantity) -> UniformSize:
    """Any radius between two bounds, equally likely."""
    return UniformSize(low, high)


def normal(mean: Quantity, deviation: Quantity, low: Quantity, high: Quantity) -> NormalSize:
    """Normal distribution of radii, drawn again outside the bounds."""
    return NormalSize(mean, deviation, low, high)


def table(radii: Numbers, weights: Numbers) -> TableSize:
    """A few radii, each with its share by number."""
    return TableSize(radii, weights)


def use_threads(count: int) -> None:
    """On how many threads steps run; 0: one per core. The bits do not depend on it."""
    _core.use_threads(count)


def quantity(text: _Any, kind: str) -> float:
    """A quantity in SI: quantity("2.5 mm", "length") is 0.0025."""
    return float(_core.parse_quantity(text, kind)) if isinstance(text, str) else float(text)


use_threads(int(_os.environ.get("TALUS_THREADS", "0")))

__all__ = ["__version__", "Bodies", "Body", "Frame", "InputError", "Joint", "Material", "Numbers", "Picture", "Points",
           "Problem", "Quantity", "Run", "RunError", "Scene", "Series", "Settings", "Simulation", "Solution",
           "StaleViewError", "Vector", "View", "World", "load", "normal", "open", "program", "project", "quantity",
           "reaction_sets", "read_vtp", "resume", "run", "solve", "solvers", "sweep", "table", "uniform", "use_threads",
           *_settings_names]
