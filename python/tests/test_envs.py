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


class Crusher(talus.envs.Gripper):
    """Grains between two walls that come together."""

    def build(self, random):
        sim = super().build(random)
        sim.world.add_wall(talus.Plane(point=(0, 0, 0.2), normal=(0, 0, -1)),
                           motion=talus.ConstantMotion(velocity=(0, 0, -5.0 * (self.grains > 5))))
        return sim


def test_a_world_that_cannot_go_on_ends_its_episode_alone():
    together = talus.envs.Vector(lambda: Crusher(grains=5), 2, threads=2)
    together.envs[1].grains = 10  # whose lid comes down
    together.reset(seed=1)
    alone = Crusher(grains=10)
    alone.reset(seed=2)
    for _ in range(8):
        _, rewards, terminated, _, _ = together.step(np.zeros((2, 2), dtype=np.float32))
        _, reward, over, _, info = alone.step(np.zeros(2, dtype=np.float32))
        assert not terminated[0]
        assert terminated[1] == over and rewards[1] == reward
        if over:
            break
    assert over and reward == -1 and "overlap" in info["failure"]


def peak(parameters, observation, k):
    """Reward comes from going down; the parameter is how fast."""
    return np.array([parameters[0], 0.0])


def learn(threads):
    envs = talus.envs.Vector(Sinker, 6, threads=threads)
    return talus.envs.cross_entropy(envs, peak, [0.0], [0.1], rounds=4, actions=3, seed=4)


class Sinker(talus.envs.Gripper):
    """The reward is highest where the carriage goes down at 0.15 m/s."""

    def __init__(self):
        super().__init__(grains=3)

    def judge(self, action):
        return -abs(float(action[0]) + 0.15), False


def test_cross_entropy_finds_the_best_parameter_with_the_same_bits_on_any_threads():
    learned, again = learn(1), learn(3)
    assert learned.returns[0, 0] == pytest.approx(-0.45)  # the first policy
    assert learned.parameters[0] == pytest.approx(-0.15, abs=0.03) and learned.best_return > -0.05
    assert learned.returns[-1].mean() > learned.returns[0].mean() + 0.1
    assert np.array_equal(learned.returns, again.returns)
