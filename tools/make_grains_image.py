#!/usr/bin/env python3
"""Draws examples/grains.png: bright grains on a dark ground, like a scan, with the troubles that scans have.

    make_grains_image.py [FILE]

Smooth, angular and hollow outlines, two that touch, one with a hole, one cut by the border, a speck and some noise. The
same file every time.
"""
import math
import random
import struct
import sys
import zlib
from pathlib import Path

WIDTH, HEIGHT, SUBPIXELS = 360, 260, 4
GROUND, GRAIN, NOISE = 40, 200, 4


def pebble(x, y, radius, *waves, stretch=1.0, turn=0.0):
    """A radius that changes with the angle: waves of (number, height, phase)."""
    def inside(px, py):
        dx, dy = px - x, py - y
        u = (math.cos(turn) * dx + math.sin(turn) * dy) / stretch
        v = (-math.sin(turn) * dx + math.cos(turn) * dy) * stretch
        angle = math.atan2(v, u)
        return math.hypot(u, v) < radius * (1 + sum(h * math.cos(n * angle + p) for n, h, p in waves))
    return inside


def polygon(*corners):
    def inside(px, py):
        odd = False
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
            if (ay > py) != (by > py) and px < ax + (bx - ax) * (py - ay) / (by - ay):
                odd = not odd
        return odd
    return inside


def without(shape, hole):
    return lambda x, y: shape(x, y) and not hole(x, y)


SHAPES = [
    pebble(52, 55, 30, (2, 0.1, 0.3), (3, 0.07, 1.0), (5, 0.03, 2.0), stretch=1.1, turn=0.4),
    polygon((110, 30), (158, 22), (175, 62), (143, 92), (104, 74)),
    pebble(235, 60, 33, (1, 0.05, 0), (2, 0.28, 0.0), turn=0.9),
    pebble(308, 66, 34, (5, 0.17, 0.6)),
    pebble(60, 150, 31, (2, 0.05, 1.2)),
    pebble(112, 166, 25, (3, 0.05, 0.2)),
    without(pebble(190, 150, 34, (3, 0.06, 2.0)), pebble(196, 146, 10)),
    polygon((252, 118), (318, 132), (322, 176), (284, 160), (250, 190)),
    pebble(150, 224, 22, (2, 0.12, 0.0), stretch=1.4, turn=-0.3),
    pebble(354, 220, 25),
    pebble(30, 226, 2),
]


def brightness(x, y):
    """Share of a pixel that is grain."""
    count = 0
    for j in range(SUBPIXELS * SUBPIXELS):
        px, py = x + (j % SUBPIXELS + 0.5) / SUBPIXELS, y + (j // SUBPIXELS + 0.5) / SUBPIXELS
        count += any(shape(px, py) for shape in SHAPES)
    return count / SUBPIXELS ** 2


def png(rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)) + chunk(b"IEND", b""))


def main():
    noise = random.Random(1)
    rows = [[round(min(255, max(0, GROUND + (GRAIN - GROUND) * brightness(x, y) + noise.gauss(0, NOISE))))
             for x in range(WIDTH)] for y in range(HEIGHT)]
    default = Path(__file__).parent.parent / "examples" / "grains.png"
    Path(sys.argv[1] if len(sys.argv) > 1 else default).write_bytes(png(rows))


if __name__ == "__main__":
    main()
