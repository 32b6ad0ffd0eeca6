"""A screen for one window: Xvfb where it is installed, else Qt's own offscreen painting."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import x11

SIZE = (1320, 840)
_COLOURS = 50  # an empty screen has one or two


@dataclass(frozen=True)
class Screen:
    """Where a window is shown: the variables that lead it there, and Xvfb's picture of it."""

    name: str
    environment: dict[str, str] = field(default_factory=dict)
    frame: Path | None = None

    def is_painted(self) -> bool:
        """Say whether something is to be seen; always, where that can't be known."""
        if self.frame is None:
            return True
        _, _, rows = read_picture(self.frame.read_bytes())
        seen = {row[at : at + 3] for row in rows for at in range(0, len(row), 3)}
        return len(seen) > _COLOURS

    def save(self, file: Path) -> None:
        """Save what is to be seen, if that can be known."""
        if self.frame is not None:
            file.write_bytes(as_png(*read_picture(self.frame.read_bytes())))

    def close_window(self) -> bool:
        """Ask the window to close, as its close button does; say whether that could be done."""
        if self.frame is None:
            return False
        x11.close_windows(self.environment["DISPLAY"])
        return True


@contextmanager
def opened() -> Iterator[Screen]:
    """Open a screen and take it down again."""
    if not shutil.which("Xvfb"):
        linux = sys.platform.startswith("linux")
        yield Screen("offscreen", {"QT_QPA_PLATFORM": "offscreen"} if linux else {})
        return
    with tempfile.TemporaryDirectory(prefix="screen-") as folder:
        size = f"{SIZE[0]}x{SIZE[1]}x24"
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-fbdir", folder]
        server = subprocess.Popen(
            [*command, "-nolisten", "tcp"], pass_fds=(writing,), stderr=subprocess.DEVNULL
        )
        os.close(writing)
        try:
            with os.fdopen(reading) as told:
                number = told.readline().strip()
            yield Screen("Xvfb", {"DISPLAY": f":{number}"}, Path(folder) / "Xvfb_screen0")
        finally:
            server.terminate()
            server.wait()


def read_picture(raw: bytes) -> tuple[int, int, list[bytes]]:
    """Return width, height and the rows (red, green, blue) of an X window dump of 32 bits."""
    head = struct.unpack(">25I", raw[:100])
    start, width, height = head[0] + 12 * head[19], head[4], head[5]
    stride, pixels = head[12], memoryview(raw)
    rows = []
    for y in range(height):
        row = bytes(pixels[start + y * stride : start + y * stride + 4 * width])
        packed = bytearray(3 * width)
        packed[0::3], packed[1::3], packed[2::3] = row[2::4], row[1::4], row[0::4]
        rows.append(bytes(packed))
    return width, height, rows


def as_png(width: int, height: int, rows: list[bytes]) -> bytes:
    """Return a picture as a PNG file."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + body))
        return struct.pack(">I", len(body)) + kind + body + check

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows))
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts
