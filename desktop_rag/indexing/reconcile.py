"""Compares what lies in the followed folders with the catalog and decides what is to be done.

Reads no file but those that may have moved: they are known by their content's hash.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRead, FileRow, FileStamp
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.events import Event, FileDone, Notice
from desktop_rag.core.filesystem import FileInfo, FileSystem, is_at_or_below
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.indexing.parse_stage import recipe_of
from desktop_rag.indexing.scan import Scope
from desktop_rag.parsing import format_registry

_CLOSED = "This folder may not be read by your user account. Give yourself the right to read it."

_SILENT = (
    "The drive does not answer, so this was passed over. "
    "Check the drive or the connection and try again."
)


@dataclass(frozen=True, slots=True)
class ReconcileTask:
    """What a run is about: a knowledge base, what it follows, and how files are read now.

    `targets` are the folders and files to look at; with `retry`, failed files are read again, those
    of a kind that is not read only where they are targets themselves.
    """

    kb: KbId
    scope: Scope
    targets: tuple[str, ...]
    recipe: str
    reach: FileSystem
    retry: bool = False
    opens_archives: bool = False


@dataclass(frozen=True, slots=True)
class UpdateOptions:
    """`retry` reads failed files again; `only_look` queues what is to be read, no more.

    `awaits_chroma`, a run does not end before Chroma was told of all; `recognizes`, not before the
    pages that hold no text were recognised.
    """

    retry: bool = False
    only_look: bool = False
    awaits_chroma: bool = True
    recognizes: bool = True


@dataclass(frozen=True, slots=True)
class Survey:
    """What lies at the targets: files by path, the places that nobody could look into, and what
    is to be said of these.
    """

    files: Mapping[str, FileInfo]
    unseen: tuple[str, ...]
    events: list[Event]


@dataclass(slots=True)
class _Seen:
    """What a look at the targets showed; `away` are the sources that can't be reached."""

    found: dict[str, FileInfo] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    away: list[str] = field(default_factory=list)


def reconcile(catalog: Catalog, aim: ReconcileTask, token: CancelToken) -> list[Event]:
    """Queue what must be read, note what moved or went, and return what is known already."""
    seen = _look(aim, token)
    if aim.retry:
        catalog.recognized.retry(aim.kb)
    rows = _known(catalog, aim)
    vanished = [row for row in rows.values() if _has_gone(row, seen, aim.scope)]
    fresh = [each for path, each in seen.found.items() if _is_fresh(rows.get(path))]
    events = _notices(seen)
    moved = _moves(catalog, aim, vanished, fresh, token)
    events += moved.values()
    events += _removals(catalog, aim.kb, [row for row in vanished if row.path not in moved])
    arrived = {event.path for event in moved.values()}
    queue: list[str] = []
    for path, found in seen.found.items():
        row = rows.get(path)
        if path in arrived:
            continue
        if row is None or _must_be_read(catalog, aim, row, found):
            queue.append(path)
        else:
            events.append(file_done(row, is_new=False))
    token.check()
    catalog.files.enqueue(aim.kb, queue)
    return events


def survey(aim: ReconcileTask, token: CancelToken) -> Survey:
    """Look at the targets, and compare them with nothing."""
    seen = _look(aim, token)
    return Survey(seen.found, (*seen.closed, *seen.silent, *seen.away), _notices(seen))


def file_done(row: FileRow, *, is_new: bool) -> FileDone:
    """Return what the catalog says of a file; a ready one that is not new is `unchanged`."""
    is_old = row.status is FileStatus.READY and not is_new
    return FileDone(
        path=row.path,
        status=FileStatus.UNCHANGED if is_old else row.status,
        reason=row.reason,
        chunks=row.chunks,
        pages=row.pages,
        seconds=row.seconds if is_new else 0.0,
    )


def _known(catalog: Catalog, aim: ReconcileTask) -> dict[str, FileRow]:
    """Return the files at and below the targets that the catalog has, by path."""
    return {
        row.path: row
        for target in aim.targets
        for row in catalog.files.under(aim.kb, target)
        if is_at_or_below(row.path, target)
    }


def _is_fresh(row: FileRow | None) -> bool:
    return row is None or row.stamp is None


def _look(aim: ReconcileTask, token: CancelToken) -> _Seen:
    about = aim.scope.about(aim.targets).sources
    seen = _Seen(
        away=[s.path for s in about if aim.reach.is_away(s.path, token, is_folder=s.is_folder)]
    )
    for target in aim.targets:
        if target in seen.away:
            continue
        for each in aim.scope.scan(target, token, aim.reach):
            if isinstance(each, FileInfo):
                seen.found[each.path] = each
            elif each.is_silent:
                seen.silent.append(each.path)
            elif each.is_outside:
                seen.outside.append(each.path)
            elif each.is_link:
                seen.links.append(each.path)
            else:
                seen.closed.append(each.path)
    return seen


def _has_gone(row: FileRow, seen: _Seen, scope: Scope) -> bool:
    """Say whether a known file is no longer there, or no longer counts.

    Where nobody looked (a closed folder, a drive that is away), nothing has gone. Nor has what is
    in no source, as an import can bring it, unless its name has only changed its case.
    """
    if row.path in seen.found or any(
        is_at_or_below(row.path, folder) for folder in (*seen.closed, *seen.silent)
    ):
        return False
    around = scope.around(row.path)
    if not around:
        return any(path.casefold() == row.path.casefold() for path in seen.found)
    return not all(source.path in seen.away for source in around)


def _notices(seen: _Seen) -> list[Event]:
    """Say which folders could not be looked into, and why."""
    events: list[Event] = [
        Notice(Phrase("{0} cannot be reached now; what is known of its files is kept.", path))
        for path in seen.away
    ]
    events += [FileDone(path, FileStatus.DENIED, _CLOSED) for path in dict.fromkeys(seen.closed)]
    events += [FileDone(path, FileStatus.TIMEOUT, _SILENT) for path in dict.fromkeys(seen.silent)]
    if seen.outside:
        events.append(_outside(seen.outside))
    if seen.links:
        events.append(_elsewhere(seen.links))
    return events


def _outside(links: Sequence[str]) -> Notice:
    """Say which links to files are not followed."""
    if len(links) == 1:
        return Notice(
            Phrase(
                "The link {0} leads out of the folder and is not followed; add that file "
                "itself, or allow it in the settings (ingest.follow_links).",
                links[0],
            )
        )
    return Notice(
        Phrase(
            "Links to files outside the folder are not followed ({0} here, such as {1}); "
            "add those files themselves, or allow it in the settings "
            "(ingest.follow_links).",
            len(links),
            links[0],
        )
    )


def _elsewhere(links: Sequence[str]) -> Notice:
    """Say which links to folders are not followed."""
    if len(links) == 1:
        return Notice(
            Phrase(
                "The link {0} leads to another folder and is not followed; add that folder itself.",
                links[0],
            )
        )
    return Notice(
        Phrase(
            "Links to other folders are not followed ({0} here, such as {1}); add those "
            "folders themselves.",
            len(links),
            links[0],
        )
    )


def _moves(
    catalog: Catalog,
    aim: ReconcileTask,
    vanished: Sequence[FileRow],
    fresh: Iterable[FileInfo],
    token: CancelToken,
) -> dict[str, FileDone]:
    """Give files that have another path now their old document; return outcomes by old path."""
    lost: dict[int, list[FileRow]] = defaultdict(list)
    for row in vanished:
        if row.stamp is not None and row.stamp.content_hash and _is_current(catalog, aim, row):
            lost[row.stamp.size].append(row)
    moved: dict[str, FileDone] = {}
    for found in fresh:
        old = _same_content(found, lost.get(found.size, []), aim.reach, token)
        if old is None or old.stamp is None:
            continue
        lost[found.size].remove(old)
        stamp = FileStamp(found.size, found.mtime_ns, old.stamp.content_hash)
        catalog.files.move(aim.kb, old.path, found.path, stamp)
        reason = Phrase("It was {0} before.", old.path)
        moved[old.path] = FileDone(found.path, FileStatus.MOVED, reason, old.chunks, old.pages)
    return moved


def _same_content(
    found: FileInfo, rows: Sequence[FileRow], reach: FileSystem, token: CancelToken
) -> FileRow | None:
    """Return the row of the file that this one was, of several rather one of its name."""
    if not rows:
        return None
    try:
        made = reach.content_hash(found.path, token)
    except (OSError, FileProblem):
        return None
    same = [row for row in rows if row.stamp is not None and row.stamp.content_hash == made]
    name = Path(found.path).name
    return next((row for row in same if Path(row.path).name == name), same[0] if same else None)


def _removals(catalog: Catalog, kb: KbId, rows: Sequence[FileRow]) -> list[Event]:
    """Take files out that are gone; those that were never read go without a word."""
    if not rows:
        return []
    catalog.files.remove(kb, [row.path for row in rows])
    reason = "The file is no longer there, or no longer counts."
    return [FileDone(row.path, FileStatus.DELETED, reason) for row in rows if row.stamp is not None]


def _must_be_read(catalog: Catalog, aim: ReconcileTask, row: FileRow, found: FileInfo) -> bool:
    """Say whether a known file changed, waits, failed and is tried again, or is read anew now."""
    if row.status is FileStatus.QUEUED or row.stamp is None:
        return True
    if (row.stamp.size, row.stamp.mtime_ns) != (found.size, found.mtime_ns):
        return True
    if row.status is FileStatus.READY:
        return not _is_current(catalog, aim, row)
    return aim.retry and _may_be_read_now(aim, row)


def _may_be_read_now(aim: ReconcileTask, row: FileRow) -> bool:
    """Say whether another try makes sense: not of a film among very many, unless it is named."""
    is_of_other_kind = Path(row.path).suffix.lower() not in format_registry.EXTENSIONS
    is_hopeless = row.status is FileStatus.UNSUPPORTED and is_of_other_kind
    return not is_hopeless or row.path in aim.targets


def _is_current(catalog: Catalog, aim: ReconcileTask, row: FileRow) -> bool:
    """Say whether a file's document was read as files are read now."""
    if row.stamp is None or row.document_id is None or row.status is not FileStatus.READY:
        return False
    read = FileRead(row.kb, row.path, row.stamp)
    recipe = recipe_of(row.path, aim.recipe, opens_archives=aim.opens_archives)
    return catalog.documents.is_reading(row.document_id, read, recipe)
