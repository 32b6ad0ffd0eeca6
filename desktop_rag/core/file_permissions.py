"""What others may do with the files that this program makes: nothing. POSIX's modes, that is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

OTHERS = 0o077
"""The rights of everybody but a file's user."""

_usual: list[int] = []  # the process's own mask, until `keep_private`


def keep_private() -> None:
    """Make every file and folder that this process creates from now on its user's alone.

    Explicit modes do not reach what libraries write, as indexes and SQLite's own files are.
    """
    if os.name == "posix":
        _usual[:] = [os.umask(OTHERS)]


@contextmanager
def usual_umask() -> Iterator[None]:
    """Start another program in here: what the user makes with it has the rights it always has."""
    if not _usual:
        yield
        return
    private = os.umask(_usual[0])
    try:
        yield
    finally:
        os.umask(private)


def make_private_file(path: Path) -> Path:
    """Create a file that only its user may read, or close one that is there to others.

    One that is there is not opened: closing it again would drop the locks of whoever has it.
    """
    if os.name == "posix":
        with suppress(OSError):  # who opens it next says what is wrong
            if not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            if not path.is_symlink():
                path.chmod(0o600)
    return path


def restrict_folder(folder: Path) -> None:
    """Close to others what lies in a folder: earlier versions, or a copy, left it open."""
    if os.name != "posix":
        return
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place, name)
            with suppress(OSError):
                found = path.lstat().st_mode
                if found & OTHERS and not path.is_symlink():
                    path.chmod(found & 0o777 & ~OTHERS)
