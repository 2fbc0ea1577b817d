"""What `talus export` writes is what the frames have, read by programs that know nothing of Talus."""
import csv
import subprocess

import numpy as np
import pytest

import talus
from conftest import settling

MIXED = """
materials: {glass: {density: 2600}, stone: {friction: 0.4}}
bodies:
  - {shape: container, centre: [0, 0, 20 mm], size: [20 mm, 20 mm, 40 mm], open: [+z], material: glass}
  - {shape: box, size: [6 mm, 6 mm, 4 mm], position: [0, 0, 3 mm], fixed: true, material: glass, group: step}
  - {generate: lattice, lattice: sc, radius: 1 mm, origin: [-6 mm, -6 mm, 6.1 mm], count: [5, 5, 3], material: stone}
run: {time: 5 ms}
output: {plots: false, frames: 1 ms}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    (folder / "mixed.yaml").write_text(MIXED, encoding="utf-8")
    return talus.run(folder / "mixed.yaml", folder / "run")


def export(*arguments):
    done = subprocess.run([talus.program(), "export", *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout.split("\n")[:-1], done.stderr


def rows_of(file):
    with open(file, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_csv_has_every_frame_with_names_and_units(run, tmp_path):
    status, files, _ = export(run.folder, "--csv", "-o", tmp_path / "csv")
    assert status == 0 and len(files) == 2 * len(run.frames) + 1
    index = rows_of(tmp_path / "csv" / "frames.csv")
    assert [float(row["time [s]"]) for row in index] == [frame.time for frame in run.frames]
    last, rows = run.frames[-1], rows_of(tmp_path / "csv" / index[-1]["bodies"])
    assert len(rows) == len(last.bodies)
    for axis, name in enumerate("xyz"):
        assert [float(row[f"velocity_{name} [m/s]"]) for row in rows] == last.velocity[:, axis].tolist()
    assert [row["group"] for row in rows] == [run.groups[k] for k in last.bodies.group]
    assert [row["material"] for row in rows] == [run.materials[k] for k in last.bodies.material]
    assert rows[-1]["material"] == "stone" and rows[0]["group"] == "step"
    contacts = rows_of(tmp_path / "csv" / index[-1]["contacts"])
    assert len(last.contacts) > 0
    assert [float(row["normal_force [N]"]) for row in contacts] == last.contacts.normal_force.tolist()


def test_npz_has_the_arrays_of_the_frames_bit_for_bit(run, tmp_path):
    status, files, _ = export(run.folder, "--npz", "-o", tmp_path / "npz")
    assert status == 0 and len(files) == len(run.frames) + 1
    for frame, file in zip(run.frames, files):
        with np.load(file) as arrays:  # allow_pickle is off
            assert arrays["time"] == frame.time and arrays["groups"].tolist() == run.groups
            assert arrays["materials"].tolist() == run.materials == ["glass", "stone"]
            for part in ("bodies", "contacts"):
                for name, values in getattr(frame, part).items():
                    assert np.array_equal(arrays[f"{part}.{name}"], values), (part, name)
            assert arrays["bodies.id"].dtype == np.int64 and arrays["bodies.velocity"].flags.c_contiguous
            for part in ("walls", "shapes"):
                assert np.array_equal(arrays[f"{part}.ends"], getattr(frame, part).ends)
                assert np.array_equal(arrays[f"{part}.corners"], getattr(frame, part).corners)
                assert arrays[f"{part}.corners"].max() == len(arrays[f"{part}.position"]) - 1
    with np.load(files[-1]) as series:
        assert set(series) == set(run.series)
        assert all(np.array_equal(series[name], run.series[name], equal_nan=True) for name in series)


def test_single_frames_count_from_either_end(run, tmp_path):
    _, files, _ = export(run.folder, "--csv", "-o", tmp_path, "--frame", "0", "--frame", "-1")
    assert [file.rsplit("/", 1)[1] for file in files] == [
        "bodies_000000.csv", "contacts_000000.csv", "bodies_000005.csv", "contacts_000005.csv", "frames.csv"]


@pytest.mark.parametrize("arguments, told", [([], "--csv or --npz"), (["--csv", "--npz"], "--csv or --npz"),
                                             (["--npz", "--frame", "99"], "no frame 99; there are 6")])
def test_what_cannot_be_exported_is_told(run, tmp_path, arguments, told):
    status, files, message = export(run.folder, *arguments, "-o", tmp_path / "none")
    assert status == 2 and not files and told in message


def test_a_folder_without_a_run_has_nothing_to_export(tmp_path):
    status, _, message = export(tmp_path, "--csv")
    assert status == 2 and "no results" in message and not list(tmp_path.iterdir())


def test_outputs_of_a_simulation_are_a_run_with_names(tmp_path):
    sim = talus.Simulation(settling(), talus.Penalty(step=1e-5))
    sim.output(tmp_path, frames="1 ms", series="1 ms")
    sim.run("2 ms", progress=False)
    run = talus.open(tmp_path)
    assert [run.groups[k] for k in run.frames[-1].bodies.group] == ["grains"] * 60 and "glass" in run.materials
    assert export(tmp_path, "--npz")[0] == 0
    with pytest.raises(talus.InputError, match="not by a scene"):
        run.scene


def test_results_of_runs_are_not_overwritten(run):
    with pytest.raises(talus.InputError, match="another folder"):
        talus.Simulation(settling()).output(run.folder, frames="1 ms")
