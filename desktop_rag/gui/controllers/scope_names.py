"""The names that a question can be asked of, and which of those that were chosen are gone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import attrgetter

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.document_scope import DocumentScope, ScopeItem, ScopeKind
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, SourceFiles
from desktop_rag.gui.controllers.path_search import PathSearch

_WEIGHED = 500  # names that are found, of which the likeliest come first
_SEPARATORS = "/\\"
_path = attrgetter("path")


class ScopeNames:
    """The files and folders of a knowledge base by their names; 100,000 take 0.3 s to make."""

    def __init__(self, branches: Iterable[SourceFiles]) -> None:
        folders: list[str] = []
        files: list[str] = []
        for branch in branches:
            readable = [row.path for row in branch.files if row.chunks]
            folders += _folders(readable, len(branch.root.rstrip(_SEPARATORS)))
            files += readable
        names = [*map(name_of, folders), *(each[_last_separator(each) + 1 :] for each in files)]
        self._search = PathSearch([*folders, *files], names)

    def fitting(self, typed: str, most: int) -> list[str]:
        """Return the paths whose names hold what was typed; those that begin so come first.

        A folder has its separator behind it.
        """
        sought = typed.casefold()
        found = list(islice(self._search.holding([sought]), _WEIGHED))
        found.sort(key=lambda path: not name_of(path).casefold().startswith(sought))
        return found[:most]


def name_of(path: str) -> str:
    """Return the last part of a path, a folder's without its separator."""
    bare = path.rstrip(_SEPARATORS)
    return bare[_last_separator(bare) + 1 :] or path


def folder_of(path: str) -> str:
    """Return the name of the folder that something lies in."""
    bare = path.rstrip(_SEPARATORS)
    return name_of(bare[: _last_separator(bare) + 1])


def _folders(paths: Iterable[str], least: int) -> list[str]:
    """Return the folders of files, each once; none above a root of so many letters."""
    found: dict[str, None] = {}
    last = ""
    for path in paths:
        end = _last_separator(path)
        if path[: end + 1] == last:
            continue
        last = path[: end + 1]
        above: list[str] = []
        while end >= max(least, 0) and path[: end + 1] not in found:
            above.append(path[: end + 1])
            end = _last_separator(path, end)
        found |= dict.fromkeys(reversed(above))
    return list(found)


def _last_separator(path: str, before: int | None = None) -> int:
    return max(path.rfind("/", 0, before), path.rfind("\\", 0, before))


def missing_items(scope: DocumentScope, snapshot: LibrarySnapshot) -> frozenset[ScopeItem]:
    """Return what was chosen and is no longer there.

    Files of a knowledge base that is not shown are not looked at, only whether it is there.
    """
    names = {kb.name for kb in snapshot.kbs}
    if not names:
        return frozenset()  # it is not known yet
    names.add(snapshot.current)
    return frozenset(each for each in scope.items if _is_missing(each, names, snapshot))


def _is_missing(item: ScopeItem, names: set[str], snapshot: LibrarySnapshot) -> bool:
    if item.kb and item.kb not in names:
        return True
    if item.kb != snapshot.current or item.kind is ScopeKind.BASE:
        return False
    rows = snapshot.files
    at = bisect_left(rows, item.path, key=_path)
    if item.kind is ScopeKind.FILE:
        return not _is_at(rows, at, item.path)
    is_followed = any(each.path.rstrip(_SEPARATORS) == item.path[:-1] for each in snapshot.sources)
    return not (is_followed or (at < len(rows) and rows[at].path.startswith(item.path)))


def _is_at(rows: Sequence[FileRow], at: int, path: str) -> bool:
    there = at < len(rows) and rows[at].path == path
    return there and rows[at].status is not FileStatus.DELETED
