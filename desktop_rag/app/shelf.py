"""A knowledge base's content at one moment, sorted and counted where it is read: off the GUI."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from desktop_rag.core.types import FileStatus
from desktop_rag.store.records import FileRow, KnowledgeBase, Source

_GOOD = {FileStatus.READY, FileStatus.UNCHANGED, FileStatus.MOVED}


def is_ready(row: FileRow) -> bool:
    """Return whether a file can be found by a search."""
    return row.status in _GOOD and row.chunks > 0


def is_problem(row: FileRow) -> bool:
    """Return whether a file is not searchable and not just waiting."""
    return row.status is not FileStatus.QUEUED and not is_ready(row)


@dataclass(frozen=True, slots=True)
class Branch:
    """A source and the files below it, ordered by path."""

    source: Source
    files: tuple[FileRow, ...]
    problems: int


@dataclass(frozen=True, slots=True)
class Shelf:
    """A knowledge base's branches, all knowledge bases to switch to, and counts of files."""

    kbs: tuple[KnowledgeBase, ...]
    current: str
    branches: tuple[Branch, ...] = ()
    files: tuple[FileRow, ...] = ()
    ready: int = 0
    problems: int = 0
    waiting: int = 0


def shelf_of(
    kbs: Iterable[KnowledgeBase], current: str, sources: Iterable[Source], files: Iterable[FileRow]
) -> Shelf:
    """Sort and count."""
    rows = tuple(sorted(files, key=_path))
    branches = _branches(tuple(sources), rows)
    return Shelf(
        kbs=tuple(kbs),
        current=current,
        branches=branches,
        files=rows,
        ready=sum(map(is_ready, rows)),
        problems=sum(branch.problems for branch in branches),
        waiting=sum(row.status is FileStatus.QUEUED for row in rows),
    )


def _branches(sources: tuple[Source, ...], rows: tuple[FileRow, ...]) -> tuple[Branch, ...]:
    """Put every file under the deepest source that holds it; folders first, by path."""
    ordered = sorted(sources, key=lambda s: (not s.is_folder, s.path.casefold()))
    below: dict[str, list[FileRow]] = {source.path: [] for source in ordered}
    by_depth = sorted(ordered, key=lambda s: len(s.path), reverse=True)
    for row in rows:
        holder = next((source for source in by_depth if _holds(source, row.path)), None)
        if holder is not None:
            below[holder.path].append(row)
    return tuple(
        Branch(source, tuple(below[source.path]), sum(map(is_problem, below[source.path])))
        for source in ordered
    )


def _holds(source: Source, path: str) -> bool:
    if not source.is_folder:
        return path == source.path
    folder = source.path.rstrip("/\\")
    return path.startswith(folder) and path[len(folder) : len(folder) + 1] in ("/", "\\")


def _path(row: FileRow) -> str:
    return row.path
