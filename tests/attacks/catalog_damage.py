"""A catalog damaged at random, forty ways: the program says so, recovers it, and counts what went.

The catalog is one that the program made: a followed folder, an import whose files are nowhere, two
conversations, a question set, a consent. Every other time its copies are gone, too.
"""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.catalog.copies import Copies
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.evaluation_records import GoldPassage, SavedQuestion
from desktop_rag.core.requests import (
    AskRequest,
    DescribeRequest,
    IndexRequest,
    KbRequest,
    RecoverRequest,
    Request,
    SearchRequest,
)
from desktop_rag.ipc.wire import Call
from desktop_rag.runtime import Runtime
from tests.attacks.report import Attack, Report, Task

_PAGE = 4096
_NOBODY = "http://127.0.0.1:9"
_SETTINGS = {"ollama.host": _NOBODY, "retrieval.reranker": "none"}
_FULL, _QUICK = 40, 4
_WORDS = ("harbour", "lantern", "glacier", "orchard", "compass", "granite", "willow", "ember")
_TABLES = {
    "knowledge bases": "knowledge_bases",
    "followed folders": "sources",
    "consents": "consents",
    "files": "files",
    "documents": "documents",
    "chunks": "chunks",
    "conversations": "chats",
    "messages": "messages",
    "question sets": "question_sets",
    "saved questions": "saved_questions",
}
Ids = dict[str, set[int]]
Blow = Callable[[random.Random, bytearray], None]


@dataclass(frozen=True, slots=True)
class Sound:
    """The undamaged data folder, what its catalog has, and the folder that it follows."""

    home: Path
    documents: Path
    ids: Ids


def damage(report: Report, task: Task) -> None:
    """Damage copies of one catalog, each another way."""
    dice = random.Random(task.seed)
    sound = _made(task.folder, dice)
    ways = list(_WAYS.items())
    for number in range(_QUICK if task.is_quick else _FULL):
        kind, blow = ways[number % len(ways)]
        has_copies = (number + number // len(ways)) % 2 == 0
        name = f"{number + 1}, {kind}{'' if has_copies else ', no copies'}"
        with report.attempt(name):
            home = _copied(sound, task.folder / "home", has_copies=has_copies)
            _strike(home, kind, blow, dice)
            _look(report, sound, home)


def _made(root: Path, dice: random.Random) -> Sound:
    """Make the catalog, by the program's own ways."""
    documents, away, home = root / "documents", root / "away", root / "sound"
    for folder in (documents, away):
        folder.mkdir()
        for number in range(8):
            said = [" ".join(dice.choices(_WORDS, k=60)) for _ in range(dice.choice((2, 8, 40)))]
            text = "\n\n".join([f"# {folder.name} {number}", *said])
            (folder / f"{number}.md").write_text(text, encoding="utf-8")
    with _open(home) as house:
        _do(house, IndexRequest("default", (str(documents),)))
        _do(house, IndexRequest("other", (str(away),)))
        _do(house, KbRequest("export", "other", file=str(root / "other.ragkb")))
        _do(house, KbRequest("delete", "other"))
        shutil.rmtree(away)
        _do(house, KbRequest("import", "brought", file=str(root / "other.ragkb")))
        for words in ("harbour lantern", "glacier orchard"):
            _do(house, AskRequest(("default",), f"Where is the {words}?", new_chat=True))
        catalog = house.workspace.catalog
        gold = GoldPassage(str(documents / "0.md"))
        questions = [
            SavedQuestion(0, f"{word}?", (word,), (gold,), ("default",)) for word in _WORDS
        ]
        catalog.questions.save("mine", questions)
        catalog.consents.give(catalog.kbs.get("default").id, "http://10.0.0.9:11434")
        catalog.database.copies.make()
        _do(house, AskRequest(("default",), "And the granite, after the copy?", chat_id=1))
    return Sound(home, documents, _ids(home))


def _copied(sound: Sound, home: Path, *, has_copies: bool) -> Path:
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(sound.home, home)
    if not has_copies:
        for copy in Copies(home / "catalog.sqlite").all():
            copy.unlink()
    return home


def _strike(home: Path, kind: str, blow: Blow, dice: random.Random) -> None:
    """Damage the catalog, or the log beside it that a kill left."""
    catalog = home / "catalog.sqlite"
    if kind == "log":
        catalog = _with_log(catalog)
    content = bytearray(catalog.read_bytes())
    blow(dice, content)
    catalog.write_bytes(content)


def _with_log(catalog: Path) -> Path:
    """Leave a log, as a kill does; return it."""
    log, kept = catalog.with_name("catalog.sqlite-wal"), catalog.with_name("kept")
    with contextlib.closing(sqlite3.connect(catalog, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        for number in range(20):
            connection.execute("INSERT INTO figures VALUES (?, 1.0)", (f"figure {number}",))
        shutil.copy(catalog, kept)
        shutil.copy(log, kept.with_name("kept-wal"))
    kept.replace(catalog)
    kept.with_name("kept-wal").replace(log)
    return log


def _look(report: Report, sound: Sound, home: Path) -> None:
    """See that damage is told as damage, then recover, count, and use the program."""
    with _open(home) as house:
        for request in _every_use(sound, home, "before"):
            with contextlib.suppress(UserError):
                _do(house, request)
    with _open(home) as house:
        lines = _do(house, RecoverRequest())
    report.expect("recovered" in lines[-1], "recover did not end")
    _compare(report, sound, home, {line["kind"]: line for line in lines if "kind" in line})
    with _open(home) as house:
        for request in _every_use(sound, home, "after"):
            _use(report, house, request)
        report.expect(_whole_again(sound, home), "the followed folder is not whole after an index")


def _use(report: Report, house: Runtime, request: Request) -> None:
    lines = _do(house, request)
    wrong = [
        line
        for line in lines
        if line.get("status") == "error" and line.get("name", "").startswith(("catalog", "indexes"))
    ]
    report.expect(not wrong, f"the doctor after an index: {wrong}")
    if isinstance(request, IndexRequest):
        failed = [line for line in lines if line.get("status") == "failed"]
        report.expect(not failed, f"index: {failed}")
    if isinstance(request, SearchRequest):
        report.expect(lines, "a search found nothing")


def _every_use(sound: Sound, home: Path, when: str) -> Iterator[Request]:
    yield KbRequest("list")
    yield IndexRequest("default", (str(sound.documents),))
    yield SearchRequest(("default",), "harbour lantern")
    with contextlib.suppress(UserError, sqlite3.Error):
        for name in _bases(home):
            target = home / f"{name}-{when}.ragkb"
            yield KbRequest("export", name, file=str(target))
            if when == "after":
                yield KbRequest("import", f"{name} again", file=str(target))
    yield DescribeRequest("doctor")


def _bases(home: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(home / "catalog.sqlite")) as connection:
        rows = connection.execute("SELECT name FROM knowledge_bases").fetchall()
    return [name for (name,) in rows if "again" not in name]


def _compare(report: Report, sound: Sound, home: Path, told: dict[str, dict[str, Any]]) -> None:
    """Hold what was said to be lost against what is."""
    if not told:
        return  # it was sound: the damage lay where nothing is
    now = _ids(home)
    for kind, table in _TABLES.items():
        lost = len(sound.ids[table] - now[table])
        new = len(now[table] - sound.ids[table])
        line = told.get(kind, {"lost": 0, "kept": 0, "exact": True})
        is_true = line["lost"] == lost if line["exact"] else line["lost"] <= lost
        report.expect(is_true, f"{lost} {kind} are lost, and {line} was said")
        report.expect(not new, f"{new} {kind} came from nowhere")
        report.expect(line["kept"] == len(now[table]), f"{len(now[table])} {kind}, not {line}")


def _whole_again(sound: Sound, home: Path) -> bool:
    """Say whether every file of the followed folder is ready, with all of its chunks."""
    with contextlib.closing(sqlite3.connect(home / "catalog.sqlite")) as connection:
        rows = connection.execute(
            "SELECT count(*), sum(status = 'ready'), sum(chunk_count = (SELECT count(*) "
            "FROM chunks WHERE document_id = documents.id)) FROM files "
            "LEFT JOIN documents ON documents.id = document_id WHERE path LIKE ? AND kb IN "
            "(SELECT id FROM knowledge_bases WHERE name = 'default')",
            (f"{sound.documents}%",),
        ).fetchone()
    return rows == (8, 8, 8)


def _ids(home: Path) -> Ids:
    with contextlib.closing(sqlite3.connect(home / "catalog.sqlite")) as connection:
        return {
            table: {row[0] for row in connection.execute(f"SELECT rowid FROM {table}")}
            for table in _TABLES.values()
        }


@contextlib.contextmanager
def _open(home: Path) -> Iterator[Runtime]:
    home.mkdir(exist_ok=True)
    house = Runtime(home, _SETTINGS)
    try:
        yield house
    finally:
        house.close()


def _do(house: Runtime, request: Request) -> list[dict[str, Any]]:
    call = Call(request, _SETTINGS)
    events = house.perform(call, CancelToken())
    return [json.loads(json.dumps(event.as_json())) for event in events]


def _bits(dice: random.Random, content: bytearray) -> None:
    for _ in range(dice.choice((1, 5, 40))):
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)


def _zeros(dice: random.Random, content: bytearray) -> None:
    for at in _pages(dice, content, dice.choice((1, 3, 10))):
        content[at : at + _PAGE] = bytes(_PAGE)


def _garbage(dice: random.Random, content: bytearray) -> None:
    for at in _pages(dice, content, dice.choice((1, 3, 10))):
        content[at : at + _PAGE] = dice.randbytes(_PAGE)


def _cut(dice: random.Random, content: bytearray) -> None:
    del content[dice.randrange(len(content)) :]


def _header(dice: random.Random, content: bytearray) -> None:
    for _ in range(dice.choice((1, 3, 30))):
        content[dice.randrange(100)] ^= 1 << dice.randrange(8)


def _first_page(dice: random.Random, content: bytearray) -> None:
    content[100:_PAGE] = dice.choice((bytes(_PAGE - 100), dice.randbytes(_PAGE - 100)))


def _swapped(dice: random.Random, content: bytearray) -> None:
    one, other = dice.sample(range(_PAGE, len(content) - _PAGE, _PAGE), 2)
    kept = content[one : one + _PAGE]
    content[one : one + _PAGE] = content[other : other + _PAGE]
    content[other : other + _PAGE] = kept


def _empty(_dice: random.Random, content: bytearray) -> None:
    content.clear()


def _pages(dice: random.Random, content: bytearray, count: int) -> list[int]:
    return dice.choices(range(_PAGE, len(content), _PAGE), k=count)


_WAYS: dict[str, Blow] = {
    "bits": _bits,
    "zeroed pages": _zeros,
    "cut": _cut,
    "header": _header,
    "first page": _first_page,
    "log": _bits,
    "garbage pages": _garbage,
    "swapped pages": _swapped,
    "empty": _empty,
}

ATTACKS = (Attack("damaged catalog", damage),)
