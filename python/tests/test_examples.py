"""The examples run, and each draws a picture."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = sorted((Path(os.environ.get("TALUS_EXAMPLES", "examples")) / "python").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_it_runs_and_draws(script, tmp_path):
    subprocess.run([sys.executable, "-B", script, tmp_path], check=True, env={**os.environ, "MPLBACKEND": "Agg"})
    pictures = list(tmp_path.glob("*.png"))
    assert pictures and all(picture.stat().st_size > 5000 for picture in pictures)


def test_there_are_eight():
    assert len(SCRIPTS) == 8


@pytest.mark.skipif(sys.version_info < (3, 10), reason="examples have annotations of later versions")
def test_types_of_the_examples_and_the_package_are_right(tmp_path):
    import talus
    package = Path(talus.__file__).resolve().parent
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, "--python-version", "3.10",
                           "--ignore-missing-imports", *SCRIPTS], capture_output=True, text=True,
                          env={**os.environ, "MYPYPATH": os.fspath(package.parent)})
    assert done.returncode == 0, done.stdout
