"""The one dialog of what went wrong, and the report that can be copied from it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.core import logs
from desktop_rag.core.errors import Cancelled, CatalogDamaged, UserError
from desktop_rag.gui import exception_hook as module
from desktop_rag.gui.error_dialog import ErrorDialog
from desktop_rag.gui.exception_hook import ExceptionHook
from testing.window_driver import pause, wait_for

SECRET = "the minister's salary is 90,000 in /home/anna/secret.pdf"


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def faults(parent: QWidget, tmp_path: Path) -> Iterator[ExceptionHook]:
    logs.start(tmp_path, verbose=False)
    made = ExceptionHook(parent, logs.folder(tmp_path))
    made.install()
    yield made
    made.uninstall()
    close_log()


def close_log() -> None:
    ours = logging.getLogger("desktop_rag")
    for handler in list(ours.handlers):
        ours.removeHandler(handler)
        handler.close()
    ours.propagate = True


def bug() -> ValueError:
    """Return an error that was raised in code, with a text of the user's in its message."""
    try:
        try:
            int(SECRET)
        except ValueError as error:
            raise ValueError(SECRET) from error
    except ValueError as error:
        raised = error
    return raised


def raise_it(error: Exception) -> None:
    sys.excepthook(type(error), error, error.__traceback__)


def shown(faults: ExceptionHook) -> ErrorDialog:
    wait_for(lambda: faults.dialog is not None)
    assert faults.dialog is not None
    pause(20)
    return faults.dialog


def freed(dialog: ErrorDialog) -> None:
    dialog.reject()
    wait_for(lambda: not shiboken6.isValid(dialog))


def test_errors_at_once_are_counted_in_one_dialog(faults: ExceptionHook, parent: QWidget) -> None:
    for _ in range(3):
        raise_it(bug())
    dialog = shown(faults)
    assert parent.findChildren(ErrorDialog) == [dialog]
    assert "3 times" in dialog.times.text()
    raise_it(KeyError("another"))
    wait_for(lambda: "4 times" in dialog.times.text())
    assert parent.findChildren(ErrorDialog) == [dialog]
    freed(dialog)
    assert faults.dialog is None


def test_what_a_report_is_for_is_said_with_the_name_of_its_button(faults: ExceptionHook) -> None:
    raise_it(bug())
    dialog = shown(faults)
    assert f"“{dialog.copy.text()}”" in dialog.remedy.text()
    freed(dialog)


def test_the_report_tells_where_it_was_and_nothing_of_the_user_s(faults: ExceptionHook) -> None:
    raise_it(bug())
    dialog = shown(faults)
    dialog.copy.click()
    report = QGuiApplication.clipboard().text()
    assert report == dialog.report
    assert "Desktop RAG" in report
    assert "Qt" in report
    assert "tests.gui.test_exception_hook" in report
    assert report.count("ValueError") == 2
    for secret in (*SECRET.split(), "home", str(Path(__file__).parent), str(Path.home())):
        if len(secret) > 2:
            assert secret not in report.replace("desktop_rag", "")
    freed(dialog)


def test_the_log_keeps_the_place_and_not_the_message(faults: ExceptionHook, tmp_path: Path) -> None:
    raise_it(bug())
    freed(shown(faults))
    try:
        (tmp_path / SECRET / "no such folder").read_text()
    except OSError:
        logging.getLogger("desktop_rag.test").exception("a file was not read")
    log = (tmp_path / "logs" / "desktop-rag.log").read_text("utf-8")
    assert "tests.gui.test_exception_hook" in log
    assert "FileNotFoundError (ENOENT)" in log
    assert "salary" not in log
    assert "secret.pdf" not in log


def test_what_the_user_can_mend_is_told_with_its_remedy_and_without_a_report(
    faults: ExceptionHook,
) -> None:
    raise_it(UserError("The disk is full.", "Make room and try again."))
    dialog = shown(faults)
    assert (dialog.what.text(), dialog.remedy.text()) == (
        "The disk is full.",
        "Make room and try again.",
    )
    assert not dialog.copy.isVisible()
    assert dialog.folder.isVisible()
    freed(dialog)


def test_a_damaged_catalog_is_told_by_the_window_s_own_dialog(faults: ExceptionHook) -> None:
    met: list[Exception] = []
    faults.catalog_damaged.connect(met.append)
    error = CatalogDamaged("/d/catalog.sqlite")
    raise_it(error)
    wait_for(lambda: met)
    assert met == [error]
    assert faults.dialog is None


def test_a_stop_is_no_error(faults: ExceptionHook) -> None:
    raise_it(Cancelled())
    pause(20)
    assert faults.dialog is None


def test_an_error_that_comes_again_and_again_is_not_shown_again_and_again(
    faults: ExceptionHook, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = bug()
    raise_it(error)
    freed(shown(faults))
    raise_it(error)
    pause(40)
    assert faults.dialog is None
    monkeypatch.setattr(module, "_QUIET_SECONDS", 0.0)
    raise_it(error)
    freed(shown(faults))


def test_the_dialog_is_worked_by_the_keyboard(faults: ExceptionHook) -> None:
    raise_it(bug())
    dialog = shown(faults)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    wait_for(lambda: not shiboken6.isValid(dialog))
