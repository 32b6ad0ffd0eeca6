"""Finds the files below a folder and says which of them count; reads no catalog.

It asks a `Reach`: this process itself, or one that may be left behind where nobody answers.
"""

from __future__ import annotations

import copy
import os
import re
import stat
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.engine.ingest import content
from desktop_rag.store.records import Source

IGNORED = (
    ".*",  # hidden files and folders, .git and .DS_Store among them
    "node_modules",
    "__pycache__",
    "$RECYCLE.BIN",
    "System Volume Information",
    "lost+found",
    "~$*",  # Office's lock files
    "*~",
    "*.tmp",
    "*.temp",
    "*.part",
    "*.partial",
    "*.crdownload",
    "*.download",
    "*.swp",
    "Thumbs.db",
    "desktop.ini",
)
_LATEST = (1 << 63) - 1  # nanoseconds that the catalog can hold: until the year 2262


@dataclass(frozen=True, slots=True)
class Found:
    """A file, as a look at its folder shows it."""

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A folder that was not entered, or a file that was passed over.

    It may not be read, is a link to a folder or (`is_outside`) to a file elsewhere, or lies on a
    drive that does not answer (`is_silent`).
    """

    path: str
    is_link: bool
    is_outside: bool = False
    is_silent: bool = False


@dataclass(frozen=True, slots=True)
class Below:
    """A folder whose entries have still to be asked for."""

    path: str


@dataclass(frozen=True, slots=True)
class Pulse:
    """Nothing yet: what comes next may take long, or never come."""


Entry = Found | Skipped | Below


class Reach(Protocol):
    """How folders and files are got at. Each raises a `FileProblem` where nobody answers."""

    def begin(self, start: str, root: str, *, is_free: bool, token: CancelToken) -> list[Entry]:
        """Return what `start` is; see `scan.begin`."""

    def entries(
        self, folder: str, root: str, *, is_free: bool, token: CancelToken
    ) -> Iterator[Entry]:
        """Yield what is in a folder; see `scan.entries`."""

    def look(self, path: str, token: CancelToken) -> Found | None:
        """Return a file as it is now; see `scan.look`."""

    def sizes(self, paths: Sequence[str], token: CancelToken) -> list[int]:
        """Return the files' bytes, 0 where there is none; nothing is raised."""

    def content_hash(self, path: str, token: CancelToken) -> str:
        """Return the hash of a file's bytes; an OSError when it can't be read."""

    def is_away(self, source: Source, token: CancelToken) -> bool:
        """Say whether a source can't be reached now; nothing is raised."""


class Rules:
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

    `excluded` are files and folders that stay out, wherever they lie; `is_free` is as of `Rules`.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        exclude: Sequence[str],
        data_dir: Path,
        excluded: Collection[str] = (),
        *,
        is_free: bool = False,
    ) -> None:
        self.sources = tuple(sources)
        self._excluded = frozenset(excluded)
        self._rules = {
            source: Rules(
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
            if any(is_below(t, source.path) or is_below(source.path, t) for t in targets)
        )
        return part

    def around(self, path: str) -> list[Source]:
        """Return the sources that a path is, or lies below."""
        return [source for source in self.sources if is_below(path, source.path)]

    def covers(self, path: str) -> bool:
        """Say whether a path counts: a followed file, or in a followed folder and not ignored."""
        return any(self._lets_pass(source, path) for source in self.around(path))

    def scan(
        self, target: str, token: CancelToken, reach: Reach | None = None
    ) -> Iterator[Found | Skipped]:
        """Yield what counts at or below a target; nothing where it is not there."""
        for source in self.about([target]).sources:
            start = target if is_below(target, source.path) else source.path
            if not self._lets_pass(source, start):
                continue
            if source.is_folder:
                yield from scan(start, self._rules[source], token, reach)
            else:
                yield from _begun(start, reach or Direct(), token)

    def _lets_pass(self, source: Source, path: str) -> bool:
        if source.path in self._excluded:
            return False
        rules = self._rules.get(source)
        return source.path == path or (rules is not None and not rules.ignores(path))


def scan(
    start: str, rules: Rules, token: CancelToken, reach: Reach | None = None
) -> Iterator[Found | Skipped]:
    """Yield the files at or below `start`, which lies in the rules' root; links are not entered."""
    reach = reach or Direct()
    waiting: list[str] = []
    try:
        for each in reach.begin(start, rules.root, is_free=rules.is_free, token=token):
            if isinstance(each, Below):
                waiting.append(each.path)
            else:
                yield each
    except FileProblem:
        yield Skipped(start, is_link=False, is_silent=True)
    while waiting:
        token.check()
        kept: list[Entry] = []
        yield from _kept(waiting.pop(), kept, rules, token, reach)
        yield from (each for each in kept if not isinstance(each, Below))
        waiting.extend(each.path for each in reversed(kept) if isinstance(each, Below))


def _begun(path: str, reach: Reach, token: CancelToken) -> Iterator[Found | Skipped]:
    """Yield a file that is followed by itself, wherever it leads to."""
    try:
        for each in reach.begin(path, path, is_free=True, token=token):
            if not isinstance(each, Below):
                yield each
    except FileProblem:
        yield Skipped(path, is_link=False, is_silent=True)


def _kept(
    folder: str, kept: list[Entry], rules: Rules, token: CancelToken, reach: Reach
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


def begin(start: str, root: str, *, is_free: bool) -> Iterator[Entry]:
    """Yield what `start` is that lies in `root` or is it: a file, or a folder to be entered."""
    is_folder = Path(start).is_dir()
    if start != root:
        if is_folder and Path(start).is_symlink():
            yield Skipped(start, is_link=True)
            return
        if not is_free and _leads_out(start, root):
            if Path(start).exists():
                yield Skipped(start, is_link=True, is_outside=True)
            return
    if is_folder:
        yield Below(start)
    else:
        yield from _listed(start)


def entries(folder: str, root: str, *, is_free: bool) -> Iterator[Entry | Pulse]:
    """Yield what is in a folder, links last: what they lead to may not answer."""
    with os.scandir(folder) as listed:
        found = sorted(listed, key=_name)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            yield Below(entry.path)
        elif not entry.is_symlink():
            yield from _file(entry.path)
    for entry in found:
        if not entry.is_symlink():
            continue
        yield Pulse()
        if Path(entry.path).is_dir():
            yield Skipped(entry.path, is_link=True)
        elif is_free or not _leads_out(entry.path, root):
            yield from _file(entry.path)
        elif Path(entry.path).is_file():
            yield Skipped(entry.path, is_link=True, is_outside=True)


def _leads_out(path: str, root: str) -> bool:
    """Say whether what a path leads to, by whatever links, lies outside a folder."""
    return not is_below(os.path.realpath(path), os.path.realpath(root))


def _path(entry: Entry) -> str:
    return entry.path


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _listed(path: str) -> Iterator[Found | Skipped]:
    """Yield a file under the name that its folder lists, no other that leads to it.

    Where upper and lower case are one, a file that was renamed in its case is found by its old name
    as well, and must not stand there twice.
    """
    this = Path(path)
    other = this.with_name(this.name.swapcase())
    try:
        is_here = other == this or not this.samefile(other) or this.name in _names_in(this.parent)
    except OSError:  # no other letters lead to it, or the folder is closed
        is_here = True
    if is_here:
        yield from _file(path)


def _names_in(folder: Path) -> frozenset[str]:
    return _names_since(folder, folder.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _names_since(folder: Path, changed: int) -> frozenset[str]:
    """Return a folder's names; of a burst of files in one folder it is listed once."""
    del changed  # a part of what the answer is kept under
    return frozenset(os.listdir(folder))  # noqa: PTH208 - names, not paths


def _file(path: str) -> Iterator[Found | Skipped]:
    """Yield a regular file or one that a link leads to; nothing for anything else."""
    try:
        seen = Path(path).stat()
    except PermissionError:
        yield Skipped(path, is_link=False)
    except (OSError, ValueError):
        return  # it has gone since, or is a link to nothing
    else:
        if stat.S_ISREG(seen.st_mode):
            yield Found(path, seen.st_size, min(max(seen.st_mtime_ns, -_LATEST), _LATEST))


def look(path: str) -> Found | None:
    """Return a file as it is now, None when it is gone, closed to us or no regular file."""
    found = next(_file(path), None)
    return found if isinstance(found, Found) else None


def is_below(path: str, folder: str) -> bool:
    """Say whether a path is `folder` or lies below it, by whole components."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def is_away(source: Source) -> bool:
    """Say whether a source cannot be reached now, as on a drive that is not plugged in.

    Then nothing is known of its files: they are not deleted. A single file is away only with its
    folder. An empty mount point counts as away too.
    """
    root = source.path if source.is_folder else str(Path(source.path).parent)
    try:
        with os.scandir(root) as entries:
            is_empty = next(entries, None) is None
    except (PermissionError, NotADirectoryError):
        return False
    except OSError:
        return True
    return is_empty and _is_drive_place(root) and not os.path.ismount(root)


def _is_drive_place(path: str) -> bool:
    """Say whether removable drives are mounted here: an empty folder means none is."""
    return re.fullmatch(r"(/run)?/media/[^/]+(/[^/]+)?|/mnt/[^/]+|/Volumes/[^/]+", path) is not None


class Direct:
    """A `Reach` in this process: for what must not wait for a child's start."""

    def begin(self, start: str, root: str, *, is_free: bool, token: CancelToken) -> list[Entry]:
        """See `Reach`."""
        del token
        return list(begin(start, root, is_free=is_free))

    def entries(
        self, folder: str, root: str, *, is_free: bool, token: CancelToken
    ) -> Iterator[Entry]:
        """See `Reach`."""
        del token
        found = entries(folder, root, is_free=is_free)
        return (each for each in found if not isinstance(each, Pulse))

    def look(self, path: str, token: CancelToken) -> Found | None:
        """See `Reach`."""
        del token
        return look(path)

    def sizes(self, paths: Sequence[str], token: CancelToken) -> list[int]:
        """See `Reach`."""
        return [found.size if (found := self.look(path, token)) else 0 for path in paths]

    def content_hash(self, path: str, token: CancelToken) -> str:
        """See `Reach`."""
        return content.content_hash(path, token)

    def is_away(self, source: Source, token: CancelToken) -> bool:
        """See `Reach`."""
        del token
        return is_away(source)
