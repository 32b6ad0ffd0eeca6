"""The LibreOffice that is installed, if any, where this system can confine it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.parsing.sandbox.program_confinement import can_confine

_BINARY = "soffice.bin"
_FOLDERS = ("/usr/lib/libreoffice/program", "/usr/lib64/libreoffice/program")


@dataclass(frozen=True, slots=True)
class OfficeProgram:
    """An installed LibreOffice: its executable, and what tells one version from another."""

    executable: Path
    version: str

    @property
    def folder(self) -> Path:
        """Everything that was installed with it."""
        return self.executable.parent.parent


def find_program() -> OfficeProgram | None:
    """Return the LibreOffice of this system; None where there is none or it can't be confined."""
    if not sys.platform.startswith("linux") or not can_confine():
        return None
    return next((each for each in map(_program, _candidates()) if each is not None), None)


def _candidates() -> Iterator[Path]:
    for name in ("soffice", "libreoffice"):
        found = shutil.which(name)
        if found is not None:
            yield Path(os.path.realpath(found)).with_name(_BINARY)
    yield from (Path(folder, _BINARY) for folder in _FOLDERS)
    yield from sorted(Path("/opt").glob(f"libreoffice*/program/{_BINARY}"), reverse=True)


def _program(executable: Path) -> OfficeProgram | None:
    try:
        state = executable.stat()
    except OSError:
        return None
    if not os.access(executable, os.X_OK):
        return None
    return OfficeProgram(executable, f"{state.st_size:x}-{state.st_mtime_ns:x}")
