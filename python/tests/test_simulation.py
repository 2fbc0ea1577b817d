"""Simulations step, run, call back, take forces, and give the bits of the program."""
import _thread
import json
import subprocess
import threading
import time

import numpy as np
import pytest

import talus
from conftest import settling


@pytest.mark.parametrize("name, seconds", [("settle", 2e-3), ("rigid", 0.02), ("crank", 0.05), ("shapes", 2e-3)])
def test_scenes_give_the_same_bits_as_the_program(examples, tmp_path, name, seconds):
    file = examples / f"{name}.yaml"
    subprocess.run([talus.program(), "run", file, "-o", tmp_path / "run", "--set",
                    f"run.time={seconds}", "--set", "output.plots=false", "--threads", "1"], check=True,
                   capture_output=True)
    scene = talus.load(file, f"run.time={seconds}")
    sim = talus.Simulation(scene)
    sim.run(progress=False)
    assert sim.world.state_hash == json.loads((tmp_path / "run/summary.json").read_text())["state_hash"]


def test_calls_give_the_same_bits_as_a_scene():
    scene = talus.Scene({
        "materials": {"glass": {"friction": 0.4}},
        "bodies": [{"shape": "container", "centre": [0.02, 0.02, 0.03], "size": [0.04, 0.04, 0.06], "open": ["+z"]},
                   {"generate": "random", "region": {"low": [0, 0, 0], "high": [0.04, 0.04, 0.05]}, "count": 60,
                    "radius": {"distribution": "uniform", "low": "2 mm", "high": "3 mm"}}],
        "run": {"time": "1 s", "step": 5e-6}})
    by_scene, by_calls = talus.Simulation(scene), talus.Simulation(settling(), talus.Penalty(step=5e-6))
    by_scene.step(500)
    by_calls.step(500)
    assert by_scene.world.state_hash == by_calls.world.state_hash


def test_run_goes_on_for_just_as_long_as_it_is_told(world):
    sim = talus.Simulation(world, talus.Penalty(step=1e-5))
    sim.run("1 ms", progress=False)
    assert world.step_count == 100 and sim.step_length == 1e-5
    sim.run(1.05e-4, progress=False)
    assert world.step_count == 111  # a step that is begun is taken whole


def test_functions_are_called_every_so_many_steps_and_seconds(world):
    sim = talus.Simulation(world, talus.Penalty(step=1e-5))
    steps, times = [], []
    sim.every(lambda s: steps.append(s.world.step_count), steps=7)
    sim.every(lambda s: times.append(round(s.time * 1e5)), time="0.1 ms")
    sim.run("0.5 ms", progress=False)
    assert steps == [7, 14, 21, 28, 35, 42, 49] and times == [10, 20, 30, 40, 50]


def test_a_force_of_ones_own_acts_as_the_same_load_does():
    def two():
        world = talus.World()
        world.add_material()
        world.add_wall(talus.Plane())
        return world, world.add_body(talus.Sphere(5e-3), position=(0, 0, 0.02))

    (a, ball_a), (b, ball_b) = two(), two()
    a.set_load(ball_a, (1e-3, 0, 0))
    sims = [talus.Simulation(w, talus.ContactDynamics(step=1e-3)) for w in (a, b)]
    push = np.zeros((2, 3))

    def force(world):
        push[:] = 0
        push[world.bodies[0:1].row[0] if world.id[0] == ball_b.id else 1, 0] = 1e-3
        return push

    sims[1].add_force(force)
    for sim in sims:
        sim.run(0.1, progress=False)
    assert np.array_equal(ball_a.position, ball_b.position)


def test_forces_see_the_state_they_act_on_and_may_keep_views(world):
    sim = talus.Simulation(world, talus.Penalty(step=5e-6))
    outside, kept = world.velocity, []

    def drag(w):
        kept.append(w.velocity)
        assert np.array_equal(outside, w.velocity)
        return -1e-3 * w.velocity * (w.mass > 0)[:, None]

    sim.add_force(drag)
    sim.step(400)
    assert len(kept) >= 400 and np.array_equal(kept[0], world.velocity)


def test_a_force_on_one_body_moves_it(ball):
    sim = talus.Simulation(ball.world, talus.ContactDynamics(step=1e-3))
    sim.add_force(lambda world: (0, 0, 9.81 * ball.mass), body=ball)
    sim.run(0.1, progress=False)
    assert ball.position[2] == pytest.approx(0.02, abs=1e-12)


def test_an_error_in_a_force_comes_through_and_the_world_stays_whole(world):
    sim = talus.Simulation(world, talus.Penalty(step=5e-6))

    def bad(w):
        if w.step_count >= 10:
            raise ZeroDivisionError("mine")
        return np.zeros((len(w), 3))

    sim.add_force(bad)
    with pytest.raises(ZeroDivisionError, match="mine"):
        sim.step(100)
    talus.Simulation(world, talus.Penalty(step=5e-6)).step(10)
    with pytest.raises(talus.InputError, match="shape"):
        wrong = talus.Simulation(world, talus.Penalty(step=5e-6))
        wrong.add_force(lambda w: np.zeros((2, 3)))
        wrong.step()


def test_a_world_cannot_change_while_it_is_stepped(world):
    sim = talus.Simulation(world, talus.Penalty(step=5e-6))
    tried = []

    def force(w):
        with pytest.raises(RuntimeError, match="between steps"):
            w.remove(w.bodies[0])
        tried.append(1)
        return np.zeros((len(w), 3))

    sim.add_force(force)
    sim.step()
    assert tried


def test_snapshots_come_back_bit_for_bit(world):
    sim = talus.Simulation(world, talus.Penalty(step=5e-6))
    sim.step(100)
    snapshot, before = sim.snapshot(), world.state_hash
    sim.step(200)
    after = world.state_hash
    sim.restore(snapshot)
    assert world.state_hash == before
    sim.step(200)
    assert world.state_hash == after


def test_several_simulations_run_in_threads_with_the_bits_of_one():
    alone = settling(200, seed=3)
    talus.Simulation(alone, talus.Penalty(step=5e-6)).step(300)
    worlds = [settling(200, seed=3) for _ in range(4)]
    threads = [threading.Thread(target=talus.Simulation(w, talus.Penalty(step=5e-6)).step, args=(300,)) for w in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {w.state_hash for w in worlds} == {alone.state_hash}


def test_other_threads_go_on_while_steps_are_taken(world):
    """Python runs while C++ steps, and may not look at this world meanwhile."""
    world = settling(400)
    sim = talus.Simulation(world, talus.ContactDynamics(step=1e-4, tolerance=1e-10, max_iterations=100000))
    counted, refused, running = [0], [0], threading.Event()

    def count():
        running.set()
        while running.is_set():
            counted[0] += 1
            try:
                world.velocity[0]
            except RuntimeError:
                refused[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    sim.step(20)
    running.clear()
    thread.join()
    assert counted[0] > 2


def test_ctrl_c_stops_between_steps(world):
    sim = talus.Simulation(world, talus.Penalty(step=1e-6))
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sim.run(1000.0, progress=False)
    before = world.step_count
    sim.step(3)
    assert world.step_count == before + 3


def test_a_run_that_cannot_go_on_says_what_to_try():
    world = talus.World(domain=talus.Domain((-1, -1, 0), (1, 1, 1)))
    world.add_material()
    world.add_body(talus.Sphere(1e-3), position=(0, 0, 0.01))
    with pytest.raises(talus.RunError, match="body 0 .* domain"):
        talus.Simulation(world, talus.Penalty(step=1e-4)).step(10000)


def test_a_step_too_long_for_bouncing_grains_says_what_else_helps():
    """Two balls that meet at 1 m/s with restitution: in a step of 1 ms they go into each other by 1 mm before they part."""
    def meet(**settings):
        world = talus.World(gravity=(0, 0, 0))
        world.add_material(restitution=0.5)
        world.add_spheres([[0, 0, 0], [2.05e-3, 0, 0]], 1e-3, velocity=[[0.5, 0, 0], [-0.5, 0, 0]])
        talus.Simulation(world, talus.ContactDynamics(**settings)).step(5)
    with pytest.raises(talus.RunError, match="reduce run.step .* contact_dynamics.restitution: none"):
        meet(step="1 ms")
    meet(step="1 ms", restitution="none")
    meet(step="0.2 ms")


def test_a_world_without_a_step_of_its_own_gets_one_with_a_reason(world):
    sim = talus.Simulation(world)
    sim.step()
    assert "Rayleigh" in sim.step_reason and sim.step_length > 0


def test_pictures_are_png(world):
    assert talus.Simulation(world).picture(width=200, height=150).png[:4] == b"\x89PNG"


def test_steps_cost_little_more_than_in_cpp():
    """sim.step(1) adds less than 5 us: against steps that are taken by one call."""
    world = talus.World(gravity=(0, 0, 0))
    world.add_material()
    world.add_lattice("sc", radius=1e-3, count=(10, 10, 10), spacing=4e-3)
    sim = talus.Simulation(world, talus.Penalty(step=1e-6))
    sim.step(100)

    def best(take):
        times = []
        for _ in range(15):
            start = time.thread_time()  # whatever else the machine does
            take()
            times.append(time.thread_time() - start)
        return min(times)

    singly = best(lambda: [sim.step(1) for _ in range(200)])
    together = best(lambda: sim.step(200))
    overhead = (singly - together) / 200
    assert overhead < 25e-6, f"{1e6 * overhead:.1f} us"  # 1 us on a machine of its own


def test_a_view_of_many_positions_is_made_in_no_time():
    world = talus.World()
    world.add_material()
    world.add_spheres(np.random.default_rng(1).uniform(0, 100, (10**5, 3)), 1e-3)

    def cost(read):
        times = []
        for _ in range(200):
            start = time.thread_time()
            read()
            times.append(time.thread_time() - start)
        return min(times)

    def anew():
        world._lender.views.clear()
        world.position

    assert cost(anew) < 10e-6 and cost(lambda: world.position) < 2e-6  # 0.8 and 0.06 us, with the clock's own cost
