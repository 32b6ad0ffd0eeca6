"""SQLite as the catalog uses it: a connection a thread, one writer, numbered migrations."""

from __future__ import annotations

import contextlib
import logging
import re
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

from desktop_rag.catalog import integrity
from desktop_rag.catalog.copies import Copies
from desktop_rag.catalog.database_file import Connection
from desktop_rag.core.errors import CatalogDamaged, StoreDamaged, UserError
from desktop_rag.core.file_permissions import make_private_file
from desktop_rag.core.phrases import Phrase

_log = logging.getLogger(__name__)
_MIGRATIONS = Path(__file__).parent / "migrations"
_LITTLE = 1_000_000  # bytes that opening a catalog may take
# What SQLite may say for want of room, the extended codes with their kind in the lowest byte.
_HIT = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR}
_NEVER_OF_DAMAGE = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN,
}  # fmt: skip
_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA secure_delete = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA busy_timeout = 10000",
    "PRAGMA temp_store = MEMORY",
)


class _Cursor(sqlite3.Cursor):
    """A cursor that says in words what SQLite meets: a damaged page is found only when read."""

    path = Path()

    def execute(self, *asked: Any) -> Self:
        with _telling(self.path):
            return super().execute(*asked)

    def executemany(self, *asked: Any) -> Self:
        with _telling(self.path):
            return super().executemany(*asked)

    def fetchone(self) -> Any:
        with _telling(self.path):
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with _telling(self.path):
            return super().fetchall()

    def fetchmany(self, size: int | None = None) -> list[Any]:
        with _telling(self.path):
            return super().fetchmany(self.arraysize if size is None else size)

    def __next__(self) -> Any:
        try:  # no context manager: rows are many
            return super().__next__()
        except sqlite3.DatabaseError as error:
            raise _told(error, self.path) from None


class _Connection(Connection):
    """A connection that says in words what SQLite meets, and closes itself when nobody has it."""

    path = Path()

    def execute(self, *asked: Any) -> sqlite3.Cursor:
        return self._cursor().execute(*asked)

    def executemany(self, *asked: Any) -> sqlite3.Cursor:
        return self._cursor().executemany(*asked)

    def _cursor(self) -> _Cursor:
        made = self.cursor(_Cursor)
        made.path = self.path
        return made

    def __del__(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self.close()


class _OfThread:
    """A thread's connection, closed with the thread: nothing refers to this in a circle.

    A connection does, to itself, and would stay open until circles are looked for.
    """

    def __init__(self, connection: _Connection) -> None:
        self.connection = connection

    def __del__(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self.connection.close()


class Database:
    """One SQLite file, brought up to the newest migration when it is opened.

    Raises, with the file unchanged, `CatalogDamaged` when it is not a catalog, and `StoreDamaged`
    when it was made by a newer version. May be used from every thread; close it once, when the
    others have ended.
    """

    def __init__(self, path: Path, migrations: Path = _MIGRATIONS) -> None:
        self.path = path
        self._local = threading.local()
        self._writing = threading.Lock()
        self._forgetting = False
        self.before_write: Callable[[], object] | None = None
        self.copies = Copies(path)
        is_new = not path.exists() or path.stat().st_size == 0
        if self.copies.all() if is_new else not integrity.may_be_opened(path):
            integrity.mark_damaged(path)
            raise CatalogDamaged(path)  # SQLite would begin anew or leave rows out, without a word
        make_private_file(path)
        try:
            self._migrate(migration_steps(migrations), is_new=is_new)
        except sqlite3.DatabaseError as error:
            self.close()
            raise _told(error, path) from error
        except BaseException:
            self.close()
            raise

    def read(self) -> sqlite3.Connection:
        """Return this thread's connection, for SELECT only."""
        held: _OfThread | None = getattr(self._local, "held", None)
        if held is None:
            held = self._local.held = _OfThread(self.connect())
        return held.connection

    def version(self) -> int:
        """Return a figure that changes when another thread or process has written.

        It means something only beside an earlier one of the same thread.
        """
        return int(self.read().execute("PRAGMA data_version").fetchone()[0])

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Hold a connection that sees one moment's state, whatever others write meanwhile."""
        with contextlib.closing(self.connect()) as connection:
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            yield connection

    @contextlib.contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Hold the one write transaction; commit at the end, roll back on any exception.

        What `before_write` raises keeps it from beginning.
        """
        if self.before_write is not None:
            self.before_write()
        connection = self.read()
        with self._writing:
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise
        if self._forgetting:
            self.forget()

    @contextlib.contextmanager
    def undisturbed(self) -> Iterator[None]:
        """Let nobody write meanwhile, without asking the file itself: it may be damaged."""
        with self._writing:
            yield

    def forget(self) -> None:
        """Empty the write-ahead log and drop copies and backups: all may hold removed text.

        A reader in the middle of a query keeps the log; then the next write tries again.
        """
        self.copies.forget()
        for backup in (*self.backups(), *self.set_aside()):
            backup.unlink(missing_ok=True)
        with self._writing:
            busy = self.read().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        self._forgetting = bool(busy)

    def backups(self) -> list[Path]:
        """Return the copies made before migrations, oldest first."""
        return sorted(self.path.parent.glob(f"{self.path.stem}.before-*{self.path.suffix}"))

    def set_aside(self) -> list[Path]:
        """Return the damaged catalogs, and their logs, that were kept when one was recovered."""
        return sorted(self.path.parent.glob(f"{self.path.stem}-damaged-*"))

    def close(self) -> None:
        """Close this thread's connection; those of ended threads are closed already."""
        self._local.held = None

    def connect(self) -> _Connection:
        """Return a connection of the caller's own; close it."""
        connection = sqlite3.connect(
            self.path, isolation_level=None, check_same_thread=False, factory=_Connection
        )
        connection.path = self.path
        connection.count(self.path)
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        return connection

    def _migrate(self, steps: dict[int, str], *, is_new: bool) -> None:
        probe = contextlib.closing(sqlite3.connect(self.path))
        with probe as connection:
            at = int(connection.execute("PRAGMA user_version").fetchone()[0])
            self._refuse_others(connection, at, steps)
        for number in sorted(n for n in steps if n > at):
            if not is_new:
                self._back_up(number)
            self._apply(number, steps[number])

    def _refuse_others(
        self, connection: sqlite3.Connection, at: int, steps: dict[int, str]
    ) -> None:
        """Refuse a newer version's catalog, and one whose tables are not those of its version."""
        known = [steps[number] for number in sorted(steps) if number <= at]
        if at == max(steps):
            return  # what it lacks is seen when it is read
        has, should_have = integrity.table_columns(connection), integrity.columns_after(known)
        if at < max(steps) and has != should_have:
            raise CatalogDamaged(self.path)
        if at > max(steps) and has == should_have:  # a newer version has other tables
            raise CatalogDamaged(self.path)
        if at > max(steps):
            raise StoreDamaged(
                "This data folder was made by a newer version of Desktop RAG.",
                "Update the program, or choose another data folder; nothing was changed.",
            )

    def _back_up(self, number: int) -> None:
        """Copy the catalog; a copy that was cut short, by a kill or a full disk, is none."""
        target = self.path.with_name(f"{self.path.stem}.before-{number:04}{self.path.suffix}")
        draft = target.with_suffix(".new")
        _log.info("Backing up the catalog before migration %d", number)
        draft.unlink(missing_ok=True)
        try:
            with contextlib.closing(sqlite3.connect(draft)) as copy:
                draft.chmod(0o600)
                copy.execute("PRAGMA journal_mode = OFF")  # a half copy is deleted, never mended
                self.read().backup(copy)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)

    def _apply(self, number: int, script: str) -> None:
        with self.write() as tx:
            for statement in _statements(script):
                tx.execute(statement)
            tx.execute(f"PRAGMA user_version = {number:d}")
            tx.execute(f"PRAGMA application_id = {integrity.APPLICATION_ID:d}")


def migration_steps(folder: Path = _MIGRATIONS) -> dict[int, str]:
    """Return the migrations by number."""
    found = {}
    for file in folder.glob("*.sql"):
        if number := re.match(r"\d{4}", file.name):
            found[int(number.group())] = file.read_text(encoding="utf-8")
    return found


def migration_scripts() -> list[str]:
    """Return the migrations in their order."""
    return [script for _, script in sorted(migration_steps().items())]


def _statements(script: str) -> Iterator[str]:
    """Cut a script into statements: `executescript` would commit before the first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


@contextlib.contextmanager
def _telling(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _told(error, path) from None


def _has_room(path: Path) -> bool:
    return shutil.disk_usage(path.parent).free > _LITTLE


def _told(error: sqlite3.DatabaseError, path: Path) -> Exception:
    """Return the error for the user that SQLite's error means, or itself where it is our bug."""
    extended = getattr(error, "sqlite_errorcode", None)
    code = None if extended is None else extended & 0xFF
    if code == sqlite3.SQLITE_FULL or (code in _HIT and not _has_room(path)):
        return UserError("The disk is full.", "Make room and try again.", retryable=True)
    is_no_text = code is None and str(error).startswith("Could not decode")  # and quotes it
    is_told = is_no_text or code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
    is_asked = code not in _NEVER_OF_DAMAGE
    if is_told or (is_asked and integrity.is_of_damage(error, path, migration_scripts())):
        integrity.mark_damaged(path)
        return CatalogDamaged(path)
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
        return UserError(
            Phrase("The catalog {0} cannot be opened for writing.", path),
            "Check the folder's permissions, or choose another data folder.",
        )
    if code == sqlite3.SQLITE_IOERR:
        return UserError(Phrase("The drive does not read or write {0}.", path), "Check the drive.")
    return error
