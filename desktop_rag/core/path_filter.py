"""The filter (`--where`) that lets some files, folders and knowledge bases pass."""

from __future__ import annotations

import glob
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePath, PurePosixPath, PureWindowsPath

_BETWEEN = re.compile(r"\|(?!\])")  # [|] is the sign itself
_MAGIC = re.compile(r"\[(.)\]")
_SIGNS = re.compile(r"[*?\[]")


def path_filter(path: str) -> str:
    """Return the filter for a path as it is, whatever signs of patterns are in it.

    A folder ends with its separator: then all below it passes.
    """
    return paths_filter((path,))


def paths_filter(paths: Iterable[str], kbs: Iterable[str] = ()) -> str:
    """Return the filter that lets any of these paths pass, and all of these knowledge bases.

    Without a path it is empty: knowledge bases alone are what a search is made in.
    """
    patterns = "|".join(map(_pattern, paths))
    if not patterns:
        return ""
    parts = [f"path:{patterns}", *(f"kb:{name}" for name in kbs)]
    return " ".join(map(shlex.quote, parts))


def _pattern(path: str) -> str:
    below = "*" if path.endswith(("/", "\\")) else ""
    return glob.escape(path).replace("|", "[|]") + below


@dataclass(frozen=True, slots=True)
class PathPatterns:
    """Which paths pass: those in `exact`, those that begin as `below` says, those of `globs`.

    All are in small letters. Documents of the knowledge bases `kbs` pass whatever their path is.
    Where nothing is named, everything passes.
    """

    exact: frozenset[str] = frozenset()
    below: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    kbs: frozenset[str] = frozenset()

    def lets_pass(self, path: str, kb: str) -> bool:
        """Say whether a file passes; `path` is whole, letters' case is ignored."""
        if self == ALL_PATHS or kb in self.kbs:
            return True
        path = path.casefold()
        if path in self.exact or path.startswith(self.below):
            return True
        return any(_matches(each, path) for each in self.globs)


ALL_PATHS = PathPatterns()
"""Lets everything pass."""


def path_patterns(written: str) -> PathPatterns:
    """Read what stands behind `path:`, patterns between "|"; `[|]` is the sign itself."""
    exact, below, globs = set(), [], []
    for pattern in filter(None, _BETWEEN.split(written.casefold())):
        whole = _literal(pattern)
        begin = _literal(pattern.removesuffix("*"))
        if whole is not None:
            exact.add(whole)
        elif begin is not None and begin.endswith(("/", "\\")):
            below.append(begin)
        else:
            globs.append(pattern)
    return PathPatterns(frozenset(exact), tuple(below), tuple(globs))


def longest_pattern(written: str) -> int:
    """Return how many characters the longest of the patterns has."""
    return max(map(len, _BETWEEN.split(written)))


def _literal(pattern: str) -> str | None:
    """Return the one path that a pattern means, None where it is not whole or means several."""
    bare = _MAGIC.sub("", pattern)
    path = _MAGIC.sub(r"\1", pattern)
    if _SIGNS.search(bare):
        return None
    is_whole = PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()
    return path if is_whole else None


def _matches(pattern: str, path: str) -> bool:
    """Match a glob with the whole path, its end from some folder on, or the name."""
    return any(
        fnmatchcase(each, wanted)
        for each, wanted in (
            (path, pattern),
            (path, f"*/{pattern}"),
            (path, f"*/{pattern}/*"),
            (PurePath(path).name, pattern),
        )
    )
