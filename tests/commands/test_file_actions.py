"""What a user decides of files: left out, taken in again, read first, moved elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.commands import file_actions, index_files, remove
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Event
from desktop_rag.core.requests import FilesRequest, IndexRequest, RemoveRequest
from desktop_rag.core.types import FileStatus
from tests.indexing.indexed_folder import KB, IndexedFolder, files, prose


@pytest.fixture
def library(tmp_path: Path) -> Iterator[IndexedFolder]:
    made = IndexedFolder(tmp_path)
    made.write("boat.md", prose("boat"))
    made.write("drafts/one.md", prose("lighthouse"))
    made.write("drafts/two.md", prose("ferry"))
    yield made
    made.close()


def decided(library: IndexedFolder, action: str, *paths: Path, **rest: Any) -> list[Event]:
    request = FilesRequest(action, KB, tuple(map(str, paths)), **rest)
    return list(file_actions.run(library.workspace, request, CancelToken()))


def looked(library: IndexedFolder, **how: Any) -> dict[str, FileStatus]:
    request = IndexRequest(KB, only_known=True, **how)
    events = index_files.run(library.workspace, request, CancelToken())
    return {library.name(done.path): done.status for done in files(list(events))}


def names(library: IndexedFolder, kb: str = KB) -> list[str]:
    catalog = library.workspace.catalog
    return [library.name(row.path) for row in catalog.files.under(catalog.kbs.get(kb).id)]


def test_an_excluded_file_leaves_no_trace_and_no_look_brings_it_back(
    library: IndexedFolder,
) -> None:
    library.index()
    boat = library.docs / "boat.md"
    (out,) = files(decided(library, "exclude", boat))
    assert (out.path, out.status) == (str(boat), FileStatus.EXCLUDED)
    assert library.finds("boat") == set()
    boat.write_text(prose("boat", 9))
    assert "boat.md" not in looked(library)
    assert b"about the boat" not in everything_under(library.home)
    assert library.is_sound()


def test_an_excluded_folder_comes_back_when_it_is_included(library: IndexedFolder) -> None:
    library.index()
    drafts = library.docs / "drafts"
    decided(library, "exclude", drafts)
    assert names(library) == ["boat.md"]
    library.write("drafts/three.md", prose("pier"))
    assert set(looked(library)) == {"boat.md"}
    decided(library, "include", drafts)
    assert set(looked(library)) == {
        "boat.md",
        "drafts/one.md",
        "drafts/three.md",
        "drafts/two.md",
    }
    assert len(library.workspace.catalog.kbs.sources(library.kb)) == 1


def test_adding_an_excluded_file_takes_it_in_again(library: IndexedFolder) -> None:
    library.index()
    decided(library, "exclude", library.docs / "boat.md")
    library.index(library.docs / "boat.md")
    assert "boat.md" in names(library)
    assert library.workspace.catalog.choices.excluded(library.kb) == []


def test_many_files_are_removed_at_once_and_stay_away(library: IndexedFolder) -> None:
    for n in range(60):
        library.write(f"many/[{n}]*.txt", prose(f"topic{n}"))
    library.index()
    gone = tuple(str(library.docs / f"many/[{n}]*.txt") for n in range(59))
    list(remove.run(library.workspace, RemoveRequest(KB, gone), CancelToken()))
    looked(library)
    assert [name for name in names(library) if name.startswith("many")] == ["many/[59]*.txt"]


def test_a_look_queues_files_and_reads_none(library: IndexedFolder) -> None:
    library.workspace.catalog.kbs.add_source(library.kb, str(library.docs), is_folder=True)
    assert looked(library, only_look=True) == {}
    rows = library.workspace.catalog.files.under(library.kb)
    assert {row.status for row in rows} == {FileStatus.QUEUED}
    assert library.embedder.embedded == []


def test_a_look_at_a_deleted_knowledge_base_makes_none(library: IndexedFolder) -> None:
    request = IndexRequest("gone", (str(library.docs),), only_known=True)
    assert list(index_files.run(library.workspace, request, CancelToken())) == []
    assert list(library.workspace.catalog.kbs.names()) == [KB]


def test_what_is_wanted_first_is_read_first_also_in_the_middle_of_a_run(
    library: IndexedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.indexing.parse_stage._AHEAD", 10)
    monkeypatch.setattr("desktop_rag.indexing.pipeline._BATCH", 4)
    monkeypatch.setattr("desktop_rag.indexing.pipeline._ASK_AGAIN", 0.0)
    for n in range(40):
        library.write(f"{n:02}.txt", prose(f"topic{n}", 8))
    order: list[str] = []
    wanted = library.docs / "39.txt"
    request = IndexRequest(KB, (str(library.docs),))
    for event in index_files.run(library.workspace, request, CancelToken()):
        for done in files([event]):
            order.append(library.name(done.path))
            if len(order) == 1:
                decided(library, "first", wanted)
    assert len(order) == 43
    assert order.index("39.txt") < 30
    row = library.workspace.catalog.files.get(library.kb, str(wanted))
    assert row is not None
    assert library.workspace.catalog.choices.wanted_first(library.kb) == []


def test_a_folder_moves_to_another_knowledge_base_without_being_read_again(
    library: IndexedFolder,
) -> None:
    library.index()
    other = library.workspace.catalog.kbs.create("other").id
    before = len(library.embedder.embedded)
    moved = files(decided(library, "move", library.docs / "drafts", to="other"))
    assert {library.name(done.path) for done in moved} == {"drafts/one.md", "drafts/two.md"}
    assert (names(library), names(library, "other")) == (
        ["boat.md"],
        ["drafts/one.md", "drafts/two.md"],
    )
    assert library.finds("lighthouse") == set()
    assert library.workspace.indexes.of(other).lexical("lighthouse", 5)
    for kb in (KB, "other"):
        list(index_files.run(library.workspace, IndexRequest(kb, only_known=True), CancelToken()))
    assert names(library) == ["boat.md"]
    assert len(library.embedder.embedded) == before
    assert library.is_sound()
    assert library.workspace.indexes.of(other).check() is None


def test_files_have_moved_before_chroma_is_told(
    library: IndexedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UserError("The drive is full.")

    library.index()
    other = library.workspace.catalog.kbs.create("other").id
    monkeypatch.setattr(library.workspace.indexes.of(other).replica, "feed", full)
    moved = files(decided(library, "move", library.docs / "drafts", to="other"))
    assert [each.status for each in moved] == [FileStatus.MOVED] * 2


def test_a_file_that_the_other_has_already_is_there_once(library: IndexedFolder) -> None:
    library.index()
    other = library.workspace.catalog.kbs.create("other").id
    boat = library.docs / "boat.md"
    list(index_files.run(library.workspace, IndexRequest("other", (str(boat),)), CancelToken()))
    decided(library, "move", boat, to="other")
    assert names(library, "other") == ["boat.md"]
    assert "boat.md" not in names(library)
    assert library.workspace.indexes.of(other).check() is None


def test_nothing_moves_to_where_it_is(library: IndexedFolder) -> None:
    library.index()
    with pytest.raises(UserError, match="already"):
        decided(library, "move", library.docs, to=KB)


def test_the_patterns_of_a_folder_are_changed(library: IndexedFolder) -> None:
    library.index()
    decided(library, "patterns", library.docs, globs=("drafts", " *.bak ", ""))
    looked(library)
    assert names(library) == ["boat.md"]
    (source,) = library.workspace.catalog.kbs.sources(library.kb)
    assert source.exclude == ("drafts", "*.bak")


def everything_under(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_very_many_are_decided_of_in_seconds(library: IndexedFolder) -> None:
    for n in range(1_500):
        library.write(f"many/{n:04}.txt", "x")
    looked_at = (str(library.docs),)
    request = IndexRequest(KB, looked_at, only_look=True)
    list(index_files.run(library.workspace, request, CancelToken()))
    library.workspace.catalog.kbs.create("other")
    paths = [library.docs / f"many/{n:04}.txt" for n in range(1_500)]
    began = time.process_time()  # of this process alone: the machine may be busy
    decided(library, "exclude", *paths[:500])
    decided(library, "include", *paths[:500])
    decided(library, "move", *paths[500:1_000], to="other")
    gone = tuple(map(str, paths[1_000:]))
    list(remove.run(library.workspace, RemoveRequest(KB, gone), CancelToken()))
    looked(library, only_look=True)
    assert time.process_time() - began < 20  # with a look at every row for each it was minutes
    assert len([name for name in names(library) if name.startswith("many")]) == 500
    assert len(names(library, "other")) == 500
