"""What is read of a document for the window: its place, its text, words in it, its passages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.commands import remove
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.paths import resources
from desktop_rag.core.requests import RemoveRequest
from desktop_rag.core.types import BlockKind, Locator, LocatorKind
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.document_jobs import (
    find_words,
    list_chunks,
    read_text,
)
from desktop_rag.gui.controllers.document_location import locate_file, locate_marks
from desktop_rag.gui.controllers.open_document import (
    DocumentLine,
    DocumentTable,
    DocumentText,
    FileState,
    LocatedDocument,
    OpenDocument,
    StoredQuote,
    TextRange,
)
from tests.gui.controllers.folder_owner import OwnedFolder
from tests.indexing.indexed_folder import KB, IndexedFolder

WHOLE = TextRange(0, 10**6)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[IndexedFolder]:
    made = IndexedFolder(tmp_path)
    yield made
    made.close()


@pytest.fixture
def folder(library: IndexedFolder) -> DataFolder:
    made = DataFolder(lambda: OwnedFolder(library.workspace, closes=False))
    made.open(CancelToken())
    return made


def opened(library: IndexedFolder, path: Path, *marks: Locator) -> OpenDocument:
    row = library.workspace.catalog.files.get(library.kb, str(path))
    assert row is not None
    return OpenDocument(str(path), path.stem, row.document_id, marks)


def test_a_mark_without_boxes_is_placed_on_its_own_page(
    library: IndexedFolder, folder: DataFolder
) -> None:
    report = resources() / "samples" / "Annual report 2024.pdf"
    library.run(report)
    last = library.chunks(report)[-1].locator
    wrong = Locator(LocatorKind.PAGE, 1, last.start, last.end)
    placed = locate_marks(folder, opened(library, report, wrong), CancelToken())
    assert isinstance(placed, LocatedDocument)
    assert placed.file_state is FileState.SAME
    assert placed.opened.page == 3
    assert placed.opened.mark is not None
    assert placed.opened.mark.boxes


def test_a_file_is_the_same_changed_or_missing(library: IndexedFolder, folder: DataFolder) -> None:
    path = library.write("a.md", "# Boat\n\nIt runs on batteries.")
    library.index()
    document = opened(library, path)

    def standing() -> FileState:
        placed = locate_marks(folder, document, CancelToken())
        assert isinstance(placed, LocatedDocument)
        return placed.file_state

    assert standing() is FileState.SAME
    path.write_bytes(path.read_bytes())
    assert standing() is FileState.SAME, "touched, not changed"
    library.write("a.md", "# Boat\n\nIt runs on  batteries")
    assert standing() is FileState.CHANGED
    library.index()
    assert standing() is FileState.SAME, "without a mark it is opened as it is now"
    path.unlink()
    assert standing() is FileState.MISSING
    library.index()
    assert standing() is FileState.GONE


def test_the_text_of_a_document_comes_with_its_headings(
    library: IndexedFolder, folder: DataFolder
) -> None:
    path = library.write(
        "a.md", "# Boat\n\nIt runs on batteries.\n\n| Port | Cars |\n|-|-|\n| A | 1 |"
    )
    library.index()
    text = read_text(folder, opened(library, path), WHOLE, CancelToken())
    assert isinstance(text, DocumentText)
    assert (text.start, text.end, text.length) == (0, len(text.text), len(text.text))
    headings = [
        b for b in text.blocks if isinstance(b, DocumentLine) and b.kind is BlockKind.HEADING
    ]
    assert [text.text[each.start : each.end] for each in headings] == ["Boat"]
    (table,) = [each for each in text.blocks if isinstance(each, DocumentTable)]
    assert [[text.text[c.start : c.end] for c in row.cells] for row in table.rows] == [
        ["Port", "Cars"],
        ["A", "1"],
    ]


def test_stretches_are_whole_lines_and_join_without_a_gap(
    library: IndexedFolder, folder: DataFolder
) -> None:
    path = library.write("a.txt", "\n\n".join(f"Line {n} of the story." for n in range(300)))
    library.index()
    document = opened(library, path)
    catalog = library.workspace.catalog
    assert document.document_id is not None
    whole = catalog.documents.text(document.document_id)
    first = read_text(folder, document, TextRange(1000, 2000), CancelToken())
    assert isinstance(first, DocumentText)
    assert whole[first.start - 1] == "\n"
    assert first.text.endswith("\n")
    after = read_text(
        folder, document, TextRange(first.end, first.end + 900, first.end), CancelToken()
    )
    before = read_text(folder, document, TextRange(0, first.start, first.start), CancelToken())
    assert isinstance(after, DocumentText)
    assert isinstance(before, DocumentText)
    assert before.text + first.text + after.text == whole[: after.end]


def test_what_was_taken_out_shows_the_quote_that_was_kept_if_any(
    library: IndexedFolder, folder: DataFolder
) -> None:
    path = library.write("a.md", "# Boat\n\nIt runs on batteries.")
    library.index()
    document = opened(library, path)
    list(remove.run(library.workspace, RemoveRequest(KB, (str(path),)), CancelToken()))
    with pytest.raises(UserError, match="holds no text"):
        read_text(folder, document, WHOLE, CancelToken())
    quoted = replace(document, quoted=StoredQuote("It runs on batteries.", 40))
    text = read_text(folder, quoted, WHOLE, CancelToken())
    assert isinstance(text, DocumentText)
    assert (text.first, text.start, text.text) == (40, 40, "It runs on batteries.")
    placed = locate_marks(folder, quoted, CancelToken())
    assert isinstance(placed, LocatedDocument)
    assert placed.file_state is FileState.FORGOTTEN


def test_words_are_found_in_the_whole_text(library: IndexedFolder, folder: DataFolder) -> None:
    path = library.write(
        "a.txt", "\n\n".join(f"Line {n} tells of a water\ntank." for n in range(50))
    )
    library.index()
    found = next(find_words(folder, opened(library, path), "WATER tank", CancelToken()))
    assert len(found.places) == 50
    assert found.done
    assert (
        next(find_words(folder, opened(library, path), "no such thing", CancelToken())).places == ()
    )


def test_a_file_is_found_in_the_base_that_is_named(
    library: IndexedFolder, folder: DataFolder
) -> None:
    path = library.write("a.md", "# Boat\n\nIt runs on batteries.")
    library.index()
    placed = locate_file(folder, str(path), KB, CancelToken())
    assert isinstance(placed, LocatedDocument)
    assert (placed.opened.title, placed.opened.marks) == ("Boat", ())
    away = locate_file(folder, "/nowhere/b.pdf", KB, CancelToken())
    assert isinstance(away, LocatedDocument)
    assert away.file_state is FileState.MISSING


def test_passages_are_listed_with_their_tokens(library: IndexedFolder, folder: DataFolder) -> None:
    path = library.write("a.md", "# Boat\n\nIt runs on batteries.")
    library.index()
    (listed,) = list_chunks(folder, opened(library, path), CancelToken())
    (chunk,) = library.chunks(path)
    assert (listed.text, listed.place) == (chunk.text, chunk.locator)
    assert listed.tokens == library.workspace.models.embedder.count_tokens([chunk.text])[0]
