"""Chroma in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
from filelock import FileLock

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import StoreDamaged
from desktop_rag.core.types import ChunkId, DocumentId, KbId
from desktop_rag.index import chroma_process as module
from desktop_rag.index.chroma_process import (
    ChromaEnded,
    ChromaFolder,
    ChromaNotStarted,
    ChromaProcess,
)
from desktop_rag.index.chroma_worker import Reply
from desktop_rag.index.indexes import IndexManager
from testing.narrowing import present
from testing.timeouts import eventually
from tests.catalog.stored_documents import IDENTITY, document, many, put, vector
from tests.index.index_checks import (
    assert_complete,
    chroma_process,
    end_process,
    fed,
    half,
    nearest_text,
    opened,
)
from tests.index.test_chroma import own_vectors, record, rows

_INDEXED = """
import sys
from pathlib import Path
from desktop_rag.catalog.facade import Catalog
from tests.catalog.stored_documents import many, put, vector
from tests.index.index_checks import opened

home = Path(sys.argv[1])
catalog = Catalog.open(home)
kb = catalog.kbs.ensure("default").id
indexes = opened(home, catalog)
put(catalog, kb, "/d/a", many("a", 30))
indexes.of(kb).sync()
indexes.of(kb).replica.feed()
assert indexes.of(kb).replica.state().held == 30
assert len(indexes.of(kb).dense(vector("x"), 5).hits) == 5
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ChromaFolder]:
    made = chroma_process().open(tmp_path / "dense")
    yield made
    made.close()


def test_what_is_put_in_is_found_taken_out_and_told(store: ChromaFolder) -> None:
    assert store.add(iter(rows(0, 250))) == 250
    assert store.add(rows(200, 260)) == 60
    assert (store.count(), store.ids()) == (260, set(range(260)))
    ((best, score), *_) = store.nearest(vector("7"), 5)
    assert best == 7
    assert score == pytest.approx(1.0, abs=1e-3)
    among = store.nearest(vector("7"), 50, {DocumentId(0), DocumentId(3)})
    assert {n for n, _ in among} == {*range(10), *range(30, 40)}
    assert store.nearest(vector("7"), 5, set()) == []
    assert store.reach(own_vectors(0, 260, 20)) == 1.0
    assert store.reach([]) == 1.0
    held = store.vectors([ChunkId(3), ChunkId(999)])
    assert list(held) == [3]
    assert np.allclose(held[ChunkId(3)], vector("3"), atol=1e-3)
    store.delete([ChunkId(3), ChunkId(999)])
    assert store.count() == 259
    store.probe(len(vector("7")))


def test_a_process_that_ended_is_said_to_have_and_the_next_one_has_it_all(tmp_path: Path) -> None:
    process = chroma_process()
    store = process.open(tmp_path / "dense")
    store.add(rows(0, 30))
    end_process(process)
    for ask in (store.count, store.ids, lambda: store.nearest(vector("7"), 5)):
        with pytest.raises(ChromaEnded):
            ask()
    assert store.close() is False
    again = process.open(tmp_path / "dense")
    assert again.ids() == set(range(30))
    with pytest.raises(ChromaEnded):
        store.count()
    assert again.close() is True


def test_a_folder_that_cannot_be_read_costs_the_others_nothing(
    store: ChromaFolder, tmp_path: Path
) -> None:
    store.add(rows(0, 3))
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "chroma.sqlite3").write_bytes(b"no database" * 1000)
    with pytest.raises(StoreDamaged):
        chroma_process().open(broken)
    assert store.count() == 3


def test_two_threads_ask_at_once_and_each_gets_its_own_reply(store: ChromaFolder) -> None:
    store.add(rows(0, 100))
    wrong: list[int] = []

    def ask(first: int) -> None:
        wrong.extend(n for n in range(first, 100, 4) if store.nearest(vector(str(n)), 1)[0][0] != n)

    threads = [threading.Thread(target=ask, args=(first,)) for first in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert wrong == []


def test_who_comes_second_waits_until_the_first_lets_go(tmp_path: Path) -> None:
    first, second = (ChromaProcess(tmp_path / "chroma.lock") for _ in range(2))
    first.open(tmp_path / "dense").add(rows(0, 3))
    found: list[int] = []
    waiting = threading.Thread(
        target=lambda: found.append(second.open(tmp_path / "dense").count()), daemon=True
    )
    waiting.start()
    assert not found
    first.close()
    waiting.join(60)
    second.close()
    assert found == [3]


@pytest.mark.skipif(sys.platform == "win32", reason="there, a process is ended otherwise")
def test_it_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    code = _INDEXED + "print('there', flush=True)\nimport time\ntime.sleep(600)\n"
    asked = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "there\n"
        children = psutil.Process(parent.pid).children()
        assert any("spawn_main" in " ".join(each.cmdline()) for each in children)
        os.kill(parent.pid, signal.SIGKILL)
    _, alive = psutil.wait_procs(children, timeout=30)
    assert alive == []


def test_whoever_indexes_and_searches_imports_no_chroma(tmp_path: Path) -> None:
    code = f"{_INDEXED}print(any(name.startswith('chromadb') for name in sys.modules))\n"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "False\n", done.stderr


def test_without_a_process_vectors_are_compared_until_there_is_one(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 30))
    indexes.of(kb).sync()
    fed(indexes, kb)
    indexes.close()
    process = ChromaProcess(home / "chroma.lock", lock_seconds=0.2)
    with FileLock(home / "chroma.lock"):
        with pytest.raises(ChromaNotStarted, match="could not be started"):
            process.open(home / "elsewhere")
        indexes = IndexManager(home, catalog, IDENTITY, exact_upto=0, process=process)
        text = "a passage number7 of subject0"
        assert nearest_text(catalog, indexes, kb, text) == text
        put(catalog, kb, "/d/b", document("plums"))
        put(catalog, kb, "/d/a", many("b", 30))
        indexes.of(kb).sync()
        indexes.of(kb).replica.feed()
        assert indexes.of(kb).replica.is_behind()
        assert indexes.of(kb).replica.state().behind == 61
        indexes.close()
    process = ChromaProcess(home / "chroma.lock")
    indexes = IndexManager(home, catalog, IDENTITY, exact_upto=0, process=process)
    assert fed(indexes, kb).ids() == set(catalog.documents.chunk_ids(kb))
    assert_complete(catalog, indexes, kb)
    indexes.close()
    process.close()


def test_nobody_waits_for_a_start_again_that_has_just_failed(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    process = ChromaProcess(home / "chroma.lock", lock_seconds=0.2)
    indexes = IndexManager(home, catalog, IDENTITY, exact_upto=0, process=process)
    with FileLock(home / "chroma.lock"):
        put(catalog, kb, "/d/a", many("a", 30))
        indexes.of(kb).sync()
        indexes.of(kb).replica.feed()
    indexes.of(kb).replica.feed()
    assert indexes.of(kb).replica.state().held == 0
    process._failed_at = None
    assert fed(indexes, kb).count() == 30
    indexes.close()
    process.close()


def test_a_search_waits_neither_for_a_process_that_hangs_nor_for_who_waits_for_it(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_ANSWER_SECONDS", 4.0)
    monkeypatch.setattr(module, "_TURN_SECONDS", 0.2)
    process = ChromaProcess(home / "chroma.lock")
    indexes = IndexManager(home, catalog, IDENTITY, exact_upto=0, process=process)
    put(catalog, kb, "/d/a", many("a", 60))
    index = indexes.of(kb)
    index.sync()
    handle = fed(indexes, kb)
    psutil.Process(present(process._process).pid).suspend()
    wide = [replace(record(9), text="w" * 2_000_000)]  # more than a pipe holds
    failed: list[Exception] = []

    def add() -> None:
        try:
            handle.add(wide)
        except StoreDamaged as error:
            failed.append(error)

    writer = threading.Thread(target=add)
    writer.start()
    text = "a passage number7 of subject0"
    while writer.is_alive():
        assert nearest_text(catalog, indexes, kb, text) == text
    assert isinstance(failed[0], ChromaEnded)
    assert nearest_text(catalog, indexes, kb, text) == text
    assert fed(indexes, kb).count() == 60
    assert_complete(catalog, indexes, kb)
    indexes.close()
    process.close()


@pytest.mark.parametrize("end", ["drop", "close"])
def test_who_ends_does_not_wait_for_a_search_in_a_process_that_ends_meanwhile(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(module, "_SEARCH_SECONDS", 1.0)
    process = ChromaProcess(home / "chroma.lock")
    indexes = IndexManager(home, catalog, IDENTITY, exact_upto=0, process=process)
    put(catalog, kb, "/d/a", many("a", 30))
    index = indexes.of(kb)
    index.sync()
    fed(indexes, kb)
    monkeypatch.setattr(module, "_ANSWER_SECONDS", 1.0)  # the feeder may be asking, too
    psutil.Process(present(process._process).pid).suspend()
    search = threading.Thread(target=lambda: index.dense(vector("x"), 5).hits, daemon=True)
    search.start()
    assert eventually(process._asking.locked)
    ending = threading.Thread(target=getattr(index, end), daemon=True)
    ending.start()
    ending.join(60)
    search.join(60)
    assert not ending.is_alive()
    assert not search.is_alive()
    process.close()


def test_what_is_broken_off_leaves_no_reply_to_the_next_question(
    store: ChromaFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add(rows(0, 30))
    process = chroma_process()

    def interrupted() -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(present(process._pipe), "recv_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.nearest(vector("3"), 5)
    with pytest.raises(ChromaEnded):
        store.nearest(vector("7"), 5)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(ids=b"123"),
        Reply(ids=b"12345678", numbers=b"123"),
        Reply(ids=b"12345678" * 2, numbers=b"12345678"),
        Reply(numbers=np.array([np.nan], "<f8").tobytes(), ids=bytes(8)),
    ],
)
def test_a_reply_of_another_form_is_damage(
    store: ChromaFolder, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    store.add(rows(0, 3))
    monkeypatch.setattr(ChromaProcess, "_reply", lambda *_: reply)
    with pytest.raises(StoreDamaged):
        store.nearest(vector("1"), 2)


def test_a_crash_in_one_base_costs_another_no_rebuild(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    other = catalog.kbs.ensure("other").id
    indexes = opened(home, catalog)
    for each in (kb, other):
        put(catalog, each, f"/d/{each}", many(f"b{each}", 30))
        indexes.of(each).sync()
        fed(indexes, each)
    before = half(home, other, "dense")
    for _ in range(2):
        end_process(chroma_process())
        for each in (kb, other):
            assert len(indexes.of(each).dense(vector("x"), 3).hits) == 3
            assert fed(indexes, each).count() == 30
    assert half(home, other, "dense") == before
    assert_complete(catalog, indexes, other)
    indexes.close()


def test_nobody_starts_a_process_that_was_closed(tmp_path: Path) -> None:
    process = ChromaProcess(tmp_path / "chroma.lock")
    process.open(tmp_path / "dense").close()
    process.close()
    with pytest.raises(ChromaNotStarted):
        process.open(tmp_path / "dense")


def test_where_an_unknown_error_came_from_is_logged_without_its_text(
    store: ChromaFolder, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(StoreDamaged, match="ValueError"):
        store._ask("a verb that there is not")
    assert "desktop_rag.index.chroma_worker" in caplog.text
    assert "ValueError" in caplog.text
    assert "a verb" not in caplog.text
