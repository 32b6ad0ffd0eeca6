"""What leaves the window: a local file to the system's program, a web address to the browser."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from desktop_rag.core.errors import UserError
from desktop_rag.core.file_permissions import usual_umask
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.controllers.path_reachability import LocatedPath


def open_file(found: LocatedPath) -> None:
    """Open what was found in the system's program for it; a UserError when that can't be done."""
    if not _opened(QUrl.fromLocalFile(str(found.path))):
        raise UserError(
            Phrase("No program opened {0}.", found.path.name),
            "Open it from the folder that it lies in.",
        )


def show_in_folder(found: LocatedPath) -> None:
    """Show what was found in the system's file manager, selected where that can be asked for."""
    if sys.platform == "win32":
        subprocess.Popen(["explorer", "/select,", str(found.path)])  # noqa: S603, S607
    elif sys.platform == "darwin":
        with usual_umask():
            subprocess.Popen(["open", "-R", str(found.path)])  # noqa: S603, S607
    elif not open_folder(found.folder):
        raise UserError("No file manager opened.", Phrase("The file lies in {0}.", found.folder))


def open_folder(folder: Path) -> bool:
    """Open a folder in the system's file manager; say whether that could be done."""
    return _opened(QUrl.fromLocalFile(str(folder)))


def open_web(address: str) -> None:
    """Open a web address in the system's browser."""
    _opened(QUrl(address))


def full_address(address: str) -> str:
    """Return a web address as the browser gets it: letters that look like others are told apart."""
    encoded = bytes(QUrl(address).toEncoded().data()).decode("ascii")
    return encoded or sanitize_name(address)


def _opened(url: QUrl) -> bool:
    with usual_umask():
        return QDesktopServices.openUrl(url)
