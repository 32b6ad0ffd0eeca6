"""The window over folders that go away, come back, and change hands; and what it keeps of talks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from desktop_rag.app.library import Resting, Working
from desktop_rag.core.requests import FilesRequest, KbRequest
from desktop_rag.core.types import FileStatus
from tests.engine.ingest.library import prose
from tests.ui.driving import Driver, wait_for

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "harbour.md").write_text(
        "# Harbour\n\nThe harbour master of Vard is called Edda Vinter, and she opens at six.\n"
    )
    (folder / "valley.md").write_text(f"# Valley\n\n{prose('valley')}")
    return folder


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path, docs: Path) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path / "data")
    made.open()
    made.drop(docs)
    made.wait_until_read(2)
    yield made
    made.close()


def names(driver: Driver) -> set[str]:
    return {Path(row.path).name for row in driver.desk.library.shelf.files}


def test_a_drive_that_is_away_is_told_and_answers_still_come_from_it(
    driver: Driver, docs: Path
) -> None:
    away = docs.rename(docs.with_name("unplugged"))
    tree = driver.window.side.library.tree
    driver.desk.library.surroundings.look()  # as it does every ten seconds
    wait_for(
        lambda: "cannot be reached" in tree.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    )
    assert names(driver) == {"harbour.md", "valley.md"}
    driver.ask("What is the harbour master of Vard called?")
    turn = driver.wait_for_answer()
    assert "Edda Vinter" in turn.text
    driver.window.sources.open_citation(turn, turn.citations[0].n)
    viewer = driver.window.sources.viewer
    wait_for(lambda: "Edda Vinter" in viewer.text_view.toPlainText())
    away.rename(docs)
    driver.desk.library.surroundings.look()  # as it does every ten seconds
    wait_for(
        lambda: (
            "cannot be reached" not in tree.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
        )
    )
    assert names(driver) == {"harbour.md", "valley.md"}


def test_a_file_moves_to_another_knowledge_base_without_being_read_again(
    driver: Driver, docs: Path
) -> None:
    """It could not be read again: the drive is away."""
    library = driver.desk.library
    library.change_base(KbRequest("create", "second"))
    wait_for(lambda: "second" in [kb.name for kb in library.shelf.kbs])
    library.switch("default")
    wait_for(lambda: library.shelf.current == "default" and len(library.shelf.files) == 2)
    docs.rename(docs.with_name("unplugged"))
    moved = (str(docs / "harbour.md"),)
    library.deeds.carry_out(FilesRequest("move", "default", moved, to="second"))
    wait_for(lambda: names(driver) == {"valley.md"})
    library.switch("second")
    wait_for(lambda: names(driver) == {"harbour.md"})
    assert driver.desk.library.shelf.files[0].status is FileStatus.READY
    wait_for(lambda: driver.window.chat.composer.chips.chosen() == ("second",))
    driver.ask("What is the harbour master of Vard called?")
    assert "Edda Vinter" in driver.wait_for_answer().text


def test_stop_ends_reading_within_two_seconds_and_what_was_read_stays(
    driver: Driver, docs: Path
) -> None:
    more = docs.with_name("more")
    more.mkdir()
    for number in range(150):
        (more / f"{number}.md").write_text(f"# Topic {number}\n\n{prose(f'topic{number}')}" * 40)
    driver.drop(more)
    library = driver.desk.library
    wait_for(lambda: isinstance(library.activity, Working) and len(library.shelf.files) > 100)
    wait_for(driver.window.side.library.progress.stop.isVisible)
    began = time.monotonic()
    driver.window.side.library.progress.stop.click()
    wait_for(lambda: library.activity == Resting())
    assert time.monotonic() - began < 2
    driver.ask("What is the harbour master of Vard called?")
    assert "Edda Vinter" in driver.wait_for_answer().text


def test_a_conversation_is_renamed_pinned_deleted_and_brought_back(
    qapp: QApplication, driver: Driver
) -> None:
    driver.ask("What is the harbour master of Vard called?")
    driver.wait_for_answer()
    driver.window.side.show_conversations()
    pane = driver.window.side.conversations
    chat_id = driver.desk.chat.transcript.chat_id
    wait_for(lambda: pane.list.rows.row_of(chat_id) >= 0)
    pane.list.setCurrentIndex(pane.list.rows.index(pane.list.rows.row_of(chat_id)))
    pane.list.setFocus()
    QTest.keyClick(pane.list, Qt.Key.Key_F2)
    edit = pane.list.findChild(QLineEdit)
    edit.selectAll()
    QTest.keyClicks(edit, "Vard")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    wait_for(lambda: row(driver, chat_id).title == "Vard")
    driver.desk.conversations.pin((chat_id,), pinned=True)
    wait_for(lambda: row(driver, chat_id).pinned)
    QTest.keyClick(pane.list, Qt.Key.Key_Delete)
    wait_for(lambda: pane.list.rows.row_of(chat_id) < 0)
    pane.undo_bar.button.click()
    wait_for(lambda: pane.list.rows.row_of(chat_id) >= 0)
    home = driver.desk.data_dir
    driver.window.close()

    again = Driver(qapp, home)
    again.open()
    wait_for(lambda: again.window.side.conversations.list.rows.row_of(chat_id) >= 0)
    kept = row(again, chat_id)
    assert (kept.title, kept.pinned) == ("Vard", True)
    again.close()


def row(driver: Driver, chat_id: int):
    """Return a conversation as the list has it."""
    rows = driver.desk.conversations.rows
    return next(each for each in rows if getattr(each, "id", None) == chat_id)
