"""Finds the files below a folder and says which of them count; reads no catalog.

It asks a `FileSystem`: this process itself, or one that may be left behind where nobody answers.
"""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Collection, Iterator, Sequence
from fnmatch import translate
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FollowedPath
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.filesystem import (
    IGNORED,
    DirectoryEntry,
    FileInfo,
    FileSystem,
    LocalFileSystem,
    Skipped,
    Subfolder,
    is_at_or_below,
)


class IgnoreRules:
    """Which files below one root count: not hidden, not temporary, not the user's exceptions.

    A pattern without a slash stands for a name at any depth; one with a slash for a path from the
    root (`/drafts/old.txt`, `drafts/*.docx`). What is below an ignored folder is ignored too. With
    `is_free` links to files elsewhere are followed.
    """

    def __init__(
        self,
        root: str,
        exclude: Sequence[str],
        data_dir: Path,
        excluded: Collection[str] = (),
        *,
        is_free: bool = False,
    ) -> None:
        self.root = root
        self.is_free = is_free
        self._out = {os.path.realpath(data_dir), *excluded}
        patterns = [pattern.strip().rstrip("/") for pattern in exclude]
        names = [p for p in patterns if p and "/" not in p]
        paths = [p.lstrip("/") for p in patterns if "/" in p]
        self._names = _any_of([*IGNORED, *names])
        self._plain = {plain for p in paths if (plain := _plain(p))}
        self._paths = _any_of([p for p in paths if not _plain(p)])

    def ignores_entry(self, path: str, name: str) -> bool:
        """Say whether one entry of a folder that counts is ignored."""
        if path in self._out or self._names.match(name):
            return True
        below = path[len(self.root) :].lstrip(os.sep).replace(os.sep, "/")
        return below in self._plain or self._paths.match(below) is not None

    def ignores(self, path: str) -> bool:
        """Say whether a path below the root is ignored, for its own name or a folder's above it."""
        at = self.root
        for name in Path(path).relative_to(self.root).parts:
            at = str(Path(at, name))
            if self.ignores_entry(at, name):
                return True
        return False


def _plain(pattern: str) -> str:
    """Return the one path that a pattern stands for, empty when it stands for several."""
    bare = re.sub(r"\[([*?[])\]", "", pattern)
    return "" if re.search(r"[*?[]", bare) else re.sub(r"\[([*?[])\]", r"\1", pattern)


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    """Return one expression for all globs; none of them matches nothing."""
    return re.compile("|".join(translate(pattern) for pattern in patterns) or r"(?!)")


class Scope:
    """What a knowledge base follows: its sources, each with its rules.

    `excluded` are files and folders that stay out, wherever they lie; `is_free` is as of
    `IgnoreRules`.
    """

    def __init__(
        self,
        sources: Sequence[FollowedPath],
        exclude: Sequence[str],
        data_dir: Path,
        excluded: Collection[str] = (),
        *,
        is_free: bool = False,
    ) -> None:
        self.sources = tuple(sources)
        self._excluded = frozenset(excluded)
        self._rules = {
            source: IgnoreRules(
                source.path,
                (*exclude, *source.exclude),
                data_dir,
                self._excluded,
                is_free=is_free,
            )
            for source in sources
            if source.is_folder
        }

    def about(self, targets: Sequence[str]) -> Scope:
        """Return the part that the targets lie in, or that lies in a target."""
        part = copy.copy(self)
        part.sources = tuple(
            source
            for source in self.sources
            if any(
                is_at_or_below(t, source.path) or is_at_or_below(source.path, t) for t in targets
            )
        )
        return part

    def around(self, path: str) -> list[FollowedPath]:
        """Return the sources that a path is, or lies below."""
        return [source for source in self.sources if is_at_or_below(path, source.path)]

    def covers(self, path: str) -> bool:
        """Say whether a path counts: a followed file, or in a followed folder and not ignored."""
        return any(self._lets_pass(source, path) for source in self.around(path))

    def scan(
        self, target: str, token: CancelToken, reach: FileSystem | None = None
    ) -> Iterator[FileInfo | Skipped]:
        """Yield what counts at or below a target; nothing where it is not there."""
        for source in self.about([target]).sources:
            start = target if is_at_or_below(target, source.path) else source.path
            if not self._lets_pass(source, start):
                continue
            if source.is_folder:
                yield from scan(start, self._rules[source], token, reach)
            else:
                yield from _begun(start, reach or LocalFileSystem(), token)

    def _lets_pass(self, source: FollowedPath, path: str) -> bool:
        if source.path in self._excluded:
            return False
        rules = self._rules.get(source)
        return source.path == path or (rules is not None and not rules.ignores(path))


def scan(
    start: str, rules: IgnoreRules, token: CancelToken, reach: FileSystem | None = None
) -> Iterator[FileInfo | Skipped]:
    """Yield the files at or below `start`, which lies in the rules' root; links are not entered."""
    reach = reach or LocalFileSystem()
    waiting: list[str] = []
    try:
        for each in reach.begin(start, rules.root, is_free=rules.is_free, token=token):
            if isinstance(each, Subfolder):
                waiting.append(each.path)
            else:
                yield each
    except FileProblem:
        yield Skipped(start, is_link=False, is_silent=True)
    while waiting:
        token.check()
        kept: list[DirectoryEntry] = []
        yield from _kept(waiting.pop(), kept, rules, token, reach)
        yield from (each for each in kept if not isinstance(each, Subfolder))
        waiting.extend(each.path for each in reversed(kept) if isinstance(each, Subfolder))


def _begun(path: str, reach: FileSystem, token: CancelToken) -> Iterator[FileInfo | Skipped]:
    """Yield a file that is followed by itself, wherever it leads to."""
    try:
        for each in reach.begin(path, path, is_free=True, token=token):
            if not isinstance(each, Subfolder):
                yield each
    except FileProblem:
        yield Skipped(path, is_link=False, is_silent=True)


def _kept(
    folder: str,
    kept: list[DirectoryEntry],
    rules: IgnoreRules,
    token: CancelToken,
    reach: FileSystem,
) -> Iterator[Skipped]:
    """Fill `kept` with what counts in a folder, by name; yield the folder if that is not all."""
    try:
        found = reach.entries(folder, rules.root, is_free=rules.is_free, token=token)
        for each in found:  # what came before an error counts
            if not rules.ignores_entry(each.path, os.path.basename(each.path)):  # noqa: PTH119
                kept.append(each)  # noqa: PERF401
    except OSError:
        yield Skipped(folder, is_link=False)
    except FileProblem:
        yield Skipped(folder, is_link=False, is_silent=True)
    kept.sort(key=_path)


def _path(entry: DirectoryEntry) -> str:
    return entry.path
