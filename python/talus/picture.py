"""Pictures of worlds."""
import os
import tempfile
from pathlib import Path
from typing import Any, Union

from . import _core


class Picture:
    """A picture: shown by notebooks, written by save(); `png` has its bytes."""

    def __init__(self, png: bytes) -> None:
        self.png = png

    def save(self, file: Union[str, "os.PathLike[str]"]) -> None:
        Path(file).write_bytes(self.png)

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return f"<picture of {len(self.png)} bytes>"


def draw(world: Any, width: int, height: int, azimuth: float, elevation: float) -> Picture:
    """By the renderer of `talus plot`."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "picture.png"
        _core.draw_picture(world, os.fspath(file), width, height, azimuth, elevation)
        return Picture(file.read_bytes())
