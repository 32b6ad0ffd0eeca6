"""The window over folders that go away, come back, and change hands; and what it keeps of talks."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import FilesRequest, KbRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.file_query import FileColumn
from desktop_rag.gui.controllers.library import Idle, Indexing
from desktop_rag.gui.library.file_table_view import FileTableModel
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import Vectors
from testing.narrowing import present
from testing.window_driver import Driver, wait_for
from tests.indexing.indexed_folder import prose

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
    return {Path(row.path).name for row in driver.context.library.snapshot.files}


def test_a_drive_that_is_away_is_told_and_answers_still_come_from_it(
    driver: Driver, docs: Path
) -> None:
    away = docs.rename(docs.with_name("unplugged"))
    tree = driver.window.side.library.tree
    driver.context.library.surroundings.look()  # as it does every ten seconds
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
    driver.context.library.surroundings.look()  # as it does every ten seconds
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
    library = driver.context.library
    library.change_base(KbRequest("create", "second"))
    wait_for(lambda: "second" in [kb.name for kb in library.snapshot.kbs])
    library.switch("default")
    wait_for(lambda: library.snapshot.current == "default" and len(library.snapshot.files) == 2)
    docs.rename(docs.with_name("unplugged"))
    moved = (str(docs / "harbour.md"),)
    library.commands.carry_out(FilesRequest("move", "default", moved, to="second"))
    wait_for(lambda: names(driver) == {"valley.md"})
    library.switch("second")
    wait_for(lambda: names(driver) == {"harbour.md"})
    assert driver.context.library.snapshot.files[0].status is FileStatus.READY
    wait_for(lambda: driver.window.chat.composer.chips.chosen() == ("second",))
    driver.ask("What is the harbour master of Vard called?")
    assert "Edda Vinter" in driver.wait_for_answer().text


def test_a_file_moved_between_the_folders_of_two_knowledge_bases_is_not_embedded_again(
    driver: Driver, docs: Path, embedded: list[str]
) -> None:
    library, other = driver.context.library, docs.with_name("other")
    other.mkdir()
    (other / "island.md").write_text(f"# Island\n\n{prose('island')}")
    library.change_base(KbRequest("create", "second"))
    wait_for(lambda: library.snapshot.current == "second")
    driver.drop(other)
    wait_for(lambda: names(driver) == {"island.md"} and library.activity == Idle())
    assert any("island" in each for each in embedded), "what is read is counted"
    embedded.clear()
    stays = {"default": {"valley.md"}, "second": {"island.md"}}
    for source, target, there in ((docs, other, "second"), (other, docs, "default")):
        shutil.move(source / "harbour.md", target / "harbour.md")
        for name, files in stays.items():
            library.switch(name)
            wanted = files | ({"harbour.md"} if name == there else set())
            wait_for(lambda: names(driver) == wanted)  # noqa: B023 - called at once
        library.switch(there)
        wait_for(lambda: len(names(driver)) == 2 and library.activity == Idle())
        assert {row.status for row in library.snapshot.files} == {FileStatus.READY}
    assert embedded == []
    driver.ask("What is the harbour master of Vard called?")
    turn = driver.wait_for_answer()
    assert "Edda Vinter" in turn.text
    assert turn.citations[0].path == str(docs / "harbour.md")


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of documents that the built-in model is given."""
    given: list[str] = []
    embed = OnnxEmbedder.embed

    def note(self: OnnxEmbedder, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        given.extend(texts if token is not None else ())  # a question has none
        return embed(self, texts, token)

    monkeypatch.setattr(OnnxEmbedder, "embed", note)
    return given


def test_what_changed_while_the_window_was_closed_is_found_when_it_opens(
    qapp: QApplication, driver: Driver, docs: Path, embedded: list[str]
) -> None:
    (docs / "kennel.md").write_text(f"# Kennel\n\n{prose('kennel')}")
    driver.wait_until_read(3)
    home = driver.context.data_dir
    driver.window.close()

    (docs / "sea").mkdir()
    (docs / "harbour.md").rename(docs / "sea" / "port.md")
    (docs / "valley.md").write_text("# Valley\n\nThe valley of Brunn was painted by Olaf Kvist.\n")
    (docs / "island.md").write_text("# Island\n\nThe island of Skarv belongs to Signe Aas.\n")
    (docs / "kennel.md").unlink()
    embedded.clear()
    again = Driver(qapp, home)
    again.open()
    wait_for(lambda: names(again) == {"port.md", "valley.md", "island.md"})
    wait_for(lambda: any("Brunn" in each for each in embedded))
    again.window.centre.show_files()
    model = again.window.centre.files.model
    wait_for(
        lambda: (
            again.context.library.activity == Idle()
            and table(model)
            == {
                "port.md": "Ready",
                "valley.md": "Ready",
                "island.md": "Ready",
            }
        )
    )
    assert len(embedded) == 2, "what only moved is known"
    again.window.centre.show_chat()
    for question, file, said in (
        ("What is the harbour master of Vard called?", "sea/port.md", "Edda Vinter"),
        ("Who painted the valley of Brunn?", "valley.md", "Olaf Kvist"),
        ("To whom does the island of Skarv belong?", "island.md", "Signe Aas"),
    ):
        again.context.chat.new()
        again.ask(question)
        turn = again.wait_for_answer()
        assert said in turn.text
        assert turn.citations[0].path == str(docs / file)
        assert not any("kennel" in each.text for each in turn.sources)
    again.close()


def table(model: FileTableModel) -> dict[str, str]:
    """Return the names and states that the table of files shows."""
    rows = range(model.rowCount())
    return {
        model.index(row, FileColumn.NAME).data(): model.index(row, FileColumn.STATE).data()
        for row in rows
    }


def test_stop_ends_reading_and_what_was_read_stays(driver: Driver, docs: Path) -> None:
    more = docs.with_name("more")
    more.mkdir()
    for number in range(150):
        (more / f"{number}.md").write_text(f"# Topic {number}\n\n{prose(f'topic{number}')}" * 40)
    driver.drop(more)
    library = driver.context.library
    wait_for(lambda: isinstance(library.activity, Indexing) and len(library.snapshot.files) > 100)
    driver.window.centre.show_files()
    wait_for(driver.window.side.library.progress.stop.isVisible)
    driver.window.side.library.progress.stop.click()
    wait_for(lambda: library.activity == Idle())
    left = [row for row in library.snapshot.files if row.status is not FileStatus.READY]
    assert left, "it was read to its end"
    driver.window.centre.show_chat()
    driver.ask("What is the harbour master of Vard called?")
    assert "Edda Vinter" in driver.wait_for_answer().text


def test_a_conversation_is_renamed_pinned_deleted_and_brought_back(
    qapp: QApplication, driver: Driver
) -> None:
    driver.ask("What is the harbour master of Vard called?")
    driver.wait_for_answer()
    driver.window.centre.back_to_chat()
    pane = driver.window.side.conversations
    chat_id = present(driver.context.chat.transcript.chat_id)
    wait_for(lambda: pane.list.rows.row_of(chat_id) >= 0)
    pane.list.setCurrentIndex(pane.list.rows.index(pane.list.rows.row_of(chat_id)))
    pane.list.setFocus()
    QTest.keyClick(pane.list, Qt.Key.Key_F2)
    edit = present(pane.list.findChild(QLineEdit))
    edit.selectAll()
    QTest.keyClicks(edit, "Vard")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    wait_for(lambda: row(driver, chat_id).title == "Vard")
    driver.context.conversations.pin((chat_id,), pinned=True)
    wait_for(lambda: row(driver, chat_id).pinned)
    QTest.keyClick(pane.list, Qt.Key.Key_Delete)
    wait_for(lambda: pane.list.rows.row_of(chat_id) < 0)
    pane.undo_bar.button.click()
    wait_for(lambda: pane.list.rows.row_of(chat_id) >= 0)
    home = driver.context.data_dir
    driver.window.close()

    again = Driver(qapp, home)
    again.open()
    wait_for(lambda: again.window.side.conversations.list.rows.row_of(chat_id) >= 0)
    kept = row(again, chat_id)
    assert (kept.title, kept.pinned) == ("Vard", True)
    again.close()


def row(driver: Driver, chat_id: int) -> Any:
    """Return a conversation as the list has it."""
    rows = driver.context.conversations.rows
    return next(each for each in rows if getattr(each, "id", None) == chat_id)
