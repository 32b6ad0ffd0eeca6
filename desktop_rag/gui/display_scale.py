"""The size of everything in the window, on top of what the system asks for.

Qt takes it once, when its application is made; so it is read before anything else.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtWidgets import QApplication

from desktop_rag.core import settings_file
from desktop_rag.core.errors import UserError

_FACTOR = "QT_SCALE_FACTOR"


def application(folder: Path, overrides: Mapping[str, str]) -> QApplication:
    """Return Qt's application, in the size that the settings of a data folder ask for."""
    with _scaled(percent(folder, overrides)):
        app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)  # noqa: S101 - tells mypy what instance() is
    return app


def percent(folder: Path, overrides: Mapping[str, str]) -> int:
    """Return the size in percent; 100 where the settings can't be read: opening tells of that."""
    try:
        return settings_file.load(folder, overrides).window.scale
    except UserError:
        return 100


@contextmanager
def _scaled(wanted: int) -> Iterator[None]:
    """Set Qt's variable, and take it back: what is started from here is not to inherit it."""
    before = os.environ.get(_FACTOR)
    if wanted != 100:
        os.environ[_FACTOR] = f"{_number(before) * wanted / 100:g}"
    yield
    if before is None:
        os.environ.pop(_FACTOR, None)
    else:
        os.environ[_FACTOR] = before


def _number(text: str | None) -> float:
    """Return the factor that was there already; 1 where it is none, as Qt takes it."""
    try:
        return float(text or 1) or 1.0
    except ValueError:
        return 1.0
