"""Runs that are stopped, or whose files or knowledge base are taken out beside them."""

from __future__ import annotations

import threading
from types import GeneratorType

import pytest

from desktop_rag.commands import index_files, kb_actions, remove
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import FileDone, IndexProgress
from desktop_rag.core.requests import IndexRequest, KbRequest, RemoveRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.indexing import pipeline
from testing.narrowing import narrow
from tests.indexing.indexed_folder import KB, IndexedFolder, done, files, prose

READY, UNCHANGED = FileStatus.READY, FileStatus.UNCHANGED


def test_a_cancelled_run_ends_soon_and_the_next_one_goes_on(library: IndexedFolder) -> None:
    names = [f"{i}.md" for i in range(30)]
    for i, name in enumerate(names):
        library.write(name, prose(f"topic{i}", 40))
    token = CancelToken()
    request = IndexRequest(KB, (str(library.docs),))
    events = index_files.run(library.workspace, request, token)
    ready = [next(event.path for event in events if isinstance(event, FileDone))]
    token.cancel()
    with pytest.raises(Cancelled):
        ready.extend(event.path for event in events if isinstance(event, FileDone))
    assert 0 < len(ready) < 30
    assert library.is_sound()
    second = library.index(library.docs / names[0])  # the rest is taken from the queue
    assert set(second) == (set(names) - set(map(library.name, ready))) | {names[0]}
    assert library.workspace.catalog.files.counts(library.kb) == {READY: 30}


def test_a_run_that_nobody_listens_to_any_more_leaves_nothing_running(
    library: IndexedFolder,
) -> None:
    for i in range(10):
        library.write(f"{i}.md", prose(f"topic{i}", 40))
    events = index_files.run(
        library.workspace, IndexRequest(KB, (str(library.docs),)), CancelToken()
    )
    for event in events:
        if isinstance(event, IndexProgress) and event.stage == "embed":
            break
    narrow(events, GeneratorType).close()
    assert "intake" not in {thread.name for thread in threading.enumerate()}
    assert set(library.index().values()) <= {READY, UNCHANGED}


def test_a_file_that_is_taken_out_while_it_is_read_stays_out(library: IndexedFolder) -> None:
    for i in range(6):
        library.write(f"{i}.md", prose(f"topic{i}", 200))
    events = index_files.run(
        library.workspace, IndexRequest(KB, (str(library.docs),)), CancelToken()
    )
    for event in events:
        if isinstance(event, IndexProgress) and event.stage == "embed":
            rows = library.workspace.catalog.files.under(library.kb)
            waiting = [row.path for row in rows]
            library.workspace.indexer.forget(library.kb, waiting, CancelToken())
            break
    rest = files(list(events))
    assert rest == []
    assert library.workspace.catalog.files.counts(library.kb) == {}
    assert library.is_sound()


def test_what_is_taken_out_while_a_run_looks_through_the_folders_stays_out(
    library: IndexedFolder,
) -> None:
    library.write("kept.txt", prose("harbour"))
    library.write("drafts/old.txt", prose("mountain"))
    library.index()
    library.write("drafts/new.txt", prose("desert"))
    events = index_files.run(
        library.workspace, IndexRequest(KB, (str(library.docs),)), CancelToken()
    )
    assert narrow(next(events), IndexProgress).stage == "scan"
    drafts = RemoveRequest(KB, (str(library.docs / "drafts"),))
    list(remove.run(library.workspace, drafts, CancelToken()))
    assert [library.name(each.path) for each in files(list(events))] == ["kept.txt"]
    assert library.finds("mountain") == library.finds("desert") == set()


def test_what_was_taken_out_is_not_read_for_nothing(
    library: IndexedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "_BATCH", 4)  # all would fit into one, were they read so fast
    for i in range(40):
        library.write(f"{i:02}.md", prose(f"topic{i}", 200))
    events = index_files.run(
        library.workspace, IndexRequest(KB, (str(library.docs),)), CancelToken()
    )
    for event in events:
        if isinstance(event, FileDone):
            rows = library.workspace.catalog.files.under(library.kb)
            library.workspace.indexer.forget(library.kb, [row.path for row in rows], CancelToken())
            break
    list(events)
    assert "topic39" not in " ".join(library.embedder.embedded)


@pytest.mark.parametrize("stage", ["scan", "embed"])
def test_a_run_whose_knowledge_base_is_deleted_ends_without_a_word(
    library: IndexedFolder, stage: str
) -> None:
    for i in range(10):
        library.write(f"{i}.txt", prose(f"topic{i}", 50))
    events = index_files.run(
        library.workspace, IndexRequest(KB, (str(library.docs),)), CancelToken()
    )
    for event in events:
        if isinstance(event, IndexProgress) and event.stage == stage:
            list(kb_actions.run(library.workspace, KbRequest("delete", KB), CancelToken()))
            break
    assert done(list(events)).files == {}
    assert library.workspace.catalog.kbs.all() == []


def test_a_knowledge_base_is_not_deleted_while_a_file_is_stored_in_it(
    library: IndexedFolder,
) -> None:
    library.index(library.write("a.txt", prose("harbour")))
    request = KbRequest("delete", KB)
    deleting = threading.Thread(
        target=lambda: list(kb_actions.run(library.workspace, request, CancelToken()))
    )
    with library.workspace.turns.step:
        deleting.start()
        deleting.join(0.3)
        assert [kb.name for kb in library.workspace.catalog.kbs.all()] == [KB]
    deleting.join()
    assert library.workspace.catalog.kbs.all() == []
