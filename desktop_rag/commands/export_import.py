"""Takes a knowledge base out into one file, and brings such a file in as a new knowledge base."""

from __future__ import annotations

import logging
import os
import shlex
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from importlib import metadata
from itertools import count
from pathlib import Path
from typing import IO

from desktop_rag.catalog.copies import StoppedError, loggable
from desktop_rag.catalog.database import Database, migration_scripts
from desktop_rag.catalog.exchange.archive import ExportArchive
from desktop_rag.catalog.exchange.export_reader import ExportReader
from desktop_rag.catalog.exchange.export_writer import ExportWriter
from desktop_rag.catalog.exchange.file_format import VECTORS
from desktop_rag.catalog.exchange.importer import import_rows
from desktop_rag.catalog.knowledge_bases import insert_knowledge_base
from desktop_rag.catalog.recovery.coordinator import rebuilt_for_export
from desktop_rag.catalog.recovery.repair import DAMAGED_RECIPE, LOST_TEXT_REASON
from desktop_rag.commands.import_sources import ImportedSources
from desktop_rag.core import temp_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.disk_space import require_disk_space
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Event, IndexProgress, Notice
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.settings import Ingest
from desktop_rag.core.types import KbId, ModelIdentity
from desktop_rag.indexing.chunker import embed_key
from desktop_rag.indexing.index_writer import IndexWriter
from desktop_rag.workspace import Workspace

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_PLACES_NAMED = 5
_EMBEDDED_ANEW = (
    "This knowledge base was made with another embedding model: its texts are embedded "
    "anew, which may take a while. Nothing is read again."
)
_log = logging.getLogger(__name__)
_OLD = 3600.0  # seconds
_NAMED = 20  # files whose loss is told by their names
_LOST = (
    "SELECT path FROM files WHERE kb = ? AND document_id IS NULL "
    "AND (status = 'queued' OR reason = ?) ORDER BY path"
)
_SHORT = (
    "SELECT path FROM files JOIN documents ON documents.id = document_id "
    "WHERE kb = ? AND recipe LIKE ? ORDER BY path"
)
_STEPS = 100  # words of progress: few enough that nobody who reads slowly holds a transaction


def export_kb(
    workspace: Workspace, kb: KnowledgeBase, target: Path, token: CancelToken
) -> Iterator[Event]:
    """Export a knowledge base as it is now, and yield progress; other work goes on meanwhile.

    The file is there wholly or not at all. Raises a `UserError` when it is there already.
    """
    catalog = workspace.catalog
    yield _progress(0, 0, "check", target.name)
    if not catalog.is_damaged(embed_key, token.check):
        with catalog.database.snapshot() as tx:
            yield from _exported(workspace, kb, tx, target, token)
        return
    path = catalog.database.path
    with (
        catalog.database.undisturbed(),
        rebuilt_for_export(path, migration_scripts(), embed_key, token.check) as left,
        closing(Database(left)) as database,
        database.snapshot() as tx,
    ):
        yield from _left_out(tx, kb)
        yield from _exported(workspace, kb, tx, target, token)


def _exported(
    workspace: Workspace,
    kb: KnowledgeBase,
    tx: sqlite3.Connection,
    target: Path,
    token: CancelToken,
) -> Iterator[Event]:
    model = workspace.models.embedder
    with _written(workspace, target) as file:
        identity = ModelIdentity(model.fingerprint, model.dimensions)
        export = ExportWriter(tx, kb.id, kb.name, _program(), identity)
        rows = export.write(file)
        yield from _told(rows, "export", target.name, export.manifest.total, token)


def _left_out(tx: sqlite3.Connection, kb: KnowledgeBase) -> Iterator[Event]:
    """Say which files of a knowledge base a damaged catalog does not give, and which in part."""
    yield Notice(
        "The catalog is damaged: the export holds what can still be read of it. Vectors that are "
        "missing are made again by the import."
    )
    lost = [path for (path,) in tx.execute(_LOST, (kb.id, LOST_TEXT_REASON))]
    if lost:
        yield Notice(Phrase("{0} files are left out: {1}.", len(lost), _some(lost)))
    short = [path for (path,) in tx.execute(_SHORT, (kb.id, f"%{DAMAGED_RECIPE}"))]
    if short:
        yield Notice(Phrase("{0} files are there in part: {1}.", len(short), _some(short)))


def _some(paths: list[str]) -> str:
    return ", ".join([*paths[:_NAMED], *(["…"] if len(paths) > _NAMED else [])])


@dataclass(frozen=True, slots=True)
class ImportName:
    """How an import is called: by `name`, or as in its file; if taken, with a number behind it."""

    name: str = ""
    numbers: bool = False

    def chosen(self, workspace: Workspace, own: str) -> str:
        """Return the name; a `UserError` where it is taken and gets no number."""
        name = self.name or own
        taken = workspace.catalog.kbs.names()
        if not self.numbers or name not in taken:
            return _free(workspace, name)
        return next(each for n in count(2) if (each := f"{name} ({n})") not in taken)


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """A file to import, how the knowledge base is called, and which of its places are followed."""

    file: Path
    naming: ImportName = field(default_factory=ImportName)
    follow: tuple[str, ...] = ()


def import_kb(
    workspace: Workspace, wanted: ImportOptions, token: CancelToken
) -> Generator[Event, None, str]:
    """Import an exported file as a new knowledge base, and yield progress; return its name.

    Everything is checked before anything is written. Nothing is parsed, and only what has no vector
    of the embedding model in use is embedded. Cancelled or failed, it leaves nothing behind.
    """
    require_disk_space(workspace.data_dir, "Make room there and try again.")
    with closing(_opened(workspace, wanted.file)) as archive:
        reader = ExportReader(archive, embed_key)
        _require_width(workspace, archive)
        name = wanted.naming.chosen(workspace, reader.manifest.name)
        places = ImportedSources(workspace.data_dir, reader)
        total = reader.manifest.total
        yield from _told(places.check(), "check", wanted.file.name, total, token)
        followed = places.agreed(wanted.follow)
        _copied(workspace, token)
        kb = yield from _entered(workspace, reader, (name, followed), token)
    try:
        token.check()
        if reader.manifest.fingerprint != workspace.models.embedder.fingerprint:
            yield Notice(_EMBEDDED_ANEW)
        yield from _notices(places, followed, name)
        yield from build_indexes(workspace, kb, name, token)
    except BaseException:
        workspace.indexes.drop(kb)  # first: on a full disk it makes the room that the rest takes
        _taken_back(workspace, kb)
        raise
    return name


def _taken_back(workspace: Workspace, kb: KbId) -> None:
    """Delete a knowledge base under the name that it has by now, if it is still there."""
    for name, each in workspace.catalog.kbs.names().items():
        if each == kb:
            workspace.catalog.kbs.delete(name)


def _copied(workspace: Workspace, token: CancelToken) -> None:
    """Copy the catalog before much comes to it, unless the last copy is young or cannot be made."""
    copies = workspace.catalog.database.copies
    if copies.all() and copies.is_due(_OLD):
        try:
            copies.make(token.check)
        except (UserError, StoppedError, OSError, sqlite3.Error) as error:
            _log.warning("no copy of the catalog was made before an import: %s", loggable(error))


def _opened(workspace: Workspace, file: Path) -> ExportArchive:
    """Open an export; texts may be as long in it as those that are read, or usually are."""
    longest = max(Ingest().max_characters, workspace.settings.ingest.max_characters)
    return ExportArchive(file, workspace.data_dir, longest)


def followed_paths_here(workspace: Workspace, file: Path, token: CancelToken) -> tuple[str, ...]:
    """Return what an exported knowledge base followed that is on this computer, too."""
    with closing(_opened(workspace, file)) as archive:
        places = ImportedSources(workspace.data_dir, ExportReader(archive, embed_key))
        for _ in places.look():
            token.check()
    return tuple(sorted(places.here))


def _require_width(workspace: Workspace, archive: ExportArchive) -> None:
    """Refuse vectors that are said to be of the model in use and have another length."""
    said, model = archive.manifest, workspace.models.embedder
    if said.fingerprint == model.fingerprint and said.dimensions != model.dimensions:
        raise archive.wrong(
            VECTORS, Phrase("this model's vectors have {0} numbers", model.dimensions)
        )


def _entered(
    workspace: Workspace, reader: ExportReader, aim: tuple[str, set[str]], token: CancelToken
) -> Generator[Event, None, KbId]:
    """Enter all in one transaction; after a stop, what was written for it is wiped."""
    catalog, fingerprint = workspace.catalog, workspace.models.embedder.fingerprint
    _ = workspace.indexes  # opened now, they need not make this base's twice
    name, followed = aim
    try:
        with catalog.database.write() as tx:
            kb = insert_knowledge_base(tx, _free(workspace, name))
            lines = import_rows(tx, kb, reader, fingerprint, followed)
            yield from _told(lines, "import", name, reader.manifest.total, token)
            token.check()
    except BaseException:
        catalog.database.forget()
        raise
    return kb


def _notices(places: ImportedSources, followed: set[str], name: str) -> Iterator[Event]:
    away = len(places.all) - len(places.here)
    if away:
        yield Notice(
            Phrase(
                "{0} of {1} followed folders and files are not on this computer. Their "
                "text can be searched and quoted; add them again where they are here to "
                "keep up with their changes.",
                away,
                len(places.all),
            )
        )
    left = sorted(set(places.here) - followed)
    if left:
        named, more = ", ".join(left[:_PLACES_NAMED]), ", …" if left[_PLACES_NAMED:] else ""
        yield Notice(
            Phrase(
                "These folders and files of the imported knowledge base are on this "
                "computer, too, and are not followed: {0}{1}. Add those that you want to "
                "keep up with, for example with `desktop-rag index --kb {2} {3}`.",
                named,
                more,
                shlex.quote(name),
                shlex.quote(left[0]),
            )
        )


def build_indexes(workspace: Workspace, kb: KbId, name: str, token: CancelToken) -> Iterator[Event]:
    """Make a knowledge base's indexes; before, embed what has no vector of today's model."""
    catalog, model = workspace.catalog, workspace.models.embedder
    if catalog.embeddings.missing(kb, model.fingerprint, 1):
        exported = IndexWriter(kb, catalog, workspace.indexes, model, workspace.turns)
        yield from (replace(each, current=name) for each in exported.catch_up(token))
    else:
        yield _progress(0, 0, "index", name)
        workspace.indexes.of(kb).rebuild(token.check)
    index = workspace.indexes.of(kb)
    index.replica.discard()
    index.feed(token.check)
    token.check()


def _free(workspace: Workspace, name: str) -> str:
    try:
        return workspace.catalog.kbs.free_name(name)
    except UserError as error:
        remedy = "Import it under another name: `kb import NAME FILE`. Nothing was changed."
        raise UserError(error.what, remedy) from error


def _told(
    counts: Iterator[int], stage: str, name: str, total: int, token: CancelToken
) -> Iterator[Event]:
    """Yield progress now and then; whoever says stop is heard at every count."""
    told = -1
    for done in counts:
        token.check()
        step = done * _STEPS // max(1, total)
        if step > told:
            told = step
            yield _progress(done, total, stage, name)


def _progress(done: int, total: int, stage: str, name: str) -> IndexProgress:
    return IndexProgress(done, total, name, stage, 0, 0.0, None)


def _program() -> str:
    try:
        return metadata.version("desktop-rag")
    except metadata.PackageNotFoundError:
        return "unknown"


@contextmanager
def _written(workspace: Workspace, target: Path) -> Iterator[IO[bytes]]:
    """Open a new file that takes its name when it is whole, and vanishes otherwise."""
    if os.path.lexists(target):
        raise UserError(
            Phrase("There is already a file {0}.", target),
            "Choose another name, or delete it.",
        )
    beside = temp_files.hidden_path(target)
    try:
        with temp_files.noting_temp_file(workspace.data_dir, beside):
            yield from _whole(beside, target)
    except OSError as error:
        raise _unwritable(target, error) from error


def _whole(beside: Path, target: Path) -> Iterator[IO[bytes]]:
    """Yield a file that only its user may read, and rename it when it is whole."""
    try:
        descriptor = os.open(beside, _NEW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _unwritable(target: Path, error: OSError) -> UserError:
    return UserError(
        Phrase("{0} can't be written: {1}.", target, error.strerror or error),
        "Choose a folder that is there, has room, and may be written to.",
    )
