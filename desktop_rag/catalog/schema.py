"""The catalog's tables as they should be: by which a row is known, and judged."""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from desktop_rag.catalog import locators
from desktop_rag.catalog.provenance import original
from desktop_rag.catalog.recovery.btree import SqlValue
from desktop_rag.core.errors import CatalogDamaged
from desktop_rag.core.note_records import NoteKind
from desktop_rag.core.types import BlockKind, FileStatus

KeyOf = Callable[[str, str], str]
"""Makes the key of a chunk's embedding from its context and its text."""
StoredRow = tuple[SqlValue, ...]

_LAYOUT = (
    "SELECT type, name, tbl_name, rootpage FROM sqlite_master WHERE rootpage > 0 ORDER BY rowid"
)
_NO_DOCUMENT = re.compile(r"[\x00-\x08\x0e-\x1f]")
_UNIT = 0.1  # how far a vector's length may be from 1
_LARGEST = 1 << 40  # more rows than any catalog has had


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column. `is_id` marks the row's own number, which is not stored among the values."""

    name: str
    kind: str
    may_be_null: bool
    default: SqlValue
    is_id: bool

    def fits(self, value: SqlValue) -> bool:
        """Say whether a value can stand in this column."""
        if self.is_id:
            return value is None
        if value is None:
            return self.may_be_null
        match self.kind:
            case "TEXT":
                return isinstance(value, str)
            case "INTEGER":
                return isinstance(value, int)
            case "REAL":
                return isinstance(value, (int, float)) and math.isfinite(value)
            case "BLOB":
                return isinstance(value, bytes)
            case _:
                return True


@dataclass(frozen=True, slots=True)
class TableIndex:
    """An index: its table's columns in its order; `is_unique` if they name each row once."""

    name: str
    root: int
    columns: tuple[int, ...]
    is_unique: bool


@dataclass(frozen=True, slots=True)
class CatalogTable:
    """A table with its columns and indexes, and where its tree begins in a new catalog."""

    name: str
    root: int
    columns: tuple[TableColumn, ...]
    indexes: tuple[TableIndex, ...]

    @property
    def id_at(self) -> int | None:
        """Return which column is the row's own number."""
        return next((at for at, each in enumerate(self.columns) if each.is_id), None)

    def row(self, rowid: int, found: Sequence[SqlValue]) -> StoredRow | None:
        """Return a stored record as a row of this table; None where it can be none.

        What was stored before columns came ends earlier: those have their defaults.
        """
        if not 0 < rowid < _LARGEST or len(found) > len(self.columns):
            return None
        if not all(column.fits(value) for column, value in zip(self.columns, found, strict=False)):
            return None
        later = self.columns[len(found) :]
        if any(each.default is None and not each.may_be_null for each in later):
            return None
        full = [*found, *(each.default for each in later)]
        if self.id_at is not None:
            full[self.id_at] = rowid
        return tuple(full)


def tables_of(connection: sqlite3.Connection) -> dict[str, CatalogTable]:
    """Read the tables of a sound catalog, `sqlite_sequence` among them."""
    roots = {name: (kind, of, root) for kind, name, of, root in connection.execute(_LAYOUT)}
    made = {}
    for name, (kind, _, root) in roots.items():
        if kind == "table":
            columns = _columns(connection, name)
            made[name] = CatalogTable(
                name, root, columns, _indexes(connection, name, roots, columns)
            )
    return made


def _columns(connection: sqlite3.Connection, table: str) -> tuple[TableColumn, ...]:
    rows = connection.execute(f"PRAGMA table_info({table})").fetchall()
    alone = sum(1 for row in rows if row[5]) == 1
    return tuple(
        TableColumn(
            name,
            kind.upper(),
            not not_null,
            connection.execute(f"SELECT {default or 'NULL'}").fetchone()[0],
            bool(key) and alone and kind.upper() == "INTEGER",
        )
        for _, name, kind, not_null, default, key in rows
    )


def _indexes(
    connection: sqlite3.Connection,
    table: str,
    roots: Mapping[str, tuple[str, str, int]],
    columns: Sequence[TableColumn],
) -> tuple[TableIndex, ...]:
    made = []
    for _, name, unique, _, partial in connection.execute(f"PRAGMA index_list({table})").fetchall():
        rows = connection.execute(f"PRAGMA index_info({name})").fetchall()
        if partial or any(row[1] < 0 for row in rows):
            continue
        at = tuple(row[1] for row in rows)
        names_row = any(columns[each].is_id for each in at)
        made.append(TableIndex(name, roots[name][2], at, bool(unique) or names_row))
    return tuple(made)


def empty_catalog(scripts: Sequence[str]) -> sqlite3.Connection:
    """Return a new catalog in memory, made by these migrations; close it."""
    made = sqlite3.connect(":memory:", isolation_level=None)
    for script in scripts:
        made.executescript(script)
    return made


def layout(scripts: Sequence[str]) -> dict[str, CatalogTable]:
    """Return the tables that these migrations make."""
    with closing(empty_catalog(scripts)) as made:
        return tables_of(made)


def is_sound(table: str, row: Mapping[str, Any], key_of: KeyOf | None) -> bool:
    """Say whether a row's values are what the program wrote, as far as they can be judged."""
    try:
        for name in _JSON.get(table, ()):
            if not isinstance(json.loads(row[name]), (list, dict)):
                return False
        judge = _JUDGES.get(table)
        return judge is None or judge(row, key_of)
    except (ValueError, TypeError, KeyError, RecursionError, CatalogDamaged):
        return False


def _chunk(row: Mapping[str, Any], key_of: KeyOf | None) -> bool:
    BlockKind(row["kind"])
    place = locators.unpack(row["locator"])
    offsets = (place.start, place.end, *(at for box in place.boxes for at in (box.start, box.end)))
    if not all(at is None or (isinstance(at, int) and at >= 0) for at in offsets):
        return False
    return key_of is None or key_of(row["context"], row["text"]) == original(row["embed_key"])


def _document(row: Mapping[str, Any], _: KeyOf | None) -> bool:
    return row["chunk_count"] >= 0 and all(
        isinstance(each, str) for each in json.loads(row["notes"])
    )


def _file(row: Mapping[str, Any], _: KeyOf | None) -> bool:
    return bool(FileStatus(row["status"]) and row["path"])


def _embedding(row: Mapping[str, Any], _: KeyOf | None) -> bool:
    import numpy as np

    vector = np.frombuffer(row["vector"], "<f2").astype(np.float32)
    return bool(abs(float(np.linalg.norm(vector)) - 1) < _UNIT)  # what is no number is never less


def _adaptation(row: Mapping[str, Any], _: KeyOf | None) -> bool:
    import numpy as np

    numbers = np.frombuffer(row["query_map"] or b"", "<f2")
    is_square = round(len(numbers) ** 0.5) ** 2 == len(numbers)
    return is_square and bool(np.isfinite(numbers).all())


def _message(row: Mapping[str, Any], _: KeyOf | None) -> bool:
    return row["role"] in ("user", "assistant")


def _names(column: str) -> Callable[[Mapping[str, Any], KeyOf | None], bool]:
    def judge(row: Mapping[str, Any], _: KeyOf | None) -> bool:
        return all(isinstance(each, str) for each in json.loads(row[column]))

    return judge


def _noted(row: Mapping[str, Any], _: KeyOf | None) -> bool:
    return bool(NoteKind(row["kind"])) and all(
        isinstance(each, str) for each in json.loads(row["kbs"])
    )


def _base(row: Mapping[str, Any], _: KeyOf | None) -> bool:
    return bool(row["name"]) and len(row["name"]) <= 100 and not _NO_DOCUMENT.search(row["name"])


_JSON = {
    "sources": ("exclude",),
    "documents": ("notes",),
    "chats": ("kbs",),
    "messages": ("payload",),
    "notes": ("payload", "kbs"),
    "saved_questions": ("answers", "kbs"),
    "measured_runs": ("settings", "results"),
    "unread_pages": ("pages",),
    "suggested_questions": ("questions",),
}
_JUDGES: dict[str, Callable[[Mapping[str, Any], KeyOf | None], bool]] = {
    "knowledge_bases": _base,
    "question_sets": _base,
    "chunks": _chunk,
    "documents": _document,
    "files": _file,
    "embeddings": _embedding,
    "derived_vectors": _embedding,
    "kept_answer_vectors": _embedding,
    "retriever_adaptations": _adaptation,
    "derived_texts": lambda row, _: bool(row["text"]) and row["level"] >= 0,
    "messages": _message,
    "chats": _names("kbs"),
    "notes": _noted,
    "sources": _names("exclude"),
    "suggested_questions": _names("questions"),
    "outbox": lambda row, _: row["action"] in ("add", "delete", "update"),
}
