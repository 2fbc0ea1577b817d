"""Worlds are built by calls, with units, and mistakes are told by name."""
import json

import numpy as np
import pytest

import talus


def test_a_ball_that_falls_has_the_speed_of_free_fall(ball):
    sim = talus.Simulation(ball.world, method=talus.ContactDynamics(step="1 ms"))
    sim.run("0.03 s", progress=False)
    assert ball.velocity[2] == pytest.approx(-9.81 * 0.03, rel=1e-12)


def test_texts_with_units_are_the_same_numbers(ball):
    assert ball.position[2] == 0.02
    assert talus.quantity("2.5 mm", "length") == 0.0025


@pytest.mark.parametrize("form", [
    talus.Sphere("1 mm"), talus.Box(("1 mm", 2e-3, 3e-3)), talus.Cylinder(1e-3, 2e-3), talus.Cone(1e-3, 0, 2e-3),
    talus.Capsule(1e-3, 2e-3), talus.Ellipsoid((1e-3, 2e-3, 3e-3)), talus.Superquadric((1e-3, 1e-3, 2e-3), equator=4),
    talus.PolyEllipsoid((1e-3, 1e-3, 2e-3), (1e-3, 2e-3, 1e-3)),
    talus.Hull(points=np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * 1e-3),
    talus.Clump([(0, 0, 0, 1e-3), (1e-3, 0, 0, 1e-3)]),
    talus.Compound([{"shape": "sphere", "radius": 1e-3}, {"shape": "box", "size": [1e-3] * 3, "position": [1e-3, 0, 0]}]),
], ids=lambda form: type(form).__name__)
def test_every_form_makes_a_body_that_moves(form):
    world = talus.World()
    world.add_material()
    body = world.add_body(form, position=(0, 0, 0.1), spin=(0, 0, 1))
    talus.Simulation(world, talus.ContactDynamics(step=1e-3)).step(2)
    assert body.mass > 0 and body.velocity[2] < 0


@pytest.mark.parametrize("form", [talus.Disc(1e-3), talus.Polygon([(0, 0), (1e-3, 0), (0, 1e-3)]),
                                  talus.Outline(points=[(0, 0), (4e-3, 0), (4e-3, 4e-3), (0, 4e-3)])])
def test_planar_worlds_have_planar_bodies(form):
    world = talus.World(planar="xz")
    world.add_material()
    assert world.add_body(form, position=(0, 0, 0.1)).mass > 0


def test_a_wrong_value_is_an_input_error_with_the_path_of_its_key(ball):
    with pytest.raises(talus.InputError) as error:
        ball.world.add_body(talus.Sphere("-1 mm"))
    assert error.value.path == "add_body.radius"
    assert "must be" in error.value.message
    assert isinstance(error.value, ValueError)


def test_a_wrong_unit_and_a_wrong_name_are_told(ball):
    with pytest.raises(talus.InputError, match="length"):
        ball.world.add_body(talus.Sphere("1 kg"))
    with pytest.raises(talus.InputError, match="material-0"):
        ball.world.add_body(talus.Sphere(1e-3), material="gold")
    with pytest.raises(talus.InputError, match="did you mean"):
        talus.Simulation(ball.world, talus.ContactDynamics(solver="gaus-seidel")).step()


def test_a_call_that_fails_leaves_the_world_as_it_was(ball):
    world, before = ball.world, ball.world.state_hash
    with pytest.raises(talus.InputError):
        world.add_body(talus.Sphere(1e-3), position=(0, 0, 0.1), group="a/b:c" * 40)
    assert (world.state_hash, len(world)) == (before, 2)


def test_generators_make_what_they_are_asked_for():
    world = talus.World()
    glass = world.add_material("glass")
    assert len(world.add_lattice("sc", radius=1e-3, count=(2, 3, 4))) == 24
    assert len(world.add_pyramid(3, "1 mm", origin=(0.1, 0, 0))) == 14
    fluid = world.fill(talus.CylinderRegion(centre=(0, 0, 0.2), radius=0.02, length=0.05), count=10, radius=1e-3,
                       grains=[talus.Sphere(1e-3), (talus.Box((1e-3,) * 3), 2)], group="mix")
    assert len(fluid) == 10 and set(world.group("mix").id) == set(fluid.id)
    spheres = world.add_spheres(np.arange(15.0).reshape(5, 3) + 1, 1e-3, velocity=(0, 0, 1), material=glass)
    assert np.array_equal(spheres.velocity, np.tile([0, 0, 1.0], (5, 1)))
    assert world.grain_count == 24 + 14 + 10 + 5


def test_joints_turn_as_their_drives_say():
    world = talus.World(gravity=(0, 0, 0))
    world.add_material()
    arm = world.add_body(talus.Box((0.1, 0.02, 0.02)), position=(0.05, 0, 0))
    hinge = world.add_joint(arm, "world", "revolute", point=(0, 0, 0), axis=(0, 1, 0),
                            drive=talus.SpinDrive(rate="60 rpm"))
    sim = talus.Simulation(world, talus.ContactDynamics(step=1e-3))
    sim.run(0.25, progress=False)
    assert hinge.turn == pytest.approx(np.pi / 2, rel=1e-6)
    hinge.set_target(0)
    sim.step(5)
    assert abs(hinge.turn_speed) < 1e-6


def test_motions_loads_sources_and_sinks_do_what_they_say():
    world = talus.World(gravity=(0, 0, 0))
    world.add_material()
    plate = world.add_body(talus.Box((0.1, 0.1, 0.01)), motion=talus.ConstantMotion(velocity=("1 cm/s", 0, 0)))
    ball = world.add_body(talus.Sphere(1e-2), position=(0, 0, 1), force=(1, 0, 0))
    world.add_source(talus.BoxRegion((0, 0, 2), (0.1, 0.1, 2.1)), rate=1000, radius=1e-3, velocity=(0, 0, 10))
    world.add_sink(talus.BoxRegion((-1, -1, 2.5), (1, 1, 3)))
    sim = talus.Simulation(world, talus.Penalty(step=1e-4))
    sim.run(0.05, progress=False)
    assert plate.position[0] == pytest.approx(5e-4)
    assert ball.velocity[0] == pytest.approx(0.05 / ball.mass, rel=1e-3)
    assert world.body_count > 20
    world.set_load(ball, None)
    before = ball.velocity
    sim.step(10)
    assert np.array_equal(ball.velocity, before)
    world.set_motion(plate, talus.SineMotion(amplitude=(0, 0, 1e-3), frequency="10 Hz"))
    world.set_gravity((0, 0, "-9.81 m/s^2"))
    sim.step(10)
    assert ball.velocity[2] < 0


def test_contacts_are_arrays_whose_forces_carry_the_weight(ball):
    sim = talus.Simulation(ball.world, talus.ContactDynamics(step=1e-3, tolerance=1e-8))
    sim.run(0.3, progress=False)
    contacts = ball.world.contacts
    assert contacts.bodies.tolist() == [[ball.id, ball.world.body("floor").id]]
    assert contacts.force[0] == pytest.approx([0, 0, 9.81 * ball.mass], abs=1e-8)
    assert contacts["normal"][0] == pytest.approx([0, 0, 1])
    assert abs(contacts.gap[0]) < 1e-4


def test_measures_are_numbers(world):
    talus.Simulation(world, talus.Penalty(step=5e-6)).step(1000)
    by_hand = 0.5 * np.sum(world.mass * np.sum(np.square(world.velocity), axis=1))
    inertia = 0.4 * world.mass * np.square(world.radius)
    by_hand += 0.5 * np.sum(inertia * np.sum(np.square(world.spin), axis=1))
    assert world.energy["kinetic"] == pytest.approx(by_hand, rel=1e-12)
    assert world.stress((0, 0, 0), (0.04, 0.04, 0.04)).shape == (3, 3)
    tensor, anisotropy = world.fabric
    assert np.trace(tensor) == pytest.approx(1) and anisotropy >= 0
    assert world.measure("grains") == 60
    with pytest.raises(talus.InputError, match="did you mean 'coordination'"):
        world.measure("cordination")


def test_a_saved_world_goes_on_bit_for_bit(world, tmp_path):
    from conftest import settling
    method = talus.Penalty(step=5e-6)
    talus.Simulation(world, method).step(200)
    world.save(tmp_path / "world.h5")
    talus.Simulation(world, method).step(200)
    other = settling()
    other.load(tmp_path / "world.h5")
    talus.Simulation(other, method).step(200)
    assert other.state_hash == world.state_hash


def test_things_say_what_they_are(ball):
    assert repr(ball) == "<body 1 of 'grains' at (0, 0, 0.02) m>"
    assert repr(ball.world) == "<world of 1 grains and 1 walls at t = 0 s>"
    assert repr(talus.Sphere("1 mm")) == "Sphere(radius='1 mm')"
    assert "friction" in (talus.World.add_material.__doc__ or "")
    assert talus.__version__.count(".") == 2
    assert json.loads(json.dumps(talus.ContactDynamics(step=1e-3).to_dict()))["method"] == "contact-dynamics"
