"""A locked file in the window: its password entered, wrong and right, kept, used, and forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.index_health import HealthKind
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.library import Idle
from desktop_rag.gui.library.file_table_page import FileTablePage
from desktop_rag.gui.library.password_dialog import PasswordDialog
from desktop_rag.parsing import file_problems
from testing.narrowing import present
from testing.window_driver import Driver, wait_for
from tests.gui.menu_clicks import pick_for_row
from tests.memory_key_ring import MemoryKeyRing
from tests.parsing.locked_files import locked_pdf

pytestmark = [pytest.mark.timeout(180), pytest.mark.slow]
PASSWORD = "harbour"


@pytest.fixture
def key_ring(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[MemoryKeyRing]]:
    name = f"{MemoryKeyRing.__module__}.{MemoryKeyRing.__qualname__}"
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", name)
    MemoryKeyRing.clear()
    yield MemoryKeyRing
    MemoryKeyRing.clear()


def table_of(driver: Driver, *files: Path) -> FileTablePage:
    driver.drop(*files)
    driver.wait_until_read(len(files))
    driver.window.centre.show_files()
    page = driver.window.centre.files
    wait_for(lambda: page.view.model().rowCount() == len(files))
    return page


def row_of(driver: Driver, path: Path) -> FileRow:
    return next(each for each in driver.context.library.snapshot.files if each.path == str(path))


def offers(page: FileTablePage, row: int) -> list[str]:
    page.view.selectRow(row)
    actions = page.actions_of_files
    actions.refresh()
    both: list[QAction] = [actions.password, actions.forget]
    return [each.text() for each in both if each.isVisible()]


def enter(driver: Driver, page: FileTablePage, password: str, *, keep: bool = False) -> None:
    pick_for_row(page.view, 0, "Enter password…")
    dialog = present(driver.window.findChildren(PasswordDialog)[-1])
    wait_for(dialog.isVisible)
    assert not dialog.go.isEnabled()
    QTest.keyClicks(dialog.password, password)
    if keep:
        wait_for(dialog.keep.isEnabled)
        dialog.keep.click()
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


def test_the_page_of_health_asks_for_passwords(driver: Driver, tmp_path: Path) -> None:
    paths = [locked_pdf(tmp_path / name, PASSWORD) for name in ("one.pdf", "two.pdf")]
    driver.drop(*paths)
    driver.wait_until_read(2)
    driver.window.centre.show_health()
    card = driver.window.centre.health.cards[HealthKind.PROTECTED]
    wait_for(card.mend.isVisible)
    card.mend.click()
    dialog = present(driver.window.findChildren(PasswordDialog)[-1])
    wait_for(dialog.isVisible)
    QTest.keyClicks(dialog.password, PASSWORD)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    wait_for(lambda: all(row_of(driver, each).status is FileStatus.READY for each in paths))
    wait_for(lambda: not card.isVisible())


def test_a_locked_file_is_read_with_its_password_and_shown(
    driver: Driver, tmp_path: Path, key_ring: type[MemoryKeyRing]
) -> None:
    path = locked_pdf(tmp_path / "plan.pdf", PASSWORD)
    page = table_of(driver, path)
    assert key_ring.asked == 0
    assert offers(page, 0) == ["Enter password…"]
    page.view.selectRow(0)
    (mend,) = [each for each in page.details.remedies if each.isVisible()]
    assert mend.text() == "Enter password…"
    mend.click()
    present(driver.window.findChild(PasswordDialog)).reject()
    enter(driver, page, "wrong")
    wrong = file_problems.wrong_password().sentence
    wait_for(lambda: row_of(driver, path).reason == wrong)
    wait_for(lambda: driver.context.library.activity == Idle())
    enter(driver, page, PASSWORD, keep=True)
    wait_for(lambda: row_of(driver, path).status is FileStatus.READY)
    assert list(key_ring.kept.values()) == [PASSWORD]
    shown = driver.context.reader.pages
    sizes: list[object] = []
    shown.sizes_came.connect(sizes.append)
    shown.open(str(path))
    wait_for(lambda: sizes)
    wait_for(lambda: offers(page, 0) == ["Forget password"])
    pick_for_row(page.view, 0, "Forget password")
    wait_for(lambda: not driver.context.library.snapshot.passwords)
    assert key_ring.kept == {}
    assert row_of(driver, path).status is FileStatus.READY


def test_several_files_are_opened_with_one_password(driver: Driver, tmp_path: Path) -> None:
    paths = [
        locked_pdf(tmp_path / f"{n}.pdf", PASSWORD, f"The ship number {n} waits in the harbour.")
        for n in range(3)
    ]
    page = table_of(driver, *paths)
    page.view.selectAll()
    QTest.keyClick(page.view, Qt.Key.Key_Return)
    dialog = present(driver.window.findChild(PasswordDialog))
    wait_for(lambda: "no key ring" in dialog.place.text())
    assert not dialog.keep.isEnabled()
    assert dialog.password.echoMode() is QLineEdit.EchoMode.Password
    dialog.is_shown.click()
    assert dialog.password.echoMode() is QLineEdit.EchoMode.Normal
    QTest.keyClicks(dialog.password, PASSWORD)
    QTest.keyClick(dialog.password, Qt.Key.Key_Return)
    wait_for(lambda: all(row_of(driver, path).status is FileStatus.READY for path in paths))
