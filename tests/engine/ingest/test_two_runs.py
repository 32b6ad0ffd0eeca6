"""Two indexing runs of one knowledge base at once, as two commands beside each other are."""

from __future__ import annotations

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import FileDone, IndexDone, IndexProgress
from desktop_rag.core.requests import IndexRequest
from desktop_rag.engine.operations import index
from tests.engine.ingest.library import KB, Library, prose


def test_each_tells_its_own_files_alone(library: Library) -> None:
    for i in range(8):
        library.write(f"a/{i}.txt", prose(f"alpha{i}", 50))
        library.write(f"b/{i}.txt", prose(f"beta{i}", 50))
    first = index.run(library.workspace, _request(library, "a"), CancelToken())
    for event in first:
        if isinstance(event, IndexProgress) and event.stage == "parse":
            break
    second = list(index.run(library.workspace, _request(library, "b"), CancelToken()))
    rest = list(first)
    for folder, events in (("a", rest), ("b", second)):
        told = [library.name(each.path) for each in events if isinstance(each, FileDone)]
        assert sorted(told) == [f"{folder}/{i}.txt" for i in range(8)]
        assert [each.files for each in events if isinstance(each, IndexDone)] == [{"ready": 8}]


def test_what_an_ended_run_left_is_read_by_the_next(library: Library) -> None:
    for i in range(8):
        library.write(f"a/{i}.txt", prose(f"alpha{i}", 50))
    library.write("b/0.txt", prose("beta", 50))
    first = index.run(library.workspace, _request(library, "a"), CancelToken())
    for event in first:
        if isinstance(event, IndexProgress) and event.stage == "parse":
            first.close()
            break
    outcomes = library.index(library.docs / "b")
    assert sorted(outcomes) == [*(f"a/{i}.txt" for i in range(8)), "b/0.txt"]


def _request(library: Library, folder: str) -> IndexRequest:
    return IndexRequest(KB, (str(library.docs / folder),))
