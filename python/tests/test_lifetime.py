"""What is gone leaves nothing behind, and nothing that is held is lost with it. ./dev check python-asan runs these, and the
tests of views and worlds, under the address sanitizer."""
import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import talus
from conftest import settling

COMING_AND_GOING = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
import talus
from conftest import settling

def once():
    world = settling(30)
    sim = talus.Simulation(world, talus.ContactDynamics(step=1e-3))
    sim.add_force(lambda w: np.zeros((len(w), 3)))
    sim.every(lambda s: s.world.energy, steps=2)
    sim.step(5)
    held = [world.position, np.asarray(world.velocity), world.contacts, sim.problem(), world.snapshot(), world.grains, sim.picture(width=80, height=60)]
    world.remove(world.bodies[0])
    sim.restore(held[4])
    talus.solve(sim.problem()) if len(sim.problem()) else None
    return held

kept = once()
for _ in range(3):
    once()
try:
    world = talus.World(gravity=(0, 0))
except talus.InputError:
    pass
print(float(np.sum(kept[1])), flush=True)
"""


def test_nothing_is_left_when_python_ends():
    """nanobind counts what of its objects is still there at the end."""
    done = subprocess.run([sys.executable, "-B", "-c", COMING_AND_GOING, os.path.dirname(__file__)], capture_output=True,
                          text=True, env={**os.environ, "PYTHONWARNINGS": "ignore"})
    assert done.returncode == 0 and "leaked" not in done.stderr, done.stderr


def resident():
    with open("/proc/self/statm") as stream:
        return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer keeps what was freed for a while")
def test_memory_does_not_grow_with_worlds_that_come_and_go():
    def once():
        world = talus.World()
        world.add_material()
        world.add_spheres(np.random.default_rng(1).uniform(0, 1, (20000, 3)), 1e-4)
        held = [world.position, np.asarray(world.velocity), world.snapshot()]
        sim = talus.Simulation(world, talus.Penalty(step=1e-7))
        sim.step(2)
        world.remove(world.bodies[0])
        return held

    sizes = []
    for _ in range(5):
        for _ in range(4):  # each has some 20 MB
            once()
        gc.collect()
        sizes.append(resident())
    # The allocator may keep more from some time on; what is lost is lost every time.
    assert min(np.diff(sizes)) < 5e6, sizes


def test_functions_of_a_simulation_do_not_keep_it():
    import weakref
    world = settling(5)
    sim = talus.Simulation(world, talus.Penalty(step=1e-5))
    sim.add_force(lambda w: np.full((len(w), 3), 1e-9 * sim.time))  # a circle
    sim.step(2)
    gone = weakref.ref(sim)
    del sim
    gc.collect()
    assert gone() is None
    talus.Simulation(world, talus.Penalty(step=1e-5)).step()


def test_views_of_every_array_outlive_what_they_show():
    kept = []
    for steps in (0, 3):
        world = settling(20)
        sim = talus.Simulation(world, talus.Penalty(step=1e-5))
        if steps:
            sim.step(steps)
        names = ["position", "orientation", "velocity", "spin", "force", "torque", "radius", "inverse_mass", "id"]
        views = [getattr(world, name) for name in names]
        kept += [(view[1:], np.asarray(view), np.array(view)) for view in views]
        if steps:
            sim.step(steps)
            kept = [(part, plain, np.array(plain)) for part, plain, _ in kept]
        world.remove_group("grains")
        del world, sim, views
        gc.collect()
        waste = [settling(20) for _ in range(3)]  # what would be written over memory that is free
        for _, plain, values in kept:
            assert np.array_equal(plain, values)
        del waste


def test_an_error_in_a_force_leaves_a_world_that_goes_on():
    world = settling(10)
    sim = talus.Simulation(world, talus.Penalty(step=1e-5))
    view = world.velocity

    def bad(w):
        held.append(w.position)
        raise KeyError("mine")

    held = []
    sim.add_force(bad)
    for _ in range(3):
        with pytest.raises(KeyError):
            sim.step()
    assert np.isfinite(view).all() and np.array_equal(held[-1], np.array(world.position))
