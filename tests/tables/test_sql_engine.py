import threading
import time
from collections.abc import Iterator
from decimal import Decimal

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.tables import sql_engine
from desktop_rag.tables.sql_check import QueryRefused
from desktop_rag.tables.sql_engine import QueryFailed, TableDatabase
from tests.tables.conftest import Base

NASTY = 'x"; DROP TABLE t; --'


@pytest.fixture
def database(base: Base) -> Iterator[TableDatabase]:
    rows = "".join(f"{n},{'abc'[n % 3]},{n}.10\n" for n in range(2000))
    base.add_text("data.csv", "Id,Kind,Price\n" + rows)
    made = TableDatabase([base.typed()], CancelToken())
    yield made
    made.close()


@pytest.mark.parametrize(
    "statement",
    [
        "COPY t TO '/tmp/out.csv'",
        "ATTACH '/tmp/other.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "PRAGMA database_list",
        "SET memory_limit = '100GB'",
        "CREATE TABLE u AS SELECT * FROM t",
        "DROP TABLE t",
        "INSERT INTO t VALUES (1, 1, 'a', 1)",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE t",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM glob('*')",
        "SELECT getenv('HOME')",
        "SELECT current_setting('memory_limit')",
        "SELECT * FROM duckdb_settings()",
        "SELECT * FROM information_schema.tables",
        "SELECT * FROM range(1000000000)",
        "SELECT repeat('x', 1000000000)",
        "SELECT list_transform([1], x -> x)",
        "WITH RECURSIVE n AS (SELECT 1 a UNION ALL SELECT a + 1 FROM n) SELECT count(*) FROM n",
        "SELECT (WITH RECURSIVE n AS (SELECT 1 a UNION ALL SELECT 2 FROM n) SELECT max(a) FROM n)",
        "SELECT * FROM other",
        "SHOW TABLES",
        "DESCRIBE t",
        "EXPLAIN ANALYZE SELECT 1",
        "",
        "SELECT " + "1+" * 4000 + "1",
        "how many are there?",
    ],
)
def test_what_is_no_harmless_select_is_refused(database: TableDatabase, statement: str) -> None:
    with pytest.raises(QueryRefused):
        database.query(statement)
    assert database.query("SELECT count(*) FROM t").rows == ((2000,),)


def test_the_database_itself_can_reach_nothing(database: TableDatabase) -> None:
    import duckdb

    for statement in (
        "SELECT * FROM read_csv('/etc/passwd')",
        "COPY t TO '/tmp/desktop-rag-out.csv'",
        "ATTACH '/tmp/desktop-rag-other.db'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SET memory_limit = '100GB'",
        "SELECT * FROM database",  # a Python variable of this function
    ):
        with pytest.raises(duckdb.Error):
            database._run(statement)


def test_a_query_that_takes_too_long_is_stopped_and_the_next_one_runs(
    database: TableDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_engine, "MOST_SECONDS", 0.5)
    began = time.monotonic()
    with pytest.raises(QueryFailed, match=r"more than 0\.5 seconds"):
        database.query("SELECT count(*) FROM t a, t b, t c, t d WHERE a.Price < b.Price")
    assert time.monotonic() - began < 20
    assert database.query("SELECT max(Id) FROM t").rows == ((1999,),)


def test_a_query_that_needs_too_much_memory_ends_with_a_sentence(database: TableDatabase) -> None:
    with pytest.raises(QueryFailed, match=r"MB of memory|seconds"):
        database.query(
            "SELECT count(DISTINCT concat(a.Kind, b.Id, c.Id, 'some more text')) FROM t a, t b, t c"
        )


def test_stop_ends_a_query(base: Base) -> None:
    base.add_text("data.csv", "Id,Price\n" + "".join(f"{n},{n}\n" for n in range(2000)))
    token = CancelToken()
    database = TableDatabase([base.typed()], token)
    threading.Timer(0.3, token.cancel).start()
    with pytest.raises(Cancelled):
        database.query("SELECT count(*) FROM t a, t b, t c, t d WHERE a.Price < b.Price")
    database.close()


def test_names_with_quotes_and_sql_in_them_stay_names(base: Base) -> None:
    base.add_text(
        "data.csv", f'"{NASTY.replace(chr(34), chr(34) * 2)}",Kind\n1,a\'); DROP TABLE t\n2,b\n'
    )
    table = base.typed(NASTY)
    database = TableDatabase([table], CancelToken())
    name, column = sql_engine.quoted(NASTY), sql_engine.quoted(table.columns[0].name)
    assert table.columns[0].name == NASTY
    assert database.query(f"SELECT sum({column}) FROM {name}").rows == ((3,),)
    database.close()


def test_sums_of_decimals_are_exact(base: Base) -> None:
    base.add_text("data.csv", "Id,Price\n" + "".join(f"{n},0.1\n" for n in range(1000)))
    database = TableDatabase([base.typed()], CancelToken())
    assert database.query("SELECT sum(Price) FROM t").rows == ((Decimal("100.0"),),)
    database.close()


@pytest.mark.parametrize(
    ("statement", "rows", "count"),
    [
        ("SELECT sum(Price) FROM t WHERE Id < 3", (0, 1, 2), 3),
        (
            "SELECT Kind, count(*) AS n FROM t WHERE Id > 1997 GROUP BY 1 ORDER BY n",
            (1998, 1999),
            2,
        ),
        ("SELECT Id, Price FROM t ORDER BY 2 DESC LIMIT 2", (1999, 1998), 2),
        ("SELECT count(*) FROM t WHERE Price > (SELECT max(Price) - 1 FROM t)", (1999,), 1),
    ],
)
def test_a_result_tells_the_rows_that_it_rests_on(
    database: TableDatabase, statement: str, rows: tuple[int, ...], count: int
) -> None:
    found = database.query(statement)
    assert (found.rests_on, found.row_count) == (rows, count)


def test_of_a_join_no_rows_are_told(database: TableDatabase) -> None:
    found = database.query("SELECT count(*) FROM t a JOIN t b USING (Id)")
    assert (found.rows, found.rests_on) == (((2000,),), None)
