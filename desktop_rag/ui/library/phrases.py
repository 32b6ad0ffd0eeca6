"""What the library says about files and about what is being done; translated."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import QCoreApplication

from desktop_rag.app.library import Activity, Working
from desktop_rag.app.shelf import Shelf, is_ready
from desktop_rag.core.types import FileStatus
from desktop_rag.store.records import FileRow
from desktop_rag.ui.spoken import spoken

_CONTEXT = "Library"
_MILD = {FileStatus.EMPTY, FileStatus.NEEDS_OCR, FileStatus.UNSUPPORTED, FileStatus.TOO_LARGE}


def tr(text: str, *values: object) -> str:
    """Translate a sentence and fill in %1, %2 and so on."""
    made = QCoreApplication.translate(_CONTEXT, text)
    for number, value in enumerate(values, start=1):
        made = made.replace(f"%{number}", str(value))
    return made


def state(row: FileRow) -> str:
    """Return a file's state in a word or two."""
    words = {
        FileStatus.QUEUED: tr("waiting"),
        FileStatus.EMPTY: tr("no text"),
        FileStatus.NEEDS_OCR: tr("only pictures"),
        FileStatus.ENCRYPTED: tr("encrypted"),
        FileStatus.CORRUPT: tr("damaged"),
        FileStatus.UNSUPPORTED: tr("not supported"),
        FileStatus.TOO_LARGE: tr("too large"),
        FileStatus.TIMEOUT: tr("took too long"),
        FileStatus.DENIED: tr("no permission"),
        FileStatus.FAILED: tr("failed"),
    }
    if row.status in words:
        return words[row.status]
    if row.chunks == 0:
        return tr("nothing found in it")
    return tr("1 passage") if row.chunks == 1 else tr("%1 passages", f"{row.chunks:,}")


def sign(row: FileRow) -> tuple[str, str]:
    """Return a file's icon and the colour role that it is shown in."""
    if row.status is FileStatus.QUEUED:
        return "queued", "faint"
    if is_ready(row):
        return "ready", "good"
    if row.status is FileStatus.READY:
        return "warning", "warn"
    if row.status is FileStatus.ENCRYPTED:
        return "locked", "warn"
    return ("warning", "warn") if row.status in _MILD else ("failed", "bad")


def told(row: FileRow) -> str:
    """Return everything about a file, for its tooltip."""
    lines = [row.path, state(row) + (f": {spoken(row.reason)}" if row.reason else "")]
    if row.pages:
        lines.append(tr("%1 pages, read in %2 s", row.pages, f"{row.seconds:.1f}"))
    return "\n".join(lines)


def stage(activity: Activity) -> str:
    """Return what is being done in a line: files done and total."""
    if not isinstance(activity, Working):
        return ""
    progress = activity.progress
    if progress is None or (progress.stage == "scan" and not progress.total):
        return tr("Looking for files …")
    if progress.stage == "watch":
        return ""
    return tr("Reading files: %1 of %2", f"{progress.done:,}", f"{progress.total:,}")


def paused(waiting: int) -> str:
    """Return how many files wait while nothing is done; empty when none do."""
    if not waiting:
        return ""
    return tr("1 file waits") if waiting == 1 else tr("%1 files wait", f"{waiting:,}")


def pace(activity: Activity) -> str:
    """Return how fast it goes and how long it will take."""
    progress = activity.progress if isinstance(activity, Working) else None
    if progress is None:
        return ""
    parts = []
    if progress.chunks_per_second > 0:
        parts.append(tr("%1 passages/s", f"{progress.chunks_per_second:.0f}"))
    if progress.eta is not None:
        parts.append(left(progress.eta))
    return " · ".join(parts)


def current(activity: Activity) -> str:
    """Return the name of the file that is being read."""
    progress = activity.progress if isinstance(activity, Working) else None
    return PurePath(progress.current).name if progress is not None and progress.current else ""


def left(seconds: float) -> str:
    """Return a time to go as people say it."""
    if seconds < 10:
        return tr("a few seconds left")
    if seconds < 90:
        return tr("about %1 s left", round(seconds / 5) * 5)
    if seconds < 5400:
        return tr("about %1 min left", round(seconds / 60))
    return tr("about %1 h left", f"{seconds / 3600:.1f}")


def summary(shelf: Shelf) -> str:
    """Return how many files a knowledge base has, and how many of them can be searched."""
    total = len(shelf.files)
    if not total:
        return ""
    if shelf.ready < total:
        return tr("%1 of %2 ready", f"{shelf.ready:,}", f"{total:,}")
    return tr("1 file") if total == 1 else tr("%1 files", f"{total:,}")
