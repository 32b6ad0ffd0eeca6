"""The table of files, through its widgets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.requests import FilesRequest, IndexRequest
from desktop_rag.core.types import FileId, FileStatus
from desktop_rag.gui import language
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.file_query import FileColumn, FileGroup, FileQuery
from desktop_rag.gui.controllers.file_table import FileListing, FileTableController
from desktop_rag.gui.controllers.jobs import InlineRunner
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.controllers.library_commands import LibraryRequest
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.file_table_page import FileTablePage
from desktop_rag.gui.library.file_table_view import FileTableModel
from desktop_rag.gui.theme import Theme
from desktop_rag.parsing import file_problems
from testing.narrowing import narrow, present
from testing.qt_wait import wait_for
from tests.gui.test_item_models import KB, row, snapshot

ROWS = tuple(
    replace(each, id=FileId(number))
    for number, each in enumerate(
        (
            row("/d/notes/a.md"),
            row("/d/notes/b.md", FileStatus.EMPTY, 0),
            row("/d/notes/c.md", FileStatus.QUEUED, 0),
            row("/d/notes/合同.pdf", FileStatus.ENCRYPTED, 0),
        ),
        start=1,
    )
)


class Table:
    """A page, its controllers, and hands on it."""

    def __init__(self, qtbot: QtBot, theme: Theme) -> None:
        self.runner = InlineRunner()
        self.library = LibraryController(self.runner, DataFolder(lambda: None))
        self.listing = FileTableController(self.runner)
        self.page = FileTablePage(theme, self.library, self.listing)
        qtbot.addWidget(self.page)
        self.page.resize(900, 500)
        self.page.show()
        self.runner.drain()

    def show(self, content: LibrarySnapshot) -> None:
        self.library.snapshot = content
        self.library.snapshot_changed.emit(content)
        self.runner.drain()

    def names(self) -> list[str]:
        model = self.page.model
        return [model.index(n, FileColumn.NAME).data() for n in range(model.rowCount())]

    def wait_for_names(self, *names: str) -> None:
        """Wait until a filter that was typed is in force: that is a moment after the last key."""

        def are_shown() -> bool:
            self.runner.drain()
            return self.names() == list(names)

        wait_for(are_shown)

    def cell(self, number: int, column: FileColumn) -> str:
        return str(self.page.model.index(number, column).data())

    def decided(self) -> list[LibraryRequest]:
        return [each.decision for each in self.library.commands.underway]


@pytest.fixture
def table(qtbot: QtBot, theme: Theme) -> Table:
    made = Table(qtbot, theme)
    made.show(snapshot(*ROWS))
    return made


def test_the_model_keeps_qts_rules(theme: Theme, qtmodeltester: ModelTester) -> None:
    model = FileTableModel(theme)
    qtmodeltester.check(model)
    model.show_listing(FileListing(FileQuery(), "default", ROWS))
    model.show_listing(FileListing(FileQuery(), "default", (*ROWS[:2], replace(ROWS[2], chunks=4))))
    model.show_listing(
        FileListing(FileQuery(), "default", ROWS[:3], is_same=True, changed=(2, 2), away=("/d",))
    )
    states = [model.index(n, FileColumn.STATE).data() for n in (0, 2)]
    assert states == ["Away – kept", "Away"], "of the last one nothing was read yet"


def test_each_file_tells_its_state_and_no_passages_is_never_ready(table: Table) -> None:
    assert table.names() == ["a.md", "b.md", "c.md", "合同.pdf"]
    states = [table.cell(n, FileColumn.STATE) for n in range(4)]
    assert states == ["Ready", "No text", "Waiting", "Encrypted"]
    assert [table.cell(n, FileColumn.PASSAGES) for n in range(4)] == ["3", "0", "", "0"]
    hollow = replace(ROWS[0], chunks=0)
    table.show(snapshot(hollow))
    assert table.cell(0, FileColumn.STATE) == "Nothing found in it"


def test_the_header_reaches_the_edge_with_reasons_and_without(table: Table, qtbot: QtBot) -> None:
    across = table.page.view.horizontalHeader()
    table.page.resize(1600, 500)
    for content in (snapshot(*ROWS), snapshot(ROWS[0]), snapshot(*ROWS)):
        table.show(content)
        is_one = len(content.files) == 1
        wait_for(lambda: across.isSectionHidden(FileColumn.REASON) == is_one)  # noqa: B023
        wait_for(lambda: abs(across.length() - table.page.view.viewport().width()) <= 4)


def test_typing_filters_and_an_empty_filter_says_so(table: Table, qtbot: QtBot) -> None:
    table.page.filter.setText("合同")
    table.wait_for_names("合同.pdf")
    assert table.page.count.text() == "1 of 4 files"
    QTest.keyClicks(table.page.filter, "xyz")
    table.wait_for_names()
    assert table.page.nothing.isVisible()
    assert table.page.nothing.text() == "No file is like that."


def test_a_header_sorts_and_the_order_is_kept(
    table: Table, tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    header = table.page.view.horizontalHeader()
    header.setSortIndicator(FileColumn.NAME, Qt.SortOrder.DescendingOrder)
    header.resizeSection(FileColumn.NAME, 333)
    table.runner.drain()
    assert table.names()[0] == "合同.pdf"
    table.page.keep(tmp_path)
    again = Table(qtbot, theme)
    again.page.restore(tmp_path)
    again.show(snapshot(*ROWS))
    assert again.names()[0] == "合同.pdf"
    assert again.page.view.columnWidth(FileColumn.NAME) == 333


def test_reasons_stand_beside_the_state_where_there_are_any(table: Table) -> None:
    view, header = table.page.view, table.page.view.horizontalHeader()
    table.page.resize(730, 500)
    assert header.visualIndex(FileColumn.REASON) == header.visualIndex(FileColumn.STATE) + 1
    right = header.sectionViewportPosition(FileColumn.REASON) + header.sectionSize(
        FileColumn.REASON
    )
    assert right <= view.viewport().width()
    table.page.resize(1500, 500)
    assert header.length() == view.viewport().width()
    table.show(snapshot(ROWS[0]))
    assert view.isColumnHidden(FileColumn.REASON)


def test_what_is_chosen_stays_chosen_when_the_table_changes(table: Table) -> None:
    view = table.page.view
    view.selectRow(1)
    view.selectionModel().select(
        table.page.model.index(3, 0),
        view.selectionModel().SelectionFlag.Select | view.selectionModel().SelectionFlag.Rows,
    )
    table.show(snapshot(*ROWS[1:]))
    assert [present(each.row).path for each in view.chosen()] == [
        "/d/notes/b.md",
        "/d/notes/合同.pdf",
    ]
    assert view.currentIndex().row() == 0


def test_many_are_excluded_retried_and_put_first_at_once(table: Table) -> None:
    table.page.view.selectAll()
    actions = table.page.actions_of_files
    actions.refresh()
    paths = tuple(each.path for each in ROWS)
    actions.exclude.trigger()
    actions.first.trigger()
    assert table.decided() == [
        FilesRequest("exclude", "default", paths),
        FilesRequest("first", "default", paths),
    ]
    QTest.keyClick(table.page.view, Qt.Key.Key_F5)
    assert table.library.ingest_queue.take() == IndexRequest(
        "default", paths, retry=True, only_known=True
    )


def test_excluded_files_are_shown_and_can_be_included_again(table: Table) -> None:
    content = snapshot(*ROWS)
    out = replace(ROWS[0], id=FileId(-1), path="/d/notes/out.md", status=FileStatus.EXCLUDED)
    table.show(replace(content, excluded=(replace(out, chunks=0, stamp=None),)))
    table.page.show_only(FileGroup.EXCLUDED)
    table.runner.drain()
    assert (table.names(), table.cell(0, FileColumn.STATE)) == (["out.md"], "Excluded")
    table.page.view.selectRow(0)
    actions = table.page.actions_of_files
    actions.refresh()
    assert actions.include.isVisible()
    assert not actions.exclude.isVisible()
    actions.include.trigger()
    assert table.decided() == [FilesRequest("include", "default", ("/d/notes/out.md",))]


def test_files_are_moved_to_another_knowledge_base_from_the_menu(table: Table) -> None:
    bases = tuple(KnowledgeBase(KB, name, 0.0, 1, 1) for name in ("default", "other"))
    table.show(replace(snapshot(*ROWS), kbs=bases))
    table.page.view.selectRow(0)
    menu = table.page.actions_of_files.popup(table.page.mapToGlobal(table.page.rect().center()))
    (moving,) = [narrow(m, QMenu) for each in menu.actions() if (m := each.menu()) is not None]
    (other,) = moving.actions()
    other.trigger()
    menu.close()
    assert table.decided() == [FilesRequest("move", "default", ("/d/notes/a.md",), "other")]


def test_the_path_is_copied_and_enter_opens(table: Table, qtbot: QtBot) -> None:
    table.page.view.selectRow(2)
    QTest.keyClick(table.page.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "/d/notes/c.md"
    with qtbot.waitSignal(table.page.actions_of_files.open_asked) as heard:
        QTest.keyClick(table.page.view, Qt.Key.Key_Return)
    assert heard.args == ["/d/notes/c.md"]
    table.page.view.selectRow(0)
    with qtbot.waitSignal(table.page.actions_of_files.read_asked) as passages:
        QTest.keyClick(table.page.view, Qt.Key.Key_Return)
    assert passages.args == ["/d/notes/a.md"]


def test_nothing_is_done_with_files_of_a_knowledge_base_that_was_left(table: Table) -> None:
    table.page.view.selectAll()
    assert len(table.page.chosen()) == len(ROWS)
    table.library.snapshot = replace(table.library.snapshot, current="another")
    table.library.snapshot_changed.emit(table.library.snapshot)
    assert table.page.chosen() == ()
    table.page.actions_of_files.exclude.trigger()
    assert table.decided() == []
    table.runner.drain()
    table.page.view.selectAll()
    table.page.actions_of_files.exclude.trigger()
    assert [narrow(each, FilesRequest).kb for each in table.decided()] == ["another"]


@pytest.mark.parametrize("typed", ["密码", "加密", "合同"])
def test_in_chinese_a_filter_finds_what_is_read_in_chinese(
    qtbot: QtBot, qapp: QApplication, theme: Theme, typed: str
) -> None:
    language.speak(qapp, "zh")
    table = Table(qtbot, theme)
    locked = replace(ROWS[3], reason=str(file_problems.encrypted()))
    table.show(snapshot(*ROWS[:3], locked))
    table.page.filter.setText(typed)
    table.wait_for_names("合同.pdf")
    table.page.filter.setText("password")
    table.wait_for_names()


def test_a_remedy_that_names_a_format_does_not_make_a_filter_find_a_file(
    table: Table, qtbot: QtBot
) -> None:
    other = file_problems.unsupported("Files of this kind (.zip) are not read.", "Save it as Word.")
    table.show(snapshot(replace(ROWS[1], status=FileStatus.UNSUPPORTED, reason=other.sentence)))
    for typed, names in (("word", []), (".zip", ["b.md"]), ("not supported", ["b.md"])):
        table.page.filter.setText(typed)
        table.wait_for_names(*names)


HIDDEN = "Text that the page hides was not read."


@pytest.mark.parametrize(("code", "note"), [("en", HIDDEN), ("zh", "网页中隐藏的文本未读取。")])
def test_what_was_left_out_of_a_file_is_a_reason_and_no_problem(
    qtbot: QtBot, qapp: QApplication, theme: Theme, code: str, note: str
) -> None:
    language.speak(qapp, code)
    table = Table(qtbot, theme)
    table.show(snapshot(replace(ROWS[0], reason=HIDDEN)))
    assert not table.page.view.isColumnHidden(FileColumn.REASON)
    model = table.page.view.model()
    assert model.index(0, FileColumn.REASON).data() == note
    assert note in model.index(0, FileColumn.NAME).data(Qt.ItemDataRole.ToolTipRole)
    assert model.index(0, FileColumn.STATE).data() == library_text.tr("Ready")
    assert table.library.snapshot.problems == 0
    table.page.view.selectRow(0)
    assert note in table.page.details.reason.text()
