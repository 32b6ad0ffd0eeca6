"""Two indexing runs of one knowledge base at once, as two commands beside each other are."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import GeneratorType

from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event, FileDone, IndexDone
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.types import FileStatus
from testing.narrowing import narrow
from tests.indexing.indexed_folder import KB, IndexedFolder, prose


def test_each_tells_its_own_files_alone(library: IndexedFolder) -> None:
    for i in range(8):
        library.write(f"a/{i}.txt", prose(f"alpha{i}", 50))
        library.write(f"b/{i}.txt", prose(f"beta{i}", 50))
    run = index_files.run(library.workspace, _request(library, "a"), CancelToken())
    first: list[Event] = [_first_done(run)]
    second = list(index_files.run(library.workspace, _request(library, "b"), CancelToken()))
    first.extend(run)
    for folder, events in (("a", first), ("b", second)):
        told = [library.name(each.path) for each in events if isinstance(each, FileDone)]
        assert sorted(told) == [f"{folder}/{i}.txt" for i in range(8)]
        assert [each.files for each in events if isinstance(each, IndexDone)] == [{"ready": 8}]


def test_what_an_ended_run_left_is_read_by_the_next(library: IndexedFolder) -> None:
    for i in range(8):
        library.write(f"a/{i}.txt", prose(f"alpha{i}", 50))
    library.write("b/0.txt", prose("beta", 50))
    run = index_files.run(library.workspace, _request(library, "a"), CancelToken())
    done = library.name(_first_done(run).path)
    narrow(run, GeneratorType).close()
    outcomes = library.index(library.docs / "b")
    assert sorted([done, *outcomes]) == [*(f"a/{i}.txt" for i in range(8)), "b/0.txt"]


def test_two_runs_at_once_share_the_work(library: IndexedFolder) -> None:
    for i in range(20):
        library.write(f"{i}.md", prose(f"topic{i}", 20))
    outcomes: list[dict[str, FileStatus]] = []
    threads = [threading.Thread(target=lambda: outcomes.append(library.index())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(each) for each in outcomes] == [20, 20]
    made = [status for each in outcomes for status in each.values()].count(FileStatus.READY)
    assert made == 20
    assert len(library.embedder.embedded) == len(set(library.embedder.embedded))
    assert library.is_sound()


def _first_done(run: Iterator[Event]) -> FileDone:
    """The run goes on from here only as far as it is asked to: its other files wait."""
    return next(event for event in run if isinstance(event, FileDone))


def _request(library: IndexedFolder, folder: str) -> IndexRequest:
    return IndexRequest(KB, (str(library.docs / folder),))
