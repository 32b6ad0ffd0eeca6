"""What leaves the window: a local file to the system's program, a web address to the browser."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from desktop_rag.core.errors import UserError
from desktop_rag.core.legible import legible


def open_file(path: str) -> None:
    """Open a local file in the system's program for it; a UserError when that can't be done."""
    found = _local(path)
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(found))):
        raise UserError(
            f"No program opened {found.name}.", "Open it from the folder that it lies in."
        )


def show_in_folder(path: str) -> None:
    """Show a file in the system's file manager, selected where that can be asked for."""
    found = _local(path)
    if sys.platform == "win32":
        subprocess.Popen(["explorer", "/select,", str(found)])  # noqa: S603, S607
    elif sys.platform == "darwin":
        subprocess.Popen(["open", "-R", str(found)])  # noqa: S603, S607
    elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(_folder(found)))):
        raise UserError("No file manager opened.", f"The file lies in {_folder(found)}.")


def open_web(address: str) -> None:
    """Open a web address in the system's browser."""
    QDesktopServices.openUrl(QUrl(address))


def in_full(address: str) -> str:
    """Return a web address as the browser gets it: letters that look like others are told apart."""
    encoded = bytes(QUrl(address).toEncoded().data()).decode("ascii")
    return encoded or legible(address)


def _folder(path: Path) -> Path:
    return path if path.is_dir() else path.parent


def _local(path: str) -> Path:
    """Return a path that is there; nothing else is handed to the system."""
    found = Path(path)
    if not found.is_absolute() or not found.exists():
        raise UserError(
            f"{found.name} is no longer there.", "It was moved or deleted since it was read."
        )
    return found
