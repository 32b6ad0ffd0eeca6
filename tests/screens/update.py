"""Keep the screens as they are now: `python -m tests.screens.update`. Look at them, then commit.

Names of looks (`zh-dark`, `en-light-150`) take these alone.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage

from tests.screens.test_screens import LOOKS, kept_in, taken

_COLOURS = 256


def main() -> None:
    """Take every look anew, or those that are named."""
    for look in LOOKS:
        place = kept_in(look)
        if sys.argv[1:] and place.name not in sys.argv[1:]:
            continue
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        with tempfile.TemporaryDirectory() as folder:
            for path in taken(Path(folder), look):
                in_few_colours(QImage(str(path))).save(str(place / path.name), quality=0)


def in_few_colours(image: QImage) -> QImage:
    """Return a picture in its most frequent colours, all others by the nearest: a fifth as large.

    Qt's own way to a palette takes one that knows hardly a grey.
    """
    rgb = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(rgb.constBits(), np.uint32).reshape(rgb.height(), rgb.width())
    colours, at, times = np.unique(pixels, return_inverse=True, return_counts=True)
    chosen = colours[np.argsort(-times)[:_COLOURS]]
    apart = np.abs(_parts(colours)[:, None] - _parts(chosen)[None]).sum(axis=2)
    rows = np.ascontiguousarray(apart.argmin(axis=1)[at].reshape(pixels.shape), np.uint8)
    made = QImage(
        rows.tobytes(), rgb.width(), rgb.height(), rgb.width(), QImage.Format.Format_Indexed8
    )
    made.setColorTable([int(colour) for colour in chosen])
    return made.copy()


def _parts(colours: np.ndarray) -> np.ndarray:
    """Return red, green and blue."""
    return np.stack([(colours >> shift) & 0xFF for shift in (16, 8, 0)], axis=1).astype(int)


if __name__ == "__main__":
    main()
