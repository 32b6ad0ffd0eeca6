"""How far two pictures of a screen are apart: small, so that a time or a letter counts little."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

_WIDTH = 330
_SEEN = 40  # of 255: what an eye sees at once


def share_changed(one: Path, other: Path) -> float:
    """Return the share of the screen that looks different; 1 where even the size does."""
    first, second = _small(one), _small(other)
    if first.shape != second.shape:
        return 1.0
    return float((np.abs(first - second).max(axis=2) > _SEEN).mean())


def _small(path: Path) -> np.ndarray:
    # In one format before it is scaled: Qt makes a picture with a palette smaller in another way.
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB888)
    image = image.scaledToWidth(_WIDTH, Qt.TransformationMode.SmoothTransformation)
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return lines[:, : image.width() * 3].reshape(image.height(), image.width(), 3).astype(int)
