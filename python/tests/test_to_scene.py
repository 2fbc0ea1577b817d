"""Worlds made by calls are written as scenes that begin with the same bits, or say what no scene can tell."""
import json

import numpy as np
import pytest

import talus
from conftest import settling


def round_trip(world, method, steps=20, **keys):
    """The scene of a world, through YAML; both then take the same steps."""
    sim = talus.Simulation(world, method)
    scene = sim.to_scene(time="10 ms", **keys)
    again = talus.Simulation(scene)
    assert again.world.state_hash == world.state_hash
    for both in (sim, again):
        both.step(steps)
    assert again.world.state_hash == world.state_hash
    return scene


def through_a_file(scene, folder):
    scene.save(folder / "scene.yaml")
    return talus.load(folder / "scene.yaml")


def test_a_filled_box_is_the_same_as_a_scene(tmp_path):
    scene = round_trip(settling(), talus.Penalty(step=1e-5))
    assert scene.bodies[1].generate == "random" and scene.run.time == pytest.approx(0.01)
    read = talus.Simulation(through_a_file(scene, tmp_path))
    read.step(20)
    world = settling()
    talus.Simulation(world, talus.Penalty(step=1e-5)).step(20)
    assert read.world.state_hash == world.state_hash


def test_a_run_of_the_scene_ends_with_the_bits_of_the_simulation(tmp_path):
    world = settling()
    sim = talus.Simulation(world, talus.ContactDynamics(step="1 ms", tolerance=1e-5))
    scene = sim.to_scene(time="20 ms", name="settling", output={"frames": "10 ms"})
    sim.run("20 ms", progress=False)
    run = talus.run(scene, tmp_path / "run")
    assert run.summary.state_hash == world.state_hash and len(run.frames) == 3 and run.scene.name == "settling"


def machine():
    """Bodies of many kinds with motions, loads, joints, pairs of materials, a source and a sink."""
    world = talus.World(gravity=(0, 0, "-5 m/s^2"), seed=7, contact_law=talus.ContactLaw(normal="hooke"))
    ore = world.add_material("ore", density=2600, friction=0.6, stiffness="100 kN/m")
    steel = world.add_material("steel", density=7800, stiffness="100 kN/m")
    world.set_pair(ore, steel, friction=0.2)
    world.add_wall(talus.Plane(), material=steel, name="floor")
    world.add_wall(talus.Plane(point=(0, 0, 0.6), normal=(0, 0, -1)), material=steel, group="lid",
                   motion=talus.ConstantMotion(velocity=(0, 0, "-2 mm/s")))
    arm = world.add_body(talus.Box((0.1, 0.02, 0.02)), position=(0, 0, 0.2), material=steel, rotation=(0, 0, 0.3))
    bob = world.add_body(talus.Cylinder("1 cm", "4 cm"), position=(0.1, 0, 0.2), material=steel, name="bob", spin=(0, 1, 0))
    world.add_joint(arm, "world", "revolute", point=(0, 0, 0.2), axis=(0, 1, 0), drive=talus.TorqueDrive(torque=0.1))
    world.add_joint(arm, bob, "spherical", point=(0.05, 0, 0.2))
    stones = world.add_lattice("sc", radius="4 mm", origin=(-0.05, -0.05, 0.01), count=(4, 4, 2), material=ore, group="stones")
    balls = world.add_spheres(np.array([[0.3, 0, 0.1], [0.3, 0.1, 0.1]]), [0.01, 0.02], velocity=(0, 0, 0.5), material=ore)
    world.add_source(talus.BoxRegion((-0.3, -0.3, 0.4), (-0.2, -0.2, 0.5)), 1000, radius="3 mm", material=ore)
    world.add_sink(talus.BoxRegion((0.29, -0.01, 0), (0.31, 0.01, 0.02)))
    assert len(stones) == 32 and len(balls) == 2
    return world, bob, balls


def test_machines_with_joints_motions_and_sources_are_the_same(tmp_path):
    world, bob, balls = machine()
    bob.velocity = (0, 0.1, 0)
    balls[1].position = (0.35, 0.1, 0.1)
    world.set_load(bob, (0, 0, "2 N"))
    world.set_gravity((0, 0, -6))
    world.set_material("ore", rolling_friction=0.1)
    scene = round_trip(world, talus.Penalty(step="20 us"), steps=400)
    assert {"floor", "bob"} < {body.to_dict().get("name") for body in scene.bodies}
    assert through_a_file(scene, tmp_path).to_dict() == scene.to_dict()


def test_worlds_of_scenes_are_scenes_again(examples):
    world = talus.load(examples / "settle.yaml", "run.time=5 ms").world()
    scene = world.to_scene(time="5 ms")
    assert scene.world().state_hash == world.state_hash and len(scene.bodies) == 2
    world.add_body(talus.Sphere("1 mm"), position=(0, 0, 0.5), material="glass", group="late")
    assert len(world.to_scene(time="5 ms").bodies) == 3


@pytest.mark.parametrize("method", [talus.Penalty(), talus.ContactDynamics(step="1 ms", solver="apgd"),
                                    talus.QuasiStatic(step="1 ms")], ids=lambda m: type(m).__name__)
def test_scenes_have_the_method(method):
    world = talus.World(gravity=(0, 0, 0), contact_law=talus.ContactLaw(normal="hooke"))
    world.add_material()
    world.add_body(talus.Sphere(1e-3), position=(0, 0, 0))
    scene = world.to_scene(method, time="2 s")
    assert scene.method == method.to_dict()["method"] and scene.run.time == 2.0
    read, given = json.loads(talus.Simulation(scene).method), method.to_dict()
    for key in given.keys() - {"step", "equilibrium", "solving"}:
        assert read[key] == given[key]
    if given["step"] != "auto":
        assert read["step"] == talus.quantity(given["step"], "time")


@pytest.mark.parametrize("change, told", [
    (lambda w: talus.Simulation(w, talus.Penalty(step=1e-5)).step(), "moved on to t = 1e-05 s"),
    (lambda w: w.remove(w.grains[3]), "removed, the first is body"),
    (lambda w: w.set_load(w.grains[3], (1, 0, 0)), "force of 'grains', body"),
    (lambda w: w.restore(w.snapshot()), "snapshot"),
    (lambda w: w.velocity.__setitem__(w.grains[5], (1, 0, 0)), "of 'grains', has another velocity"),
    (lambda w: w.add_wall(talus.Plane(point=(0, 0, -1))), "walls first"),
    (lambda w: w.add_material("a"), "order of their names")], ids=lambda x: x if isinstance(x, str) else "")
def test_what_no_scene_can_say_is_told(change, told):
    world = settling()
    change(world)
    with pytest.raises(talus.InputError, match=told):
        world.to_scene()


def test_own_forces_are_no_part_of_scenes(world):
    sim = talus.Simulation(world, talus.Penalty(step=1e-5))
    sim.add_force(lambda w: np.zeros((len(w), 3)))
    with pytest.raises(talus.InputError, match="add_force"):
        sim.to_scene()
