"""Runs one SELECT over typed tables in DuckDB: in memory, shut off from everything, within limits.

The database reads no file, no network, no environment and no Python variable, loads no extension,
writes nothing outside its memory, and its settings are locked. A query ends after some seconds, or
where it needs more memory than it may.
"""

from __future__ import annotations

import datetime as dt
import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.tables.cell_values import ColumnKind, ColumnValues
from desktop_rag.tables.sql_check import check_query, read_columns, rows_query
from desktop_rag.tables.typed_table import ROW, TypedTable

if TYPE_CHECKING:
    import duckdb

MOST_SECONDS = 10.0
"""How long a query may take."""
MOST_MEMORY_MB = 512
"""What the tables and a query may take of memory together."""
MOST_ROWS = 1000
"""Rows of a result that are read."""
MOST_SOURCES = 500_000
"""Rows of which it is told that a result was made from them."""
_WIDEST = 18  # digits of a decimal whose products can still be told exactly
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 2,
    "memory_limit": f"{MOST_MEMORY_MB}MB",
    "temp_directory": "",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "allow_community_extensions": "false",
}

Value = int | float | Decimal | dt.date | dt.datetime | bool | str | None


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What a query gave: at most `MOST_ROWS` rows, and whether there are more.

    `rests_on` are the rows of the table `table` that it was made from, some of them where they are
    many; `row_count` is how many those are. Both are None where that cannot be told. `columns` are
    the names, as the query writes them, of the columns that it reads.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    seconds: float
    is_cut: bool = False
    rests_on: tuple[int, ...] | None = None
    row_count: int | None = None
    table: str = ""
    columns: tuple[str, ...] = ()


class QueryFailed(UserError):
    """A query that the database refused or stopped; its sentence says why."""


class TableDatabase:
    """Typed tables as a database that can be asked, until it is closed."""

    def __init__(self, tables: Sequence[TypedTable], token: CancelToken) -> None:
        import duckdb

        self._tables = {table.name: table for table in tables}
        self._token = token
        self._connection = duckdb.connect(":memory:", config=_SETTINGS)
        self._run = self._connection.execute
        for table in tables:
            token.check()
            _load(self._connection, table)
        self._run("SET enable_external_access = false")
        self._run("SET python_enable_replacements = false")
        self._run("SET lock_configuration = true")

    def query(self, statement: str, most_sources: int = MOST_SOURCES) -> QueryResult:
        """Return what a SELECT gives, after it was checked, with the rows that it rests on.

        Raises `QueryRefused` for what is no harmless SELECT, `QueryFailed` where it cannot be run
        or takes too long, `Cancelled` when the work is stopped.
        """
        statement = check_query(statement, self._tables, self._parsed)
        began = time.monotonic()
        with self._limits():
            answer = self._run(statement)
            names = tuple(str(each[0]) for each in answer.description or ())
            rows = answer.fetchmany(MOST_ROWS + 1)
        seconds = time.monotonic() - began
        is_cut = len(rows) > MOST_ROWS
        found = tuple(tuple(map(_plain, row)) for row in rows[:MOST_ROWS])
        rests_on, count = self._rests_on(statement, most_sources)
        read = read_columns(statement, self._parsed)
        return QueryResult(names, found, seconds, is_cut, rests_on, count, read.table, read.names)

    def close(self) -> None:
        """Free the memory."""
        self._connection.close()

    def _rests_on(self, statement: str, most: int) -> tuple[tuple[int, ...] | None, int | None]:
        """Return numbers of rows that a query was made from, and how many they are in all."""
        tree = rows_query(statement, self._parsed)
        if tree is None:
            return None, None
        try:
            with self._limits():
                found = self._run("SELECT json_deserialize_sql(?)", [json.dumps(tree)]).fetchone()
                inner = str(found[0]) if found else ""
                counted = self._run(f"SELECT count(*) FROM ({inner})").fetchone()  # noqa: S608
                rows = self._run(inner).fetchmany(most)
        except QueryFailed:
            return None, None
        return tuple(int(row[0]) for row in rows), int(counted[0]) if counted else None

    def _parsed(self, statement: str) -> str:
        """Return DuckDB's tree of a statement as JSON; parsing runs nothing."""
        with self._limits():
            found = self._run("SELECT json_serialize_sql(?)", [statement]).fetchone()
        return str(found[0]) if found else "{}"

    @contextmanager
    def _limits(self) -> Iterator[None]:
        """Stop what runs when its time is up or the token is cancelled; tell why it ended."""
        import duckdb

        late = threading.Event()

        def stop() -> None:
            late.set()
            self._connection.interrupt()

        timer = threading.Timer(MOST_SECONDS, stop)
        timer.daemon = True
        timer.start()
        try:
            with self._token.waking(self._connection.interrupt):
                yield
        except duckdb.Error as error:
            self._token.check()
            raise _failure(error, is_late=late.is_set()) from error
        finally:
            timer.cancel()


def _failure(error: Exception, *, is_late: bool) -> QueryFailed:
    import duckdb

    remedy = "Ask for less at once."
    if is_late:
        seconds = f"{MOST_SECONDS:g}"
        return QueryFailed(Phrase("The query took more than {0} seconds.", seconds), remedy)
    if isinstance(error, duckdb.OutOfMemoryException):
        return QueryFailed(
            Phrase("The query needs more than {0} MB of memory.", MOST_MEMORY_MB), remedy
        )
    told = str(error).split("\n\n", maxsplit=1)[0]
    return QueryFailed(
        Phrase("The database says: {0}", " ".join(told.split())[:400]),
        "Ask the question in other words.",
    )


def quoted(name: str) -> str:
    """Return a name of a table or a column as SQL writes it, whatever stands in it."""
    return '"' + name.replace('"', '""') + '"'


def sql_type(cells: ColumnValues) -> str:
    """Return the type of a column: exact for numbers of up to 30 digits."""
    if cells.kind is ColumnKind.TEXT:
        return "VARCHAR"
    if cells.kind is ColumnKind.DATE:
        moments = (each for each in cells.values if isinstance(each, dt.datetime))
        return "TIMESTAMP" if any(each.time() != dt.time() for each in moments) else "DATE"
    scale = digits = 0
    for value in cells.values:
        if isinstance(value, Decimal):
            _, figures, exponent = value.as_tuple()
            after = max(0, -exponent) if isinstance(exponent, int) else 0
            scale = max(scale, after)
            digits = max(digits, len(figures) - after + max(0, exponent + after))  # type: ignore[operator]
    if not scale and digits <= _WIDEST:
        return "BIGINT"
    if digits + scale <= _WIDEST:
        return f"DECIMAL({_WIDEST}, {scale})"
    return f"DECIMAL(38, {scale})" if digits + scale <= 30 else "DOUBLE"


def _load(connection: duckdb.DuckDBPyConnection, table: TypedTable) -> None:
    """Make a table of the database: its rows' numbers first, then its columns."""
    import numpy as np

    loaded: dict[str, Any] = {"c0": np.arange(table.size, dtype=np.int64)}
    selected = [f"c0 AS {quoted(ROW)}"]
    for at, column in enumerate(table.columns, start=1):
        texts = np.empty(table.size, dtype=object)
        texts[:] = [_text(value) for value in column.cells.values]
        loaded[f"c{at}"] = texts
        kind = sql_type(column.cells)
        selected.append(f"CAST(c{at} AS {kind}) AS {quoted(column.name)}")
    connection.register("loaded", loaded)
    connection.execute(
        f"CREATE TABLE {quoted(table.name)} AS SELECT {', '.join(selected)} FROM loaded"  # noqa: S608
    )
    connection.unregister("loaded")


def _text(value: Decimal | dt.datetime | str | None) -> str | None:
    """Return a value as the database reads it again."""
    if isinstance(value, Decimal):
        return f"{value:f}"
    return value if value is None else str(value)


def _plain(value: Any) -> Value:
    """Return a value of a result as one that is shown; what is no plain value as its text."""
    if value is None or isinstance(value, (bool, int, float, Decimal, dt.date, str)):
        return value
    return str(value)
