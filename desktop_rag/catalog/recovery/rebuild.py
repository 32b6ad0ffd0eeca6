"""A sound catalog made of what a damaged one still gives, and of the newest copies."""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_rag.catalog.documents import UNFINISHED_RECIPE
from desktop_rag.catalog.recovery import repair
from desktop_rag.catalog.recovery.btree import SqlValue
from desktop_rag.catalog.recovery.salvage import SEQUENCE, IndexedRows, Salvage, SalvagedRow
from desktop_rag.catalog.schema import CatalogTable, KeyOf, empty_catalog, is_sound, tables_of
from desktop_rag.catalog.sqlite_pages import DatabasePages

_log = logging.getLogger(__name__)
Check = Callable[[], None]
_PER_STEP = 500
_NEVER_CHANGED = ("documents", "chunks")  # under one number there is ever the same
_MADE_ANEW = ("outbox", "outbox_readers")
_VERSION_AT = 60  # in the header


@dataclass(frozen=True, slots=True)
class RebuildSource:
    """What a catalog is made of: the damaged file, the copies, newest first, and the migrations."""

    path: Path
    copies: Sequence[Path]
    scripts: Sequence[str]
    key_of: KeyOf | None


@dataclass(slots=True)
class TableTally:
    """What became of one table's rows. `known` are the numbers of all that there were."""

    known: set[int] = field(default_factory=set)
    held: set[int] = field(default_factory=set)
    mended: set[int] = field(default_factory=set)
    from_copy: set[int] = field(default_factory=set)
    is_exact: bool = True


class Rebuild:
    """Fills a new file beside the damaged one; that one is not touched."""

    def __init__(self, source: RebuildSource, draft: Path, check: Check) -> None:
        self._source = source
        self._draft = draft
        self._check = check
        self._version = 0
        self._sequence: dict[str, int] = {}
        self._known: dict[str, IndexedRows] = {}
        self._broken: set[str] = set()
        self.tallies: dict[str, TableTally] = {}
        self.repaired = repair.RepairCounts()

    def run(self) -> Iterator[str]:
        """Make the draft; yield each table's name before it is read."""
        image = DatabasePages(self._source.path)
        with contextlib.closing(image), contextlib.closing(self._connect()) as new:
            version = self._version = _version(image, self._source.scripts)
            for script in self._source.scripts[:version]:
                new.executescript(script)
            tables = tables_of(new)
            new.execute("BEGIN")
            yield from self._fill(new, tables, Salvage(image, tables, self._source.key_of))
            self._merge(new, tables)
            self.repaired = repair.repair_references(new, self.tallies)
            self._finish(new, tables, version)
        _written(self._draft)

    def _connect(self) -> sqlite3.Connection:
        """Return a connection to an empty draft that only its user may read."""
        self._draft.unlink(missing_ok=True)
        os.close(os.open(self._draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        made = sqlite3.connect(self._draft, isolation_level=None, uri=True)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"):
            made.execute(f"PRAGMA {pragma}")
        return made

    def _fill(
        self, new: sqlite3.Connection, tables: dict[str, CatalogTable], salvage: Salvage
    ) -> Iterator[str]:
        """Enter what the damaged file gives."""
        names = [name for name in tables if name not in (SEQUENCE, *_MADE_ANEW)]
        self.tallies = {name: TableTally() for name in names}
        self._sequence = _highest(salvage)
        for name in names:
            yield name
            self._enter(new, tables[name], salvage.rows(name))
        for name in names:
            known = self._known[name] = salvage.known(name, self.tallies[name].held)
            if known.is_whole and not self.tallies[name].held >= set(known.parts):
                salvage.broken.add(name)
        self._broken = salvage.broken & set(names)
        if self._broken:
            strays = salvage.orphans(sorted(self._broken), self._is_in_copy)
            for found in strays:
                self._enter(new, tables[found.table], [found], strays=True)
        for name in names:
            self._learn(new, tables[name], self._known[name])

    def _enter(
        self,
        new: sqlite3.Connection,
        table: CatalogTable,
        rows: Iterable[SalvagedRow],
        *,
        strays: bool = False,
    ) -> None:
        """Insert rows. One that no tree names counts only if the table's whole index does."""
        tally = self.tallies[table.name]
        insert = _insert(table)
        for number, found in enumerate(rows):
            if number % _PER_STEP == 0:
                self._check()
            if strays and not _may_be(self._known[table.name], found.rowid):
                continue
            if new.execute(insert, _values(table, found)).rowcount:
                tally.held.add(found.rowid)
                if found.is_mended:
                    tally.mended.add(found.rowid)

    def _learn(self, new: sqlite3.Connection, table: CatalogTable, known: IndexedRows) -> None:
        """Note which rows there were, and make those whole that indexes have altogether."""
        tally = self.tallies[table.name]
        tally.is_exact = table.name not in self._broken or known.is_whole
        for rowid, part in known.parts.items():
            if rowid in tally.held or _is_taken(new, table, part):
                continue
            tally.known.add(rowid)
            named = {table.columns[at].name: value for at, value in part.items()}
            row = repair.from_parts(table.name, named)
            judged = row is not None and is_sound(table.name, row, None)
            if row is not None and judged and new.execute(*_partial(table, rowid, row)).rowcount:
                tally.held.add(rowid)
                tally.mended.add(rowid)
        tally.known |= tally.held

    def _is_in_copy(self, rows: list[SalvagedRow]) -> bool:
        """Say whether a copy has a row as well."""
        return any(_holds(copy, rows[0]) for copy in self._source.copies)

    def _merge(self, new: sqlite3.Connection, tables: dict[str, CatalogTable]) -> None:
        """Fill in from each copy what the file no longer gives, the newest copy first."""
        new.execute("COMMIT")  # attached files come and go between transactions
        for copy in self._source.copies:
            with _passing_over(copy):
                new.execute("ATTACH ? AS copied", (f"{copy.as_uri()}?mode=ro",))
                try:
                    self._from_copy(new, tables)
                finally:
                    new.execute("DETACH copied")
        new.execute("BEGIN")

    def _from_copy(self, new: sqlite3.Connection, tables: dict[str, CatalogTable]) -> None:
        there = {row[0] for row in new.execute("SELECT name FROM copied.sqlite_master")}
        form = new.execute("PRAGMA copied.user_version").fetchone()[0]
        is_same_form = form == self._version
        for name, tally in self.tallies.items():
            if name not in there:
                continue
            columns = _shared(new, tables[name])
            with _passing_over(name):
                if name in self._broken:
                    self._fill_in(new, tables[name], columns)
                if name in _NEVER_CHANGED and is_same_form:
                    self._replace(new, tables[name], columns, tally.held)
                elif tally.mended:
                    self._replace(new, tables[name], columns, tally.mended)
            self._check()

    def _fill_in(self, new: sqlite3.Connection, table: CatalogTable, columns: str) -> None:
        """Enter a copy's rows that are missing, unless an index says that they were taken out."""
        tally = self.tallies[table.name]
        rowids = [row[0] for row in new.execute(f"SELECT rowid FROM copied.{table.name}")]  # noqa: S608
        known = self._known[table.name]
        for rowid in rowids:
            if rowid in tally.held or not _may_be(known, rowid):
                continue
            tally.known.add(rowid)
            if self._taken_over(new, table, columns, rowid):
                tally.held.add(rowid)

    def _replace(
        self, new: sqlite3.Connection, table: CatalogTable, columns: str, rowids: Collection[int]
    ) -> None:
        """Put the copy's form in the place of rows that were mended, or that never change."""
        differs = " OR ".join(f"now.{each} IS NOT old.{each}" for each in columns.split(", "))
        changed = [
            row[0]
            for row in new.execute(
                f"SELECT now.rowid FROM {table.name} AS now JOIN copied.{table.name} AS old "  # noqa: S608
                f"ON now.rowid = old.rowid WHERE {differs}"
            )
            if row[0] in rowids
        ]
        for rowid in changed:
            if self._taken_over(new, table, columns, rowid):
                self.tallies[table.name].mended.discard(rowid)

    def _taken_over(
        self, new: sqlite3.Connection, table: CatalogTable, columns: str, rowid: int
    ) -> bool:
        """Take a row from the copy, unless damage had come to it before the copy was made."""
        row = new.execute(
            f"SELECT {columns} FROM copied.{table.name} WHERE rowid = ?",  # noqa: S608
            (rowid,),
        ).fetchone()
        named = dict(zip(columns.split(", "), row or (), strict=False))
        if row is None or not is_sound(table.name, named, self._source.key_of):
            return False
        if table.name == "documents" and named["recipe"] == UNFINISHED_RECIPE:
            return False  # it was being stored when the copy was made
        marks = ", ".join("?" for _ in row)
        verb = "REPLACE" if rowid in self.tallies[table.name].held else "INSERT OR IGNORE"
        made = new.execute(
            f"{verb} INTO {table.name} ({columns}) VALUES ({marks})",
            row,
        )
        if made.rowcount:
            self.tallies[table.name].from_copy.add(rowid)
        return bool(made.rowcount)

    def _finish(
        self, new: sqlite3.Connection, tables: dict[str, CatalogTable], version: int
    ) -> None:
        """Let no number be used again, and mark the file as a catalog."""
        for name, seq in new.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
            self._sequence[name] = max(seq, self._sequence.get(name, 0))
        for name, tally in self.tallies.items():
            if tables[name].id_at is not None:
                highest = max(tally.known, default=0)
                self._sequence[name] = max(highest, self._sequence.get(name, 0))
        new.execute("DELETE FROM sqlite_sequence")
        numbered = [each for each in self._sequence.items() if each[0] in tables]
        new.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", numbered)
        new.execute("COMMIT")
        new.execute(f"PRAGMA user_version = {version:d}")
        new.execute("PRAGMA application_id = 1146241351")  # DRAG


@contextlib.contextmanager
def _passing_over(what: object) -> Iterator[None]:
    """Go on without a copy, or a table of it, that is damaged itself."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise
        _log.warning("%s of a copy can't be read: %s", what, type(error).__name__)


def _version(image: DatabasePages, scripts: Sequence[str]) -> int:
    """Return the migration that a file is at: as its header says, else as its tables do."""
    stated = int.from_bytes(image.header[_VERSION_AT : _VERSION_AT + 4], "big")
    with contextlib.closing(empty_catalog(scripts)) as newest:
        tables = tables_of(newest)
    known = set(Salvage(image, tables, None).stated)
    fitting = []
    for version in range(len(scripts), 0, -1):
        with contextlib.closing(empty_catalog(scripts[:version])) as made:
            if set(tables_of(made)) <= known:
                fitting.append(version)
    if stated in fitting or not fitting:
        return stated if 0 < stated <= len(scripts) else len(scripts)
    return fitting[0]


def _highest(salvage: Salvage) -> dict[str, int]:
    """Return the highest number of each table, where that can still be read."""
    found = (each.row for each in salvage.rows(SEQUENCE))
    return {n: seq for n, seq in found if isinstance(n, str) and isinstance(seq, int) and seq > 0}


def _may_be(known: IndexedRows, rowid: int) -> bool:
    """Say whether a row was still there: what a whole index does not name had been taken out."""
    return known.evidence is None or rowid in known.evidence


def _insert(table: CatalogTable) -> str:
    names = _with_number(table, [each.name for each in table.columns])
    marks = ", ".join("?" for _ in names)
    return f"INSERT OR IGNORE INTO {table.name} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608


def _values(table: CatalogTable, found: SalvagedRow) -> tuple[SqlValue, ...]:
    return found.row if table.id_at is not None else (found.rowid, *found.row)


def _with_number(table: CatalogTable, names: Sequence[str]) -> list[str]:
    """Return columns' names with the row's own number, where that is none of them."""
    return [*names] if table.id_at is not None else ["rowid", *names]


def _partial(table: CatalogTable, rowid: int, row: dict[str, Any]) -> tuple[str, list[Any]]:
    """Return the insertion of a row of which not all columns are known."""
    number = "rowid" if table.id_at is None else table.columns[table.id_at].name
    named = row | {number: rowid}
    marks = ", ".join("?" for _ in named)
    text = f"INSERT OR IGNORE INTO {table.name} ({', '.join(named)}) VALUES ({marks})"  # noqa: S608
    return text, [*named.values()]


def _is_taken(new: sqlite3.Connection, table: CatalogTable, part: Mapping[int, SqlValue]) -> bool:
    """Say whether another row has what must be there once: then an index's number was damaged."""
    for index in table.indexes:
        if not index.is_unique or any(at not in part for at in index.columns):
            continue
        where = " AND ".join(f"{table.columns[at].name} IS ?" for at in index.columns)
        values = [part[at] for at in index.columns]
        if new.execute(f"SELECT 1 FROM {table.name} WHERE {where}", values).fetchone():  # noqa: S608
            return True
    return False


def _shared(new: sqlite3.Connection, table: CatalogTable) -> str:
    """Return the columns that a table has in the copy as well."""
    rows = new.execute(f"PRAGMA copied.table_info({table.name})").fetchall()
    there = {row[1] for row in rows}
    return ", ".join(
        _with_number(table, [each.name for each in table.columns if each.name in there])
    )


def _holds(copy: Path, found: SalvagedRow) -> bool:
    """Say whether a copy has a row just as it is."""
    is_held = False
    with _passing_over(copy):
        uri = f"{copy.as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as there:
            names = there.execute("SELECT name FROM sqlite_master").fetchall()
            if (found.table,) in names:
                rows = there.execute(
                    f"SELECT * FROM {found.table} WHERE rowid = ?",  # noqa: S608
                    (found.rowid,),
                )
                is_held = bool(rows.fetchone() == found.row)
    return is_held


def _written(path: Path) -> None:
    """Wait until a file is on the disk."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
