"""Consent and the page about privacy, driven as a person would."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.connection_audit import Purpose
from desktop_rag.gui.consent_dialog import ConsentDialog
from desktop_rag.gui.controllers.privacy import ConnectionGroup, Contact
from desktop_rag.gui.controllers.transcript import Answered
from desktop_rag.gui.model_setup.model_setup_dialog import ModelSetupDialog
from desktop_rag.gui.settings.connection_log_table import ConnectionLogModel, ConnectionLogTable
from desktop_rag.gui.settings.privacy_page import ConsentList, ConsentRow, RemoteAccessCard
from desktop_rag.gui.settings.setting_controls import ToggleControl
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.theme import Theme
from testing.narrowing import narrow, present
from testing.window_driver import Driver, wait_for

PLACE = "http://203.0.113.7:11434"


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    folder = tmp_path / "documents"
    folder.mkdir()
    text = "The ferry Sula runs on electricity, and cut its fuel by 71 percent.\n" * 4
    (folder / "ferry.txt").write_text(text)
    made = Driver(qapp, tmp_path / "home", ollama__host=PLACE)
    made.open()
    made.drop(folder)
    made.wait_until_read(1)
    yield made
    made.close()


def box_of(driver: Driver) -> ConsentDialog | None:
    return driver.window.findChild(ConsentDialog)


def given(driver: Driver) -> list[tuple[str, str]]:
    from desktop_rag.core.cancel import CancelToken

    consents = driver.context.folder.get(CancelToken()).catalog.consents.all()
    return [(each.kb, each.place) for each in consents]


def opened(driver: Driver) -> SettingsDialog:
    driver.window.settings.open()
    dialog = present(driver.window.findChild(SettingsDialog))
    dialog.show_page("privacy")
    return dialog


def test_what_may_not_be_asked_leads_to_where_it_is_allowed(driver: Driver) -> None:
    wait_for(driver.window.chat.banner.isVisible)
    driver.window.chat.banner.button.click()
    setup = present(driver.window.findChild(ModelSetupDialog))
    wait_for(lambda: setup.notice.allow.isVisibleTo(setup))
    assert PLACE in setup.notice.text.text()
    setup.close()
    driver.window.settings.open_ollama()
    dialog = present(driver.window.findChild(SettingsDialog))
    assert dialog.pages[dialog.navigation.currentRow()].heading.section == "privacy"
    dialog.close()


def test_a_question_waits_for_consent_and_no_means_quotes(
    driver: Driver, only_loopback: list[str]
) -> None:
    driver.ask("Which ferry runs on electricity?")
    wait_for(lambda: box_of(driver) is not None)
    box = present(box_of(driver))
    assert f"Send passages of “My documents” to {PLACE}?" in box.text()
    assert box.defaultButton() is box.decline
    assert present(driver.turn).running
    box.decline.click()
    turn = driver.wait_for_answer()
    assert narrow(turn.outcome, Answered).mode == "extracted"
    assert given(driver) == []
    wait_for(lambda: not shiboken6.isValid(box))
    driver.ask("Which ferry cut its fuel?")  # who said no is not asked again
    driver.wait_for_answer()
    assert box_of(driver) is None
    assert only_loopback == []


def test_what_is_allowed_goes_to_that_computer_unless_all_are_blocked_and_can_be_revoked(
    driver: Driver, only_loopback: list[str]
) -> None:
    driver.ask("Which ferry runs on electricity?")
    wait_for(lambda: box_of(driver) is not None)
    present(box_of(driver)).allow.click()
    driver.wait_for_answer()
    assert given(driver) == [("default", PLACE)]
    assert set(only_loopback) == {"socket.connect 203.0.113.7"}
    see_that_the_switch_wins(driver, only_loopback)
    dialog = opened(driver)
    rows = present(dialog.findChild(ConsentList))
    wait_for(lambda: rows.rows)
    (row,) = rows.rows
    assert isinstance(row, ConsentRow)
    assert row.button.text() == "Revoke"
    assert "“My documents”" in present(dialog.findChild(RemoteAccessCard)).lines.text()
    row.button.click()
    wait_for(lambda: given(driver) == [])
    wait_for(lambda: rows.rows and narrow(rows.rows[0], ConsentRow).button.text() == "Allow")
    wait_for(lambda: getattr(driver.context.health.health, "is_refused", False))
    only_loopback.clear()


def see_that_the_switch_wins(driver: Driver, attempts: list[str]) -> None:
    """Block others, ask, and block them no more: the answer is made of quotes, nothing leaves."""
    flip(opened(driver))
    wait_for(lambda: "are blocked" in getattr(driver.context.health.health, "what", ""))
    attempts.clear()
    driver.ask("Which ferry cut its fuel?")
    turn = driver.wait_for_answer()
    assert narrow(turn.outcome, Answered).mode == "extracted"
    assert "71 percent" in turn.text
    assert any("are blocked" in notice for notice in turn.notices)
    assert box_of(driver) is None
    assert attempts == []
    flip(opened(driver))
    wait_for(lambda: "are blocked" not in getattr(driver.context.health.health, "what", ""))


def flip(dialog: SettingsDialog) -> None:
    """Click on the switch that blocks other computers, and leave."""
    toggle = dialog.row("privacy.block_remote").control
    assert isinstance(toggle, ToggleControl)
    QTest.mouseClick(toggle, Qt.MouseButton.LeftButton)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    wait_for(lambda: not shiboken6.isValid(dialog))


def test_a_stop_takes_the_question_for_consent_back(driver: Driver) -> None:
    driver.ask("Which ferry runs on electricity?")
    wait_for(lambda: box_of(driver) is not None)
    driver.context.chat.stop()
    wait_for(lambda: not present(driver.turn).running and box_of(driver) is None)
    assert given(driver) == []


def test_the_switch_blocks_shows_and_logs(driver: Driver) -> None:
    flip(opened(driver))
    dialog = opened(driver)
    lines = present(dialog.findChild(RemoteAccessCard)).lines
    wait_for(lambda: "another computer: blocked" in lines.text())
    wait_for(lambda: is_refused("203.0.113.9"))
    table = present(dialog.findChild(ConnectionLogTable))
    wait_for(
        lambda: "203.0.113.9:7\tunknown: a library's own\trefused" in table.model.as_text(), 10
    )
    table.copy_all.click()
    assert "203.0.113.9:7" in QGuiApplication.clipboard().text()
    table.clear.click()
    wait_for(lambda: not table.table.isVisible())
    assert table.empty.isVisible()


def is_refused(host: str) -> bool:
    try:
        socket.create_connection((host, 7), 0.2)
    except PermissionError:
        return True
    except OSError:
        return False
    return False


def test_the_log_as_a_model(theme: Theme) -> None:
    model = ConnectionLogModel(theme)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    here = Contact(0.0, "127.0.0.1", 11434, Purpose.ANSWER, allowed=True)
    six = Contact(0.0, "2001:db8::1", 443, Purpose.UNKNOWN, allowed=False)
    name = Contact(0.0, "example.org", 0, Purpose.UNKNOWN, allowed=False)
    model.show_rows(
        (
            ConnectionGroup(here, 0.0, 1234),
            ConnectionGroup(six, 0.0, 1),
            ConnectionGroup(name, 0.0, 1),
        )
    )
    said = [cells(model, row) for row in range(3)]
    assert said[0] == [
        "127.0.0.1:11434 (this computer)",
        "Language model: an answer",
        "allowed × 1,234",
    ]
    assert said[1] == ["[2001:db8::1]:443", "unknown: a library's own", "refused"]
    assert said[2] == ["example.org", "looking up a name", "refused"]
    assert str(model.index(0, 0).data()).startswith(("1970-01-01", "1969-12-31"))
    model.show_rows((ConnectionGroup(replace(here, when=time.time()), 0.0, 1),))
    assert len(str(model.index(0, 0).data())) == len("04:34:02")
    model.show_rows(())
    assert model.rowCount() == 0


def cells(model: QAbstractItemModel, row: int) -> list[str]:
    return [str(model.index(row, column).data()) for column in (1, 2, 3)]


def test_a_run_that_asks_nobody_says_so(qapp: QApplication, tmp_path: Path) -> None:
    made = Driver(qapp, tmp_path, ollama__host=PLACE, privacy__allow_remote="true")
    made.open()
    lines = present(opened(made).findChild(RemoteAccessCard)).lines
    wait_for(lambda: "allowed for this run, without asking" in lines.text())
    assert "consent" not in lines.text()
    made.close()


def test_a_cloud_behind_this_computer_s_ollama_is_named(qapp: QApplication, tmp_path: Path) -> None:
    made = Driver(qapp, tmp_path)
    made.open()
    lines = present(opened(made).findChild(RemoteAccessCard)).lines
    wait_for(lambda: "no such model is used without your consent" in lines.text())
    made.close()
