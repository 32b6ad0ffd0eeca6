"""What is taken out in the window is gone from the disk, byte by byte; its quotes as was chosen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.library.removal_dialog import RemovalDialog
from testing.window_driver import Driver, pause, wait_for
from tests.catalog.stored_documents import bytes_hold
from tests.drills.catalogs import make_old
from tests.gui.menu_clicks import pick_for_base, pick_for_row
from tests.system.terminal import Terminal

SECRET = "xylophonequartz"
QUESTION = "What is kept under the third step of the stairs?"
ALONE = "zebrawoodcello"
SAID = f"Under the third step of the stairs the {SECRET} is kept, behind a board of {ALONE}.\n"
OPEN = "The valley has a river that comes from the mountains and goes to the sea.\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "secret").mkdir(parents=True)
    (folder / "open.md").write_text(OPEN * 3)
    (folder / "secret" / "a.md").write_text(SAID)
    (folder / "secret" / "b.csv").write_text(f"thing,place\n{SECRET},third step\n")
    return folder


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path, docs: Path) -> Iterator[Driver]:
    """Return a window that has read the documents and answered out of the secret one."""
    made = Driver(qapp, tmp_path / "data")
    made.open()
    made.drop(docs / "open.md", docs / "secret")
    made.wait_until_read(3)
    made.ask(QUESTION)
    assert SECRET in made.wait_for_answer().text
    yield made
    if shiboken6.isValid(made.window):
        made.close()


def remove(driver: Driver, folder: Path) -> RemovalDialog:
    """Choose a folder in the tree and press Delete; return the question that comes."""
    driver.window.centre.show_files()
    driver.window.panes.open_side()
    tree = driver.window.side.library.tree
    model = tree.model()
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    tree.setCurrentIndex(next(row for row in rows if row.data() == folder.name))
    tree.setFocus()
    QTest.keyClick(tree, Qt.Key.Key_Delete)
    wait_for(lambda: driver.window.findChildren(RemovalDialog))
    return driver.window.findChildren(RemovalDialog)[0]


def files_left(driver: Driver) -> set[str]:
    return {Path(row.path).name for row in driver.context.library.snapshot.files}


@pytest.mark.timeout(180)
def test_the_text_and_its_quotes_are_gone_to_the_last_byte(driver: Driver, docs: Path) -> None:
    home = driver.context.data_dir
    assert bytes_hold(home, SECRET), "the search by bytes would find it"
    box = remove(driver, docs / "secret")
    box.lose.setChecked(True)
    box.go.click()
    wait_for(lambda: files_left(driver) == {"open.md"})
    wait_for(lambda: driver.turn is not None and SECRET not in driver.turn.text)
    assert SECRET not in driver.window.chat.view.toPlainText()
    driver.ask(QUESTION)
    assert SECRET not in driver.wait_for_answer().text
    driver.close()
    assert bytes_hold(home, SECRET) == []
    assert (docs / "secret" / "a.md").read_text() == SAID, "the user's own file stays"


@pytest.mark.timeout(180)
def test_the_quotes_alone_stay_where_the_user_keeps_them(driver: Driver, docs: Path) -> None:
    box = remove(driver, docs / "secret")
    assert box.keep.isChecked()
    box.go.click()
    wait_for(lambda: files_left(driver) == {"open.md"})
    pause(300)
    assert driver.turn is not None
    assert SECRET in driver.turn.text
    home = driver.context.data_dir
    driver.ask(QUESTION)
    assert SECRET not in driver.wait_for_answer().text, "it is quoted, and found no more"
    driver.close()
    held = {Path(name).name.partition("-")[0] for name in bytes_hold(home, SECRET)}
    assert held - {"catalog.copy"} == {"catalog.sqlite"}, "in the conversation, and in no index"


@pytest.mark.timeout(180)
def test_one_file_goes_to_the_last_byte_and_none_where_the_question_is_dismissed(
    driver: Driver, docs: Path
) -> None:
    remove(driver, docs / "secret").reject()
    pause(500)
    assert files_left(driver) == {"open.md", "a.md", "b.csv"}

    driver.window.centre.show_files()
    page = driver.window.centre.files
    driver.window.side.library.all_files.click()
    wait_for(lambda: page.model.rowCount() == 3)
    row = [Path(each.path).name for each in page.model.rows].index("a.md")
    pick_for_row(page.view, row, "Remove from the knowledge base")
    agree_to_lose_quotes(driver)
    wait_for(lambda: files_left(driver) == {"open.md", "b.csv"})
    wait_for(lambda: driver.turn is not None and ALONE not in driver.turn.text)
    home = driver.context.data_dir
    driver.close()
    assert bytes_hold(home, ALONE) == []
    assert bytes_hold(home, SECRET), "the other file is still known"
    assert (docs / "secret" / "a.md").read_text() == SAID, "the user's own file stays"


def agree_to_lose_quotes(driver: Driver) -> None:
    """Answer the question that comes: the quotes go, too."""
    wait_for(lambda: [box for box in driver.window.findChildren(RemovalDialog) if box.isVisible()])
    (box,) = [box for box in driver.window.findChildren(RemovalDialog) if box.isVisible()]
    QTest.mouseClick(box.lose, Qt.MouseButton.LeftButton, pos=QPoint(10, box.lose.height() // 2))
    assert box.lose.isChecked()
    QTest.mouseClick(box.go, Qt.MouseButton.LeftButton)


@pytest.mark.timeout(180)
def test_a_knowledge_base_goes_to_the_last_byte_with_its_quotes_and_the_copy_of_a_migration(
    qapp: QApplication, driver: Driver
) -> None:
    home = driver.context.data_dir
    driver.close()
    make_old(home / "catalog.sqlite", 1)
    again = Driver(qapp, home)
    again.open()
    wait_for(lambda: len(again.context.library.snapshot.files) == 3)
    held = [name for name in bytes_hold(home, SECRET) if ".before-" in name]
    assert held, "a migration keeps a copy"
    pick_for_base(again.window.side.library, "Delete this knowledge base…")
    agree_to_lose_quotes(again)
    wait_for(lambda: not again.context.library.snapshot.kbs)
    wait_for(lambda: not again.context.library.commands.underway)
    again.close()
    assert bytes_hold(home, SECRET) == []
    assert bytes_hold(home, QUESTION), "the conversation itself stays"


def test_the_copy_that_a_migration_made_goes_with_what_is_removed(
    tmp_path: Path, docs: Path
) -> None:
    terminal = Terminal(tmp_path / "home")
    assert terminal.type("index", docs).status == 0
    make_old(terminal.home / "catalog.sqlite", 1)
    assert SECRET in terminal.type("search", "third step").out
    copies = [name for name in bytes_hold(terminal.home, SECRET) if ".before-" in name]
    assert copies, "a migration keeps a copy"
    assert terminal.type("remove", docs / "secret").status == 0
    assert bytes_hold(terminal.home, SECRET) == []
    assert "valley" in terminal.type("search", "river").out


def test_a_knowledge_base_that_is_deleted_goes_with_the_copy_that_a_migration_made(
    tmp_path: Path, docs: Path
) -> None:
    terminal = Terminal(tmp_path / "home")
    assert terminal.type("index", docs, "--kb", "notes").status == 0
    make_old(terminal.home / "catalog.sqlite", 1)
    (listed,) = terminal.type("kb", "list", "--json").lines
    assert listed["files"] == 3
    copies = [name for name in bytes_hold(terminal.home, SECRET) if ".before-" in name]
    assert copies, "a migration keeps a copy"
    assert terminal.type("kb", "delete", "notes").status == 0
    assert bytes_hold(terminal.home, SECRET) == []
