"""Whether a file is a catalog as this program makes them, and what is wrong in it."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.catalog.provenance import IS_OWN
from desktop_rag.catalog.schema import KeyOf, empty_catalog, is_sound
from desktop_rag.catalog.sqlite_pages import HEADER, DatabasePages

APPLICATION_ID = 0x44524147  # "DRAG"
_LONGEST_LOG = 1 << 25  # bytes of a log that is proved at every start after an unclean end
_FORMATS = (1, 2)
_NEVER_SEEN = re.compile(
    "no such (table|column|index)|has no column|malformed|file format|no column"
)
Shape = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class IntegrityFinding:
    """How many rows of a table, or texts of documents (no table), are not what was written."""

    count: int
    table: str = ""

    @property
    def text(self) -> str:
        """The finding in a few words."""
        if self.table:
            return f"{self.count} rows of {self.table} are not what was written"
        return f"{self.count} texts are not what was written"


def header_fits(path: Path) -> bool:
    """Say whether a file, with its log, has a header that SQLite writes for a catalog."""
    with contextlib.closing(DatabasePages(path)) as image:
        return _is_header(image.header)


def _is_header(header: bytes) -> bool:
    if len(header) < HEADER or not header.startswith(b"SQLite format 3\0"):
        return False
    size = int.from_bytes(header[16:18], "big")
    is_plain = header[20:24] == bytes((0, 64, 32, 32)) and header[72:92] == bytes(20)
    numbers = {at: int.from_bytes(header[at : at + 4], "big") for at in (44, 52, 56, 64)}
    return (
        (size == 1 or size in {512 << power for power in range(7)})
        and header[18] in _FORMATS
        and header[19] in _FORMATS
        and is_plain
        and 1 <= numbers[44] <= 4  # the schema's format
        and numbers[56] == 1  # UTF-8
        and numbers[52] == numbers[64] == 0  # no automatic vacuum
    )


def mark_damaged(path: Path) -> None:
    """Note that a catalog was found damaged, for the next window that opens it."""
    with contextlib.suppress(OSError):
        _doubt(path).touch(mode=0o600)


def is_marked_damaged(path: Path) -> bool:
    """Say whether a catalog was found damaged since it was last known to be sound."""
    return _doubt(path).exists()


def clear_damage_mark(path: Path) -> None:
    """Take the note back."""
    _doubt(path).unlink(missing_ok=True)


def _doubt(path: Path) -> Path:
    return path.with_name(f"{path.stem}.doubted")


def may_be_opened(path: Path) -> bool:
    """Say whether the header is a catalog's, and SQLite will take all that its log has.

    A log that is very long is not proved: that would take seconds.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size > _LONGEST_LOG:
        return True
    with contextlib.closing(DatabasePages(path)) as image:
        return _is_header(image.header) and image.log_is_whole


def table_columns(connection: sqlite3.Connection, schema: str = "main") -> Shape:
    """Return every table's columns."""
    rows = connection.execute(
        f"SELECT name FROM {schema}.sqlite_master "  # noqa: S608
        "WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    return frozenset(
        (name, row[1])
        for (name,) in rows.fetchall()
        for row in connection.execute(f"PRAGMA {schema}.table_info({name})")
    )


def columns_after(scripts: Sequence[str]) -> Shape:
    """Return the columns of a catalog that these migrations made."""
    with contextlib.closing(empty_catalog(scripts)) as made:
        return table_columns(made)


def is_of_damage(error: sqlite3.Error, path: Path, scripts: Sequence[str]) -> bool:
    """Say whether an error of SQLite's comes of damage that it does not call so.

    A column that is missing in a catalog which should have it, a header that is none, a rule that
    is broken by what the file holds: asked where the error would be a fault of ours else.
    """
    if isinstance(error, (sqlite3.ProgrammingError, sqlite3.InterfaceError)):
        return False
    if str(error) == "malformed JSON":  # a column's, or one made of what a column gave
        return True
    try:
        if not header_fits(path):
            return True
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            if _NEVER_SEEN.search(str(error)):
                return table_columns(connection) != columns_after(scripts)
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok")
    except (OSError, sqlite3.DatabaseError):
        return True


def findings(
    connection: sqlite3.Connection,
    key_of: KeyOf | None = None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[IntegrityFinding]:
    """Yield what is wrong in a catalog, row by row, beyond what SQLite itself can see."""
    names = [name for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()]  # fmt: skip
    for name in names:
        check()
        wrong = sum(not is_sound(name, row, key_of) for row in _rows(connection, name))
        if wrong:
            yield IntegrityFinding(wrong, name)
    if {"documents", "chunks"} <= set(names):
        check()
        yield from _texts(connection)


def _texts(connection: sqlite3.Connection) -> Iterator[IntegrityFinding]:
    """Yield how many texts are not what their chunks were cut from, whose own have a hash."""
    wrong = set[int]()
    rows = connection.execute(f"SELECT id FROM documents WHERE {IS_OWN}")  # noqa: S608
    own = {number for (number,) in rows}  # an import may say of its texts what it likes
    for number, start, text in connection.execute(text_parts_sql(connection)):
        if number not in own:
            continue
        chunks = connection.execute(
            "SELECT start, stop, text FROM chunks WHERE document_id = ?1 AND stop > ?2 "
            "AND start < ?3",
            (number, start, start + len(text)),
        )
        if with_chunk_texts(text, chunks, start) != text:
            wrong.add(number)
    wrong |= documents_with_gaps(connection) & own
    if wrong:
        yield IntegrityFinding(len(wrong))


def text_parts_sql(connection: sqlite3.Connection) -> str:
    """Return the query for all parts of texts: document, place of the first character, text."""
    if not has_segments(connection):
        return "SELECT id, 0, text FROM documents"
    return (
        "SELECT id, 0, text FROM documents UNION ALL SELECT document_id, start, text FROM segments"
    )


def has_segments(connection: sqlite3.Connection) -> bool:
    """Say whether a catalog has segments of long texts: earlier versions had none."""
    asked = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'segments'"
    return connection.execute(asked).fetchone() is not None


def documents_with_gaps(connection: sqlite3.Connection) -> set[int]:
    """Return the documents of whose texts parts are missing."""
    if not has_segments(connection):
        return set()
    rows = connection.execute(
        "SELECT document_id FROM (SELECT document_id, segments.start AS start, "
        "coalesce(lag(segments.start + length(segments.text)) OVER "
        "(PARTITION BY document_id ORDER BY segments.start), length(documents.text)) AS due "
        "FROM segments JOIN documents ON documents.id = document_id) WHERE start <> due "
        "UNION SELECT id FROM documents WHERE coalesce((SELECT max(start + length(segments.text)) "
        "FROM segments WHERE document_id = id), length(text)) < "
        "(SELECT max(stop) FROM chunks WHERE document_id = documents.id)"
    )
    return {number for (number,) in rows}


def with_chunk_texts(
    text: str, chunks: Iterable[tuple[int | None, int | None, str]], first: int = 0
) -> str:
    """Return a text in which each chunk stands where it was cut from.

    `first` is the place of the text's first character; of chunks that lie across its ends only the
    part within is looked at. A text from which most chunks were not cut is not ours, as of an
    import, and left as it is.
    """
    placed = []
    for start, stop, part in chunks:
        if start is None or stop is None or not 0 <= start == stop - len(part):
            continue
        begin, end = max(start, first), min(stop, first + len(text))
        if begin < end:
            placed.append((begin - first, end - first, part[begin - start : end - start]))
    wrong = [each for each in placed if text[each[0] : each[1]] != each[2]]
    if len(wrong) * 2 > len(placed):
        return text
    for begin, end, part in wrong:
        text = f"{text[:begin]}{part}{text[end:]}"
    return text


def _rows(connection: sqlite3.Connection, table: str) -> Iterator[Mapping[str, Any]]:
    rows = connection.execute(f"SELECT * FROM {table}")  # noqa: S608
    columns = [each[0] for each in rows.description]
    for row in rows:
        yield dict(zip(columns, row, strict=True))
