"""Dialogs and banners."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.chat.conversations_pane import ConversationsPane
from desktop_rag.gui.controllers.chat import ChatController
from desktop_rag.gui.controllers.conversations import ConversationsController
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import InlineRunner
from desktop_rag.gui.shortcuts import ShortcutsDialog, shortcut_groups
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.banner import Banner
from testing.window_driver import wait_for


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


def freed(widget: QWidget) -> None:
    widget.close()
    wait_for(lambda: not shiboken6.isValid(widget))


def test_the_list_of_keys_is_freed_on_close(parent: QWidget) -> None:
    dialog = ShortcutsDialog(parent, is_expert=True)
    dialog.open()
    assert sum(len(group.keys) for group in shortcut_groups(is_expert=True)) > 10
    freed(dialog)


def test_a_banner_says_something_and_can_be_dismissed(
    qtbot: QtBot, theme: Theme, parent: QWidget
) -> None:
    banner = Banner(theme, "banner", parent)
    assert not banner.isVisible()
    banner.say("Look here.", "Do it")
    assert banner.isVisible()
    with qtbot.waitSignal(banner.acted):
        banner.button.click()
    banner.dismiss.click()
    assert not banner.isVisible()


def test_conversations_tell_what_they_are_for_while_there_are_none(
    qtbot: QtBot, theme: Theme
) -> None:
    jobs, folder = InlineRunner(), DataFolder(lambda: None)
    chat = ChatController(jobs, folder)
    pane = ConversationsPane(theme, ConversationsController(jobs, folder, chat))
    qtbot.addWidget(pane)
    pane.show()
    assert not pane.list.isVisible()
