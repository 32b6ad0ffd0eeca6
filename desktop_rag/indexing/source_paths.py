"""Which folders and files a knowledge base follows: adding them, and taking them out for good."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import FollowedPath
from desktop_rag.core.errors import UserError
from desktop_rag.core.filesystem import is_at_or_below
from desktop_rag.core.paths import canonical
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import KbId
from desktop_rag.core.unicode import shown_path
from desktop_rag.indexing.scan import Scope


@dataclass(frozen=True, slots=True)
class ResolvedPaths:
    """Paths that the user named: those that are there or were once, and those that never were."""

    found: tuple[str, ...]
    missing: tuple[str, ...]


def resolve_path(given: str) -> str:
    """Return the one spelling of a path that the user named; `file:` addresses are understood.

    A folder's links are all resolved, a file's own is kept; a name that nothing can have stays.
    """
    try:
        if given.startswith("file:"):
            given = url2pathname(urlparse(given).path)
        path = case_on_disk(canonical(given))
        return str(Path(path).resolve()) if Path(path).is_dir() else path
    except (OSError, ValueError):
        return given


def case_on_disk(path: str, names: Callable[[str], Iterable[str]] = os.listdir) -> str:
    """Return a path in the letters under which the folders above it list it.

    Where upper and lower case are one (Windows, macOS), `DOCS/a.txt` names `Docs/A.txt`: one file,
    to be kept under one spelling. What isn't listed at all stays as it is.
    """
    if not os.path.lexists(path):
        return path
    made = Path(path).anchor
    for part in Path(path).parts[1:]:
        made = str(Path(made) / _listed(made, part, names))
    return made


def _listed(folder: str, name: str, names: Callable[[str], Iterable[str]]) -> str:
    try:
        found = set(names(folder))
    except OSError:
        return name
    alike = [each for each in found if each.casefold() == name.casefold()]
    return alike[0] if name not in found and len(alike) == 1 else name


def require_usable_paths(catalog: Catalog, paths: Sequence[str]) -> None:
    """Raise a `UserError` where a new knowledge base could follow none of some paths."""
    given = [resolve_path(path) for path in paths]
    for path in given:
        _refuse_unfit(catalog, path)
    if given and not any(Path(path).exists() for path in given):
        raise _nowhere(given[0])


def follow(
    catalog: Catalog, kb: KbId, paths: Sequence[str], exclude: Sequence[str]
) -> ResolvedPaths:
    """Put paths on the list of what a knowledge base follows.

    `exclude` are globs that hold for the folders among them, beside those of before. Raises a
    `UserError` when none of the paths is there, or one can't be followed.
    """
    found, missing = [], []
    for path in map(resolve_path, paths):
        _refuse_unfit(catalog, path)
        if Path(path).exists():
            _add(catalog, kb, path, exclude)
            found += [path, *_renamed(catalog, kb, path)]
        elif catalog.files.under(kb, path) or is_followed(catalog, kb, path):
            found.append(path)
        else:
            missing.append(path)
    if missing and not found:
        raise _nowhere(missing[0])
    return ResolvedPaths(tuple(found), tuple(missing))


def is_followed(catalog: Catalog, kb: KbId, path: str) -> bool:
    """Say whether a path, or something below it, is on the list."""
    return any(is_at_or_below(source.path, path) for source in catalog.kbs.sources(kb))


def is_at_or_below_any(path: str, places: Collection[str]) -> bool:
    """Say whether a path, or a folder above it, is among a set of places."""
    while path not in places:
        above = os.path.dirname(path)  # noqa: PTH120 - asked of very many
        if above == path:
            return False
        path = above
    return True


def unfollow(catalog: Catalog, kb: KbId, paths: Sequence[str]) -> None:
    """Take paths, and what is below them, off the list, and out of the folders above them."""
    catalog.choices.include(kb, paths)  # what is off the list is not shown as excluded either
    came = [shown_path(each) for each in catalog.shares.authors(kb)]  # and would come again
    catalog.choices.exclude(
        kb, [path for path in paths if any(is_at_or_below(each, path) for each in came)]
    )
    gone = set(paths)
    for source in catalog.kbs.sources(kb):
        if is_at_or_below_any(source.path, gone):
            catalog.kbs.remove_source(kb, source.path)
            continue
        below = [path for path in paths if source.is_folder and is_at_or_below(path, source.path)]
        if below:
            globs = [exclude_glob(path, source) for path in below]
            kept = tuple(dict.fromkeys((*source.exclude, *globs)))
            catalog.kbs.add_source(kb, source.path, is_folder=True, exclude=kept)


def exclude_glob(path: str, source: FollowedPath) -> str:
    """Return the glob that excludes just this path from a source."""
    relative = os.path.relpath(path, source.path).replace(os.sep, "/")
    return f"/{glob.escape(relative)}"


def _renamed(catalog: Catalog, kb: KbId, path: str) -> list[str]:
    """Take the former spellings of a path off the list, where case does not matter; return them."""
    alike = [s.path for s in catalog.kbs.sources(kb) if s.path.casefold() == path.casefold()]
    former = [each for each in alike if each != path and case_on_disk(each) == path]
    for each in former:
        catalog.kbs.remove_source(kb, each)
    return former


def _add(catalog: Catalog, kb: KbId, path: str, exclude: Sequence[str]) -> None:
    """Follow a path that is there; one that was taken out of a folder comes back into it."""
    sources = catalog.kbs.sources(kb)
    catalog.choices.include(kb, [path])
    for source in sources:
        if source.is_folder and exclude_glob(path, source) in source.exclude:
            kept = tuple(each for each in source.exclude if each != exclude_glob(path, source))
            catalog.kbs.add_source(kb, source.path, is_folder=True, exclude=kept)
    if Path(path).is_dir():
        before = next((source.exclude for source in sources if source.path == path), ())
        merged = tuple(dict.fromkeys((*before, *exclude)))
        catalog.kbs.add_source(kb, path, is_folder=True, exclude=merged)
    elif not Scope(catalog.kbs.sources(kb), (), _data_dir(catalog)).covers(path):
        catalog.kbs.add_source(kb, path, is_folder=False)


def _refuse_unfit(catalog: Catalog, path: str) -> None:
    """Refuse the program's own folder, and what has no text: devices, pipes and sockets."""
    if is_at_or_below(path, str(_data_dir(catalog).resolve())):
        raise UserError(
            "This folder holds Desktop RAG's own data.", "Choose the folder of your documents."
        )
    at = Path(path)
    if at.exists() and not (at.is_file() or at.is_dir()):
        raise UserError(
            Phrase("{0} is neither a file nor a folder.", path),
            "Name a file with text in it, or a folder.",
        )


def _nowhere(path: str) -> UserError:
    return UserError(Phrase("There is no file or folder {0}.", path), "Check how it is spelt.")


def _data_dir(catalog: Catalog) -> Path:
    return catalog.database.path.parent
