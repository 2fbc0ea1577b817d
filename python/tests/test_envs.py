"""Environments are Gymnasium's, and the same seed gives the same bits, alone and side by side on threads."""
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import talus.envs

KINDS = [talus.envs.Gripper, talus.envs.Blade]


def small(kind):
    return kind(grains=30)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore")
def test_the_checker_of_gymnasium_passes(kind):
    check_env(kind(grains=10, render_mode="rgb_array"), skip_render_check=True)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_and_actions_give_the_same_bits(kind):
    hashes = []
    for _ in range(2):
        env = small(kind)
        env.reset(seed=7)
        env.action_space.seed(7)
        for _ in range(4):
            env.step(env.action_space.sample())
        hashes.append(env.world.state_hash)
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("kind", KINDS)
def test_environments_side_by_side_have_the_bits_of_single_ones(kind):
    together = talus.envs.Vector(lambda: small(kind), 3, threads=3)
    first, _ = together.reset(seed=5)
    actions = np.random.default_rng(1).uniform(-0.3, 0.3, (3, 3, 2)).astype(np.float32)
    for step in actions:
        observations, rewards, terminated, truncated, _ = together.step(step)
    assert observations.shape == (3, *together.single_observation_space.shape) and rewards.shape == (3,)
    alone = small(kind)
    observation, _ = alone.reset(seed=6)
    assert np.array_equal(observation, first[1])
    for step in actions:
        alone.step(step[1])
    assert alone.world.state_hash == together.envs[1].world.state_hash


def test_pictures_are_arrays_of_pixels():
    env = talus.envs.Gripper(render_mode="rgb_array", grains=10)
    env.reset(seed=1)
    pixels = env.render()
    assert pixels.shape == (360, 480, 3) and pixels.dtype == np.uint8 and 10 < pixels.mean() < 250


def test_pixels_are_those_that_matplotlib_reads(tmp_path):
    import matplotlib.image
    env = talus.envs.Blade(grains=10)
    env.reset(seed=1)
    picture = env.sim.picture(width=120, height=90)
    picture.save(tmp_path / "picture.png")
    read = matplotlib.image.imread(tmp_path / "picture.png")[:, :, :3]
    assert np.array_equal((read * 255).round().astype(np.uint8), picture.pixels)
