"""What the library says about files and about what is being done; translated."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.phrases import parts_of
from desktop_rag.core.requests import FilesRequest, KbRequest, RemoveRequest
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.ingest_queue import Pause
from desktop_rag.gui.controllers.library import Activity, Indexing
from desktop_rag.gui.controllers.library_commands import RunningCommand
from desktop_rag.gui.controllers.library_snapshot import (
    LibrarySnapshot,
    is_left_unread,
    is_passed_over,
    is_ready,
    is_to_be_recognized,
    is_unopened_archive,
)
from desktop_rag.gui.display_text import fill, shown_name
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.tooltips import tip

_CONTEXT = "Library"
_MILD = {FileStatus.EMPTY, FileStatus.NEEDS_OCR, FileStatus.TOO_LARGE}


def tr(text: str, *values: object) -> str:
    """Translate a sentence and fill in %1, %2 and so on."""
    return fill(QCoreApplication.translate(_CONTEXT, text), *values)


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
        FileStatus.EXCLUDED: tr("excluded"),
    }
    if is_to_be_recognized(row):
        return tr("pictures, still to be read")
    if is_left_unread(row):
        return tr("pictures, not read (text recognition is off)")
    if is_unopened_archive(row):
        return tr("archive, not read")
    if row.status in words:
        return words[row.status]
    if row.chunks == 0:
        return tr("nothing found in it")
    return extent(row)


def state_label(row: FileRow, *, is_away: bool = False) -> str:
    """Return a file's state for a column of its own, where passages have theirs."""
    if is_away:
        return tr("Away – kept") if row.chunks else tr("Away")
    if row.status is FileStatus.QUEUED or is_to_be_recognized(row):
        return tr("Waiting")
    if row.status is FileStatus.EXCLUDED:
        return tr("Excluded")
    if is_ready(row):
        return tr("Ready")
    said = state(row)
    return said[:1].upper() + said[1:]


def filter_text(row: FileRow) -> str:
    """Return what a filter finds a file by beside its path: its state and why, as they are shown.

    Not the remedy, which names formats ("Save it as PDF"), nor the word of most files, "Ready".
    """
    why = translate_message(parts_of(row.reason)[0])
    return why if is_ready(row) else f"{state_label(row)}\n{why}"


def folder(number: int, problems: int, passed_over: int, *, is_away: bool) -> str:
    """Return the second line of a followed folder."""
    if is_away:
        return tr("Away – kept: %1", files(number))
    parts = [files(number)]
    if problems:
        parts.append(with_problems(problems))
    if passed_over:
        parts.append(not_read(passed_over))
    return " · ".join(parts)


def with_problems(number: int) -> str:
    """Return how many files need attention."""
    return tr("%1 with problems", f"{number:,}")


def not_read(number: int) -> str:
    """Return how many files there is nothing to read in."""
    return tr("%1 not read", f"{number:,}")


def files(number: int) -> str:
    """Return a number of files."""
    return tr("1 file") if number == 1 else tr("%1 files", f"{number:,}")


def chosen(number: int) -> str:
    """Return how many files are chosen."""
    return tr("%1 files chosen", f"{number:,}")


def extent(row: FileRow) -> str:
    """Return how much a file holds: its pages, where it has such, else its size."""
    if row.pages:
        return tr("1 page") if row.pages == 1 else tr("%1 pages", f"{row.pages:,}")
    return size(row.stamp.size) if row.stamp is not None else passages(row.chunks)


def passages(number: int) -> str:
    """Return a number of passages."""
    return tr("1 passage") if number == 1 else tr("%1 passages", f"{number:,}")


def some_files(shown: int, total: int) -> str:
    """Return how many of all files are shown."""
    return tr("%1 of %2 files", f"{shown:,}", f"{total:,}")


def last_name(path: str) -> str:
    """Return the last name of a path; of a root, the path itself."""
    return sanitize_name(PurePath(path).name or path)


def size(number: int) -> str:
    """Return a number of bytes as people say it."""
    if number < 1000:
        return tr("1 byte") if number == 1 else tr("%1 bytes", number)
    for unit in (tr("%1 kB"), tr("%1 MB"), tr("%1 GB")):
        number_in_unit = number / 1000
        if number_in_unit < 999.5:
            digits = 1 if number_in_unit < 9.95 else 0
            return unit.replace("%1", f"{number_in_unit:.{digits}f}")
        number = int(number_in_unit)
    return tr("%1 TB", f"{number / 1000:.1f}")


def moment(seconds: float) -> str:
    """Return a moment, in Unix seconds, as people here write it."""
    at = QDateTime.fromMSecsSinceEpoch(int(1000 * seconds))
    return QLocale().toString(at, QLocale.FormatType.ShortFormat)


def icon_and_color(row: FileRow) -> tuple[str, str]:
    """Return a file's icon and the colour role that it is shown in."""
    if row.status is FileStatus.QUEUED or is_to_be_recognized(row):
        return "queued", "faint"
    if row.status is FileStatus.EXCLUDED:
        return "excluded", "faint"
    if is_passed_over(row):
        return "file", "faint"
    if is_ready(row):
        return "ready", "good"
    if row.status is FileStatus.READY:
        return "warning", "warn"
    if row.status is FileStatus.ENCRYPTED:
        return "locked", "warn"
    return ("warning", "warn") if row.status in _MILD else ("failed", "bad")


def file_tooltip(row: FileRow) -> str:
    """Return everything about a file, for its tooltip."""
    lines = [row.path, state(row) + (f": {translate_message(row.reason)}" if row.reason else "")]
    if row.pages:
        lines.append(tr("%1 pages, read in %2 s", row.pages, f"{row.seconds:.1f}"))
    if row.author:
        lines.append(tr("Shared by %1, %2", sanitize_name(row.author), moment(row.written)))
    return tip(*lines)


def stage(activity: Activity) -> str:
    """Return what is being done in a line: files done and total."""
    if not isinstance(activity, Indexing):
        return ""
    progress = activity.progress
    if progress is None or (progress.stage == "scan" and not progress.total):
        return tr("Looking for files…")
    if progress.stage == "watch":
        return ""
    if progress.stage == "sync":
        return tr(
            "Exchanging files with the server: %1 of %2",
            f"{progress.done:,}",
            f"{progress.total:,}",
        )
    if progress.stage == "recognize":
        return tr("Reading page %1 of %2", f"{progress.page:,}", f"{progress.pages:,}")
    if progress.stage == "prepare":
        return tr("Preparing: %1 of %2", f"{progress.done:,}", f"{progress.total:,}")
    if progress.stage == "reembed":
        return tr("Embedding: %1 of %2", f"{progress.done:,}", f"{progress.total:,}")
    if not progress.total or (progress.stage == "store" and not progress.current):
        return tr("Bringing the index up to date…")
    return tr("Reading files: %1 of %2", f"{progress.done:,}", f"{progress.total:,}")


def waits(waiting: int) -> str:
    """Return how many files wait; empty when none do."""
    if not waiting:
        return ""
    return tr("1 file waits") if waiting == 1 else tr("%1 files wait", f"{waiting:,}")


def paused(pause: Pause, waiting: int) -> str:
    """Return why nothing is read, and how many files wait for it; empty when nothing is to say."""
    if not pause:
        return waits(waiting)
    said = tr("Paused") if pause is Pause.USER else tr("Paused on battery")
    return f"{said} · {waits(waiting)}" if waiting else said


def command_text(underway: RunningCommand) -> str:
    """Return what is being done of what the user decided."""
    decision = underway.decision
    if isinstance(decision, RemoveRequest):
        return tr("Removing…")
    if isinstance(decision, KbRequest):
        name = shown_name(decision.name)
        words = {
            "export": tr("Exporting “%1”…", name),
            "import": tr("Importing…"),
            "rebuild": tr("Rebuilding the index of “%1”…", name),
            "share": tr("Sharing “%1”…", name),
            "join": tr("Fetching “%1”…", name),
            "delete": tr("Deleting “%1”…", name),
        }
        return words.get(decision.action, "")
    if isinstance(decision, FilesRequest):
        return {"exclude": tr("Excluding…"), "move": tr("Moving…")}.get(decision.action, "")
    return ""


def rate_text(activity: Activity) -> str:
    """Return how fast it goes and how long it will take."""
    progress = activity.progress if isinstance(activity, Indexing) else None
    if progress is None:
        return ""
    parts = []
    if progress.chunks_per_second > 0:
        parts.append(tr("%1 passages/s", f"{progress.chunks_per_second:.0f}"))
    if progress.eta is not None:
        parts.append(remaining_text(progress.eta))
    return " · ".join(parts)


def current(activity: Activity) -> str:
    """Return what is done with which file."""
    progress = activity.progress if isinstance(activity, Indexing) else None
    if progress is not None and progress.stage == "reembed":
        return tr("For the new embedding model")
    if progress is None or not progress.current:
        return ""
    name = last_name(progress.current)
    stages = {
        "parse": tr("Reading %1", name),
        "embed": tr("Indexing %1", name),
        "store": tr("Stored %1", name),
        "recognize": tr("Recognising the text of %1", name),
    }
    return stages.get(progress.stage, name)


def duration(seconds: float) -> str:
    """Return how long reading will take, as people guess it."""
    if seconds < 90:
        return tr("about a minute")
    if seconds < 5400:
        return tr("about %1 min at the rate of this computer", round(seconds / 60))
    return tr("about %1 h at the rate of this computer", f"{seconds / 3600:.1f}")


def remaining_text(seconds: float) -> str:
    """Return a time to go as people say it."""
    if seconds < 10:
        return tr("a few seconds left")
    if seconds < 90:
        return tr("about %1 s left", round(seconds / 5) * 5)
    if seconds < 5400:
        return tr("about %1 min left", round(seconds / 60))
    return tr("about %1 h left", f"{seconds / 3600:.1f}")


def summary(snapshot: LibrarySnapshot) -> str:
    """Return how many files a knowledge base has, and how many of them can be searched."""
    total = len(snapshot.files)
    readable = total - snapshot.passed_over
    if not readable:
        return files(total) if total else ""
    if snapshot.ready < readable:
        return tr("%1 of %2 ready", f"{snapshot.ready:,}", f"{readable:,}")
    return files(readable)
