"""Copies of the catalog: two at most, whole, and without a word of what was erased."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop_rag.catalog.copies import CopyScheduler, StoppedError
from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import UserError
from desktop_rag.core.types import KbId
from testing.timeouts import eventually
from tests.catalog.stored_documents import bytes_hold, document, many, put

SECRET = "xylophonequartz"


def rows(path: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"SELECT * FROM {table}").fetchall()


def test_a_copy_has_every_row_but_vectors_and_only_its_user_may_read_it(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    put(catalog, kb, "/d/a", many("a", 450))
    chat = catalog.chats.create("Talk", ("default",))
    catalog.chats.append(chat, "user", "What is it?")
    copy = catalog.database.copies.make()
    for table in ("knowledge_bases", "documents", "chunks", "files", "chats", "messages"):
        assert rows(copy, table) == rows(home / "catalog.sqlite", table)
    with closing(sqlite3.connect(copy)) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        assert connection.execute("PRAGMA user_version").fetchone()[0] > 0
    assert not names & {"embeddings", "outbox", "drafts"}
    assert copy.stat().st_mode & 0o777 == 0o600


def test_two_copies_stay_and_one_of_them_from_another_day(catalog: Catalog, kb: KbId) -> None:
    copies = catalog.database.copies
    first = copies.make()
    day = time.time() - 100_000
    os.utime(first, (day, day))
    for name in ("b", "c", "d"):
        put(catalog, kb, f"/d/{name}", document(name))
        newest = copies.make()
    assert copies.all() == [first, newest]


def test_what_is_erased_is_in_no_copy_any_more(catalog: Catalog, kb: KbId, home: Path) -> None:
    put(catalog, kb, "/d/a", document(f"the {SECRET} is here"))
    catalog.database.copies.make()
    assert len(bytes_hold(home, SECRET)) > 1, "the search by bytes would find it"
    catalog.files.remove(kb, ["/d/a"])
    assert catalog.database.copies.all() == []
    assert bytes_hold(home, SECRET) == []
    catalog.database.copies.make()
    assert bytes_hold(home, SECRET) == []


def test_an_erasure_stops_the_copy_that_is_being_made(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    put(catalog, kb, "/d/a", document(f"the {SECRET} is here"))
    put(catalog, kb, "/d/b", many("b", 400))
    begun, go_on, stopped = threading.Event(), threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        go_on.wait(10)

    def copy() -> None:
        try:
            catalog.database.copies.make(wait)
        except StoppedError:
            stopped.set()

    copying = threading.Thread(target=copy)
    copying.start()
    assert begun.wait(10)
    erasing = threading.Thread(target=catalog.files.remove, args=(kb, ["/d/a"]))
    erasing.start()
    assert eventually(catalog.database.copies._unwanted.is_set)
    go_on.set()
    erasing.join(10)
    copying.join(10)
    assert stopped.is_set()
    assert bytes_hold(home, SECRET) == []


def test_a_kill_between_an_erasure_and_its_copies_is_seen_at_the_next_start(home: Path) -> None:
    catalog = Catalog.open(home)
    kb = catalog.kbs.ensure("default").id
    put(catalog, kb, "/d/a", document(f"the {SECRET} is here"))
    copy = catalog.database.copies.make()
    kept = shutil.copy(copy, home.parent / "kept")
    catalog.files.remove(kb, ["/d/a"])
    shutil.copy(kept, copy)  # the kill came before the copies went
    copying = CopyScheduler(
        catalog.database.copies,
        catalog.database.connect,
        catalog.database.forget,
        after_kill=True,
    )
    copying.close()
    catalog.close()
    assert bytes_hold(home, SECRET) == []
    assert len(list(home.glob("catalog.copy-*"))) == 1, "a small catalog is copied at the end"


def test_an_answer_that_lost_its_quotes_is_no_longer_in_the_copies_either(
    catalog: Catalog, home: Path
) -> None:
    chat = catalog.chats.create("Talk", ("default",))
    message = catalog.chats.append(chat, "user", f"the {SECRET}")
    copies = catalog.database.copies
    copies.make()
    with closing(catalog.database.connect()) as connection:
        assert not copies.drop_stale(connection)
        catalog.chats.revise(message, "nothing", "{}")
        assert copies.drop_stale(connection)
    assert not [name for name in bytes_hold(home, SECRET) if "copy" in name]


def test_a_copy_that_was_cut_short_leaves_the_older_one(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    put(catalog, kb, "/d/a", many("a", 400))
    copies = catalog.database.copies
    older = copies.make()

    def fail() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copies.make(fail)
    assert copies.all() == [older]
    (home / "catalog.copy.new").write_bytes(SECRET.encode())  # what a kill left
    copies.make()
    assert bytes_hold(home, SECRET) == []


def test_a_drive_without_room_gets_no_copy_and_is_told_so(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    nearly_full = SimpleNamespace(total=10**9, used=9 * 10**8, free=10**8)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: nearly_full)
    with pytest.raises(UserError, match="no room for a copy"):
        catalog.database.copies.make()
    assert catalog.database.copies.all() == []


def test_a_copy_is_made_again_soon_after_an_erasure_while_others_follow(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CopyScheduler, "_FIRST", 0.05)
    monkeypatch.setattr(CopyScheduler, "_AFTER_ERASING", 0.5)
    copies = catalog.database.copies
    copying = CopyScheduler(
        copies, catalog.database.connect, catalog.database.forget, after_kill=False
    )
    until = time.monotonic() + 20
    while not copies.all() and time.monotonic() < until:
        time.sleep(0.01)
    (first,) = copies.all()
    catalog.files.remove(kb, ["/d/none"])
    assert copies.all() == []
    while not copies.all() and time.monotonic() < until:
        copies.wanted.set()  # what another erasure does
        time.sleep(0.05)
    assert copies.all() not in ([], [first])
    copying.close()


def test_a_copy_that_goes_while_it_is_looked_at_counts_as_none(
    catalog: Catalog, kb: KbId, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = catalog.database.copies
    copies.make()
    monkeypatch.setattr(type(copies), "all", lambda _: [catalog.database.path.parent / "gone"])
    assert copies.made() == 0.0
    assert copies.is_due(0.0)


def test_copies_go_on_after_the_drive_was_away(
    catalog: Catalog, kb: KbId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CopyScheduler, "_FIRST", 0.01)
    monkeypatch.setattr(CopyScheduler, "_AGAIN", 0.01)
    copies = catalog.database.copies
    real, asked = copies.size, []

    def size() -> int:
        asked.append(1)
        if len(asked) < 3:
            raise OSError(errno.EIO, "Input/output error")
        return real()

    monkeypatch.setattr(copies, "size", size)
    copying = CopyScheduler(
        copies, catalog.database.connect, catalog.database.forget, after_kill=False
    )
    until = time.monotonic() + 60
    while not copies.all() and time.monotonic() < until:
        time.sleep(0.01)
    assert copies.all()
    copying.close()
