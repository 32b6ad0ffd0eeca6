from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.commands import index_files, remove, show
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import FileDone, ListingRow, Notice
from desktop_rag.core.requests import IndexRequest, RemoveRequest, ShowRequest
from desktop_rag.core.types import FileStatus
from testing.narrowing import narrow
from tests.indexing.indexed_folder import KB, IndexedFolder, Watching, done, files, prose
from tests.indexing.test_pipeline import HIDDEN, partly_read

READY, UNCHANGED, DELETED = FileStatus.READY, FileStatus.UNCHANGED, FileStatus.DELETED


def shown(library: IndexedFolder, *paths: Path | str) -> list[dict[str, Any]]:
    request = ShowRequest((KB,), tuple(map(str, paths)))
    events = list(show.run(library.workspace, request, CancelToken()))
    assert all(isinstance(event, ListingRow) for event in events)
    return [event.as_json() for event in events]


def removed(library: IndexedFolder, *paths: Path | str) -> list[str]:
    request = RemoveRequest(KB, tuple(map(str, paths)))
    ran = remove.run(library.workspace, request, CancelToken())
    events = [narrow(event, FileDone) for event in ran]
    assert {event.status for event in events} <= {DELETED}
    return [library.name(event.path) for event in events]


def test_show_gives_the_chunks_in_order_as_the_contract_says(library: IndexedFolder) -> None:
    path = library.write("one.md", f"# Harbour\n\n{prose('harbour', 40)}")
    library.index()
    rows = shown(library, path)
    assert list(rows[0]) == ["path", "chunk_id", "locator", "kind", "text"]
    assert rows[0]["path"] == str(path)
    assert rows[0]["locator"]["kind"] == "line"
    assert rows[0]["text"].startswith("Harbour")
    starts = [row["locator"]["start"] for row in rows]
    assert len(starts) > 1
    assert starts == sorted(starts)


def test_show_says_first_what_was_left_out(library: IndexedFolder) -> None:
    path = partly_read(library)
    library.index()
    request = ShowRequest((KB,), (str(path),))
    first, *rows = show.run(library.workspace, request, CancelToken())
    assert first == Notice(f"{path}: {HIDDEN}")
    assert rows
    assert all(isinstance(row, ListingRow) for row in rows)


def test_show_of_a_folder_shows_every_file_in_it(library: IndexedFolder) -> None:
    library.write("a/one.txt", prose("harbour"))
    library.write("a/two.txt", prose("mountain"))
    library.write("b/three.txt", prose("valley"))
    library.index()
    assert {library.name(row["path"]) for row in shown(library, library.docs / "a")} == {
        "a/one.txt",
        "a/two.txt",
    }


def test_show_says_what_is_wrong_with_a_path(library: IndexedFolder) -> None:
    empty = library.write("empty.txt", "")
    library.index()
    with pytest.raises(UserError, match="is not indexed"):
        shown(library, library.docs / "unknown.txt")
    with pytest.raises(UserError, match="no text of"):
        shown(library, empty)


def test_removed_files_leave_no_trace_and_do_not_come_back(library: IndexedFolder) -> None:
    path = library.write("one.md", prose("unmistakable harbour"))
    library.write("two.md", prose("mountain"))
    library.index()
    assert removed(library, path) == ["one.md"]
    assert library.finds("unmistakable") == set()
    assert library.index() == {"two.md": UNCHANGED}
    stored = [each for each in library.home.rglob("*") if each.is_file()]
    assert not any(b"unmistakable" in each.read_bytes() for each in stored)


def test_a_removed_folder_is_followed_no_longer(library: IndexedFolder) -> None:
    library.write("one.md", prose("harbour"))
    library.index()
    assert removed(library, library.docs) == ["one.md"]
    assert library.workspace.catalog.kbs.sources(library.kb) == []
    everything = IndexRequest(KB)
    events = list(index_files.run(library.workspace, everything, CancelToken()))
    assert files(events) == []


def test_a_removed_folder_inside_a_followed_one_stays_out(library: IndexedFolder) -> None:
    library.write("in/one.md", prose("harbour"))
    library.write("out/[2024]/two.md", prose("mountain"))
    library.index()
    assert removed(library, library.docs / "out" / "[2024]") == ["out/[2024]/two.md"]
    library.write("out/[2024]/three.md", prose("valley"))
    library.write("out/2/four.md", prose("river"))
    assert library.index() == {"in/one.md": UNCHANGED, "out/2/four.md": READY}


def test_naming_a_removed_file_again_brings_it_back(library: IndexedFolder) -> None:
    path = library.write("one.md", prose("harbour"))
    library.index()
    removed(library, path)
    assert library.index(path) == {"one.md": READY}
    assert library.index() == {"one.md": UNCHANGED}


def test_removing_what_is_not_there_is_an_error(library: IndexedFolder) -> None:
    with pytest.raises(UserError, match="is not in"):
        removed(library, library.docs / "unknown.md")


def test_a_removed_file_stays_out_of_a_running_watch(library: IndexedFolder) -> None:
    path = library.write("one.md", prose("harbour"))
    watching = Watching(library)
    try:
        watching.rounds(1)
        removed(library, path)
        path.write_text(prose("changed harbour"))
        library.write("two.md", prose("mountain"))
        watching.until(("two.md", "ready"))
    finally:
        watching.stop()
    assert library.finds("harbour") == set()


def test_excluded_files_are_not_read_and_go_when_they_were(library: IndexedFolder) -> None:
    library.write("keep.md", prose("harbour"))
    library.write("drafts/one.md", prose("mountain"))
    assert library.index() == {"keep.md": READY, "drafts/one.md": READY}
    assert library.index(exclude=("drafts",)) == {
        "keep.md": UNCHANGED,
        "drafts/one.md": DELETED,
    }
    assert library.index() == {"keep.md": UNCHANGED}


def test_a_single_file_can_be_indexed_and_is_followed_alone(library: IndexedFolder) -> None:
    path = library.write("one.md", prose("harbour"))
    library.write("two.md", prose("mountain"))
    assert library.index(path) == {"one.md": READY}
    sources = library.workspace.catalog.kbs.sources(library.kb)
    assert [(source.path, source.is_folder) for source in sources] == [(str(path), False)]
    path.unlink()
    assert library.index(path) == {"one.md": DELETED}


def test_a_look_at_what_is_not_followed_takes_nothing_out(library: IndexedFolder) -> None:
    """An import brings files of no source; another try at one of them is no removal."""
    path = library.write("one.md", prose("harbour"))
    library.index()
    library.workspace.catalog.kbs.remove_source(library.kb, str(library.docs))
    events = library.run(path, only_known=True, retry=True)
    assert files(events) == []
    assert library.finds("harbour") == {"one.md"}
    library.run(only_known=True)
    assert library.finds("harbour") == {"one.md"}


def test_a_file_address_is_understood(library: IndexedFolder) -> None:
    path = library.write("with space.md", prose("harbour"))
    assert library.index(path.as_uri()) == {"with space.md": READY}


def test_a_path_that_is_not_there_is_told_and_the_others_are_read(library: IndexedFolder) -> None:
    path = library.write("one.md", prose("harbour"))
    events = library.run(path, library.docs / "missing.md")
    assert {library.name(e.path): e.status for e in files(events)} == {
        "missing.md": FileStatus.FAILED,
        "one.md": READY,
    }
    assert done(events).files == {"ready": 1, "failed": 1}
    with pytest.raises(UserError, match="no file or folder"):
        library.run(library.docs / "missing.md")


def test_a_mistyped_path_leaves_no_knowledge_base_behind(library: IndexedFolder) -> None:
    for path in (library.docs / "missing.md", library.home):
        with pytest.raises(UserError):
            list(
                index_files.run(
                    library.workspace, IndexRequest("ghost", (str(path),)), CancelToken()
                )
            )
    assert "ghost" not in library.workspace.catalog.kbs.names()


@pytest.mark.skipif(os.name != "posix", reason="there are no such pipes")
def test_what_is_neither_file_nor_folder_is_not_followed(library: IndexedFolder) -> None:
    pipe = library.docs / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(UserError, match="neither a file nor a folder"):
        library.run(pipe)
    assert library.workspace.catalog.kbs.sources(library.kb) == []


def test_the_programs_own_folder_cannot_be_added(library: IndexedFolder) -> None:
    with pytest.raises(UserError, match="own data"):
        library.run(library.home)
    assert library.index(library.docs.parent) == {}


def test_no_path_at_all_means_everything_that_is_followed(library: IndexedFolder) -> None:
    library.write("one.md", prose("harbour"))
    library.index()
    library.write("two.md", prose("mountain"))
    events = list(index_files.run(library.workspace, IndexRequest(KB), CancelToken()))
    assert {library.name(e.path): e.status for e in files(events)} == {
        "one.md": UNCHANGED,
        "two.md": READY,
    }


def test_a_watch_of_everything_takes_up_folders_that_are_added_later(
    library: IndexedFolder,
) -> None:
    library.write("one.md", prose("harbour"))
    library.index()
    other = library.docs.parent / "other"
    other.mkdir()
    watching = Watching(library, everything=True)
    try:
        watching.rounds(1)
        (other / "two.md").write_text(prose("mountain"))
        library.workspace.catalog.kbs.add_source(library.kb, str(other), is_folder=True)
        watching.until((str(other / "two.md"), "ready"))
        (other / "three.md").write_text(prose("valley"))
        watching.until((str(other / "three.md"), "ready"))
    finally:
        watching.stop()


def test_show_names_the_knowledge_base_that_has_the_file(library: IndexedFolder) -> None:
    path = library.write("one.md", prose("harbour"))
    library.index()
    library.workspace.catalog.kbs.create("other")
    request = ShowRequest(("other",), (str(path),))
    with pytest.raises(UserError, match=f"--kb {KB}"):
        list(show.run(library.workspace, request, CancelToken()))
