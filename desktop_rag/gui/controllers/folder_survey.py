"""Counts what lies in folders before they are added: how much, of what, and where most of it."""

from __future__ import annotations

import glob
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from desktop_rag.catalog.file_rules import BYTES_PER_SECOND
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.filesystem import FileInfo, is_at_or_below
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.indexing.scan import IgnoreRules, scan
from desktop_rag.parsing.format_detection import BY_EXTENSION

if TYPE_CHECKING:
    from desktop_rag.workspace import Workspace

_TOLD_EVERY = 0.25
_MANY_FILES = 500
_MANY_BYTES = 500_000_000
_MOST_PARTS = 200


@dataclass(frozen=True, slots=True)
class FolderCount:
    """A folder directly below one that is to be added."""

    root: str
    path: str
    files: int
    size: int

    @property
    def glob(self) -> str:
        """The pattern that leaves it out."""
        return f"/{glob.escape(PurePath(self.path).name)}"


@dataclass(frozen=True, slots=True)
class FolderSurvey:
    """What is known of paths that are to be added to `kb`; `is_complete` once all was counted.

    `formats` are endings with their number of files, the most frequent first; `seconds` is about
    how long reading will take, None where nothing like it was read yet. `closed` may not be read.
    """

    kb: str
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    count: int = 0
    size: int = 0
    unsupported: int = 0
    formats: tuple[tuple[str, int], ...] = ()
    parts: tuple[FolderCount, ...] = ()
    seconds: float | None = None
    is_complete: bool = False

    @property
    def is_big(self) -> bool:
        """Say whether it is worth a question before it is added."""
        return bool(self.folders) and (self.count > _MANY_FILES or self.size > _MANY_BYTES)


@dataclass(slots=True)
class _Counter:
    """Counts while it looks."""

    count: int = 0
    size: int = 0
    readable: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    parts: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)

    def take(self, found: FileInfo, root: str) -> None:
        self.count += 1
        self.size += found.size
        ending = PurePath(found.path).suffix.lower()
        self.endings[ending] += 1
        self.readable += found.size if ending in BY_EXTENSION else 0
        first, _, below = found.path[len(root) :].lstrip("/\\").replace("\\", "/").partition("/")
        if below:
            part = self.parts.setdefault((root, str(Path(root) / first)), [0, 0])
            part[0] += 1
            part[1] += found.size


def survey(
    folder: DataFolder,
    kb: str,
    paths: Sequence[str],
    globs: tuple[str, ...],
    token: CancelToken,
) -> Iterator[FolderSurvey]:
    """Yield what is known so far, every quarter of a second, and last all of it."""
    from desktop_rag.indexing.source_paths import resolve_path

    workspace, counter = folder.get(token), _Counter()
    made = _sorted(workspace, FolderSurvey(kb, globs=globs), [resolve_path(path) for path in paths])
    rate = workspace.catalog.choices.figure(BYTES_PER_SECOND)
    told = time.monotonic()
    for found, root in _found(workspace, made, counter, token):
        counter.take(found, root)
        if time.monotonic() - told > _TOLD_EVERY:
            told = time.monotonic()
            yield _counted(made, counter, rate, is_complete=False)
    yield _counted(made, counter, rate, is_complete=True)


def _sorted(workspace: Workspace, made: FolderSurvey, paths: list[str]) -> FolderSurvey:
    """Tell folders, files and what is not there apart; what is followed already is as a file."""
    kb = workspace.catalog.kbs.names().get(made.kb)
    followed = [s.path for s in workspace.catalog.kbs.sources(kb)] if kb is not None else []
    known = [p for p in paths if any(is_at_or_below(p, each) for each in followed)]
    fresh = [p for p in paths if p not in known]
    return FolderSurvey(
        made.kb,
        folders=tuple(p for p in fresh if Path(p).is_dir()),
        files=(*known, *(p for p in fresh if Path(p).exists() and not Path(p).is_dir())),
        missing=tuple(p for p in fresh if not Path(p).exists()),
        globs=made.globs,
    )


def _found(
    workspace: Workspace, made: FolderSurvey, counter: _Counter, token: CancelToken
) -> Iterator[tuple[FileInfo, str]]:
    general = [each.strip() for each in workspace.settings.ingest.exclude.split(",")]
    for root in made.folders:
        rules = IgnoreRules(root, (*general, *made.globs), workspace.data_dir)
        for each in scan(root, rules, token):
            if isinstance(each, FileInfo):
                yield each, root
            elif not each.is_link:
                counter.closed.append(each.path)


def _counted(
    made: FolderSurvey, counter: _Counter, rate: float, *, is_complete: bool
) -> FolderSurvey:
    parts = [
        FolderCount(root, path, *counts) for (root, path), counts in list(counter.parts.items())
    ]
    supported = Counter({e: n for e, n in counter.endings.items() if e in BY_EXTENSION})
    return FolderSurvey(
        made.kb,
        folders=made.folders,
        files=made.files,
        missing=made.missing,
        closed=tuple(counter.closed),
        globs=made.globs,
        count=counter.count,
        size=counter.size,
        unsupported=counter.count - supported.total(),
        formats=tuple(supported.most_common()),
        parts=tuple(sorted(parts, key=_weight, reverse=True)[:_MOST_PARTS]),
        seconds=counter.readable / rate if rate > 0 else None,
        is_complete=is_complete,
    )


def _weight(part: FolderCount) -> tuple[int, int]:
    return part.size, part.files
