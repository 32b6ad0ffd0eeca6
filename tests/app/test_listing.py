"""The table of files: what a query gives, and how two listings differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.app.jobs import InlineRunner
from desktop_rag.app.listing import Listing, ListingController, make_listing
from desktop_rag.app.query import Column, Group, Query
from desktop_rag.app.shelf import Shelf, shelf_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.types import DocumentId, FileId, FileStatus, KbId
from desktop_rag.store.records import FileRow, Source, Stamp

KB = KbId(1)
Given = tuple[str, FileStatus, int, int, str]
ROWS = (
    ("/d/b/Zebra.txt", FileStatus.READY, 9, 100, ""),
    ("/d/b/apple.pdf", FileStatus.ENCRYPTED, 0, 300, "It has a password. Save it as HTML."),
    ("/d/a/mango.PDF", FileStatus.READY, 30, 200, ""),
    ("/d/c/合同 2024.docx", FileStatus.QUEUED, 0, 50, ""),
    ("/d/c/hollow.md", FileStatus.READY, 0, 60, ""),
)


def row(number: int, given: Given) -> FileRow:
    path, status, chunks, size, reason = given
    document = DocumentId(number) if status is FileStatus.READY else None
    stamp = Stamp(size, number, "x")
    return FileRow(
        FileId(number), KB, path, stamp, status, reason, document, chunks, None, 0.5, 0.0
    )


@pytest.fixture
def shelf() -> Shelf:
    rows = [row(number, each) for number, each in enumerate(ROWS, start=1)]
    sources = (Source(1, KB, "/d/a", is_folder=True), Source(2, KB, "/d", is_folder=True))
    return shelf_of((), "default", sources, rows, ("/d/out.txt",))


def names(shelf: Shelf, **query) -> list[str]:
    listing = make_listing(shelf, Query(**query), Listing(Query(), ""), CancelToken())
    return [each.path.rpartition("/")[2] for each in listing.rows]


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ({"text": "APPLE"}, ["apple.pdf"]),
        ({"text": "password"}, ["apple.pdf"]),
        ({"text": "pdf /d/a"}, ["mango.PDF"]),
        ({"text": "合同"}, ["合同 2024.docx"]),
        ({"group": Group.READY}, ["mango.PDF", "Zebra.txt"]),
        ({"group": Group.PROBLEMS}, ["apple.pdf", "hollow.md"]),
        ({"group": Group.NO_PASSAGES}, ["apple.pdf", "hollow.md"]),
        ({"group": Group.WAITING}, ["合同 2024.docx"]),
        ({"group": Group.EXCLUDED}, ["out.txt"]),
        ({"folder": "/d/a"}, ["mango.PDF"]),
        ({"text": "nothing like it"}, []),
        ({"text": "html"}, []),
    ],
)
def test_what_a_query_shows(shelf: Shelf, query, shown) -> None:
    assert names(shelf, **query) == shown


def test_files_of_other_kinds_are_listed_apart_from_those_with_problems() -> None:
    given = (
        ("/d/film.mp4", FileStatus.UNSUPPORTED, 0, 5_000, "Files of this kind are not read."),
        ("/d/bare.txt", FileStatus.EMPTY, 0, 0, "The file holds no bytes."),
        ("/d/drawn.docx", FileStatus.EMPTY, 0, 9_000, "The file holds no text."),
        ("/d/a.md", FileStatus.READY, 4, 100, ""),
    )
    shelf = shelf_of((), "default", (), [row(n, each) for n, each in enumerate(given, start=1)])
    assert names(shelf, group=Group.NOT_READ) == ["bare.txt", "film.mp4"]
    assert names(shelf, group=Group.PROBLEMS) == ["drawn.docx"]
    assert names(shelf, group=Group.NO_PASSAGES) == ["drawn.docx"]
    assert names(shelf, column=Column.STATE) == ["drawn.docx", "a.md", "bare.txt", "film.mp4"]


@pytest.mark.parametrize(
    ("column", "first", "last"),
    [
        (Column.NAME, "apple.pdf", "合同 2024.docx"),
        (Column.FOLDER, "mango.PDF", "out.txt"),
        (Column.TYPE, "合同 2024.docx", "out.txt"),
        (Column.STATE, "apple.pdf", "out.txt"),
        (Column.PASSAGES, "apple.pdf", "mango.PDF"),
        (Column.SIZE, "out.txt", "apple.pdf"),
        (Column.CHANGED, "out.txt", "hollow.md"),
    ],
)
def test_every_column_sorts_both_ways(shelf: Shelf, column, first, last) -> None:
    rising = names(shelf, column=column)
    falling = names(shelf, column=column, descending=True)
    assert (rising[0], rising[-1]) == (first, last)
    assert set(falling) == set(rising)
    assert column is Column.TYPE or falling[0] == last  # of equal ones the first path is first


def test_parts_are_sorted_together_whatever_their_number() -> None:
    rows = [
        row(n, (f"/d/{(n * 7919) % 20_011:05}", FileStatus.READY, n % 7, n, ""))
        for n in range(1, 20_000)
    ]
    shelf = shelf_of((), "default", (), rows)
    for column in (Column.NAME, Column.PASSAGES):
        for descending in (False, True):
            made = names(shelf, column=column, descending=descending)
            keys = {each.path.rpartition("/")[2]: each.chunks for each in rows}
            wanted = sorted(keys)
            if column is Column.PASSAGES:
                wanted = sorted(wanted, key=keys.__getitem__, reverse=descending)
            elif descending:
                wanted = wanted[::-1]
            assert made == wanted


def test_a_changed_file_is_told_as_a_change_in_place(shelf: Shelf) -> None:
    token = CancelToken()
    first = make_listing(shelf, Query(), Listing(Query(), ""), token)
    assert not first.is_same
    assert make_listing(shelf, Query(), first, token).changed is None
    changed = tuple(
        replace(each, chunks=5) if each.path.endswith("hollow.md") else each for each in shelf.files
    )
    later = make_listing(replace(shelf, files=changed), Query(), first, token)
    assert later.is_same
    assert later.changed == (3, 3)
    gone = make_listing(replace(shelf, files=changed[1:]), Query(), later, token)
    assert not gone.is_same
    other = make_listing(replace(shelf, current="other"), Query(), first, token)
    assert not other.is_same


def test_a_listing_that_nobody_wants_any_more_ends(shelf: Shelf) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        make_listing(shelf, Query(), Listing(Query(), ""), token)


def test_nothing_is_listed_until_somebody_looks(shelf: Shelf, qapp) -> None:
    runner = InlineRunner()
    listing = ListingController(runner)
    listing.show_shelf(shelf)
    runner.drain()
    assert listing.listing.rows == ()
    listing.watch(is_watched=True)
    runner.drain()
    assert len(listing.listing.rows) == 6


def test_the_newest_question_is_answered_and_the_one_before_given_up(shelf: Shelf, qapp) -> None:
    runner = InlineRunner()
    listing = ListingController(runner)
    listing.watch(is_watched=True)
    listing.show_shelf(shelf)
    listing.ask(Query(text="a"))
    listing.ask(Query(text="apple"))
    answers: list[Listing] = []
    listing.listing_changed.connect(answers.append)
    runner.drain()
    assert [each.query.text for each in answers] == ["apple"]
    assert len(answers[0].rows) == 1
