"""What tests share: small worlds, and where examples and the program are."""
import os
from pathlib import Path

import pytest

import talus


@pytest.fixture
def examples() -> Path:
    return Path(os.environ["TALUS_EXAMPLES"])


def settling(count=60, seed=1):
    """Spheres of two sizes that fall into a box."""
    world = talus.World(seed=seed)
    glass = world.add_material("glass", friction=0.4)
    world.add_wall(talus.Container(centre=(0.02, 0.02, 0.03), size=("4 cm", "4 cm", "6 cm"), open="+z"), material=glass)
    world.fill(talus.BoxRegion((0, 0, 0), (0.04, 0.04, 0.05)), radius=talus.uniform("2 mm", "3 mm"), count=count,
               material=glass)
    return world


@pytest.fixture
def world():
    return settling()


@pytest.fixture
def ball():
    """A ball of glass above a plane."""
    world = talus.World()
    glass = world.add_material(density=2500, friction=0.5)
    world.add_wall(talus.Plane(), material=glass, name="floor")
    return world.add_body(talus.Sphere("5 mm"), position=(0, 0, "2 cm"), material=glass, name="ball")
