"""Beside the table: what the chosen files are, and the one thing that mends them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.core.catalog_records import UNOPENED_ARCHIVE, FileRow
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import FilesRequest, IndexRequest, KbRequest
from desktop_rag.core.types import DocumentId, FileId, FileStatus
from desktop_rag.gui.controllers.derived_texts import PreparedSummary
from desktop_rag.gui.controllers.file_query import FileColumn, FileGroup
from desktop_rag.gui.controllers.folder_nodes import EVERYWHERE, FilePlace
from desktop_rag.gui.controllers.library_commands import LibraryRequest
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.home.home_page import base_text
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.file_kinds import FileKind, kind_of
from desktop_rag.gui.library.folder_tree_model import FolderTreeModel, TreeRole
from desktop_rag.gui.theme import Theme
from desktop_rag.parsing import file_problems
from testing.narrowing import present
from testing.qt_wait import wait_for
from tests.gui.library.test_file_table_page import Table
from tests.gui.test_item_models import row, snapshot


def numbered(*rows: FileRow) -> tuple[FileRow, ...]:
    return tuple(replace(each, id=FileId(number)) for number, each in enumerate(rows, start=1))


def failed(path: str, status: FileStatus, reason: str) -> FileRow:
    return replace(row(path, status, 0), reason=reason)


CORRUPT = failed("/d/notes/broken.docx", FileStatus.CORRUPT, str(file_problems.corrupt()))
LOCKED = failed("/d/notes/plan.pdf", FileStatus.ENCRYPTED, str(file_problems.encrypted()))
SCAN = replace(
    failed("/d/notes/scan.pdf", FileStatus.NEEDS_OCR, "The pages are pictures."),
    is_unread=True,
    is_recognition_off=True,
)
ARCHIVE = failed(
    "/d/notes/old.zip", FileStatus.UNSUPPORTED, Phrase("It is one.", code=UNOPENED_ARCHIVE)
)
EMPTY = failed("/d/notes/empty.md", FileStatus.EMPTY, str(file_problems.empty()))
GONE = failed("/d/notes/gone.md", FileStatus.FAILED, file_problems.vanished().sentence)
WAITING = row("/d/notes/later.md", FileStatus.QUEUED, 0)
LOOSE = failed("/elsewhere/loose.pdf", FileStatus.CORRUPT, str(file_problems.corrupt()))
HOLLOW = row("/d/notes/hollow.md", FileStatus.READY, 0)


@pytest.fixture
def table(qtbot: QtBot, theme: Theme) -> Table:
    return Table(qtbot, theme)


def chosen(table: Table, *rows: FileRow, content: LibrarySnapshot | None = None) -> list[str]:
    """Show files with all of them chosen; return what the buttons say that mend them."""
    table.show(content or snapshot(*numbered(*rows)))
    table.page.view.selectAll()
    return [each.text() for each in table.page.details.remedies if each.isVisible()]


@pytest.mark.parametrize(
    ("given", "mend"),
    [
        (CORRUPT, "Read again"),
        (LOCKED, "Enter password…"),
        (SCAN, "Read with text recognition"),
        (ARCHIVE, "Look into archives"),
        (GONE, "Show in folder"),
        (WAITING, "Read this first"),
        (EMPTY, None),
        (LOOSE, None),
        (HOLLOW, None),
        (row("/d/notes/a.md"), None),
    ],
    ids=lambda each: each.path.rpartition("/")[2] if isinstance(each, FileRow) else None,
)
def test_a_file_has_the_one_button_that_mends_it(
    table: Table, given: FileRow, mend: str | None
) -> None:
    assert chosen(table, given) == ([mend] if mend else [])


@pytest.mark.parametrize(
    ("given", "said"), [(LOOSE, "add it once more"), (HOLLOW, "Open it to see what it holds")]
)
def test_where_nothing_here_helps_it_is_said_what_the_user_can_do(
    table: Table, given: FileRow, said: str
) -> None:
    chosen(table, given)
    assert said in table.page.details.reason.text()


def test_a_folder_that_is_away_is_to_be_connected_and_nothing_is_read_again(table: Table) -> None:
    content = snapshot(*numbered(CORRUPT))
    branches = tuple(replace(each, is_away=True) for each in content.branches)
    assert chosen(table, content=replace(content, branches=branches)) == []
    assert "Connect the drive" in table.page.details.reason.text()


def mend(table: Table) -> None:
    next(each for each in table.page.details.remedies if each.isVisible()).click()


@pytest.mark.parametrize(
    ("given", "request_"),
    [
        (SCAN, KbRequest("recognize", "default", switch="on")),
        (ARCHIVE, KbRequest("archives", "default", switch="on")),
        (WAITING, FilesRequest("first", "default", (WAITING.path,))),
    ],
    ids=["scan", "archive", "waiting"],
)
def test_a_button_does_what_it_says(table: Table, given: FileRow, request_: LibraryRequest) -> None:
    chosen(table, given)
    mend(table)
    assert table.decided() == [request_]


def test_a_password_is_asked_for_and_the_folder_of_a_file_that_is_gone_shown(
    table: Table, qtbot: QtBot
) -> None:
    actions = table.page.actions_of_files
    chosen(table, LOCKED)
    with qtbot.waitSignal(actions.password_asked) as heard:
        mend(table)
    assert [each.path for each in present(heard.args)[0]] == [LOCKED.path]
    chosen(table, GONE)
    with qtbot.waitSignal(actions.folder_asked) as shown:
        mend(table)
    assert shown.args == ["/d/notes"], "the file itself is not there any more"


def test_many_files_are_mended_at_once_and_each_only_by_what_helps_it(table: Table) -> None:
    more = [replace(CORRUPT, path=f"/d/notes/{n}.docx") for n in range(4)]
    assert chosen(table, CORRUPT, *more, LOCKED, row("/d/notes/a.md"), EMPTY) == [
        "Enter password…",
        "Read 5 again",
    ]
    assert table.page.details.name.text() == "8 files chosen"
    assert table.page.details.reason.text() == "80 kB, 7 with problems"
    table.page.details.remedies[1].click()
    asked = table.library.ingest_queue.take()
    assert isinstance(asked, IndexRequest)
    assert set(asked.paths) == {CORRUPT.path, *(each.path for each in more)}
    assert asked.retry


def test_a_file_tells_what_is_known_of_it_and_its_summary(table: Table) -> None:
    note = replace(
        row("/d/notes/deep/合同.pdf"), pages=3, changed_at=1.7e9, document_id=DocumentId(7)
    )
    details = table.page.details
    table.library.derived_texts.summary_came.emit(PreparedSummary(DocumentId(7), "It is short."))
    assert not details.summary.isVisible()
    prepared = replace(snapshot(*numbered(note)), has_summaries=True)
    chosen(table, content=prepared)
    facts = {name.text(): value.accessibleName() for name, value in details.facts if value.text()}
    assert facts["Folder"] == "Folder: /d/notes/deep"
    assert (facts["Pages"], facts["Size"], facts["Type"]) == (
        "Pages: 3",
        "Size: 10 kB",
        "Type: PDF",
    )
    assert "Read" in facts
    assert details.summary.isVisible()
    assert details.summary.text() == "It is short."
    table.show(replace(prepared, has_summaries=False))
    assert not details.summary.isVisible(), "what was prepared was removed"
    table.show(prepared)
    assert details.summary.isVisible()
    table.page.view.clearSelection()
    assert not details.summary.isVisible()
    assert details.name.text() == "Nothing is chosen"


def test_the_details_neither_move_the_table_nor_cover_it(table: Table) -> None:
    table.show(snapshot(*numbered(CORRUPT, EMPTY)))
    for size in ((850, 556), (1300, 800)):
        table.page.resize(*size)
        before = table.page.view.geometry()
        table.page.view.selectRow(0)
        assert table.page.view.geometry() == before
        assert table.page.details.isVisible()
        view, details = table.page.view, table.page.details
        over = view.mapTo(table.page, view.rect().bottomRight())
        where = details.mapTo(table.page, details.rect().topLeft())
        assert where.x() > over.x() or where.y() > over.y()
        assert view.height() >= 200
        table.page.view.clearSelection()


def test_space_and_the_button_close_the_details_and_that_is_kept(
    table: Table, tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    table.show(snapshot(*numbered(CORRUPT)))
    table.page.view.selectRow(0)
    QTest.keyClick(table.page.view, Qt.Key.Key_Space)
    assert not table.page.details.isVisible()
    table.page.keep(tmp_path)
    again = Table(qtbot, theme)
    again.page.restore(tmp_path)
    again.show(snapshot(*numbered(CORRUPT)))
    assert not again.page.details.isVisible()
    again.page.turn_details.click()
    assert again.page.details.isVisible()
    again.page.details.close_button.click()
    assert not again.page.details.isVisible()


def test_the_order_is_kept_and_widths_go_on_following_what_columns_hold(
    table: Table, tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    table.show(snapshot(*numbered(row("/d/notes/a.md"), row("/d/notes/b.md"))))
    header = table.page.view.horizontalHeader()
    header.setSortIndicator(FileColumn.NAME, Qt.SortOrder.DescendingOrder)
    table.page.keep(tmp_path)
    again = Table(qtbot, theme)
    again.page.restore(tmp_path)
    again.show(snapshot(*numbered(row("/d/notes/a.md"), row("/d/notes/b.md"))))
    assert again.names() == ["b.md", "a.md"]
    assert not again.page.view.has_own_widths


def test_home_folders_switches_and_table_count_the_same(table: Table) -> None:
    film = row("/d/notes/film.mp4", FileStatus.UNSUPPORTED, 0)
    files = (CORRUPT, LOCKED, EMPTY, HOLLOW, film, SCAN, ARCHIVE, LOOSE, WAITING)
    content = snapshot(*numbered(*files, row("/d/notes/sub/a.md"), row("/d/one.pdf")))
    table.show(content)
    assert (content.problems, content.passed_over) == (5, 3)
    assert "5 with problems" in base_text(content.kbs[0], content)
    bar, tree = table.page.bar, FolderTreeModel()
    tree.show_shelf(content)
    for switch, number in ((bar.problems, 5), (bar.not_read, 3)):
        assert switch.text().startswith(f"{number} ")
        switch.click()
        table.runner.drain()
        assert len(table.names()) == number
        switch.click()
        table.runner.drain()
        assert len(table.names()) == len(content.files)
    for top in range(tree.rowCount()):
        folder = tree.index(top, 0).data(TreeRole.FOLDER)
        table.page.show_only(FileGroup.PROBLEMS, folder.place)
        table.runner.drain()
        assert len(table.names()) == folder.problems
        table.page.show_only(FileGroup.ALL, folder.place)
        table.runner.drain()
        assert len(table.names()) == folder.files
        assert bar.problems.isVisible() == bool(folder.problems)
        assert bar.problems.text() == library_text.with_problems(folder.problems)


def test_a_switch_and_the_list_of_states_say_the_same(table: Table) -> None:
    table.show(snapshot(*numbered(CORRUPT, row("/d/notes/a.md"))))
    bar = table.page.bar
    bar.problems.click()
    assert bar.chosen is FileGroup.PROBLEMS
    bar.group.setCurrentIndex(bar.group.findData(FileGroup.READY))
    bar.group.activated.emit(bar.group.currentIndex())
    assert not bar.problems.isChecked()
    bar.problems.click()
    table.runner.drain()
    assert table.names() == ["broken.docx"]
    table.show(snapshot(*numbered(row("/d/notes/a.md"))))
    table.runner.drain()
    assert table.names() == ["a.md"], "the last problem is mended: everything is shown again"
    assert not bar.problems.isVisible()


def test_failed_files_of_the_chosen_folder_alone_are_read_again(table: Table) -> None:
    table.show(snapshot(*numbered(CORRUPT)))
    table.page.show_place(FilePlace(path="/d/notes"))
    table.runner.drain()
    assert table.page.all_files.isVisible()
    table.page.retry_failed.click()
    asked = table.library.ingest_queue.take()
    assert isinstance(asked, IndexRequest)
    assert asked.paths == ("/d/notes",)
    table.page.all_files.click()
    assert table.page.place == EVERYWHERE


def test_columns_are_as_wide_as_what_they_hold(table: Table) -> None:
    view, page = table.page.view, table.page
    page.show_details(shown=False)
    page.resize(1700, 500)
    long = row("/d/notes/The annual report of the harbour of Vard.md")
    table.show(snapshot(*numbered(long)))
    width = view.fontMetrics().horizontalAdvance("The annual report of the harbour of Vard.md")
    assert view.columnWidth(FileColumn.NAME) > width
    page.resize(860, 500)
    table.show(snapshot(*numbered(long, CORRUPT)))
    state = view.fontMetrics().horizontalAdvance("Damaged")
    assert view.columnWidth(FileColumn.STATE) > state
    view.horizontalHeader().resizeSection(FileColumn.NAME, 133)
    page.resize(1200, 500)
    table.show(snapshot(*numbered(long, CORRUPT, LOCKED)))
    assert view.columnWidth(FileColumn.NAME) == 133, "what the user chose stays"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.PDF", FileKind.PDF),
        ("合同.docx", FileKind.WORD),
        ("talk.odp", FileKind.SLIDES),
        ("sums.xlsx", FileKind.SHEET),
        ("read.md", FileKind.TEXT),
        ("scan.tiff", FileKind.IMAGE),
        ("letter.eml", FileKind.MAIL),
        ("page.mhtml", FileKind.WEB),
        ("all.tar.gz", FileKind.ARCHIVE),
        ("main.py", FileKind.CODE),
        ("Makefile", FileKind.OTHER),
        ("film.mp4", FileKind.OTHER),
    ],
)
def test_each_kind_of_file_has_an_icon_of_its_own(table: Table, name: str, kind: FileKind) -> None:
    assert kind_of(f"/d/pdf/{name}") is kind
    table.show(snapshot(*numbered(row(f"/d/notes/{name}"))))
    drawn = table.page.model.index(0, FileColumn.NAME).data(Qt.ItemDataRole.DecorationRole)
    image = drawn.pixmap(16, 16).toImage()
    inked = [image.pixelColor(n % 16, n // 16).alpha() > 100 for n in range(256)]
    assert sum(inked) > 20


def test_a_single_click_reads_nothing_and_a_double_click_does(table: Table, qtbot: QtBot) -> None:
    table.show(snapshot(*numbered(row("/d/notes/a.md"))))
    view, read = table.page.view, table.page.actions_of_files.read_asked
    place = view.visualRect(table.page.model.index(0, 0)).center()
    with qtbot.assertNotEmitted(read):
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    wait_for(lambda: table.page.details.name.accessibleName() == "a.md")
    with qtbot.waitSignal(read):
        QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
