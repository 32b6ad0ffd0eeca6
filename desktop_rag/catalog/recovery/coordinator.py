"""Brings a damaged catalog back: a new file beside it takes its name when it is whole.

catalog.recovered.new         is being made
catalog.recovered             is whole, and about to take the catalog's place; so is it after a kill
catalog-damaged-<time>.sqlite what was damaged, until something is removed for good or the user
                              deletes it
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from desktop_rag.catalog import integrity
from desktop_rag.catalog.copies import Copies
from desktop_rag.catalog.recovery.rebuild import Rebuild, RebuildSource, TableTally
from desktop_rag.catalog.schema import KeyOf
from desktop_rag.core.errors import StoreDamaged, UserError
from desktop_rag.core.phrases import Phrase

Check = Callable[[], None]
KINDS = (
    "knowledge_bases", "sources", "exclusions", "consents", "files", "documents", "chunks",
    "chats", "messages", "drafts", "question_sets", "saved_questions", "gold_passages",
    "measured_runs", "notes", "embeddings",
)  # fmt: skip
_SPARE = 200_000_000  # bytes that stay free beside the new file


@dataclass(frozen=True, slots=True)
class TableCount:
    """What became of one kind of row; `from_copy` are among `kept`.

    `is_exact` is false where so much is damaged that more may have been lost than is known of.
    `made_again` vectors are of chunks that have none.
    """

    kind: str
    kept: int
    lost: int
    from_copy: int
    is_exact: bool
    made_again: int = 0


@dataclass(frozen=True, slots=True)
class RecoveryOutcome:
    """A recovered catalog: what is kept and lost, and where the damaged file lies, if one was.

    `renamed` knowledge bases, conversations and question sets have new names; `short` documents
    are not whole.
    """

    counts: tuple[TableCount, ...]
    aside: Path | None
    renamed: int
    short: int


def is_damaged(path: Path, scripts: list[str], key_of: KeyOf | None, check: Check) -> bool:
    """Say whether a catalog is damaged; every page and row is read.

    Raises a `StoreDamaged` where a newer version made it, which knows how to read it.
    """
    try:
        is_there = path.exists() and path.stat().st_size > 0
        if not (is_there and integrity.may_be_opened(path)):
            return True
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            return not _is_sound(connection, scripts, key_of, check)
    except sqlite3.DatabaseError:
        return True


def _is_sound(
    connection: sqlite3.Connection, scripts: list[str], key_of: KeyOf | None, check: Check
) -> bool:
    at = int(connection.execute("PRAGMA user_version").fetchone()[0])
    has = integrity.table_columns(connection)
    if at > len(scripts) and has != integrity.columns_after(scripts):
        raise StoreDamaged(
            "This data folder was made by a newer version of Desktop RAG.",
            "Update the program, or choose another data folder; nothing was changed.",
        )
    if not 0 < at <= len(scripts) or has != integrity.columns_after(scripts[:at]):
        return False
    check()
    if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
        return False
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        return False
    return next(integrity.findings(connection, key_of, check), None) is None


def finish_replacement(path: Path) -> None:
    """Go on where a kill came between the new catalog and its place."""
    for left in path.parent.glob(f"{path.stem}.remains*"):  # of an export that was killed
        left.unlink(missing_ok=True)
    for draft in ("recovered.new", "copy.new"):  # of a recovery, or a copy, that was killed
        path.with_name(f"{path.stem}.{draft}").unlink(missing_ok=True)
    whole = _whole(path)
    if whole.exists():
        for name in ("-wal", "-shm"):  # the damaged file's: they would be laid over the new one
            path.with_name(f"{path.name}{name}").unlink(missing_ok=True)
        whole.replace(path)


@contextlib.contextmanager
def rebuilt_for_export(
    path: Path, scripts: list[str], key_of: KeyOf, check: Check
) -> Iterator[Path]:
    """Make a sound catalog of what a damaged one gives, for as long as the body runs."""
    draft = path.with_name(f"{path.stem}.remains{path.suffix}")
    try:
        for _ in Rebuild(_source(path, scripts, key_of), draft, check).run():
            check()
        yield draft
    finally:
        for left in path.parent.glob(f"{path.stem}.remains*"):
            left.unlink(missing_ok=True)


def _source(path: Path, scripts: list[str], key_of: KeyOf) -> RebuildSource:
    """Return what a catalog can be made of; a copy made before a migration comes last."""
    backups = sorted(path.parent.glob(f"{path.stem}.before-*{path.suffix}"))
    return RebuildSource(path, [*backups, *Copies(path).all()][::-1], scripts, key_of)


class Recovery:
    """Recovers one catalog, which nobody has open."""

    def __init__(self, path: Path, scripts: list[str], key_of: KeyOf) -> None:
        self._path = path
        self._source = _source(path, scripts, key_of)

    def has_source(self) -> bool:
        """Say whether there is a catalog, its log or a copy: anything to make one of."""
        log = self._path.with_name(f"{self._path.name}-wal")
        return bool(self._source.copies) or self._path.exists() or log.exists()

    def run(self, check: Check) -> Iterator[str | RecoveryOutcome]:
        """Yield each table's name as it is read, and the outcome last.

        The damaged file is not touched before the new one is whole; stopped, nothing is changed.
        """
        self._require_room()
        draft = self._path.with_name(f"{self._path.stem}.recovered.new")
        rebuild = Rebuild(self._source, draft, check)
        try:
            yield from rebuild.run()
            counts = _counts(draft, rebuild.tallies, rebuild.repaired.missing)
            aside = self._put_in_place(draft)
        finally:
            draft.unlink(missing_ok=True)
        repaired = rebuild.repaired
        yield RecoveryOutcome(counts, aside, repaired.renamed, repaired.short)

    def _require_room(self) -> None:
        held = [self._path, *self._source.copies[:1]]
        wanted = sum(each.stat().st_size for each in held if each.exists()) + _SPARE
        free = shutil.disk_usage(self._path.parent).free
        if free < wanted:
            raise UserError(
                "The drive has no room for a recovered catalog beside the damaged one.",
                Phrase("Make {0} GB of room and try again.", f"{(wanted - free) / 1e9:.1f}"),
                retryable=True,
            )

    def _put_in_place(self, draft: Path) -> Path | None:
        """Keep the damaged file aside under another name, and give the new one its place."""
        now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
        aside = self._path.with_name(f"{self._path.stem}-damaged-{now}{self._path.suffix}")
        for ending in ("-wal", ""):
            old = self._path.with_name(f"{self._path.name}{ending}")
            if old.exists() and old.stat().st_size:
                _keep(old, aside.with_name(f"{aside.name}{ending}"))
        shutil.rmtree(self._path.parent / "indexes", ignore_errors=True)  # made anew at the start
        draft.replace(_whole(self._path))
        finish_replacement(self._path)
        return aside if aside.exists() else None


def _whole(path: Path) -> Path:
    return path.with_name(f"{path.stem}.recovered")


def _keep(old: Path, aside: Path) -> None:
    """Give a file a second name, or copy it where the drive knows no such thing."""
    try:
        os.link(old, aside)
    except OSError:
        shutil.copyfile(old, aside)
    aside.chmod(0o600)


def _counts(draft: Path, tallies: dict[str, TableTally], chunks: int) -> tuple[TableCount, ...]:
    """Count what the new catalog has against what is known to have been there."""
    made = []
    with contextlib.closing(sqlite3.connect(draft)) as new:
        for kind in (*KINDS, *(name for name in tallies if name not in KINDS)):
            tally = tallies.get(kind, TableTally())
            rows = new.execute(f"SELECT rowid FROM {kind}")  # noqa: S608
            held = {row[0] for row in rows}
            lost = max(len(tally.known - held), chunks if kind == "chunks" else 0)
            count = TableCount(kind, len(held), lost, len(tally.from_copy & held), tally.is_exact)
            made.append(replace(count, made_again=_bare(new)) if kind == "embeddings" else count)
    return tuple(made)


def _bare(new: sqlite3.Connection) -> int:
    """Count the chunks that have no vector."""
    row = new.execute(
        "SELECT count(*) FROM chunks WHERE embed_key NOT IN (SELECT embed_key FROM embeddings)"
    ).fetchone()
    return int(row[0])
