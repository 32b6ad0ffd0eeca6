from __future__ import annotations

import gc
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from desktop_rag.catalog import database, integrity
from desktop_rag.catalog.database import Database
from desktop_rag.catalog.database_file import FileBytes
from desktop_rag.core.errors import CatalogDamaged, StoreDamaged, UserError
from desktop_rag.core.file_permissions import make_private_file

OURS = Path(database.__file__).parent / "migrations"


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    """Migrations of a later version: ours and one more."""
    folder = tmp_path / "migrations"
    shutil.copytree(OURS, folder)
    later = "CREATE TABLE later (a TEXT);\nINSERT INTO later VALUES ('semi;colon');\n"
    (folder / "0099_later.sql").write_text(later)
    return folder


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


def test_a_new_catalog_is_at_the_newest_migration_without_a_backup(
    tmp_path: Path, steps: Path
) -> None:
    db = Database(tmp_path / "catalog.sqlite", steps)
    assert db.read().execute("SELECT a FROM later").fetchone() == ("semi;colon",)
    assert db.backups() == []
    db.close()


def test_a_migration_keeps_a_copy_of_the_catalog_before_it(tmp_path: Path, steps: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    old = Database(path)
    with old.write() as tx:
        tx.execute("INSERT INTO knowledge_bases (name, created) VALUES ('mine', 1)")
    old.close()
    new = Database(path, steps)
    (backup,) = new.backups()
    assert new.read().execute("SELECT name FROM knowledge_bases").fetchone() == ("mine",)
    new.close()
    assert version(path) == 99
    assert version(backup) < 99
    kept = sqlite3.connect(backup)
    assert kept.execute("SELECT name FROM knowledge_bases").fetchone() == ("mine",)
    kept.close()


def test_a_migration_that_fails_changes_nothing(tmp_path: Path, steps: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    Database(path).close()
    before = version(path)
    (steps / "0099_later.sql").write_text("CREATE TABLE later (a TEXT);\nCREATE TABEL x (b TEXT);")
    with pytest.raises(sqlite3.OperationalError):
        Database(path, steps)
    assert version(path) == before
    db = Database(path)
    tables = {row[0] for row in db.read().execute("SELECT name FROM sqlite_master")}
    assert "later" not in tables
    db.close()


def test_a_newer_catalog_is_refused_and_left_as_it_is(tmp_path: Path, steps: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    Database(path, steps).close()
    before = path.read_bytes()
    with pytest.raises(StoreDamaged, match="newer version"):
        Database(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_catalog_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    path.write_bytes(b"not a database, whatever its name says" * 100)
    before = path.read_bytes()
    with pytest.raises(CatalogDamaged, match="damaged"):
        Database(path)
    assert path.read_bytes() == before


def test_a_transaction_that_fails_leaves_nothing(tmp_path: Path) -> None:
    db = Database(tmp_path / "catalog.sqlite")

    def fail_half_way() -> None:
        with db.write() as tx:
            tx.execute("INSERT INTO knowledge_bases (name, created) VALUES ('half', 1)")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_half_way()
    assert db.read().execute("SELECT count(*) FROM knowledge_bases").fetchone() == (0,)
    with db.write() as tx:
        tx.execute("INSERT INTO knowledge_bases (name, created) VALUES ('whole', 1)")
    assert db.read().execute("SELECT name FROM knowledge_bases").fetchall() == [("whole",)]
    db.close()


def test_a_full_disk_is_said_in_a_sentence(tmp_path: Path) -> None:
    db = Database(tmp_path / "catalog.sqlite")
    pages = db.read().execute("PRAGMA page_count").fetchone()[0]
    db.read().execute(f"PRAGMA max_page_count = {pages + 1}")
    with pytest.raises(UserError, match="disk is full") as told, db.write() as tx:
        tx.execute("INSERT INTO knowledge_bases (name, created) VALUES (?, 1)", ("x" * 100_000,))
    assert told.value.retryable
    db.close()


def test_readers_see_the_last_commit_while_another_thread_writes(tmp_path: Path) -> None:
    db = Database(tmp_path / "catalog.sqlite")
    begun, read = threading.Event(), threading.Event()
    seen: list[int] = []

    def write() -> None:
        with db.write() as tx:
            tx.execute("INSERT INTO knowledge_bases (name, created) VALUES ('new', 1)")
            begun.set()
            assert read.wait(10)

    writer = threading.Thread(target=write)
    writer.start()
    assert begun.wait(10)
    seen += db.read().execute("SELECT count(*) FROM knowledge_bases").fetchone()
    read.set()
    writer.join()
    seen += db.read().execute("SELECT count(*) FROM knowledge_bases").fetchone()
    assert seen == [0, 1]
    db.close()


def test_writers_of_many_threads_wait_for_each_other(tmp_path: Path) -> None:
    db = Database(tmp_path / "catalog.sqlite")

    def write(name: str) -> None:
        for n in range(20):
            with db.write() as tx:
                tx.execute(
                    "INSERT INTO knowledge_bases (name, created) VALUES (?, 1)", (f"{name}{n}",)
                )

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert db.read().execute("SELECT count(*) FROM knowledge_bases").fetchone() == (80,)
    db.close()


def test_a_thread_that_ended_leaves_no_open_connection(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    db = Database(path)
    gc.collect()
    gc.disable()
    try:
        thread = threading.Thread(target=db.read)
        thread.start()
        thread.join()
        db.close()
        assert not path.with_name("catalog.sqlite-wal").exists(), "the last one out removes the log"
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "look", [integrity.may_be_opened, integrity.header_fits, make_private_file]
)
def test_what_reads_the_bytes_of_an_open_catalog_leaves_its_locks(
    tmp_path: Path, look: Callable[[Path], object]
) -> None:
    path = tmp_path / "catalog.sqlite"
    db = Database(path)
    with db.write() as tx:
        tx.execute("INSERT INTO knowledge_bases (name, created) VALUES ('mine', 1)")
    for _ in range(3):
        look(path)
    read_elsewhere(path)
    assert path.with_name("catalog.sqlite-wal").exists(), "it thought itself the last one"
    db.close()
    opened = {Path(file.path) for file in psutil.Process().open_files()}
    assert path not in opened


def test_a_catalog_opened_twice_keeps_its_locks(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    db = Database(path)
    with db.write() as tx:
        tx.execute("INSERT INTO knowledge_bases (name, created) VALUES ('mine', 1)")
    Database(path).close()
    read_elsewhere(path)
    assert path.with_name("catalog.sqlite-wal").exists(), "it thought itself the last one"
    db.close()


def read_elsewhere(path: Path) -> None:
    """Read a catalog in another process, which closes it as the last one if it can."""
    program = (
        "import sqlite3, sys; made = sqlite3.connect(sys.argv[1]);"
        "made.execute('SELECT count(*) FROM knowledge_bases').fetchone(); made.close()"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)


def test_bytes_that_were_cut_meanwhile_are_zeros(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"a" * 20_000)
    with closing(FileBytes(path)) as file:
        path.write_bytes(b"a" * 10)
        assert file[5:15] == b"aaaaa" + bytes(5)
        assert file[19_990:30_000] == bytes(10)
        assert len(file) == 20_000


def test_forgetting_empties_the_log_and_drops_the_backups(tmp_path: Path, steps: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    Database(path).close()
    db = Database(path, steps)
    assert len(db.backups()) == 1
    with db.write() as tx:
        tx.execute("INSERT INTO knowledge_bases (name, created) VALUES ('x', 1)")
    log = path.with_name("catalog.sqlite-wal")
    assert log.stat().st_size > 0
    db.forget()
    assert log.stat().st_size == 0
    assert db.backups() == []
    db.close()


def test_a_reader_in_the_way_of_forgetting_delays_it_to_the_next_write(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    db = Database(path)
    db.read().execute("PRAGMA busy_timeout = 50")
    with db.write() as tx:
        tx.execute("INSERT INTO knowledge_bases (name, created) VALUES ('x', 1)")
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM knowledge_bases").fetchall()
    with db.write() as tx:
        tx.execute("DELETE FROM knowledge_bases")
    db.forget()
    log = path.with_name("catalog.sqlite-wal")
    assert log.stat().st_size > 0
    reader.execute("COMMIT")
    reader.close()
    with db.write() as tx:
        tx.execute("INSERT INTO knowledge_bases (name, created) VALUES ('y', 1)")
    assert log.stat().st_size == 0
    db.close()


def test_damage_that_is_met_while_reading_is_said_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    db = Database(path)
    with db.write() as tx:
        rows = [(f"{n} {'x' * 3000}",) for n in range(40)]
        tx.executemany("INSERT INTO knowledge_bases (name, created) VALUES (?, 1)", rows)
    db.forget()
    db.close()
    content = bytearray(path.read_bytes())
    content[-80_000:-40_000] = bytes(range(1, 201)) * 200
    path.write_bytes(content)
    db = Database(path)
    with pytest.raises(CatalogDamaged, match="damaged"):
        list(db.read().execute("SELECT name FROM knowledge_bases"))
    with pytest.raises(CatalogDamaged, match="damaged"):
        db.read().execute("SELECT name FROM knowledge_bases").fetchall()
    db.close()


def test_a_backup_that_was_cut_short_is_none(tmp_path: Path, steps: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    Database(path).close()
    (tmp_path / "catalog.before-0099.new").write_bytes(b"what a kill left")
    Database(path, steps).close()
    (backup,) = tmp_path.glob("catalog.before-*")
    assert backup.name == "catalog.before-0099.sqlite"
    assert 0 < version(backup) < 99


def test_a_migration_has_its_number_as_its_place() -> None:
    scripts, steps = database.migration_scripts(), database.migration_steps()
    assert len(scripts) == max(steps)
    assert all(script == steps.get(at, "") for at, script in enumerate(scripts, start=1))
