from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.catalog.embeddings import Embeddings
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import CatalogDamaged, FileProblem
from desktop_rag.core.events import IndexProgress
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Chunking, Ingest, Settings
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.library_snapshot import is_problem, is_ready
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.retrieval.query import Query
from tests.indexing.indexed_folder import IndexedFolder, done, files, notices, progress, prose

READY, UNCHANGED, MOVED = FileStatus.READY, FileStatus.UNCHANGED, FileStatus.MOVED


def test_a_folder_is_read_and_every_file_gets_an_outcome(library: IndexedFolder) -> None:
    library.write("one.md", f"# One\n\n{prose('harbour')}")
    library.write("below/two.txt", prose("mountain"))
    library.write("empty.txt", "")
    events = library.run()
    assert {library.name(e.path): e.status for e in files(events)} == {
        "one.md": READY,
        "below/two.txt": READY,
        "empty.txt": FileStatus.EMPTY,
    }
    assert done(events).files == {"ready": 2, "empty": 1}
    assert done(events).chunks == sum(e.chunks for e in files(events)) > 0
    assert library.finds("harbour") == {"one.md"}
    assert library.is_sound()


def test_a_chinese_note_of_fifteen_characters_is_ready_and_found(library: IndexedFolder) -> None:
    library.write("note.txt", "会议改到星期三下午两点在二楼。")
    assert library.index() == {"note.txt": READY}
    assert library.finds("会议改到什么时候") == {"note.txt"}


def test_what_reads_files_is_shut_out_of_the_data_folder(library: IndexedFolder) -> None:
    inside, outside = library.home / "notes.txt", library.write("notes.txt", prose("harbour"))
    inside.write_text(prose("harbour"))
    read = library.workspace.parsers.run([inside, outside], CancelToken())
    found = {path: outcome for path, outcome, _ in read}
    assert isinstance(found[inside], FileProblem)
    assert isinstance(found[outside], ParsedDocument)


def test_progress_counts_up_to_all_files(library: IndexedFolder) -> None:
    for i in range(5):
        library.write(f"{i}.txt", prose(f"topic{i}"))
    *seen, last = [p for p in progress(library.run()) if p.stage == "store"]
    assert (last.done, last.current) == (5, "")  # Chroma is told
    assert [p.done for p in seen] == [1, 2, 3, 4, 5]
    assert {p.total for p in seen} == {5}
    assert seen[-1].chunks_per_second > 0


def test_an_empty_folder_is_done_at_once(library: IndexedFolder) -> None:
    events = library.run()
    assert {(p.done, p.total, p.eta) for p in progress(events)} == {(0, 0, None)}
    assert done(events).files == {}


def test_an_unchanged_folder_is_neither_read_nor_embedded_again(library: IndexedFolder) -> None:
    path = library.write("one.md", prose("harbour"))
    library.index()
    before = len(library.embedder.embedded)
    path.chmod(0o644)
    assert library.index() == {"one.md": UNCHANGED}
    os.utime(path)  # touched, with the same content
    assert library.index() == {"one.md": UNCHANGED}
    assert library.index() == {"one.md": UNCHANGED}
    assert len(library.embedder.embedded) == before


def test_of_a_changed_file_only_new_text_is_embedded(library: IndexedFolder) -> None:
    parts = [f"## Part {i}\n\n{prose(f'topic{i}', 12)}" for i in range(6)]
    path = library.write("long.md", "\n\n".join(["# Long", *parts]))
    library.index()
    library.embedder.embedded.clear()
    parts[3] = f"## Part 3\n\n{prose('volcano', 12)}"
    path.write_text("\n\n".join(["# Long", *parts]))
    assert library.index() == {"long.md": READY}
    assert 0 < len(library.embedder.embedded) < 6
    assert all("volcano" in text or "Part 3" in text for text in library.embedder.embedded)
    assert library.finds("volcano") == {"long.md"}
    assert library.finds("topic3") == set()


def test_a_moved_file_keeps_its_chunks(library: IndexedFolder) -> None:
    path = library.write("old name.md", prose("harbour"))
    library.index()
    before = library.chunks(path)
    library.embedder.embedded.clear()
    moved = library.docs / "sub" / "new name.md"
    moved.parent.mkdir()
    path.rename(moved)
    assert library.index() == {"sub/new name.md": MOVED}
    assert library.chunks(moved) == before
    assert library.embedder.embedded == []
    assert library.finds("harbour") == {"sub/new name.md"}


def test_a_deleted_file_no_longer_answers(library: IndexedFolder) -> None:
    library.write("keep.md", prose("harbour"))
    path = library.write("go.md", prose("volcano"))
    library.index()
    path.unlink()
    assert library.index() == {"keep.md": UNCHANGED, "go.md": FileStatus.DELETED}
    assert library.finds("volcano") == set()
    assert library.is_sound()


def test_content_at_several_paths_is_read_once_and_found_at_all(library: IndexedFolder) -> None:
    for i in range(4):
        library.write(f"copy{i}.md", prose("harbour"))
    assert set(library.index().values()) == {READY}
    assert len(library.embedder.embedded) == len(library.chunks(library.docs / "copy0.md"))
    assert library.finds("harbour") == {f"copy{i}.md" for i in range(4)}
    (library.docs / "copy0.md").unlink()
    library.index()
    assert library.finds("harbour") == {"copy1.md", "copy2.md", "copy3.md"}


def test_a_second_knowledge_base_embeds_nothing_again(library: IndexedFolder) -> None:
    library.write("one.md", prose("harbour"))
    library.index()
    library.embedder.embedded.clear()
    request = IndexRequest("second", (str(library.docs),))
    events = list(index_files.run(library.workspace, request, CancelToken()))
    assert [e.status for e in files(events)] == [READY]
    assert library.embedder.embedded == []
    second = library.workspace.catalog.kbs.get("second").id
    assert library.workspace.indexes.of(second).lexical("harbour", 5)


def test_a_root_that_is_away_is_no_deletion(library: IndexedFolder) -> None:
    library.write("one.md", prose("harbour"))
    library.index()
    library.docs.rename(library.docs.with_name("unplugged"))
    events = library.run()
    assert files(events) == []
    assert "cannot be reached" in notices(events)[0]
    assert library.finds("harbour") == {"one.md"}
    library.docs.with_name("unplugged").rename(library.docs)
    assert library.index() == {"one.md": UNCHANGED}


def test_a_folder_that_became_a_file_and_a_file_that_became_a_folder_are_read(
    library: IndexedFolder,
) -> None:
    library.write("a/old.txt", prose("harbour"))
    library.write("b.txt", prose("mountain"))
    library.index(library.docs / "a", library.docs / "b.txt")
    (library.docs / "a" / "old.txt").unlink()
    (library.docs / "a").rmdir()
    (library.docs / "b.txt").unlink()
    library.write("a", prose("desert"))
    library.write("b.txt/new.txt", prose("glacier"))
    seen = library.index(library.docs / "a", library.docs / "b.txt")
    assert seen["a/old.txt"] is seen["b.txt"] is FileStatus.DELETED
    assert seen["b.txt/new.txt"] is READY
    assert library.finds("harbour") == library.finds("mountain") == set()
    assert library.finds("glacier") == {"b.txt/new.txt"}


def test_odd_names_are_no_trouble(library: IndexedFolder) -> None:
    names = ["with space.txt", "emoji 🙂.txt", "new\nline.txt", 'quote\'s "x".txt', "100%_[a]*.txt"]
    for i, name in enumerate(names):
        library.write(name, prose(f"topic{i}"))
    raw = os.fsencode(library.docs) + b"/latin-\xe9\xff.txt"
    Path(os.fsdecode(raw)).write_text(prose("surrogate"))
    wanted = {*names, os.fsdecode(b"latin-\xe9\xff.txt")}
    assert library.index() == dict.fromkeys(wanted, READY)
    assert library.index() == dict.fromkeys(wanted, UNCHANGED)
    assert library.finds("topic2") == {"new\nline.txt"}


def test_a_folder_inside_a_followed_one_gives_each_file_once(library: IndexedFolder) -> None:
    library.write("one.txt", prose("harbour"))
    library.write("inner/two.txt", prose("mountain"))
    assert set(library.index(library.docs, library.docs / "inner")) == {"one.txt", "inner/two.txt"}
    events = library.run(library.docs, library.docs / "inner")
    assert len(files(events)) == 2
    assert library.workspace.catalog.files.counts(library.kb) == {READY: 2}


def test_failed_files_are_told_again_but_read_again_only_when_asked(library: IndexedFolder) -> None:
    path = library.write("broken.pdf", "this is no PDF at all, only a few words of text")
    first = library.run()
    again = library.run()
    assert files(first)[0].status == files(again)[0].status != READY
    assert files(again)[0].reason == files(first)[0].reason != ""
    assert files(again)[0].seconds == 0.0
    assert files(library.run(retry=True))[0].seconds > 0.0
    path.write_text("changed, and still no PDF at all, only words of text")
    assert files(library.run())[0].seconds > 0.0


def test_a_file_above_the_limit_is_not_read(library: IndexedFolder) -> None:
    library.use(Settings(ingest=Ingest(max_megabytes=1)))
    library.write("big.txt", prose("harbour", 40_000))
    library.write("small.txt", prose("mountain"))
    assert library.index() == {"big.txt": FileStatus.TOO_LARGE, "small.txt": READY}


def test_other_chunk_sizes_cut_anew_and_reuse_what_stays_the_same(library: IndexedFolder) -> None:
    library.write("short.md", prose("harbour", 2))
    long = library.write("long.md", prose("mountain", 60))
    library.index()
    before = len(library.chunks(long))
    library.embedder.embedded.clear()
    library.use(Settings(chunking=Chunking(small_tokens=64)))
    assert library.index() == {"short.md": READY, "long.md": READY}
    assert len(library.chunks(long)) > before
    assert not any("harbour" in text for text in library.embedder.embedded)
    assert library.index() == {"short.md": UNCHANGED, "long.md": UNCHANGED}
    assert library.is_sound()


def test_what_another_base_had_under_another_model_is_embedded_anew(library: IndexedFolder) -> None:
    library.write("a.txt", prose("harbour"))
    library.index()
    library.embedder.fingerprint = "another/model"
    request = IndexRequest("second", (str(library.docs),))
    list(index_files.run(library.workspace, request, CancelToken()))
    second = library.workspace.catalog.kbs.get("second").id
    assert library.workspace.catalog.embeddings.missing(second, "another/model") == {}


def test_many_copies_of_what_gives_no_text_all_get_an_outcome(library: IndexedFolder) -> None:
    for i in range(12):
        library.write(f"{i}.txt", "")
        library.write(f"{i}.pdf", "no pdf at all")
    assert done(library.run()).files == {"empty": 12, "corrupt": 12}
    assert FileStatus.QUEUED not in library.workspace.catalog.files.counts(library.kb)


def test_a_file_that_was_named_stays_when_the_folder_around_it_is_looked_at(
    library: IndexedFolder,
) -> None:
    hidden = library.write(".hidden.txt", prose("harbour"))
    library.index(hidden)
    library.write("other.txt", prose("mountain"))
    assert library.index() == {".hidden.txt": UNCHANGED, "other.txt": READY}
    about = list(library.workspace.indexer.update(library.kb, CancelToken(), [str(library.docs)]))
    assert {each.status for each in files(about)} == {UNCHANGED}


def test_a_file_from_the_far_future_is_read(library: IndexedFolder) -> None:
    path = library.write("late.txt", prose("harbour"))
    os.utime(path, (10**10, 10**10))
    assert path.stat().st_mtime_ns > 2**63
    assert library.index() == {"late.txt": READY}
    assert library.index() == {"late.txt": UNCHANGED}


def test_a_file_that_is_still_being_written_is_read_when_it_rests(library: IndexedFolder) -> None:
    path = library.write("growing.txt", prose("harbour"))
    stop = threading.Event()

    def write() -> None:
        with path.open("a") as file:
            for i in range(12):
                file.write(prose(f"addition{i}"))
                file.flush()
                stop.wait(0.1)
            file.write("\n\nThe very last word of it is zeppelin.")

    writer = threading.Thread(target=write)
    writer.start()
    library.index()
    writer.join()
    library.index()  # on a busy computer the file may seem to rest before it does
    assert library.finds("zeppelin") == {"growing.txt"}


def test_another_try_leaves_files_of_other_kinds_unless_they_are_named(
    library: IndexedFolder,
) -> None:
    film = library.write("film.mp4", "frames")
    library.write("broken.pdf", "no pdf")
    library.index()
    again = {library.name(each.path): each.seconds for each in files(library.run(retry=True))}
    assert again["film.mp4"] == 0.0
    assert again["broken.pdf"] > 0.0
    (named,) = files(library.run(film, retry=True))
    assert named.status is FileStatus.UNSUPPORTED
    assert named.seconds > 0.0


def test_a_title_that_is_a_file_s_name_follows_the_file(library: IndexedFolder) -> None:
    first = library.write("draft.txt", prose("pier"))
    library.index()
    assert titles(library, "pier") == ["draft"]
    first.rename(library.docs / "Report on the pier.txt")
    library.index()
    assert titles(library, "pier") == ["Report on the pier"]
    library.write("b.md", "# The lighthouse\n\n" + prose("lighthouse"))
    library.index()
    (library.docs / "b.md").rename(library.docs / "c.md")
    library.index()
    assert titles(library, "lighthouse") == ["The lighthouse"]


def titles(library: IndexedFolder, word: str) -> list[str]:
    """Return the titles of the passages that a search finds first."""
    query = Query(word, (library.kb,), 1)
    return [passage.title for passage in library.workspace.retriever.search(query).passages]


def test_a_file_that_vanishes_before_it_is_read_is_said_to_be_gone(library: IndexedFolder) -> None:
    first, last = (library.write(f"{i:02}.md", prose(f"topic{i}")) for i in (0, 11))
    library.run(only_look=True)
    last.unlink()
    assert library.index(first) == {"00.md": READY, "11.md": FileStatus.DELETED}


def test_a_model_with_another_fingerprint_embeds_what_is_stored(library: IndexedFolder) -> None:
    library.write("one.md", prose("harbour"))
    library.index()
    space = library.workspace
    vectors = len(library.embedder.embedded)
    library.embedder.fingerprint = "another/model"
    library.embedder.embedded.clear()
    library.use(replace(space.settings))
    events = [each for each in library.run() if isinstance(each, IndexProgress)]
    anew = [(each.done, each.total) for each in events if each.stage == "reembed"]
    assert anew == [(vectors, vectors)]
    assert len(library.embedder.embedded) == vectors
    assert space.catalog.embeddings.missing(library.kb, "another/model") == {}


def test_vectors_that_are_not_found_again_are_damage_and_not_made_for_ever(
    library: IndexedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.write("one.md", prose("harbour"))
    library.index()
    library.embedder.fingerprint = "another/model"
    library.use(replace(library.workspace.settings))
    monkeypatch.setattr(Embeddings, "add", lambda *_: None)
    with pytest.raises(CatalogDamaged):
        library.index()


HIDDEN = "Text that the page hides was not read."


def partly_read(library: IndexedFolder, name: str = "page.html") -> Path:
    """Write a page of which something is left out."""
    hidden = '<p style="display: none">Not for the eye of a reader.</p>'
    return library.write(name, f"<html><body><p>{prose('harbour')}</p>{hidden}</body></html>")


def test_what_was_left_out_of_a_file_is_said_whenever_it_is_told_of(library: IndexedFolder) -> None:
    path = partly_read(library)
    library.write("whole.md", prose("mountain"))
    told = [{library.name(each.path): each.reason for each in files(library.run())} for _ in "ab"]
    assert told == [{"page.html": HIDDEN, "whole.md": ""}] * 2
    row = library.workspace.catalog.files.get(library.kb, str(path))
    assert row is not None
    assert (row.status, row.reason) == (READY, HIDDEN)
    assert is_ready(row)
    assert not is_problem(row)
    library.workspace.catalog.files.enqueue(library.kb, [str(path)])
    (waiting,) = library.workspace.catalog.files.under(library.kb, str(path))
    assert waiting.reason == "", "it says nothing of what will be read"


def test_links_that_are_not_followed_are_named(library: IndexedFolder, tmp_path: Path) -> None:
    library.write("whole.md", prose("mountain"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.md").write_text(prose("valley"))
    link, folder = library.docs / "a.md", library.docs / "folder"
    link.symlink_to(elsewhere / "a.md")
    folder.symlink_to(elsewhere)
    to_file, to_folder = notices(library.run())
    assert to_file == (
        f"The link {link} leads out of the folder and is not followed; add that file itself, "
        "or allow it in the settings (ingest.follow_links)."
    )
    assert to_folder == (
        f"The link {folder} leads to another folder and is not followed; add that folder itself."
    )
    (library.docs / "b.md").symlink_to(elsewhere / "a.md")
    (library.docs / "folder2").symlink_to(elsewhere)
    assert [each.count("(2 here, such as ") for each in notices(library.run())] == [1, 1]
