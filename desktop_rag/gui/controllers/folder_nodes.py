"""The folders of a knowledge base with what lies below them, counted where the catalog is read.

A folder counts all files at and below it, so that its number is that of the rows a table shows of
it. Files that lie in no followed folder are counted in groups of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from desktop_rag.core.catalog_records import FileRow, FollowedPath


class FolderKind(StrEnum):
    """A folder, or a group of the files that lie in none that is followed."""

    FOLDER = "folder"
    SHARED = "shared"
    UNFOLLOWED = "unfollowed"
    SINGLE = "single"


@dataclass(frozen=True, slots=True)
class FilePlace:
    """Where files are looked at: at and below a path, or in a group; without a path everywhere."""

    kind: FolderKind = FolderKind.FOLDER
    path: str = ""

    @property
    def is_everywhere(self) -> bool:
        """Whether all files of the knowledge base are meant."""
        return self.kind is FolderKind.FOLDER and not self.path


EVERYWHERE = FilePlace()


@dataclass(frozen=True, slots=True, eq=False)
class FolderNode:
    """A folder, or a group of files, with counts of all files in it and the folders below it."""

    place: FilePlace
    is_followed: bool = False
    files: int = 0
    problems: int = 0
    passed_over: int = 0
    children: tuple[FolderNode, ...] = ()


@dataclass(slots=True)
class _Counts:
    files: int = 0
    problems: int = 0
    passed_over: int = 0
    below: list[FolderNode] = field(default_factory=list)

    def add(self, other: _Counts | FolderNode) -> None:
        self.files += other.files
        self.problems += other.problems
        self.passed_over += other.passed_over


class FilePlacement:
    """Tells in which followed folder, or else in which group, a file lies."""

    def __init__(self, sources: Sequence[FollowedPath]) -> None:
        folders = sorted((bare(each.path) for each in sources if each.is_folder), key=len)
        self.tops: list[str] = []
        for path in folders:
            if self.top_of(path) is None:
                self.tops.append(path)
        self._single = {each.path for each in sources if not each.is_folder}
        self._known: dict[str, str | None] = {}

    def top_of(self, folder: str) -> str | None:
        """Return the outermost followed folder that is, or holds, a folder; None where none is."""
        for top in self.tops:
            if folder == top or folder.startswith((f"{top}/", f"{top}\\")):
                return top
        return None

    def kind_of(self, row: FileRow) -> FolderKind:
        """Return whether a file lies in a followed folder, or else in which group."""
        folder = parent_of(row.path)
        if folder not in self._known:
            self._known[folder] = self.top_of(folder)
        if self._known[folder] is not None:
            return FolderKind.FOLDER
        if row.path in self._single:
            return FolderKind.SINGLE
        return FolderKind.SHARED if row.author else FolderKind.UNFOLLOWED


def folder_nodes(
    sources: Sequence[FollowedPath],
    rows: Iterable[FileRow],
    is_problem: Callable[[FileRow], bool],
    is_passed_over: Callable[[FileRow], bool],
) -> tuple[FolderNode, ...]:
    """Return the followed folders with those below them; after them the groups that hold files."""
    placement = FilePlacement(sources)
    spelt = {bare(each.path): each.path for each in sources if each.is_folder}
    folders = {path: _Counts() for path in spelt}
    groups = {kind: _Counts() for kind in FolderKind}
    for row in rows:
        kind = placement.kind_of(row)
        in_folder = kind is FolderKind.FOLDER
        counts = folders.setdefault(parent_of(row.path), _Counts()) if in_folder else groups[kind]
        counts.files += 1
        counts.problems += is_problem(row)
        counts.passed_over += is_passed_over(row)
    tops = set(placement.tops)
    for path in list(folders):
        while path not in tops and (path := parent_of(path)) not in folders:
            folders[path] = _Counts()
    made = sorted(_joined(folders, tops, spelt), key=_name)
    apart = (FolderKind.SHARED, FolderKind.UNFOLLOWED, FolderKind.SINGLE)
    return (
        *made,
        *(_node(FilePlace(kind), groups[kind]) for kind in apart if groups[kind].files),
    )


def _joined(
    folders: dict[str, _Counts], tops: set[str], spelt: dict[str, str]
) -> Iterable[FolderNode]:
    """Put every folder into the one above it, the deepest first; yield the outermost."""
    for path in sorted(folders, key=len, reverse=True):
        counts = folders[path]
        counts.below.sort(key=_name)
        place = FilePlace(FolderKind.FOLDER, spelt.get(path, path))
        node = _node(place, counts, is_followed=path in spelt)
        if path in tops:
            yield node
        else:
            above = folders[parent_of(path)]
            above.add(node)
            above.below.append(node)


def _node(place: FilePlace, counts: _Counts, *, is_followed: bool = False) -> FolderNode:
    figures = (counts.files, counts.problems, counts.passed_over)
    return FolderNode(place, is_followed, *figures, children=tuple(counts.below))


def bare(path: str) -> str:
    """Return a folder's path without a separator at its end; a root's is empty or a drive."""
    return path.rstrip("/\\")


def parent_of(path: str) -> str:
    """Return the folder that a file or folder lies in, without a separator at its end."""
    return bare(path[: max(path.rfind("/"), path.rfind("\\"), 0)])


def _name(node: FolderNode) -> tuple[str, str]:
    path = bare(node.place.path)
    return path[len(parent_of(path)) :].casefold(), path
