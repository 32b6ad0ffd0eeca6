"""The log: one rotating file in the data folder, and standard error when asked.

Text of documents, questions and answers never goes into a log: callers log counts, ids and paths.
"""

from __future__ import annotations

import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def start(data_dir: Path, *, verbose: bool) -> None:
    """Send warnings and above (all of ours when `verbose`) to the log file and standard error."""
    folder = data_dir / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    file = RotatingFileHandler(
        folder / "desktop-rag.log", maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True
    )
    file.setFormatter(logging.Formatter(_FORMAT))
    ours = logging.getLogger("desktop_rag")
    for old in list(ours.handlers):
        ours.removeHandler(old)
        old.close()
    ours.setLevel(logging.DEBUG if verbose else logging.INFO)
    ours.addHandler(file)
    ours.propagate = False
    if verbose:
        screen = logging.StreamHandler(sys.stderr)
        screen.setFormatter(logging.Formatter(_FORMAT))
        ours.addHandler(screen)
