"""Pictures of worlds."""
import os
import struct
import tempfile
import zlib
from pathlib import Path
from typing import Any, Union

import numpy as np

from . import _core


class Picture:
    """A picture: shown by notebooks, written by save(); `png` has its bytes."""

    def __init__(self, png: bytes) -> None:
        self.png = png

    def save(self, file: Union[str, "os.PathLike[str]"]) -> None:
        Path(file).write_bytes(self.png)

    @property
    def pixels(self) -> Any:
        """(height, width, 3) of bytes"""
        return _pixels(self.png)

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


def _pixels(png: bytes) -> Any:
    """The pixels of a PNG of 8 bits a channel that is not interlaced, as Talus writes them."""
    width, height, _, kind = struct.unpack_from(">IIBB", png, 16)
    data, at = b"", 8
    while at < len(png):
        size, name = struct.unpack_from(">I4s", png, at)
        data += png[at + 8:at + 8 + size] if name == b"IDAT" else b""
        at += 12 + size
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[kind]
    rows = np.frombuffer(zlib.decompress(data), dtype=np.uint8).reshape(height, 1 + width * channels)
    image = np.zeros((height, width, channels), dtype=np.uint8)
    above = np.zeros((width, channels), dtype=np.uint8)
    for y, row in enumerate(rows):
        above = image[y] = _unfiltered(int(row[0]), row[1:].reshape(width, channels), above)
    return np.ascontiguousarray(np.broadcast_to(image[:, :, :3] if channels > 2 else image[:, :, :1], (height, width, 3)))


def _unfiltered(kind: int, row: Any, above: Any) -> Any:
    """A row without its filter (PNG specification, section 9)."""
    if kind == 0:
        return row
    if kind == 2:
        return row + above
    if kind == 1:
        return np.cumsum(row, axis=0, dtype=np.uint8)
    done = np.zeros_like(row)
    left = corner = np.zeros(row.shape[1], dtype=np.int16)
    for x in range(len(row)):
        up = above[x].astype(np.int16)
        if kind == 3:
            guess = (left + up) // 2
        else:
            p = left + up - corner
            a, b, c = abs(p - left), abs(p - up), abs(p - corner)
            guess = np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))
        done[x] = (row[x] + guess).astype(np.uint8)
        left, corner = done[x].astype(np.int16), up
    return done
