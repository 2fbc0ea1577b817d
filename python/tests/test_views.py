"""Views of the state lie in its memory, stay valid over steps, and are never read after that memory is gone."""
import copy
import gc
import pickle

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import talus
from conftest import settling

NAMES = ["position", "orientation", "velocity", "spin", "force", "torque", "radius", "inverse_mass", "id"]


@pytest.mark.parametrize("name", NAMES)
def test_a_view_is_the_memory_of_the_state(world, name):
    first, second = getattr(world, name), getattr(world, name)
    assert isinstance(first, np.ndarray) and len(first) == len(world)
    assert np.shares_memory(np.asarray(first), np.asarray(second))
    assert not np.asarray(first).flags.owndata


@pytest.mark.parametrize("name", NAMES)
def test_a_view_shows_the_present_state_after_steps(world, name):
    view = getattr(world, name)
    plain = np.asarray(view)
    sim = talus.Simulation(world, talus.Penalty(step=5e-6))
    for _ in range(4):
        sim.step(300)
        assert np.array_equal(view, np.array(getattr(world, name)))
        assert np.array_equal(plain, np.array(getattr(world, name)))


def test_a_held_view_does_not_change_the_bits(world):
    other = settling()
    held = [getattr(world, name) for name in NAMES]
    talus.Simulation(world, talus.Penalty(step=5e-6)).step(500)
    talus.Simulation(other, talus.Penalty(step=5e-6)).step(500)
    assert world.state_hash == other.state_hash and len(held) == len(NAMES)


@pytest.mark.parametrize("change", [
    lambda world: world.remove(world.bodies[-1]), lambda world: world.remove_group("grains"),
    lambda world: world.add_body(talus.Sphere(1e-3), position=(0.02, 0.02, 0.2))], ids=["remove", "group", "add"])
@pytest.mark.parametrize("read", [
    lambda v: v[0], lambda v: v + 1, lambda v: np.sum(v), lambda v: v.mean(), lambda v: len(v), lambda v: v.shape,
    lambda v: list(v), lambda v: v.copy(), lambda v: v.tolist(), lambda v: np.concatenate([v, v]), lambda v: v[:, 2][0],
    lambda v: v.__setitem__(0, 0), lambda v: pickle.dumps(v), lambda v: v.T], ids=str)
def test_a_stale_view_raises(world, change, read):
    view = world.velocity
    change(world)
    with pytest.raises(talus.StaleViewError):
        read(view)
    assert repr(view) == "<stale view of velocity>"


def test_a_part_of_a_view_gets_stale_with_it(world):
    heights = world.position[:, 2]
    world.remove(world.bodies[0])
    with pytest.raises(talus.StaleViewError):
        heights.max()


def test_copies_never_get_stale(world):
    copies = [world.velocity.copy(), np.array(world.velocity), world.velocity[[1, 2]], world.velocity + 0,
              copy.deepcopy(world.velocity), pickle.loads(pickle.dumps(world.velocity))]
    world.remove_group("grains")
    for kept in copies:
        assert np.isfinite(kept).all() and kept.max() == 0


def test_plain_arrays_keep_the_last_values_when_bodies_go(world):
    talus.Simulation(world, talus.Penalty(step=5e-6)).step(100)
    plain = np.asarray(world.velocity)
    before = plain.copy()
    world.remove_group("grains")
    for _ in range(50):
        world.add_spheres(np.random.default_rng(1).uniform(0.1, 9, (100, 3)), 1e-3)
        world.remove_group("grains")
    assert np.array_equal(plain, before)


def test_views_outlive_their_world_and_simulation():
    world = settling()
    sim = talus.Simulation(world, talus.Penalty(step=5e-6))
    sim.step(10)
    view, plain, heights = world.velocity, np.asarray(world.velocity), world.position[:, 2]
    before = plain.copy()
    del world, sim
    gc.collect()
    waste = [settling(20) for _ in range(5)]
    assert np.array_equal(view, before) and np.array_equal(plain, before) and np.isfinite(heights).all()
    del waste


def test_setting_rows_sets_the_state(world):
    ball = world.grains[3]
    world.velocity[ball] = (1, 2, 3)
    assert ball.velocity.tolist() == [1, 2, 3]
    world.velocity[world.grains, 2] = 7
    assert (world.grains.velocity[:, 2] == 7).all()
    world.velocity *= 0.5
    assert ball.velocity.tolist() == [0.5, 1, 3.5]
    world.velocity[:, 2][world.grain_count - 1] = -1
    assert world.velocity[world.grain_count - 1, 2] == -1
    np.multiply(world.spin, 1, out=world.spin)
    np.add(world.velocity, 0.5, out=world.velocity, where=np.arange(len(world))[:, None] < 1)
    world.spin[[ball, world.grains[1]]] = (0, 0, 2)
    assert ball.spin.tolist() == world.grains[1].spin.tolist() == [0, 0, 2]
    world.position[ball] += (0, 0, 1)
    assert ball.position[2] > 1


def test_setting_acts_on_what_happens_next(ball):
    world = ball.world
    sim = talus.Simulation(world, talus.ContactDynamics(step=1e-3))
    sim.step(3)
    world.velocity[ball] = (0.1, 0, 1)
    sim.step()
    assert ball.velocity == pytest.approx([0.1, 0, 1 - 9.81e-3])


def test_what_cannot_be_set_says_why_and_changes_nothing(world):
    before = world.state_hash
    with pytest.raises(talus.InputError, match="finite"):
        world.velocity[:5] = np.nan
    with pytest.raises(talus.InputError, match="set_motion"):
        world.velocity[...] = 1  # walls too
    with pytest.raises(AttributeError, match="follows"):
        world.force[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(world.velocity)[0] = 1
    with pytest.raises(ValueError):
        world.velocity[:2] = np.zeros((3, 3))
    assert world.state_hash == before


def test_bodies_find_their_rows_wherever_memory_has_them(world):
    sim = talus.Simulation(world, talus.Penalty(step=5e-6))
    some = world.grains[::7]
    for _ in range(3):
        sim.step(500)
        assert np.array_equal(world.id[some], some.id)
        assert np.array_equal(some.position, [body.position for body in some])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["step", "add", "remove", "snapshot", "restore", "set", "view", "drop"]), max_size=25))
def test_views_under_churn_show_the_state_or_are_stale(doings):
    world = settling(10)
    sim = talus.Simulation(world, talus.Penalty(step=5e-6))
    snapshot, views, height = world.snapshot(), [], 1.0
    for doing in doings:
        if doing == "step":
            sim.step(20)
        elif doing == "add":
            height += 0.1
            world.add_body(talus.Sphere(1e-3), position=(0.02, 0.02, height))
        elif doing == "remove" and world.grain_count > 1:
            world.remove(world.bodies[0])
        elif doing == "snapshot":
            snapshot = world.snapshot()
        elif doing == "restore":
            world.restore(snapshot)
        elif doing == "set":
            world.velocity[0] = (0, 0, 0.01)
        elif doing == "view":
            views.append((world.velocity, world.position[:, 2], np.asarray(world.position)))
        elif doing == "drop":
            views = views[1:]
        for velocity, heights, plain in views:
            assert np.isfinite(plain).all()
            try:
                assert np.array_equal(velocity, np.array(world.velocity))
                assert np.array_equal(heights, np.array(world.position)[:, 2])
            except talus.StaleViewError:
                pass
