"""Programs in the pages run as they stand."""
import os
import re
from pathlib import Path

import numpy as np
import pytest

import talus

DOCS = Path(os.environ.get("TALUS_EXAMPLES", "examples")).parent / "docs"


def programs(page):
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


def test_the_first_program_runs_as_it_stands(tmp_path, monkeypatch):
    first = programs("python.md")[0]
    assert first.startswith("import talus\n") and "sim.view()" in first
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(first.replace("sim.view()", "pass;"), names)  # that has tests of its own
    world = names["world"]
    assert (tmp_path / "end.png").stat().st_size > 5000 and len(names["z"]) == world.grain_count > 50
    assert names["contacts"].force[:, 2].max() > 0 and names["sim"].unconverged_steps == 0
    assert world.energy["kinetic"] < 1e-3 * abs(world.energy["dissipated"])  # at rest


def test_what_talus_does_beside_others_runs_as_it_stands(capsys):
    names = {}
    ours = [text for text in programs("python-for-others.md") if text.startswith("# Talus")]
    assert len(ours) == 6
    for text in ours[:2]:
        exec(text, names)
    carried, weight = names["on_box"].force.sum(axis=0), names["world"].mass.sum() * 9.81
    assert carried[2] == pytest.approx(weight, rel=0.1)
    for text in ours[2:]:
        exec(text, names)
    assert names["joint"].turn == pytest.approx(0.2, rel=0.02)  # 2 rad/s for 0.1 s
    reactions = names["found"].reactions
    assert names["found"].converged and np.allclose(reactions[:, 0], 0.5)
    assert np.hypot(*reactions[1, 1:]) == pytest.approx(0.25)  # it slides at mu times the normal reaction


def test_the_docstring_of_the_package_is_a_program():
    lines = [line[4:] for line in (talus.__doc__ or "").split("\n") if line.startswith(">>> ")]
    names = {}
    exec("\n".join(lines[:-1]), names)
    assert names["ball"].position[2] == pytest.approx(5e-3, rel=0.02)
