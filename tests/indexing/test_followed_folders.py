"""How people's programs change folders: what a followed knowledge base makes of each way."""

from __future__ import annotations

import shutil
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.indexing.source_paths import case_on_disk
from tests.indexing.indexed_folder import IndexedFolder, Watching, files, prose


def saved_by_renaming(path: Path, text: str) -> None:
    """Write a new file and rename it over the old one: gedit, most programs on Linux."""
    draft = path.with_name(f".goutputstream-{path.stem}")
    draft.write_text(text)
    draft.replace(path)


def saved_with_backup(path: Path, text: str) -> None:
    """Rename the old file away, write the new one, delete the old: vim."""
    path.rename(path.with_name(f"{path.name}~"))
    path.write_text(text)
    path.with_name(f"{path.name}~").unlink()


def saved_as_word_does(path: Path, text: str) -> None:
    """Lock, write a temporary file, swap it with the old one, delete that and the lock."""
    lock, draft = path.with_name(f"~${path.name}"), path.with_name("~WRD0001.tmp")
    lock.write_text("owner")
    draft.write_text(text)
    path.rename(path.with_name("~WRL0002.tmp"))
    draft.rename(path)
    path.with_name("~WRL0002.tmp").unlink()
    lock.unlink()


def saved_in_place(path: Path, text: str) -> None:
    """Empty the file and write it bit by bit: simple programs, and copies over a network."""
    with path.open("w") as file:
        for start in range(0, len(text), 40):
            file.write(text[start : start + 40])
            file.flush()
            time.sleep(0.01)


@pytest.mark.parametrize(
    "save", [saved_by_renaming, saved_with_backup, saved_as_word_does, saved_in_place]
)
def test_a_saved_file_is_read_again_and_stays_one_file(
    library: IndexedFolder, save: Callable[[Path, str], object]
) -> None:
    path = library.write("report.md", prose("harbour"))
    watching = Watching(library)
    try:
        watching.rounds(1)
        save(path, prose("volcano"))
        until(lambda: library.finds("volcano") == {"report.md"})
    finally:
        watching.stop()
    assert {name for name, _ in watching.outcomes()} == {"report.md"}
    assert library.finds("harbour") == set()
    assert library.is_sound()


def test_an_archive_that_is_unpacked_while_watched_is_read_whole(library: IndexedFolder) -> None:
    unpacked(library, 600)


@pytest.mark.slow
def test_ten_thousand_files_that_are_unpacked_while_watched_are_read_whole(
    library: IndexedFolder,
) -> None:
    unpacked(library, 10_000)


def unpacked(library: IndexedFolder, count: int) -> None:
    """Unpack an archive of many files of few contents, and wait until all are searchable."""
    packed = library.home.parent / "many.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(count):
            text = f"# Topic {number % 20}\n\n{prose(f'topic{number % 20}')}"
            archive.writestr(f"folder{number % 50}/file{number}.md", text)
    watching = Watching(library)
    try:
        watching.rounds(1)
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(library.docs)
        until(lambda: ready(library) == count, seconds=60 + count / 20)
    finally:
        watching.stop()
    named = [name for name, status in watching.outcomes() if status in ("ready", "unchanged")]
    assert len(set(named)) == count
    assert len(library.embedder.embedded) == len(set(library.embedder.embedded))
    assert len(library.finds("topic7")) == len(range(7, count, 20))
    assert library.is_sound()


def test_a_folder_moved_to_another_knowledge_base_is_neither_read_nor_embedded_again(
    library: IndexedFolder,
) -> None:
    for number in range(3):
        library.write(f"moving/{number}.md", prose(f"topic{number}"))
    library.run(library.docs)
    other = library.home.parent / "other docs"
    other.mkdir()
    space = library.workspace
    second = space.catalog.kbs.ensure("second").id
    library.embedder.embedded.clear()
    shutil.move(library.docs / "moving", other / "moving")
    arrived = files(
        list(index_files.run(space, IndexRequest("second", (str(other),)), CancelToken()))
    )
    left = library.index()
    assert library.embedder.embedded == []
    assert {done.status for done in arrived} <= {FileStatus.READY, FileStatus.UNCHANGED}
    assert len(arrived) == 3
    assert set(left.values()) == {FileStatus.DELETED}
    assert library.finds("topic1") == set()
    assert len(space.catalog.files.under(second)) == 3
    assert space.indexes.of(second).lexical("topic1", 5)
    assert space.indexes.of(second).check() is None


def test_a_folder_renamed_twice_while_watched_is_followed_each_time(
    library: IndexedFolder,
) -> None:
    library.write("a/kept.md", prose("harbour"))
    watching = Watching(library)
    try:
        watching.until(("a/kept.md", "ready"))
        (library.docs / "a").rename(library.docs / "b")
        watching.until(("b/kept.md", "moved"))
        (library.docs / "b").rename(library.docs / "B2")
        watching.until(("B2/kept.md", "moved"))
    finally:
        watching.stop()
    assert library.finds("harbour") == {"B2/kept.md"}
    assert len(library.embedder.embedded) == len(set(library.embedder.embedded))


def test_a_file_renamed_in_its_case_only_stays_one_file(library: IndexedFolder) -> None:
    path = library.write("Report.md", prose("harbour"))
    library.index()
    path.rename(library.docs / "report.MD")
    assert library.index() == {"report.MD": FileStatus.MOVED}
    assert library.finds("harbour") == {"report.MD"}


def test_a_path_is_kept_as_its_folders_list_it_where_case_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "DOCS" / "A.TXT").parent.mkdir()
    (tmp_path / "DOCS" / "A.TXT").write_text("x")

    def listing(folder: str) -> list[str]:
        """List as Windows would, which has the file under other letters than it was named by."""
        names = {str(tmp_path): ["Docs", "else"], str(tmp_path / "Docs"): ["a.txt", "b.txt"]}
        return names.get(folder) or [each.name for each in Path(folder).iterdir()]

    asked = str(tmp_path / "DOCS" / "A.TXT")
    assert case_on_disk(asked, listing) == str(tmp_path / "Docs" / "a.txt")
    assert case_on_disk(asked) == asked


def ready(library: IndexedFolder) -> int:
    rows = library.workspace.catalog.files.under(library.kb)
    return sum(row.status is FileStatus.READY and row.chunks > 0 for row in rows)


def until(is_so: Callable[[], object], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not become so"
        time.sleep(0.1)
