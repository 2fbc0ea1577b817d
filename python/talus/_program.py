"""The program `talus`, as the package brings it."""
import os
import sys
from pathlib import Path


def program() -> Path:
    """Where the program is: in the package, or beside it in a build."""
    here = Path(__file__).parent
    core = Path(sys.modules["talus._core"].__file__ or "") if "talus._core" in sys.modules else here
    for place in (here / "bin" / "talus", core.parent / "bin" / "talus", core.parents[2] / "bin" / "talus"):
        if place.exists():
            return place
    raise FileNotFoundError("this installation of talus has no program; install the wheel, or build it by ./dev build")


def main() -> None:
    if sys.argv[1:3] == ["bench", "envs"]:  # the environments are Python's own
        from .bench import main as bench
        sys.exit(bench(sys.argv[2:]))
    path = str(program())
    os.execv(path, [path, *sys.argv[1:]])
