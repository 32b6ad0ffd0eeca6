"""The list of keys on F1: what the window listens to, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from desktop_rag.gui import shortcuts
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.main_window import MainWindow
from desktop_rag.gui.shortcuts import ShortcutsDialog, shortcut_groups
from desktop_rag.gui.theme import Theme

OF_THE_SYSTEM = {  # what every list and text field does by itself
    QKeySequence(key).toString() for key in ("Ctrl+C", "Ctrl+A", "Ctrl+X", "Ctrl+V")
}


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, theme: Theme, tmp_path: Path) -> MainWindow:
    made = MainWindow(theme, AppContext(tmp_path, lambda _: None))
    qtbot.addWidget(made)
    made.show()
    return made


def written() -> list[str]:
    """Return every key of the list."""
    pairs = [pair for group in shortcut_groups(is_expert=True) for pair in group.keys]
    return [key for keys, _ in pairs for key in keys.split(", ")]


def heard(window: MainWindow) -> set[str]:
    """Return every key that something in the window listens to."""
    found = [shortcut.key() for shortcut in window.findChildren(QShortcut)]
    found += [key for action in window.findChildren(QAction) for key in action.shortcuts()]
    return {key.toString() for key in found} - {""} - OF_THE_SYSTEM


def test_every_key_that_the_window_listens_to_is_listed(window: MainWindow) -> None:
    known = {QKeySequence(key).toString() for key in written()}
    assert heard(window) - known == set()


def test_every_key_that_has_a_name_in_the_source_is_listed() -> None:
    named = {
        value
        for name, value in vars(shortcuts).items()
        if name.isupper() and isinstance(value, str)
    }
    assert named - set(written()) == set()


def test_no_key_is_listed_twice() -> None:
    assert len(written()) == len(set(written()))


def test_the_list_shows_each_key_with_what_it_does(qtbot: QtBot) -> None:
    dialog = ShortcutsDialog(is_expert=True)
    qtbot.addWidget(dialog)
    shown = [label.text() for label in dialog.findChildren(QLabel)]
    for group in shortcut_groups(is_expert=True):
        assert group.title in shown
        assert all(meaning in shown for _, meaning in group.keys)
