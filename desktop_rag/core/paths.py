"""Where things lie: the program's own resources, and the user's data folder."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from desktop_rag.core.errors import UserError
from desktop_rag.core.file_permissions import OTHERS
from desktop_rag.core.phrases import Phrase

HOME_VARIABLE = "DESKTOP_RAG_HOME"
CATALOG = "catalog.sqlite"
"""The file in the data folder that is the truth."""
_OURS = {CATALOG, "owner.key"}  # what only a data folder has


def resources() -> Path:
    """Return the folder of the program's data files: in the wheel, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    shipped = package / "resources"
    return shipped if shipped.is_dir() else package.parent / "resources"


def default_data_dir() -> Path:
    """Return the data folder when none is named: `DESKTOP_RAG_HOME`, or the platform's own."""
    named = os.environ.get(HOME_VARIABLE)
    return Path(named).expanduser().absolute() if named else platform_data_dir()


def platform_data_dir() -> Path:
    """Return the platform's own data folder."""
    return Path(platformdirs.user_data_dir("desktop-rag", appauthor=False))


def make_private(folder: Path) -> Path:
    """Create a folder that only its user can enter (mode 0700), and return it.

    One that others can enter is closed to them where it is empty or a data folder already; raises
    a `UserError`, with the folder as it was, where it holds anything else.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.name == "posix" and folder.stat().st_mode & OTHERS:
        _refuse_shared(folder)
        folder.chmod(0o700)
    return folder


def _refuse_shared(folder: Path) -> None:
    """Refuse a folder with other people's files: closing it would lock them out."""
    held = {each.name for each in folder.iterdir()}
    if held - {"settings.json"} and not held & _OURS:  # settings may be there before all else
        raise UserError(
            Phrase("The folder {0} holds other files and is open to other users.", folder),
            "Name a new or an empty folder with --data-dir: a data folder is closed to others.",
        )


def canonical(path: str | Path) -> str:
    """Return the one spelling under which a path is stored: absolute, `~` and `..` resolved.

    A symbolic link in the last component stays as it is named, so that a link and its target
    are two files of one content; links in the folders above are resolved.
    """
    absolute = Path(path).expanduser().absolute()
    if absolute.name in ("", ".."):
        return str(absolute.resolve())
    return str(absolute.parent.resolve() / absolute.name)
