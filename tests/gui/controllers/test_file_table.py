"""The table of files: what a query gives, and how two listings differ."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRow, FileStamp, FollowedPath
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.page_notes import GARBLED_PAGES, HARD_PAGE, PICTURE_PAGES
from desktop_rag.core.phrases import Phrase, joined
from desktop_rag.core.types import DocumentId, FileId, FileStatus, KbId
from desktop_rag.gui.controllers.file_query import FileColumn, FileGroup, FileQuery
from desktop_rag.gui.controllers.file_table import FileListing, FileTableController, make_listing
from desktop_rag.gui.controllers.folder_nodes import FilePlace
from desktop_rag.gui.controllers.jobs import InlineRunner
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, make_snapshot

KB = KbId(1)
Given = tuple[str, FileStatus, int, int, str]
ROWS = (
    ("/d/b/Zebra.txt", FileStatus.READY, 9, 100, ""),
    (
        "/d/b/apple.pdf",
        FileStatus.ENCRYPTED,
        0,
        300,
        joined("It has a password.", "Save it as HTML."),
    ),
    ("/d/a/mango.PDF", FileStatus.READY, 30, 200, ""),
    ("/d/c/合同 2024.docx", FileStatus.QUEUED, 0, 50, ""),
    ("/d/c/hollow.md", FileStatus.READY, 0, 60, ""),
)


def row(number: int, given: Given) -> FileRow:
    path, status, chunks, size, reason = given
    document = DocumentId(number) if status is FileStatus.READY else None
    stamp = FileStamp(size, number, "x")
    return FileRow(
        FileId(number), KB, path, stamp, status, reason, document, chunks, None, 0.5, 0.0
    )


@pytest.fixture
def snapshot() -> LibrarySnapshot:
    rows = [row(number, each) for number, each in enumerate(ROWS, start=1)]
    sources = (
        FollowedPath(1, KB, "/d/a", is_folder=True),
        FollowedPath(2, KB, "/d", is_folder=True),
    )
    return make_snapshot((), "default", sources, rows, ("/d/out.txt",))


def names(snapshot: LibrarySnapshot, **query: Any) -> list[str]:
    listing = make_listing(
        snapshot, FileQuery(**query), FileListing(FileQuery(), ""), CancelToken()
    )
    return [each.path.rpartition("/")[2] for each in listing.rows]


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ({"text": "APPLE"}, ["apple.pdf"]),
        ({"text": "password"}, ["apple.pdf"]),
        ({"text": "pdf /d/a"}, ["mango.PDF"]),
        ({"text": "合同"}, ["合同 2024.docx"]),
        ({"group": FileGroup.READY}, ["mango.PDF", "Zebra.txt"]),
        ({"group": FileGroup.PROBLEMS}, ["apple.pdf", "hollow.md"]),
        ({"group": FileGroup.NO_PASSAGES}, ["apple.pdf", "hollow.md"]),
        ({"group": FileGroup.WAITING}, ["合同 2024.docx"]),
        ({"group": FileGroup.EXCLUDED}, ["out.txt"]),
        ({"place": FilePlace(path="/d/a")}, ["mango.PDF"]),
        ({"text": "nothing like it"}, []),
        ({"text": "html"}, []),
    ],
)
def test_what_a_query_shows(snapshot: LibrarySnapshot, query: Any, shown: list[str]) -> None:
    assert names(snapshot, **query) == shown


@pytest.mark.parametrize(
    ("group", "shown"),
    [
        (FileGroup.FAILED, ["/d/corrupt", "/d/timeout"]),
        (FileGroup.PROTECTED, ["/d/encrypted"]),
        (FileGroup.EMPTY, ["/d/empty"]),
        (FileGroup.UNSUPPORTED, ["/d/unsupported"]),
        (FileGroup.PICTURES, ["/d/mixed", "/d/needs_ocr"]),
        (FileGroup.GARBLED, ["/d/garbled"]),
        (FileGroup.HARD_TO_READ, ["/d/hard", "/d/mixed"]),
        (FileGroup.COPIES, ["/d/one", "/d/two"]),
    ],
)
def test_the_kinds_that_the_page_of_health_names_are_shown(
    group: FileGroup, shown: list[str]
) -> None:
    states = ("corrupt", "timeout", "encrypted", "empty", "unsupported", "needs_ocr")
    given: list[Given] = [(f"/d/{each}", FileStatus(each), 0, 500, "Why.") for each in states]
    hard, mixed = Phrase(HARD_PAGE, 3), joined(Phrase(PICTURE_PAGES, 1, 3), Phrase(HARD_PAGE, 2))
    notes = {"garbled": Phrase(GARBLED_PAGES, 1, 3), "hard": hard, "mixed": mixed}
    given += [(f"/d/{name}", FileStatus.READY, 3, 500, note) for name, note in notes.items()]
    given += [(f"/d/{name}", FileStatus.READY, 3, 500, "") for name in ("one", "two")]
    rows = [row(number, each) for number, each in enumerate(given, start=1)]
    rows[-1] = replace(rows[-1], document_id=rows[-2].document_id)
    held = make_snapshot((), "default", (), rows)
    made = make_listing(held, FileQuery(group=group), FileListing(FileQuery(), ""), CancelToken())
    assert [each.path for each in made.rows] == shown


def test_files_of_other_kinds_are_listed_apart_from_those_with_problems() -> None:
    given = (
        ("/d/film.mp4", FileStatus.UNSUPPORTED, 0, 5_000, "Files of this kind are not read."),
        ("/d/bare.txt", FileStatus.EMPTY, 0, 0, "The file holds no bytes."),
        ("/d/drawn.docx", FileStatus.EMPTY, 0, 9_000, "The file holds no text."),
        ("/d/a.md", FileStatus.READY, 4, 100, ""),
    )
    snapshot = make_snapshot(
        (), "default", (), [row(n, each) for n, each in enumerate(given, start=1)]
    )
    assert names(snapshot, group=FileGroup.NOT_READ) == ["bare.txt", "film.mp4"]
    assert names(snapshot, group=FileGroup.PROBLEMS) == ["drawn.docx"]
    assert names(snapshot, group=FileGroup.NO_PASSAGES) == ["drawn.docx"]
    assert names(snapshot, column=FileColumn.STATE) == [
        "drawn.docx",
        "a.md",
        "bare.txt",
        "film.mp4",
    ]


@pytest.mark.parametrize(
    ("column", "first", "last"),
    [
        (FileColumn.NAME, "apple.pdf", "合同 2024.docx"),
        (FileColumn.FOLDER, "mango.PDF", "out.txt"),
        (FileColumn.TYPE, "合同 2024.docx", "out.txt"),
        (FileColumn.STATE, "apple.pdf", "out.txt"),
        (FileColumn.PASSAGES, "apple.pdf", "mango.PDF"),
        (FileColumn.SIZE, "out.txt", "apple.pdf"),
        (FileColumn.CHANGED, "out.txt", "hollow.md"),
    ],
)
def test_every_column_sorts_both_ways(
    snapshot: LibrarySnapshot, column: FileColumn, first: str, last: str
) -> None:
    rising = names(snapshot, column=column)
    falling = names(snapshot, column=column, descending=True)
    assert (rising[0], rising[-1]) == (first, last)
    assert set(falling) == set(rising)
    assert column is FileColumn.TYPE or falling[0] == last  # of equal ones the first path is first


def test_parts_are_sorted_together_whatever_their_number() -> None:
    rows = [
        row(n, (f"/d/{(n * 7919) % 20_011:05}", FileStatus.READY, n % 7, n, ""))
        for n in range(1, 20_000)
    ]
    snapshot = make_snapshot((), "default", (), rows)
    for column in (FileColumn.NAME, FileColumn.PASSAGES):
        for descending in (False, True):
            made = names(snapshot, column=column, descending=descending)
            keys = {each.path.rpartition("/")[2]: each.chunks for each in rows}
            wanted = sorted(keys)
            if column is FileColumn.PASSAGES:
                wanted = sorted(wanted, key=keys.__getitem__, reverse=descending)
            elif descending:
                wanted = wanted[::-1]
            assert made == wanted


def test_a_changed_file_is_told_as_a_change_in_place(snapshot: LibrarySnapshot) -> None:
    token = CancelToken()
    first = make_listing(snapshot, FileQuery(), FileListing(FileQuery(), ""), token)
    assert not first.is_same
    assert make_listing(snapshot, FileQuery(), first, token).changed is None
    changed = tuple(
        replace(each, chunks=5) if each.path.endswith("hollow.md") else each
        for each in snapshot.files
    )
    later = make_listing(replace(snapshot, files=changed), FileQuery(), first, token)
    assert later.is_same
    assert later.changed == (3, 3)
    gone = make_listing(replace(snapshot, files=changed[1:]), FileQuery(), later, token)
    assert not gone.is_same
    other = make_listing(replace(snapshot, current="other"), FileQuery(), first, token)
    assert not other.is_same


def test_a_listing_that_nobody_wants_any_more_ends(snapshot: LibrarySnapshot) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        make_listing(snapshot, FileQuery(), FileListing(FileQuery(), ""), token)


def test_nothing_is_listed_until_somebody_looks(
    snapshot: LibrarySnapshot, qapp: QApplication
) -> None:
    runner = InlineRunner()
    listing = FileTableController(runner)
    listing.show_shelf(snapshot)
    runner.drain()
    assert listing.listing.rows == ()
    listing.watch(is_watched=True)
    runner.drain()
    assert len(listing.listing.rows) == 6


def test_the_newest_question_is_answered_and_the_one_before_given_up(
    snapshot: LibrarySnapshot, qapp: QApplication
) -> None:
    runner = InlineRunner()
    listing = FileTableController(runner)
    listing.watch(is_watched=True)
    listing.show_shelf(snapshot)
    listing.ask(FileQuery(text="a"))
    listing.ask(FileQuery(text="apple"))
    answers: list[FileListing] = []
    listing.listing_changed.connect(answers.append)
    runner.drain()
    assert [each.query.text for each in answers] == ["apple"]
    assert len(answers[0].rows) == 1
