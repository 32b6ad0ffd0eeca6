"""The library in a real window over a real data folder."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QFileDialog,
    QInputDialog,
    QLabel,
    QLineEdit,
    QProgressBar,
    QWidget,
)

from desktop_rag.catalog.provenance import original
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import FilesRequest, KbRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.file_query import FileColumn
from desktop_rag.gui.controllers.ingest_queue import Pause
from desktop_rag.gui.controllers.library import Idle, Indexing
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.library.add_folder_dialog import AddFolderDialog
from desktop_rag.gui.library.progress_cards import ProgressCard
from desktop_rag.gui.library.removal_dialog import RemovalDialog
from desktop_rag.gui.widgets.elided_label import ElidedLabel
from desktop_rag.indexing import progress_estimate
from testing.narrowing import present
from testing.window_driver import Driver, pause, wait_for
from tests.gui.menu_clicks import pick_for_base, pick_for_row


def notes(folder: Path, number: int, words: int = 40) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for n in range(number):
        said = f"Boat number {n} sails to harbour {n} every morning. " * words
        (folder / f"note {n:03}.md").write_text(f"# Note {n}\n\n{said}")
    return folder


def statuses(driver: Driver) -> list[FileStatus]:
    return [row.status for row in driver.context.library.snapshot.files]


def dialog(driver: Driver, kind: type[QWidget]) -> QWidget:
    wait_for(lambda: driver.window.findChildren(kind))
    return driver.window.findChildren(kind)[0]


def test_a_pause_ends_reading_and_lasts_over_a_restart(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path / "data")
    driver.open()
    library = driver.context.library
    driver.drop(notes(tmp_path / "docs", 90, 100))  # several batches: the first makes files ready
    wait_for(lambda: FileStatus.READY in statuses(driver))
    driver.window.side.library.progress.pause.click()
    wait_for(lambda: library.activity == Idle())
    assert FileStatus.QUEUED in statuses(driver), "it was read to its end"
    assert "Paused" in driver.window.side.library.progress.stage.whole
    (tmp_path / "docs" / "late.md").write_text("# Late\n\nA late note about the pier of Vard.")
    wait_for(lambda: any(row.path.endswith("late.md") for row in library.snapshot.files))
    assert statuses(driver).count(FileStatus.QUEUED) > 1
    driver.close()
    again = Driver(qapp, tmp_path / "data")
    again.open()
    wait_for(lambda: again.context.library.pause is Pause.USER)
    pause(1500)
    assert FileStatus.QUEUED in statuses(again)
    again.window.side.library.progress.resume.click()
    wait_for(lambda: set(statuses(again)) == {FileStatus.READY})
    again.close()


def shown(card: ProgressCard) -> str:
    """Return what the card says, line by line; nothing where it is hidden."""
    labels = [each for each in card.findChildren(QLabel) if each.isVisible()]
    return "\n".join(e.whole if isinstance(e, ElidedLabel) else e.text() for e in labels)


def test_the_card_tells_how_far_reading_has_come_and_goes_when_it_is_done(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Thirty notes may be read in less than a second, before which no time is guessed.
    monkeypatch.setattr(progress_estimate, "_RATED_FROM", 0.0)
    driver.window.centre.show_files()
    card = driver.window.side.library.progress
    bar = card.findChild(QProgressBar)
    told: list[str] = []
    counts: list[int] = []
    bars: list[tuple[int, int]] = []

    def note() -> None:
        told.append(shown(card))
        if stage := re.match(r"Reading files: (\d+) of 30$", told[-1], re.MULTILINE):
            counts.append(int(stage[1]))
            bars.append((present(bar).value(), present(bar).maximum()))

    wait_for(lambda: not card.isVisible())
    driver.context.library.activity_changed.connect(note)
    driver.drop(notes(tmp_path / "docs", 30, 200))
    driver.wait_until_read(30)
    wait_for(lambda: not card.isVisible())
    assert counts == sorted(counts)
    assert 0 <= counts[0] < counts[-1] <= 30
    assert bars == [(count, 30) for count in counts]
    left = r"(about \d+ (s|min) left|a few seconds left)"
    whole = rf".*\n(Reading|Indexing|Stored) note 0[0-2]\d\.md\n[1-9]\d* passages/s · {left}"
    assert any(re.fullmatch(whole, each) for each in told), told


@pytest.mark.timeout(600)  # beside other tests the embedder, which gives way, takes its time
def test_a_decision_does_not_wait_for_a_run_and_a_late_file_may_go_first(
    driver: Driver, tmp_path: Path
) -> None:
    library = driver.context.library
    driver.drop(notes(tmp_path / "docs", 400, 200))
    wait_for(lambda: FileStatus.READY in statuses(driver))
    out = tmp_path / "docs" / "note 119.md"
    library.commands.carry_out(FilesRequest("exclude", "default", (str(out),)))
    wait_for(lambda: library.snapshot.excluded)
    assert isinstance(library.activity, Indexing)
    late = tmp_path / "late.md"
    late.write_text("# Late\n\nThe lighthouse keeper of Vard paints the tower white.")
    driver.drop(late)
    wait_for(
        lambda: any(
            row.path == str(late) and row.status is FileStatus.READY
            for row in library.snapshot.files
        ),
        seconds=400.0,
    )
    assert FileStatus.QUEUED in statuses(driver)
    library.stop()
    wait_for(lambda: library.activity == Idle())


@pytest.mark.slow
def test_a_waiting_file_that_is_chosen_in_the_table_is_read_before_the_others(
    driver: Driver, tmp_path: Path
) -> None:
    library, page = driver.context.library, driver.window.centre.files
    driver.drop(notes(tmp_path / "docs", 400, 200))
    QTest.keyClick(driver.window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: page.model.rowCount() == 400 and FileStatus.READY in statuses(driver))
    last = str(tmp_path / "docs" / "note 399.md")
    waiting = {row.path for row in library.snapshot.files if row.status is FileStatus.QUEUED}
    assert last in waiting
    pick_for_row(page.view, [row.path for row in page.model.rows].index(last), "Read this first")
    wait_for(lambda: status_of(driver, last) is FileStatus.READY)
    library.stop()
    when = {row.path: row.changed_at for row in library.snapshot.files if row.chunks}
    before = [path for path in waiting & when.keys() if when[path] < when[last]]
    assert len(before) < len(waiting) / 2, "it would have been the last of them"
    wait_for(lambda: library.activity == Idle())


def status_of(driver: Driver, path: str) -> FileStatus:
    return next(row.status for row in driver.context.library.snapshot.files if row.path == path)


def test_the_table_takes_the_middle_and_a_key_gives_it_back(driver: Driver, tmp_path: Path) -> None:
    driver.drop(notes(tmp_path / "docs", 3, 2))
    driver.wait_until_read(3)
    window = driver.window
    QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: window.centre.shows_files)
    page = window.centre.files
    wait_for(lambda: page.model.rowCount() == 3)
    assert not window.sources.isVisible()
    assert page.model.index(0, FileColumn.NAME).data() == "note 000.md"
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: not window.centre.shows_files)
    assert not window.sources.isVisible()
    driver.ask("What is in the notes?")
    driver.wait_for_answer()
    assert window.sources.isVisible()
    window.centre.show_files()
    assert not window.sources.isVisible()
    window.centre.show_chat()
    assert window.sources.isVisible()


def test_a_big_folder_is_asked_about_and_parts_of_it_left_out(
    driver: Driver, tmp_path: Path
) -> None:
    for name, number in (("letters", 4), ("photos", 600)):
        folder = tmp_path / "big" / name
        folder.mkdir(parents=True)
        for n in range(number):
            (folder / f"{n}.txt").write_text(f"Letter {n} tells of the sea and the wind. " * 5)
    driver.drop(tmp_path / "big")
    preview = dialog(driver, AddFolderDialog)
    assert isinstance(preview, AddFolderDialog)
    wait_for(preview.add.isEnabled)
    assert preview.total.text() == "604 files, 126 kB", "125,450 bytes and 800"
    parts = [preview.parts.topLevelItem(row) for row in (0, 1)]
    told = [[present(part).text(column) for column in range(3)] for part in parts]
    assert told == [["photos", "600", "125 kB"], ["letters", "4", "800 bytes"]]
    for ticked, total in (
        (Qt.CheckState.Unchecked, "4 files, 800 bytes"),
        (Qt.CheckState.Checked, "604 files, 126 kB"),
        (Qt.CheckState.Unchecked, "4 files, 800 bytes"),
    ):
        present(parts[0]).setCheckState(0, ticked)
        assert preview.total.text() == total
    shelves: list[LibrarySnapshot] = []
    driver.context.library.snapshot_changed.connect(shelves.append)
    driver.context.library.refresh()
    wait_for(lambda: shelves)
    assert (shelves[-1].files, shelves[-1].branches) == ((), ()), "nothing is added until Add"
    preview.add.click()
    driver.wait_until_read(4)
    assert len(driver.context.library.snapshot.files) == 4


def test_a_dropped_path_that_is_not_there_is_said(driver: Driver, tmp_path: Path) -> None:
    driver.drop(tmp_path / "nowhere.pdf")
    wait_for(driver.window.chat.complaint.isVisible)
    assert "nowhere.pdf" in driver.window.chat.complaint.text


def test_a_link_that_is_not_followed_is_said(driver: Driver, tmp_path: Path) -> None:
    docs = notes(tmp_path / "docs", 1)
    link = docs / "linked.md"
    link.symlink_to(notes(tmp_path / "elsewhere", 1) / "note 000.md")
    driver.drop(docs)
    wait_for(driver.window.chat.notice.isVisible)
    assert f"The link {link} leads out of the folder" in driver.window.chat.notice.text
    assert driver.window.chat.complaint.isHidden()


def test_a_knowledge_base_is_made_by_its_name_and_shown(driver: Driver) -> None:
    driver.window.side.library.bases.ask_for_name()
    box = dialog(driver, QInputDialog)
    assert isinstance(box, QInputDialog)
    box.setTextValue("  Recipes ")
    box.accept()
    wait_for(lambda: driver.context.library.snapshot.current == "Recipes")
    wait_for(lambda: "Recipes" in [kb.name for kb in driver.context.library.snapshot.kbs])
    assert driver.window.side.library.kbs.currentText() == "Recipes"
    wait_for(lambda: not shiboken6.isValid(box))


def test_a_knowledge_base_is_renamed_exported_deleted_and_imported(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes back from its file alone: the documents are gone, and nothing is embedded again."""
    library, pane = driver.context.library, driver.window.side.library
    embedded = embedded_by(driver, monkeypatch)
    driver.drop(notes(tmp_path / "docs", 4, 3))
    driver.wait_until_read(4)
    library.change_base(KbRequest("rename", "default", new_name="letters"))
    wait_for(lambda: library.snapshot.current == "letters" and library.snapshot.files)
    file, number, vectors = tmp_path / "letters.ragkb", len(embedded), vectors_of(driver)
    assert number == len(vectors) == 4

    pick_for_base(pane, "Export to a file…")
    name_in(dialog(driver, QFileDialog), file, "Save")
    wait_for(lambda: file.is_file() and not library.commands.underway)
    pick_for_base(pane, "Delete this knowledge base…")
    box = dialog(driver, RemovalDialog)
    assert isinstance(box, RemovalDialog)
    box.go.click()
    wait_for(lambda: library.snapshot.current != "letters" and not library.snapshot.files)
    (tmp_path / "docs" / "after.md").write_text("# After\n\nWritten after the base was deleted.")
    pause(4000)
    assert "letters" not in [kb.name for kb in library.snapshot.kbs]
    assert vectors_of(driver) == {}
    shutil.rmtree(tmp_path / "docs")

    pick_for_base(pane, "Import…")
    name_in(dialog(driver, QFileDialog), file, "Open")
    wait_for(lambda: library.snapshot.current == "letters" and len(library.snapshot.files) >= 4)
    wait_for(lambda: library.activity == Idle() and not library.commands.underway)
    assert statuses(driver) == [FileStatus.READY] * 4
    assert (len(embedded), vectors_of(driver)) == (number, vectors)
    driver.ask("Where does boat number 3 sail to?")
    assert "harbour 3" in driver.wait_for_answer().text


def embedded_by(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that fills with what the window's model embeds of documents from now on."""
    embedder = driver.context.folder.get(CancelToken()).models.embedder
    embed, noted = embedder.embed, list[str]()

    def noting(texts: Sequence[str], token: CancelToken | None = None) -> object:
        noted.extend(texts)
        return embed(texts, token)

    monkeypatch.setattr(embedder, "embed", noting)
    return noted


def vectors_of(driver: Driver) -> dict[str, bytes]:
    """Return the vectors that the catalog holds, by the hashes of their texts."""
    with closing(sqlite3.connect(driver.context.data_dir / "catalog.sqlite")) as catalog:
        rows = catalog.execute("SELECT embed_key, vector FROM embeddings")
        return {original(key): vector for key, vector in rows}


def name_in(dialog: QWidget, file: Path, agreed: str) -> None:
    """Type a file's path in the dialog that asks for one, and agree."""
    present(dialog.findChild(QLineEdit)).setText(str(file))
    (button,) = [
        each
        for box in dialog.findChildren(QDialogButtonBox)
        for each in box.buttons()
        if each.text().replace("&", "") == agreed
    ]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    wait_for(lambda: not shiboken6.isValid(dialog))
