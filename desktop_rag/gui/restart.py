"""Starting the program again by itself, as it was started, for what takes effect only then."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from desktop_rag.core.file_permissions import usual_umask


def command(folder: Path, overrides: Mapping[str, str]) -> list[str]:
    """Return what is typed to open a data folder's window with these settings for the run."""
    is_frozen = getattr(sys, "frozen", False)
    program = [sys.executable] if is_frozen else [sys.executable, "-m", "desktop_rag"]
    settings = [word for key, value in overrides.items() for word in ("--set", f"{key}={value}")]
    return [*program, "--data-dir", str(folder), *settings, "open"]


def start(folder: Path, overrides: Mapping[str, str]) -> None:
    """Start the program; it waits for the folder until this process has left it."""
    words = command(folder, overrides)
    with usual_umask():
        subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603
