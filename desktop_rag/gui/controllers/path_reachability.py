"""Whether a path can be reached: asked in a lane, for a drive that is away takes long to say no."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase


@dataclass(frozen=True, slots=True)
class LocatedPath:
    """A file or folder that is there, and the folder that shows it."""

    path: Path
    folder: Path


def locate(path: str) -> LocatedPath:
    """Return a path that is there; a UserError where it is not. It may take seconds."""
    place = Path(path)
    try:
        is_there = place.is_absolute() and place.exists()
        is_folder = is_there and place.is_dir()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UserError(
            Phrase("{0} cannot be reached now ({1}).", place.name, reason),
            "Check the disk or the connection.",
        ) from error
    if not is_there:
        raise UserError(
            Phrase("{0} is no longer there.", place.name),
            "It was moved or deleted since it was read, or its drive is away.",
        )
    return LocatedPath(place, place if is_folder else place.parent)
