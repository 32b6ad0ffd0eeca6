"""The left pane."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest

from desktop_rag.app.folder import DataFolder
from desktop_rag.app.jobs import InlineRunner
from desktop_rag.app.library import LibraryController, Resting, Working
from desktop_rag.app.shelf import Shelf
from desktop_rag.core.events import IndexProgress
from desktop_rag.core.requests import IndexRequest, RemoveRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.ui.library import phrases
from desktop_rag.ui.library.pane import LibraryPane
from tests.ui.test_models import row, shelf


@pytest.fixture
def library(qapp) -> LibraryController:
    return LibraryController(InlineRunner(), DataFolder(lambda: None))


@pytest.fixture
def pane(qtbot, theme, library: LibraryController) -> LibraryPane:
    made = LibraryPane(theme, library)
    qtbot.addWidget(made)
    made.resize(300, 700)
    made.show()
    return made


def show(library: LibraryController, content: Shelf) -> None:
    library.shelf = content
    library.shelf_changed.emit(content)


FILES = (
    row("/d/notes/a.md"),
    row("/d/notes/b.md", FileStatus.EMPTY, 0),
    row("/d/notes/c.md", FileStatus.QUEUED, 0),
    row("/d/one.pdf", FileStatus.ENCRYPTED, 0),
)


def test_an_empty_knowledge_base_says_what_to_do(pane: LibraryPane) -> None:
    assert pane.empty.isVisible()
    assert not pane.tree.isVisible()


def test_problems_are_counted_shown_alone_and_retried(
    pane: LibraryPane, library: LibraryController, qtbot
) -> None:
    show(library, shelf(*FILES))
    assert pane.problems.text() == "2 with problems"
    pane.problems.click()
    assert pane.tree.model().rowCount() == 2
    assert pane.tree.model().rowCount(pane.tree.model().index(0, 0)) == 1
    pane.problems.click()
    assert pane.tree.model() is pane.model
    pane.retry.click()
    assert library.inbox.take() == IndexRequest("default", retry=True)


def test_when_the_last_problem_is_gone_everything_is_shown_again(
    pane: LibraryPane, library: LibraryController
) -> None:
    show(library, shelf(*FILES))
    pane.problems.click()
    show(library, shelf(FILES[0]))
    assert pane.tree.model() is pane.model
    assert not pane.problems.isVisible()


def test_delete_removes_every_selected_row(pane: LibraryPane, library: LibraryController) -> None:
    show(library, shelf(*FILES))
    top = pane.model.index(0, 0)
    pane.tree.expandAll()
    for index in (pane.model.index(0, 0, top), pane.model.index(1, 0, top)):
        pane.tree.selectionModel().select(index, QItemSelectionModel.SelectionFlag.Select)
    pane.tree.setFocus()
    QTest.keyClick(pane.tree, Qt.Key.Key_Delete)
    assert library.inbox.take() == RemoveRequest("default", ("/d/notes/a.md", "/d/notes/b.md"))


def test_a_file_is_opened_by_activating_it_and_a_folder_is_not(
    pane: LibraryPane, library: LibraryController, qtbot
) -> None:
    show(library, shelf(*FILES))
    top = pane.model.index(0, 0)
    with qtbot.waitSignal(pane.open_asked) as heard:
        pane.tree.activated.emit(pane.model.index(0, 0, top))
    assert heard.args == ["/d/notes/a.md"]
    with qtbot.assertNotEmitted(pane.open_asked):
        pane.tree.activated.emit(top)


def test_progress_tells_files_rate_time_and_the_current_file(
    pane: LibraryPane, library: LibraryController
) -> None:
    progress = IndexProgress(12, 340, "/d/notes/long.pdf", "store", 90, 41.6, 130.0)
    working = Working("default", progress)
    library.activity_changed.emit(working)
    assert pane.progress.isVisible()
    assert phrases.stage(working) == "Reading files: 12 of 340"
    assert phrases.pace(working) == "42 passages/s · about 2 min left"
    assert phrases.current(working) == "long.pdf"


def test_files_that_wait_after_a_stop_can_be_taken_up_again(
    pane: LibraryPane, library: LibraryController
) -> None:
    show(library, shelf(*FILES))
    library.activity_changed.emit(Resting())
    assert pane.progress.isVisible()
    pane.progress.button.click()
    assert library.inbox.take() == IndexRequest("default")


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
    assert said in phrases.left(seconds)
