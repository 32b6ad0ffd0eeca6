"""Catalogs of another version, damaged, or killed while they migrate."""

from __future__ import annotations

import hashlib
import random
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from desktop_rag.catalog import database
from tests.drills.consistency_check import Census, census, differing
from tests.drills.documents import Documents
from tests.drills.program import Program
from tests.drills.report import Score

_MIGRATIONS = Path(database.__file__).parent / "migrations"
_SUBJECTS = "SELECT chat_id, role, text FROM messages ORDER BY id"
_CUTS = ("first page", "middle", "end")


def drill(score: Score, root: Path, kills: int, seed: int) -> None:
    """Open every kind of catalog that a program may meet."""
    with score.timed():
        documents = Documents(root / "documents", 12, seed)
        sound = Program(root / "sound", score)
        sound.must("index", documents.folder)
        _talk(sound, documents)
        wanted = census(sound, documents.queries())
        older = range(1, len(list(_MIGRATIONS.glob("*.sql"))))
        for version in older:
            migrated = _Migrated(score, sound.home, version, documents, wanted)
            _older(migrated, kills // (5 * len(older)) or 1, random.Random(seed + version))
        with score.round("a newer version"):
            _newer(score, root, sound.home)
        for cut in _CUTS:
            with score.round(f"garbled: {cut}"):
                _garbled(score, root, sound.home, cut)


def _older(migrated: _Migrated, kills: int, dice: random.Random) -> None:
    """Open a catalog of an older version, undisturbed and killed while it migrates."""
    with migrated.score.round(f"version {migrated.version}"):
        migrated.look()
    for _ in range(kills):
        with migrated.score.round(f"version {migrated.version}, killed while it migrates"):
            migrated.kill(dice.uniform(0.1, 0.9))


def make_old(catalog: Path, version: int) -> None:
    """Put a catalog of an older version, with all that it can hold, in the place of one."""
    old = catalog.with_name("old.sqlite")
    with closing(sqlite3.connect(old)) as made:
        for script in sorted(_MIGRATIONS.glob("*.sql"))[:version]:
            made.executescript(script.read_text(encoding="utf-8"))
        made.execute("ATTACH ? AS now", (str(catalog),))
        tables = made.execute(
            "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        for (table,) in tables.fetchall():
            names = ", ".join(row[1] for row in made.execute(f"PRAGMA main.table_info({table})"))
            made.execute(f"INSERT INTO main.{table} ({names}) SELECT {names} FROM now.{table}")
        made.execute("DELETE FROM main.sqlite_sequence")
        made.execute("INSERT INTO main.sqlite_sequence SELECT * FROM now.sqlite_sequence")
        made.execute(f"PRAGMA user_version = {version:d}")
        made.commit()
    newer = catalog.parent.glob("catalog.copy-*")  # which no older version could have made
    for part in (*catalog.parent.glob("catalog.sqlite*"), *newer):
        part.unlink()
    old.rename(catalog)


class _Migrated:
    """A data folder of an older version, opened again and again by this one."""

    def __init__(
        self, score: Score, sound: Path, version: int, documents: Documents, wanted: Census
    ) -> None:
        self.score, self.version = score, version
        self._home, self._old = sound.with_name("home"), sound.with_name(f"old-{version}")
        self._documents, self._wanted = documents, wanted
        shutil.copytree(sound, self._old)
        make_old(self._old / "catalog.sqlite", version)
        self._said = _messages(self._old / "catalog.sqlite")

    def look(self) -> None:
        """Search in a fresh copy; compare everything with what it was."""
        home = self._copy()
        Program(home, self.score).must("search", "--json", self._documents.queries()[0])
        self._compare(home)

    def kill(self, seconds: float) -> None:
        """Kill the first start after a while, then start again."""
        home = self._copy()
        program = Program(home, self.score)
        process = program.start("kb", "list")
        time.sleep(seconds)
        program.kill(process)
        program.must("kb", "list")
        self._compare(home)

    def _copy(self) -> Path:
        shutil.rmtree(self._home, ignore_errors=True)
        shutil.copytree(self._old, self._home)
        return self._home

    def _compare(self, home: Path) -> None:
        score, queries = self.score, self._documents.queries()
        found = census(Program(home, score), queries)
        if not found:
            return
        score.lost += found["lost"]
        score.doubled += found["doubled"]
        score.expect(found["contents"] == self._wanted["contents"], "the contents changed")
        answers = (each["answers"]["default"] for each in (found, self._wanted))
        for one, other in zip(*answers, strict=True):
            if difference := differing(one, other):
                score.wrong.append(difference)
        self._compare_conversations(home)

    def _compare_conversations(self, home: Path) -> None:
        """Look for each conversation as one branch in its order, and for the backup."""
        now = home / "catalog.sqlite"
        if _messages(now) != self._said:
            self.score.lost.append("the conversations are not what they were")
        self.score.expect(_is_one_branch(now), "a conversation is no single branch")
        backup = home / f"catalog.before-{self.version + 1:04}.sqlite"
        with closing(sqlite3.connect(backup)) as copy:
            at = copy.execute("PRAGMA user_version").fetchone()[0]
            sound = copy.execute("PRAGMA integrity_check").fetchone()[0]
        whole = (at, sound, _messages(backup)) == (self.version, "ok", self._said)
        self.score.expect(whole, f"the backup is of version {at}, {sound}")


def _talk(program: Program, documents: Documents) -> None:
    """Hold two conversations, the first of them in two goes."""
    queries = documents.queries()
    program.must("ask", queries[0], "--chat", "new")
    program.must("ask", queries[1], "--chat", "new")
    for query in queries[2:4]:
        program.must("ask", query, "--chat", "1")


def _newer(score: Score, root: Path, sound: Path) -> None:
    """Refuse a newer version in a sentence, and leave every byte of it."""
    home = root / "home"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(sound, home)
    with closing(sqlite3.connect(home / "catalog.sqlite")) as connection:
        connection.execute("ALTER TABLE chats ADD COLUMN later TEXT")
        connection.execute("PRAGMA user_version = 9999")
    before = _bytes(home)
    for words in (("search", "x"), ("kb", "list"), ("index", str(root / "documents"))):
        done = Program(home, score).type(*words)
        score.expect(done.status == 1, f"{words[0]} ended with {done.status}")
        score.expect("newer version" in done.err, f"{words[0]} said {done.err}")
    score.expect(_bytes(home) == before, "the folder of a newer version was changed")


def _garbled(score: Score, root: Path, sound: Path, where: str) -> None:
    """Say in a sentence that a catalog is damaged; nothing of it is changed or lost."""
    home = root / "home"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(sound, home)
    catalog = home / "catalog.sqlite"
    content = bytearray(catalog.read_bytes())
    start = {"first page": 0, "middle": len(content) // 3, "end": 2 * len(content) // 3}[where]
    stop = min(len(content), start + len(content) // 3)
    content[start:stop] = random.Random(1).randbytes(stop - start)
    catalog.write_bytes(content)
    said = []
    for words in (("kb", "list"), ("search", "harbour"), ("doctor",)):
        done = Program(home, score).type(*words)
        said.append("damaged" in done.err + done.out)
    score.expect(any(said), "nothing said that the catalog is damaged")
    changed = catalog.read_bytes() != content
    score.expect(not changed, "the damaged catalog was changed")


def _messages(catalog: Path) -> list[tuple[int, str, str]]:
    with closing(sqlite3.connect(catalog)) as connection:
        return connection.execute(_SUBJECTS).fetchall()


def _is_one_branch(catalog: Path) -> bool:
    """Say whether the way back from each conversation's head passes all of its messages."""
    with closing(sqlite3.connect(catalog)) as connection:
        for chat, head in connection.execute("SELECT id, head FROM chats").fetchall():
            rows = connection.execute("SELECT id, parent FROM messages WHERE chat_id = ?", (chat,))
            parents, way, at = dict(rows.fetchall()), [], head
            while at is not None:
                way.append(at)
                at = parents.get(at)
            if way[::-1] != sorted(parents):
                return False
    return True


def _bytes(home: Path) -> dict[str, str]:
    """Return a hash of every file but the log and what processes agree by."""
    return {
        str(file.relative_to(home)): hashlib.blake2b(file.read_bytes()).hexdigest()
        for file in sorted(home.rglob("*"))
        if file.is_file() and "logs" not in file.parts and "owner" not in file.name
    }
