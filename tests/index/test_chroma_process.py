"""Chroma in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest
from filelock import FileLock

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import StoreDamaged
from desktop_rag.core.types import ChunkId, DocumentId, KbId
from desktop_rag.index.chroma_process import (
    ChromaEnded,
    ChromaFolder,
    ChromaNotStarted,
    ChromaProcess,
)
from desktop_rag.index.indexes import IndexManager
from tests.catalog.stored_documents import IDENTITY, document, many, put, vector
from tests.index.index_checks import (
    assert_complete,
    chroma_process,
    dense_index,
    end_process,
    nearest_text,
    opened,
)
from tests.index.test_chroma import rows

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
assert indexes.of(kb).open().chroma.count() == 30
assert len(indexes.of(kb).dense(vector("x"), 5)) == 5
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
    assert store.reach(rows(0, 260)[::20]) == 1.0
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
    indexes.close()
    process = ChromaProcess(home / "chroma.lock", seconds=0.2)
    with FileLock(home / "chroma.lock"):
        with pytest.raises(ChromaNotStarted, match="could not be started"):
            process.open(home / "elsewhere")
        indexes = IndexManager(home, catalog, IDENTITY, exact_upto=0, process=process)
        text = "a passage number7 of subject0"
        assert nearest_text(catalog, indexes, kb, text) == text
        put(catalog, kb, "/d/b", document("plums"))
        put(catalog, kb, "/d/a", many("b", 30))
        indexes.of(kb).sync()
        assert indexes.of(kb).open().chroma is None
        indexes.of(kb).grow()
        indexes.close()
    indexes = IndexManager(home, catalog, IDENTITY, exact_upto=0, process=process)
    assert dense_index(indexes, kb).ids() == set(catalog.documents.ids(kb))
    assert_complete(catalog, indexes, kb)
    indexes.close()
    process.close()


def test_a_rebuild_without_a_process_leaves_it_to_a_later_run(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    process = ChromaProcess(home / "chroma.lock", seconds=0.2)
    indexes = IndexManager(home, catalog, IDENTITY, exact_upto=0, process=process)
    with FileLock(home / "chroma.lock"):
        put(catalog, kb, "/d/a", many("a", 30))
        indexes.of(kb).sync()
        assert_complete(catalog, indexes, kb)
        assert indexes.of(kb).open().chroma is None
    indexes.of(kb).grow()
    assert dense_index(indexes, kb).count() == 30
    indexes.close()
    process.close()
