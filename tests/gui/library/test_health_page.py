"""The page of what files lack: in a real window, and its cards alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_rag.core.index_health import (
    HealthFile,
    HealthFinding,
    HealthKind,
    IndexHealth,
    ReasonCount,
)
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.file_query import FileGroup
from desktop_rag.gui.library.health_card import HealthCard
from desktop_rag.gui.library.health_page import HealthPage
from desktop_rag.gui.theme import Theme
from testing.window_driver import Driver, wait_for
from tests.gui.menu_clicks import pick_for_base
from tests.indexing.test_recognition import HERON, scan

pytestmark = pytest.mark.slow


def filled(driver: Driver, docs: Path) -> HealthPage:
    """Read a folder in which much is amiss, and show the page."""
    docs.mkdir()
    (docs / "notes.md").write_text("# Notes\n\n" + "The ferry is late. " * 20, "utf-8")
    (docs / "copy & more.md").write_bytes((docs / "notes.md").read_bytes())
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 not really")
    (docs / "none.txt").write_bytes(b"")
    driver.drop(docs)
    driver.wait_until_read(4)
    pick_for_base(driver.window.side.library, "Health…")
    page = driver.window.centre.health
    wait_for(lambda: shown(page) == ["failed", "empty", "duplicate"])
    return page


def shown(page: HealthPage) -> list[str]:
    return [kind.value for kind, card in page.cards.items() if card.isVisible()]


def names(card: HealthCard) -> list[str]:
    return [line.name.accessibleName() for line in card.lines if line.isVisible()]


def test_each_kind_has_a_card_and_what_mends_it(driver: Driver, tmp_path: Path) -> None:
    page = filled(driver, tmp_path / "docs")
    failed = page.cards[HealthKind.FAILED]
    assert names(failed) == ["broken.pdf"]
    assert failed.lines[0].reason.whole == "The PDF is damaged."
    assert not failed.reasons.isVisible(), "the file says it"
    copies = page.cards[HealthKind.DUPLICATE]
    assert copies.count.text() == "2 files"
    assert names(copies) == ["copy & more.md", "notes.md"]
    assert not copies.mend.isVisible()
    asked: list[object] = []
    page.open_asked.disconnect()  # no other program is to be started
    page.open_asked.connect(asked.append)
    copies.lines[0].name.click()
    assert asked == [str(tmp_path / "docs" / "copy & more.md")]
    (tmp_path / "docs" / "broken.pdf").unlink()
    (tmp_path / "docs" / "none.txt").unlink()
    (tmp_path / "docs" / "copy & more.md").unlink()
    failed.mend.click()
    wait_for(page.whole.isVisible)
    assert page.whole.text() == "Everything is read."
    assert shown(page) == []


@pytest.mark.parametrize(
    ("kind", "group", "files"),
    [
        (HealthKind.FAILED, FileGroup.FAILED, ["broken.pdf"]),
        (HealthKind.DUPLICATE, FileGroup.COPIES, ["copy & more.md", "notes.md"]),
        (HealthKind.EMPTY, FileGroup.EMPTY, ["none.txt"]),
    ],
)
def test_its_files_are_shown_in_the_table(
    driver: Driver, tmp_path: Path, kind: HealthKind, group: FileGroup, files: list[str]
) -> None:
    page = filled(driver, tmp_path / "docs")
    page.cards[kind].show_all.click()
    table = driver.window.centre.files
    assert driver.window.centre.shows_files
    assert table.group.currentData() == group
    wait_for(lambda: sorted(Path(each.path).name for each in table.model.rows) == files)


def test_recognition_is_turned_on_where_pictures_were_not_read(
    driver: Driver, tmp_path: Path
) -> None:
    library = driver.context.library
    pick_for_base(driver.window.side.library, "Read scans and pictures")
    wait_for(lambda: not library.snapshot.recognizes_text)
    driver.drop(scan(tmp_path / "scan.png", HERON))
    driver.wait_until_read(1)
    driver.window.side.library.health.click()
    page = driver.window.centre.health
    card = page.cards[HealthKind.PICTURES]
    wait_for(card.isVisible)
    assert "Text recognition is off" in card.meaning.text()
    assert (card.count.text(), card.mend.text()) == ("1 file, 1 page", "Turn text recognition on")
    card.mend.click()
    wait_for(lambda: [row.status for row in library.snapshot.files] == [FileStatus.READY])
    wait_for(page.whole.isVisible)


def test_the_page_is_left_with_escape_and_survives_another_language(driver: Driver) -> None:
    page = driver.window.centre.health
    for leave in ("escape", "back"):
        driver.window.side.library.health.click()
        wait_for(page.whole.isVisible)
        assert page.whole.text() == "There are no files yet."
        if leave == "escape":
            QTest.keyClick(driver.window, Qt.Key.Key_Escape)
        else:
            page.back.click()
        assert not page.isVisible()
    driver.window.centre.show_health()
    driver.window.speak_anew()
    wait_for(driver.window.centre.health.whole.isVisible)
    assert driver.window.centre.health is not page


def test_many_files_are_told_by_their_reasons(theme: Theme) -> None:
    card = HealthCard(theme, HealthKind.FAILED, lists_all=True)
    long = "a" * 80 + ".pdf"
    reasons = tuple(ReasonCount(f"Reason {n}.", 9 - n) for n in range(5))
    first = (HealthFile(f"/d/{long}", "Reason 0. Do this."),)
    finding = HealthFinding(HealthKind.FAILED, 35, 0, first, reasons)
    card.show_health(IndexHealth("default", 90, recognizes_text=True, findings=(finding,)))
    assert card.reasons.text() == "• Reason 0. (9)\n• Reason 1. (8)\n• Reason 2. (7)"
    assert len(card.lines[0].name.text()) < 50
    assert card.lines[0].name.accessibleName() == long
    card.deleteLater()
