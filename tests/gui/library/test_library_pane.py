"""The left pane."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.core.catalog_records import FileStamp, FollowedPath, KnowledgeBase
from desktop_rag.core.events import IndexProgress
from desktop_rag.core.requests import FilesRequest, IndexRequest, KbRequest, RemoveRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.gui import language
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.folder_nodes import EVERYWHERE, FilePlace
from desktop_rag.gui.controllers.ingest_queue import Pause
from desktop_rag.gui.controllers.jobs import InlineRunner
from desktop_rag.gui.controllers.library import Idle, Indexing, LibraryController
from desktop_rag.gui.controllers.library_commands import RunningCommand
from desktop_rag.gui.controllers.library_previews import ImportPreview, RemovalPreview
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.display_text import shown_name
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.folder_tree import FolderTree
from desktop_rag.gui.library.folder_tree_model import TreeRole
from desktop_rag.gui.library.import_dialog import ImportDialog
from desktop_rag.gui.library.library_pane import LibraryPane
from desktop_rag.gui.library.removal_dialog import RemovalDialog
from desktop_rag.gui.theme import Theme
from testing.narrowing import narrow, present
from tests.gui.test_item_models import FOLDER, KB, row, snapshot


@pytest.fixture
def library(qapp: QApplication) -> LibraryController:
    return LibraryController(InlineRunner(), DataFolder(lambda: None))


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme, library: LibraryController) -> LibraryPane:
    made = LibraryPane(theme, library)
    qtbot.addWidget(made)
    made.resize(300, 700)
    made.show()
    return made


def show(library: LibraryController, content: LibrarySnapshot) -> None:
    library.snapshot = content
    library.snapshot_changed.emit(content)


FILES = (
    row("/d/notes/a.md"),
    row("/d/notes/b.md", FileStatus.CORRUPT, 0),
    row("/d/notes/c.md", FileStatus.QUEUED, 0),
    row("/d/one.pdf", FileStatus.ENCRYPTED, 0),
)


@pytest.mark.parametrize(("code", "name"), [("en", "My documents"), ("zh", "我的文档")])
def test_the_knowledge_base_that_nobody_named_has_a_name_in_words(
    pane: LibraryPane, library: LibraryController, code: str, name: str
) -> None:
    language.speak(present(QApplication.instance()), code)
    bases = tuple(KnowledgeBase(KB, each, 0.0, 1, 1) for each in ("default", "work"))
    show(library, replace(snapshot(), kbs=bases))
    assert [pane.kbs.itemText(row) for row in (0, 1)] == [name, "work"]
    pane.kbs.activated.emit(1)
    assert library.snapshot.current == "work"
    pane.kbs.activated.emit(0)
    assert library.snapshot.current == "default"
    pane.bases.ask_for_new_name()
    (dialog,) = pane.findChildren(QInputDialog)
    assert dialog.textValue() == name
    dialog.accept()
    assert library.commands.underway == ()
    pane.bases.ask_for_new_name()
    dialog = pane.findChildren(QInputDialog)[-1]
    dialog.setTextValue("Papers")
    dialog.accept()
    (underway,) = running(library)
    assert underway.decision == KbRequest("rename", "default", new_name="Papers")


def running(library: LibraryController) -> tuple[RunningCommand, ...]:
    return library.commands.underway


def test_an_import_from_the_window_never_ends_at_a_name_that_is_taken(
    pane: LibraryPane, library: LibraryController
) -> None:
    pane.bases.ask_what_to_import()
    (dialog,) = pane.findChildren(QFileDialog)
    dialog.fileSelected.emit("/tmp/ferries.ragkb")
    dialog.reject()
    assert library.commands.underway == ()
    library.commands.examined.emit(ImportPreview("/tmp/ferries.ragkb"))
    (underway,) = running(library)
    assert underway.decision == KbRequest("import", "", "/tmp/ferries.ragkb", numbers=True)
    named = {"default (2)": "My documents (2)", "default (x)": "default (x)", "work": "work"}
    assert [shown_name(name) for name in named] == list(named.values())


@pytest.mark.parametrize("ticked", [(), (1,)])
def test_an_import_follows_what_was_ticked_and_nothing_by_itself(
    pane: LibraryPane, library: LibraryController, ticked: tuple[int, ...]
) -> None:
    places = ("/home/me/diary", "/home/me/letters")
    library.commands.examined.emit(ImportPreview("/tmp/ferries.ragkb", places))
    box = present(pane.findChild(ImportDialog))
    assert [box.places.item(at).text() for at in (0, 1)] == list(places)
    assert library.commands.underway == ()
    for at in ticked:
        box.places.item(at).setCheckState(Qt.CheckState.Checked)
    box.go.click()
    (underway,) = running(library)
    assert narrow(underway.decision, KbRequest).follow == tuple(places[at] for at in ticked)


def test_an_import_that_was_called_off_is_not_begun(
    pane: LibraryPane, library: LibraryController
) -> None:
    library.commands.examined.emit(ImportPreview("/tmp/ferries.ragkb", ("/home/me/diary",)))
    present(pane.findChild(ImportDialog)).reject()
    assert library.commands.underway == ()


@pytest.mark.parametrize("key", [None, Qt.Key.Key_Space])
def test_a_row_of_the_import_s_question_is_ticked_by_its_text_and_by_space(
    pane: LibraryPane, library: LibraryController, key: Qt.Key | None
) -> None:
    library.commands.examined.emit(
        ImportPreview("/tmp/ferries.ragkb", ("/home/me/diary", "/home/me/letters"))
    )
    places = present(pane.findChild(ImportDialog)).places
    first = places.item(0)
    assert (places.currentRow(), first.isSelected()) == (0, True)
    rect, ticks = places.visualItemRect(first), []
    for x in (rect.left() + 14, rect.center().x(), rect.right() - 10):
        if key is None:
            at = QPoint(x, rect.center().y())
            QTest.mouseClick(places.viewport(), Qt.MouseButton.LeftButton, pos=at)
        else:
            QTest.keyClick(places, key)
        ticks.append(first.checkState() is Qt.CheckState.Checked)
        # Else the next click would be a double one.
        QTest.qWait(QApplication.doubleClickInterval() if key is None else 0)
    assert ticks == [True, False, True]
    assert places.item(1).checkState() is Qt.CheckState.Unchecked


def test_files_that_are_not_followed_are_shown_and_can_be_taken_out(
    pane: LibraryPane, library: LibraryController
) -> None:
    """As after an import whose folders were not ticked."""
    files = (row("/e/x/a.md"), row("/e/y/b.md", FileStatus.CORRUPT, 0))
    show(library, snapshot(*files, sources=()))
    assert pane.tree.isVisible()
    assert not pane.empty.isVisible()
    group = pane.model.index(0, 0)
    assert group.data() == "Not followed"
    pane.tree.setCurrentIndex(group)
    assert [each.path for each in pane.chosen()] == ["/e/x/a.md", "/e/y/b.md"]
    assert [each.path for each in pane.chosen(1)] == ["/e/x/a.md"]
    actions, asked = pane.file_actions, list[object]()
    actions.removal_asked.disconnect()
    actions.removal_asked.connect(asked.append)
    actions.refresh()
    assert not actions.patterns.isVisible()
    pane.tree.selectAll()
    actions.remove.trigger()
    assert asked == [("/e/x/a.md", "/e/y/b.md")]
    show(library, snapshot(sources=()))
    assert pane.empty.isVisible()


def test_what_is_not_followed_is_neither_read_again_nor_left_out(
    pane: LibraryPane, library: LibraryController
) -> None:
    """Nothing would bring it back."""
    show(library, snapshot(*FILES, row("/e/b.md", FileStatus.CORRUPT, 0)))
    actions = pane.file_actions
    pane.tree.setCurrentIndex(pane.model.index(1, 0))
    assert [each.path for each in pane.chosen()] == ["/e/b.md"]
    actions.refresh()
    assert (actions.retry.isEnabled(), actions.exclude.isVisible()) == (False, False)
    assert actions.remove.isEnabled()
    pane.tree.selectionModel().select(
        pane.model.index(2, 0), QItemSelectionModel.SelectionFlag.Select
    )
    actions.refresh()
    assert actions.exclude.isVisible()
    actions.exclude.trigger()
    (underway,) = running(library)
    assert underway.decision == FilesRequest("exclude", "default", ("/d/one.pdf",))


def test_an_empty_knowledge_base_says_what_to_do(pane: LibraryPane) -> None:
    assert pane.empty.isVisible()
    assert not pane.tree.isVisible()


def test_folders_count_problems_and_files_that_are_not_read(
    pane: LibraryPane, library: LibraryController
) -> None:
    film = row("/d/notes/film.mp4", FileStatus.UNSUPPORTED, 0)
    bare = replace(row("/d/notes/bare.txt", FileStatus.EMPTY, 0), stamp=FileStamp(0, 1, "x"))
    show(library, snapshot(FILES[0], film, bare))
    assert library_text.summary(library.snapshot) == "1 file"
    top = pane.model.index(0, 0)
    assert top.data(Qt.ItemDataRole.AccessibleTextRole) == "notes, 3 files · 2 not read"
    show(library, snapshot(row("/d/notes/scan.docx", FileStatus.EMPTY, 0)))
    said = pane.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "notes, 1 file · 1 with problems"


def test_the_folder_that_is_chosen_is_told_and_all_files_are_a_click_away(
    pane: LibraryPane, library: LibraryController, qtbot: QtBot
) -> None:
    show(library, snapshot(*FILES, row("/d/notes/sub/z.md")))
    assert pane.all_files.isChecked()
    with qtbot.waitSignal(pane.place_picked) as heard:
        pane.tree.setCurrentIndex(pane.model.index(0, 0, pane.model.index(0, 0)))
    assert heard.args == [FilePlace(path="/d/notes/sub")]
    assert not pane.all_files.isChecked()
    with qtbot.waitSignal(pane.place_picked) as all_of_them:
        pane.all_files.click()
    assert all_of_them.args == [EVERYWHERE]
    assert pane.tree.selectionModel().selectedIndexes() == []


def test_when_the_chosen_folder_is_gone_all_files_are_shown(
    pane: LibraryPane, library: LibraryController, qtbot: QtBot
) -> None:
    show(library, snapshot(*FILES, row("/d/notes/sub/z.md")))
    pane.show_place(FilePlace(path="/d/notes/sub"))
    with qtbot.waitSignal(pane.place_picked) as heard:
        show(library, snapshot(*FILES))
    assert heard.args == [EVERYWHERE]
    pane.show_place(FilePlace(path="/d/notes"))
    with qtbot.waitSignal(pane.place_picked) as other:
        show(library, replace(snapshot(), current="other", folders=()))
    assert other.args == [EVERYWHERE]


def test_delete_removes_every_selected_folder(
    pane: LibraryPane, library: LibraryController, qtbot: QtBot
) -> None:
    show(library, snapshot(row("/d/notes/a/f.md"), row("/d/notes/b/f.md")))
    top = pane.model.index(0, 0)
    pane.tree.expandAll()
    for index in (pane.model.index(0, 0, top), pane.model.index(1, 0, top)):
        pane.tree.selectionModel().select(index, QItemSelectionModel.SelectionFlag.Select)
    pane.tree.setFocus()
    removal = RemovalPreview("default", ("/d/notes/a", "/d/notes/b"), files=2, passages=3)
    with qtbot.waitSignal(pane.file_actions.removal_asked) as heard:
        QTest.keyClick(pane.tree, Qt.Key.Key_Delete)
    assert heard.args == [removal.paths]
    library.commands.weighed.emit(removal)
    (underway,) = running(library)
    assert underway.decision == RemoveRequest("default", removal.paths)


def test_what_is_open_stays_open_and_chosen_when_folders_come_and_go(
    pane: LibraryPane, library: LibraryController
) -> None:
    letters = FollowedPath(3, KB, "/d/letters", is_folder=True)
    note, letter = row("/d/notes/x/a.md"), row("/d/letters/b.md")
    show(library, snapshot(note, sources=(FOLDER,)))
    tree, top = pane.tree, pane.model.index(0, 0)
    assert tree.isExpanded(top)
    tree.setCurrentIndex(pane.model.index(0, 0, top))
    show(library, snapshot(note, letter, sources=(letters, FOLDER)))
    assert [pane.model.index(n, 0).data() for n in (0, 1)] == ["letters", "notes"]
    assert tree.isExpanded(pane.model.index(1, 0))
    assert tree.currentIndex().data(TreeRole.PATH) == "/d/notes/x"
    tree.collapse(pane.model.index(1, 0))
    show(library, snapshot(note, sources=(FOLDER,)))
    assert not tree.isExpanded(pane.model.index(0, 0))
    show(library, snapshot(note, letter, sources=(letters, FOLDER)))
    assert not tree.isExpanded(pane.model.index(1, 0))


def test_folders_are_open_and_closed_as_they_were_left_over_a_restart(
    pane: LibraryPane, library: LibraryController, tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    files = snapshot(row("/d/notes/x/y/a.md"), row("/d/notes/z/y/a.md"))
    show(library, files)
    top = pane.model.index(0, 0)
    pane.tree.expand(pane.model.index(1, 0, top))
    show(library, replace(snapshot(), current="other", folders=()))
    show(library, files)
    top = pane.model.index(0, 0)
    assert pane.tree.isExpanded(pane.model.index(1, 0, top))
    pane.tree.keep(tmp_path)
    again = FolderTree(theme)
    qtbot.addWidget(again)
    again.restore(tmp_path)
    again.show_shelf(files)
    folder = again.folders.index(0, 0)
    inside = [again.folders.index(n, 0, folder) for n in (0, 1)]
    assert [again.isExpanded(each) for each in (folder, *inside)] == [True, False, True]
    QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat).setValue(
        "open folders", "[1"
    )
    again.restore(tmp_path)
    assert again.isExpanded(folder)


def test_enter_on_a_folder_leads_to_its_files(
    pane: LibraryPane, library: LibraryController, qtbot: QtBot
) -> None:
    show(library, snapshot(*FILES))
    with qtbot.waitSignal(pane.table_wanted):
        pane.tree.activated.emit(pane.model.index(0, 0))


def test_progress_tells_files_rate_time_and_the_current_file(
    pane: LibraryPane, library: LibraryController
) -> None:
    progress = IndexProgress(12, 340, "/d/notes/long.pdf", "store", 90, 41.6, 130.0)
    working = library.activity = Indexing("default", progress)
    library.activity_changed.emit(working)
    assert pane.progress.isVisible()
    assert library_text.stage(working) == "Reading files: 12 of 340"
    assert library_text.rate_text(working) == "42 passages/s · about 2 min left"
    assert library_text.current(working) == "Stored long.pdf"


def test_embedding_anew_tells_passages_and_how_long(library: LibraryController) -> None:
    progress = IndexProgress(600, 20_000, "", "reembed", 600, 25.0, 776.0)
    library.activity = Indexing("default", progress)
    assert library_text.stage(library.activity) == "Embedding: 600 of 20,000"
    assert library_text.rate_text(library.activity) == "25 passages/s · about 13 min left"
    assert library_text.current(library.activity) == "For the new embedding model"


def test_files_that_wait_after_a_stop_can_be_taken_up_again(
    pane: LibraryPane, library: LibraryController
) -> None:
    show(library, snapshot(*FILES))
    library.activity_changed.emit(Idle())
    assert pane.progress.isVisible()
    assert pane.progress.stage.whole == "1 file waits"
    pane.progress.resume.click()
    assert library.ingest_queue.take() == IndexRequest("default", only_known=True)


def test_a_pause_is_said_with_what_waits_and_ends_with_resume(
    pane: LibraryPane, library: LibraryController
) -> None:
    show(library, snapshot(*FILES))
    library.activity = Indexing("default", IndexProgress(1, 4, "a.md", "parse", 0, 0.0, None))
    library.activity_changed.emit(library.activity)
    pane.progress.pause.click()
    assert pane.progress.stage.whole == "Paused · 1 file waits"
    assert not pane.progress.pause.isVisible()
    pane.progress.resume.click()
    assert library.pause is Pause.NONE
    assert pane.progress.pause.isVisible()


def test_a_folder_that_is_away_is_no_problem(pane: LibraryPane, library: LibraryController) -> None:
    away = snapshot(*FILES[:2])
    branches = tuple(replace(branch, is_away=True) for branch in away.branches)
    show(library, replace(away, branches=branches))
    top = pane.model.index(0, 0)
    said = top.data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "notes, Away – kept: 2 files"
    assert "cannot be reached now" in top.data(Qt.ItemDataRole.ToolTipRole)


def test_a_folder_offers_to_read_again_only_where_something_failed(
    pane: LibraryPane, library: LibraryController
) -> None:
    actions = pane.file_actions
    for rows, offered in ((FILES[:1], [False, False]), (FILES, [True, True])):
        show(library, snapshot(*rows))
        pane.tree.setCurrentIndex(pane.model.index(0, 0))
        actions.refresh()
        assert [actions.retry.isEnabled(), actions.first.isEnabled()] == offered


def test_a_removal_that_takes_much_along_is_asked_about_first(
    pane: LibraryPane, library: LibraryController, qtbot: QtBot
) -> None:
    show(library, snapshot(*FILES))
    library.commands.weighed.emit(RemovalPreview("default", ("/d/notes",), 3_000, 40_000, 2))
    box = present(pane.findChild(RemovalDialog))
    assert "2 conversations quote from them." in texts(box)
    assert library.commands.underway == ()
    box.lose.setChecked(True)
    box.go.click()
    (underway,) = running(library)
    assert underway.decision == RemoveRequest("default", ("/d/notes",), quotes="lose")


def test_a_removal_tells_of_the_notes_that_quote_what_goes(
    pane: LibraryPane, library: LibraryController
) -> None:
    show(library, snapshot(*FILES))
    library.commands.weighed.emit(RemovalPreview("default", ("/d/notes",), 1, 3, notes=2))
    box = present(pane.findChild(RemovalDialog))
    assert "Notes that quote from them: 2." in texts(box)
    assert "conversations and notes" in box.lose.text()
    box.reject()


def test_a_knowledge_base_is_never_deleted_without_a_question(
    pane: LibraryPane, library: LibraryController
) -> None:
    library.commands.weighed.emit(RemovalPreview("default", (), 0, 0, 0))
    box = present(pane.findChild(RemovalDialog))
    assert box.go.text() == "Delete"
    assert not box.keep.isVisible()
    box.reject()
    assert library.commands.underway == ()


def texts(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (3, "a few seconds left"),
        (42, "about 40 s left"),
        (200, "about 3 min left"),
        (9000, "2.5 h"),
    ],
)
def test_time_left_is_said_as_people_do(seconds: float, said: str) -> None:
    assert said in library_text.remaining_text(seconds)


def test_what_was_taken_out_stays_out_when_the_patterns_of_its_folder_are_changed(
    library: LibraryController, pane: LibraryPane
) -> None:
    folder = replace(FOLDER, exclude=("*.bak", "/Smith, John.pdf"))
    show(library, snapshot(row("/d/notes/a.md"), sources=(folder,)))
    pane.bases.ask_for_patterns(folder.path)
    (dialog,) = pane.findChildren(QInputDialog)
    assert dialog.textValue() == "*.bak"
    dialog.setTextValue("*.bak, drafts")
    dialog.accept()
    (deed,) = library.commands.underway
    assert isinstance(deed.decision, FilesRequest)
    assert deed.decision.globs == ("*.bak", "drafts", "/Smith, John.pdf")
