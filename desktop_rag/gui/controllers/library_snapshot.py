"""A knowledge base's content at one moment, sorted and counted where it is read: off the GUI."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from desktop_rag.core.catalog_records import (
    UNOPENED_ARCHIVE,
    FileRow,
    FollowedPath,
    KnowledgeBase,
    Share,
)
from desktop_rag.core.phrases import code_of
from desktop_rag.core.types import FileId, FileStatus, KbId
from desktop_rag.gui.controllers.folder_nodes import FolderNode, folder_nodes

_GOOD = {FileStatus.READY, FileStatus.UNCHANGED, FileStatus.MOVED}
_FINE = {*_GOOD, FileStatus.QUEUED, FileStatus.EXCLUDED, FileStatus.UNSUPPORTED, FileStatus.DELETED}
_HOLDS_SOMETHING = 100  # bytes; what is said to hold no text and is smaller, does hold none


def is_ready(row: FileRow) -> bool:
    """Return whether a file can be found by a search."""
    return row.status in _GOOD and row.chunks > 0


def is_problem(row: FileRow) -> bool:
    """Return whether a file should be searchable and is not: something may be missed."""
    is_open = row.status in (FileStatus.QUEUED, FileStatus.EXCLUDED) or is_to_be_recognized(row)
    return not is_open and not is_ready(row) and not is_passed_over(row)


def is_to_be_recognized(row: FileRow) -> bool:
    """Return whether a file has no text but that of pictures, which is still to be recognised."""
    return row.status is FileStatus.NEEDS_OCR and row.is_unread and not row.is_recognition_off


def is_left_unread(row: FileRow) -> bool:
    """Return whether a file has no text but that of pictures, and recognition is off for it."""
    return row.status is FileStatus.NEEDS_OCR and row.is_unread and row.is_recognition_off


def is_unopened_archive(row: FileRow) -> bool:
    """Return whether a file is an archive that nobody asked to look into."""
    return row.status is FileStatus.UNSUPPORTED and code_of(row.reason) == UNOPENED_ARCHIVE


def is_passed_over(row: FileRow) -> bool:
    """Return whether there is nothing to read in a file: no document's format, or hardly a byte.

    Nor in pictures, where the text of none is recognised.
    """
    if row.status is FileStatus.EMPTY:
        return row.stamp is not None and row.stamp.size < _HOLDS_SOMETHING
    return row.status is FileStatus.UNSUPPORTED or is_left_unread(row)


def problems_among(outcomes: Mapping[str, int]) -> int:
    """Return how many outcomes of a run, counted by status, need attention."""
    return sum(number for status, number in outcomes.items() if status not in _FINE)


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """A source and the files below it, ordered by path; `is_away` where it can't be reached.

    The files of no source, as an import can bring them, stand together in one whose source is None,
    those that others share in another one. `troubled` are those of the files that need attention.
    """

    source: FollowedPath | None
    files: tuple[FileRow, ...]
    troubled: tuple[FileRow, ...] = ()
    is_away: bool = False
    passed_over: int = 0
    is_shared: bool = False

    @property
    def problems(self) -> int:
        """How many files need attention."""
        return len(self.troubled)

    @property
    def path(self) -> str:
        """The source's path; empty where there is none."""
        return self.source.path if self.source is not None else ""

    @property
    def root(self) -> str:
        """What its files are named from: the source, or the deepest folder that holds them all."""
        if self.source is not None or not self.files:
            return self.path
        return _shared_folder(self.files[0].path, self.files[-1].path)  # the others lie between


@dataclass(frozen=True, slots=True)
class LibrarySnapshot:
    """A knowledge base's branches, all knowledge bases to switch to, and counts of files.

    `excluded` are rows of what was left out on purpose; they are not among `files`. `unfollowed`
    are the paths of the files that lie in no source. `share` says how it is shared, if it is.
    `recognizes_text` says whether the text of its scans is recognised, `opens_archives` whether
    archives are looked into, `is_served` whether other programs may ask it. `passwords` are the
    hashes of the contents whose password is known. `folders` are the same files by folder,
    `has_summaries` says whether documents were, or are being, summed up beforehand.
    """

    kbs: tuple[KnowledgeBase, ...]
    current: str
    branches: tuple[SourceFiles, ...] = ()
    files: tuple[FileRow, ...] = ()
    ready: int = 0
    problems: int = 0
    waiting: int = 0
    excluded: tuple[FileRow, ...] = ()
    passed_over: int = 0
    unfollowed: frozenset[str] = frozenset()
    share: Share | None = None
    recognizes_text: bool = True
    opens_archives: bool = False
    is_served: bool = False
    passwords: frozenset[str] = frozenset()
    folders: tuple[FolderNode, ...] = field(default=(), compare=False)
    has_summaries: bool = False

    def has_nothing_in(self, kbs: Iterable[str]) -> bool:
        """Say whether none of these knowledge bases holds or follows anything; no names are all.

        It is not known before there is a snapshot.
        """
        names = set(kbs) or {kb.name for kb in self.kbs}
        if self.current in names and (self.branches or self.files):
            return False
        return bool(self.kbs) and not any(kb.files for kb in self.kbs if kb.name in names)

    @property
    def sources(self) -> tuple[FollowedPath, ...]:
        """What is followed."""
        return tuple(branch.source for branch in self.branches if branch.source is not None)

    @property
    def away(self) -> tuple[str, ...]:
        """The sources that can't be reached now."""
        return tuple(branch.path for branch in self.branches if branch.is_away)


def make_snapshot(
    kbs: Iterable[KnowledgeBase],
    current: str,
    sources: Iterable[FollowedPath],
    files: Iterable[FileRow],
    excluded: Iterable[str] = (),
) -> LibrarySnapshot:
    """Sort and count."""
    rows, sources = tuple(sorted(files, key=_path)), tuple(sources)
    left_out = tuple(_left_out(-n, path) for n, path in enumerate(excluded, start=1))
    branches = _branches(sources, rows)
    return LibrarySnapshot(
        kbs=tuple(kbs),
        current=current,
        branches=branches,
        files=rows,
        ready=sum(map(is_ready, rows)),
        problems=sum(branch.problems for branch in branches),
        waiting=sum(row.status is FileStatus.QUEUED or is_to_be_recognized(row) for row in rows),
        excluded=left_out,
        passed_over=sum(branch.passed_over for branch in branches),
        unfollowed=frozenset(
            row.path for branch in branches if branch.source is None for row in branch.files
        ),
        folders=folder_nodes(sources, (*rows, *left_out), is_problem, is_passed_over),
    )


def _left_out(number: int, path: str) -> FileRow:
    """Return a row for something that has none in the catalog; its number is below zero."""
    return FileRow(
        id=FileId(number),
        kb=KbId(0),
        path=path,
        stamp=None,
        status=FileStatus.EXCLUDED,
        reason="",
        document_id=None,
        chunks=0,
        pages=None,
        seconds=0.0,
        changed_at=0.0,
    )


def _branches(
    sources: tuple[FollowedPath, ...], rows: tuple[FileRow, ...]
) -> tuple[SourceFiles, ...]:
    """Put every file under the deepest source that holds it; folders first, by path.

    After the folders come the files that others share, and those that lie in no source.
    """
    ordered = sorted(sources, key=_place)
    below: dict[str, list[FileRow]] = {source.path: [] for source in ordered}
    single = {source.path for source in ordered if not source.is_folder}
    folders = [(each.path, _inside(each.path)) for each in ordered if each.is_folder]
    folders.sort(key=_depth, reverse=True)
    shared: list[FileRow] = []
    unfollowed: list[FileRow] = []
    for row in rows:
        if row.path in single:
            below[row.path].append(row)
            continue
        for path, inside in folders:
            if row.path.startswith(inside):
                below[path].append(row)
                break
        else:
            (shared if row.author else unfollowed).append(row)
    made = [_branch(source, tuple(below[source.path])) for source in ordered]
    apart = [_branch(None, tuple(each)) for each in (shared, unfollowed) if each]
    made[len(folders) : len(folders)] = apart
    return tuple(made)


def _branch(source: FollowedPath | None, files: tuple[FileRow, ...]) -> SourceFiles:
    return SourceFiles(
        source=source,
        files=files,
        troubled=tuple(filter(is_problem, files)),
        passed_over=sum(map(is_passed_over, files)),
        is_shared=source is None and bool(files[0].author),
    )


def _inside(folder: str) -> tuple[str, str]:
    """Return how the paths below a folder begin, with either separator."""
    bare = folder.rstrip("/\\")
    return f"{bare}/", f"{bare}\\"


def _shared_folder(path: str, other: str) -> str:
    """Return how both paths begin, up to a separator; either separates folders."""
    pairs = enumerate(zip(path, other, strict=False))
    until = next((n for n, (a, b) in pairs if a != b), min(len(path), len(other)))
    return path[: max(path.rfind("/", 0, until), path.rfind("\\", 0, until)) + 1]


def _depth(folder: tuple[str, tuple[str, str]]) -> int:
    return len(folder[0])


def _place(source: FollowedPath) -> tuple[bool, str]:
    return not source.is_folder, source.path.casefold()


def _path(row: FileRow) -> str:
    return row.path
