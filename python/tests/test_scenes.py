"""Scenes are read, changed and run; results are read back, also while a run goes on."""
import json
import os
import sys

import numpy as np
import pytest

import talus
from conftest import settling


@pytest.fixture
def finished(examples, tmp_path):
    scene = talus.load(examples / "settle.yaml", "run.time=4 ms")
    return talus.run(scene, tmp_path / "run")


def test_a_scene_has_attributes_and_is_a_dict(examples):
    scene = talus.load(examples / "settle.yaml")
    scene.materials.glass.friction = 0.25
    scene.run["time"] = "2 ms"
    assert scene.to_dict()["materials"]["glass"]["friction"] == 0.25
    assert scene.core.name == scene.name and "materials" in dir(scene)
    again = talus.Scene(scene)
    assert again.materials.glass.friction == 0.25 and again.run.time == 2e-3
    assert scene.bodies[0].shape == scene["bodies"][0]["shape"]
    assert "friction: 0.25" in scene.to_yaml()


def test_a_mistake_in_a_scene_has_its_path():
    with pytest.raises(talus.InputError) as error:
        talus.Scene(materials={"glass": {}}, bodies=[{"shape": "sphere", "radius": "1 kg", "position": [0, 0, 0]}],
                    run={"time": 1})
    assert error.value.path == "bodies[0].radius"
    with pytest.raises(talus.InputError, match="stages"):
        talus.Simulation(talus.Scene(materials={"g": {}}, bodies=[{"shape": "plane"}], stages=[{"name": "a", "time": 1}],
                                     sources=[{"region": {"low": [0, 0, 1], "high": [1, 1, 2]}, "rate": 1, "radius": 0.1}]))


def test_results_are_series_frames_and_a_summary(finished):
    assert finished.finished and finished.summary.status == "finished"
    series = finished.series
    assert series.time[-1] == pytest.approx(4e-3) and series.units["energy_kinetic"] == "J"
    assert np.array_equal(series["energy_kinetic"], series.energy_kinetic)
    with pytest.raises(talus.InputError, match="did you mean 'energy_kinetic'"):
        series["energy_kinetik"]
    frame = finished.frames[-1]
    assert frame.time == pytest.approx(4e-3) and frame.position.shape == (2000, 3)
    mass, radius = frame.bodies.mass, frame.bodies.radius
    by_hand = 0.5 * np.sum(mass * np.sum(frame.velocity**2 + 0.4 * radius[:, None]**2 * frame.bodies.spin**2, axis=1))
    assert by_hand == pytest.approx(series.energy_kinetic[-1], rel=1e-12)
    assert finished.scene.materials.glass.friction >= 0
    assert finished.results["energy_kinetic"] == pytest.approx(series.energy_kinetic[-1])


def test_frames_have_the_positions_of_the_world(examples, tmp_path):
    world = settling()
    sim = talus.Simulation(world, talus.Penalty(step=1e-5))
    sim.output(tmp_path, frames="1 ms", series="0.5 ms")
    sim.run("3 ms", progress=False)
    run = talus.open(tmp_path)
    assert len(run.frames) == 4 and len(run.series.time) == 7
    order = np.argsort(np.asarray(world.id)[:world.grain_count])
    assert np.array_equal(run.frames[-1].position, np.asarray(world.position)[:world.grain_count][order])
    assert np.array_equal(run.frames[-1].bodies.id, np.sort(world.grains.id))


def test_a_line_that_is_being_written_is_left_out(finished):
    rows = len(finished.series.time)
    with open(finished.folder / "series.csv", "a") as stream:
        stream.write("0.005,12,3")
    assert len(finished.series.time) == rows


def test_plots_are_drawn(finished):
    axes = finished.plot("energy_kinetic", "energy_potential")
    assert [line.get_label() for line in axes.get_lines()] == ["energy_kinetic", "energy_potential"]
    assert axes.get_ylabel() == "[J]"


def test_a_folder_without_results_is_told(tmp_path):
    with pytest.raises(talus.InputError, match="no results"):
        talus.open(tmp_path)


def test_interrupted_runs_are_resumed_with_the_same_bits(examples, tmp_path):
    scene = talus.load(examples / "crank.yaml", "run.time=60 ms")
    whole = talus.run(scene, tmp_path / "whole")
    part = talus.run(scene, tmp_path / "part", max_time=0)
    assert part.summary.status == "interrupted"
    assert talus.resume(tmp_path / "part").summary.state_hash == whole.summary.state_hash


def test_scenes_are_swept_and_failures_are_told(tmp_path):
    scene = talus.Scene(materials={"glass": {}}, run={"time": "10 ms", "step": "10 us"},
                        bodies=[{"shape": "sphere", "radius": 1e-3, "position": [0, 0, 1]}])
    vary = {"gravity": [[0, 0, -10], [0, 0, -20]], "run.max_overlap": [0.2, -1]}
    table = talus.sweep(scene, vary, jobs=2, folder=tmp_path / "sweep")
    assert table.column("energy_kinetic")[2] == pytest.approx(4 * table.column("energy_kinetic")[0])
    assert "max_overlap" in table[1]["error"] and "error" not in table[0]
    stamp = os.stat(tmp_path / "sweep" / "table.json").st_mtime_ns
    del vary["run.max_overlap"]
    assert len(talus.sweep(scene, {**vary, "run.max_overlap": [0.2]}, folder=tmp_path / "sweep")) == 2
    assert os.stat(tmp_path / "sweep" / "table.json").st_mtime_ns == stamp


def test_functions_are_swept():
    table = talus.sweep(json.dumps, {"obj": [1, [2]]}, jobs=1)
    assert table.column("result") == ["1", "[2]"]


def test_the_program_is_part_of_the_package():
    assert talus.program().name == "talus" and os.access(talus.program(), os.X_OK)
    assert sys.modules["talus._core"].version == talus.__version__
