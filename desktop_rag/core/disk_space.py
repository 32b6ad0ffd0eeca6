"""Whether the drive of the data folder has room to go on: asked before it is full."""

from __future__ import annotations

import shutil
from pathlib import Path

from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase

_SPARE = 200_000_000  # bytes that are left to everything else on the drive
_SHARE = 50  # of a small drive a fiftieth is left


_GOES_ON = "Make room there; indexing then goes on where it stopped."


def require_disk_space(data_dir: Path, remedy: str = _GOES_ON) -> None:
    """Raise a `UserError` while the drive is nearly full: what is stored now is sound."""
    drive = shutil.disk_usage(data_dir)
    if drive.free < min(_SPARE, drive.total // _SHARE):
        raise UserError(
            Phrase(
                "Only {0} MB are free on the drive of {1}.", f"{drive.free / 1e6:.1f}", data_dir
            ),
            remedy,
            retryable=True,
        )
