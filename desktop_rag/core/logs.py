"""The log: one rotating file in the data folder, and standard error when asked.

Text of documents, questions and answers never goes into a log: callers log counts, ids and paths,
and of an error only its type and its places in the code are kept, for its message may hold a text.
"""

from __future__ import annotations

import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from desktop_rag.core import safe_traceback

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def folder(data_dir: Path) -> Path:
    """Return where the log of a data folder lies."""
    return data_dir / "logs"


def start(data_dir: Path, *, verbose: bool) -> None:
    """Send warnings and above (all of ours when `verbose`) to the log file and standard error."""
    logging.raiseExceptions = False  # a disk too full for the log is said once, and not by it
    place = folder(data_dir)
    place.mkdir(parents=True, exist_ok=True)
    file = RotatingFileHandler(
        place / "desktop-rag.log", maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True
    )
    file.setFormatter(_Discreet(_FORMAT))
    ours = logging.getLogger("desktop_rag")
    for old in list(ours.handlers):
        ours.removeHandler(old)
        old.close()
    ours.setLevel(logging.DEBUG if verbose else logging.INFO)
    ours.addHandler(file)
    ours.propagate = False
    if verbose:
        screen = logging.StreamHandler(sys.stderr)
        screen.setFormatter(_Discreet(_FORMAT))
        ours.addHandler(screen)


class _Discreet(logging.Formatter):
    """Tells an error without its message."""

    def formatException(  # noqa: N802 - logging's
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        """Return types and places."""
        return safe_traceback.format_error(ei[1]) if ei[1] is not None else ""
