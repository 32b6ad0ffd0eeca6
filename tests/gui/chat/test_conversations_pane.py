"""The list of conversations, as a person uses it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from desktop_rag.commands.conversation_recorder import ConversationLog as Keeping
from desktop_rag.core.catalog_records import Conversation
from desktop_rag.core.types import ChatId
from desktop_rag.gui.chat.conversations_pane import ConversationsPane
from desktop_rag.gui.chat.export_dialog import ExportDialog, file_name
from desktop_rag.gui.controllers.conversation_groups import group_by_period
from desktop_rag.gui.controllers.transcript import Transcript
from desktop_rag.gui.theme import Theme
from testing.sample_answers import answer
from tests.gui.controllers.conversation_setup import Talks


def pause(milliseconds: int) -> None:
    """Let the event loop run for a while."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


class Hands:
    """The pane over a catalog, and what one does with it."""

    def __init__(self, theme: Theme, folder: Path) -> None:
        self.talks = Talks(folder)
        self.pane = ConversationsPane(theme, self.talks.conversations)
        self.pane.resize(290, 600)
        self.pane.show()

    def read(self) -> None:
        self.talks.conversations.refresh()
        self.settle()

    def settle(self) -> None:
        pause(5)
        self.talks.settle()
        pause(5)

    @property
    def rows(self) -> list[str]:
        model = self.pane.list.rows
        return [model.index(n).data() for n in range(model.rowCount())]

    @property
    def hits(self) -> list[str]:
        model = self.pane.found.places
        return [model.index(n).data() for n in range(model.rowCount())]

    def index(self, chat: int) -> QModelIndex:
        return self.pane.list.rows.index(self.pane.list.rows.row_of(chat))

    def click(self, chat: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        view = self.pane.list
        at = view.visualRect(self.index(chat)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, keys, at)
        self.settle()

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.pane.list, key, keys)
        self.settle()

    def type_search(self, text: str) -> None:
        self.pane.field.setFocus()
        self.pane.field.clear()
        if text.isascii():
            QTest.keyClicks(self.pane.field, text)
        else:
            self.pane.field.insert(text)  # QTest's keys are ASCII only
        pause(160)
        self.settle()

    def shown(self) -> int | None:
        return self.talks.chat.transcript.chat_id


@pytest.fixture
def hands(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[Hands]:
    made = Hands(theme, tmp_path / "home")
    yield made
    made.pane.close()
    made.pane.deleteLater()
    made.talks.close()
    pause(5)


def test_without_conversations_the_list_says_what_it_is_for(hands: Hands) -> None:
    hands.read()
    assert hands.pane.empty.isVisible()
    assert not hands.pane.field.isVisible()


def test_conversations_stand_under_headings_the_pinned_on_top(hands: Hands) -> None:
    hands.talks.tell("today's")
    old = hands.talks.tell("old but pinned", days=400)
    hands.talks.tell("a week old", days=4)
    hands.talks.catalog.chats.pin(ChatId(old), pinned=True)
    hands.read()
    assert hands.rows == [
        "Pinned", "old but pinned", "Today", "today's", "Last 7 days", "a week old",
    ]  # fmt: skip


def test_a_click_opens_a_conversation_and_a_heading_cannot_be_chosen(hands: Hands) -> None:
    chat = hands.talks.tell("Why?")
    hands.read()
    hands.click(chat)
    assert hands.shown() == chat
    heading = hands.pane.list.rows.index(0)
    assert not heading.flags() & Qt.ItemFlag.ItemIsSelectable


def test_f2_changes_a_title_in_its_row(hands: Hands) -> None:
    chat = hands.talks.tell("Why?")
    hands.read()
    hands.click(chat)
    hands.key(Qt.Key.Key_F2)
    (editor,) = hands.pane.list.findChildren(QLineEdit)
    assert editor.text() == "Why?"
    editor.selectAll()
    QTest.keyClicks(editor, "  Fuel  prices")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    hands.settle()
    assert hands.talks.catalog.chats.get(ChatId(chat)).title == "Fuel prices"
    assert "Fuel prices" in hands.rows
    assert hands.talks.chat.transcript.title == "Fuel prices"


def test_a_title_that_is_being_changed_is_left_alone_by_what_comes_meanwhile(hands: Hands) -> None:
    chat = hands.talks.tell("Why?")
    hands.read()
    hands.click(chat)
    hands.key(Qt.Key.Key_F2)
    (editor,) = hands.pane.list.findChildren(QLineEdit)
    hands.talks.tell("asked by a command")
    hands.read()
    assert shiboken6.isValid(editor)
    assert hands.rows == ["Today", "Why?"]
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    hands.settle()
    assert hands.rows == ["Today", "asked by a command", "Why?"]


def test_delete_can_be_undone_from_the_bar_and_by_the_keyboard(hands: Hands) -> None:
    chat = hands.talks.tell("Why?")
    hands.read()
    for undo in (
        hands.pane.undo_bar.button.click,
        lambda: QTest.keyClick(
            hands.pane.window().focusWidget(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier
        ),
    ):
        hands.click(chat)
        hands.key(Qt.Key.Key_Delete)
        assert hands.rows == []
        assert hands.pane.undo_bar.words.text() == "Conversation deleted."
        undo()
        hands.settle()
        assert hands.rows == ["Today", "Why?"]
        assert not hands.pane.undo_bar.isVisible()
        assert hands.shown() == chat


def test_several_are_chosen_and_deleted_at_once(hands: Hands) -> None:
    first, second = hands.talks.tell("first"), hands.talks.tell("second")
    hands.talks.tell("third")
    hands.read()
    hands.click(first)
    hands.click(second, Qt.KeyboardModifier.ControlModifier)
    assert hands.shown() == first, "the second is chosen, not opened"
    hands.key(Qt.Key.Key_Delete)
    assert hands.rows == ["Today", "third"]
    assert hands.pane.undo_bar.words.text() == "2 conversations deleted."
    hands.pane.undo_bar.dismiss.click()
    hands.settle()
    assert len(hands.talks.catalog.chats.all()) == 1
    assert not hands.pane.undo_bar.isVisible()


def test_the_keyboard_stays_where_something_was_deleted(hands: Hands) -> None:
    chats = [hands.talks.tell(f"talk {number}") for number in range(4)]
    hands.read()
    hands.click(chats[2])
    hands.key(Qt.Key.Key_Delete)
    assert hands.pane.list.chosen() == ()
    assert hands.pane.list.currentIndex().data() == "talk 1"
    hands.key(Qt.Key.Key_Down)
    hands.key(Qt.Key.Key_Delete)
    assert hands.rows == ["Today", "talk 3", "talk 1"]
    assert hands.pane.list.currentIndex().data() == "talk 1"


def test_what_is_chosen_stays_so_when_the_list_changes(hands: Hands) -> None:
    first, second = hands.talks.tell("first"), hands.talks.tell("second")
    hands.read()
    hands.click(first)
    hands.click(second, Qt.KeyboardModifier.ControlModifier)
    hands.talks.tell("by a command")
    hands.read()
    assert {each.id for each in hands.pane.list.chosen()} == {first, second}


def test_a_conversation_that_has_begun_is_marked_in_the_list(hands: Hands) -> None:
    hands.talks.tell("older")
    hands.read()
    chat = hands.talks.tell("begun")
    hands.talks.chat.show(Transcript(chat, "begun"))
    hands.settle()
    assert [each.id for each in hands.pane.list.chosen()] == [chat]


def open_menu(hands: Hands, at: QPoint) -> dict[str, QAction]:
    hands.pane.list.customContextMenuRequested.emit(at)
    (menu,) = hands.pane.list.findChildren(QMenu)
    return {action.text(): action for action in menu.actions() if action.isVisible()}


def test_the_menu_pins_and_unpins(hands: Hands) -> None:
    chat = hands.talks.tell("Why?")
    hands.read()
    hands.click(chat)
    actions = open_menu(hands, hands.pane.list.visualRect(hands.index(chat)).center())
    assert {"Rename", "Pin", "Export…", "Delete"} <= set(actions)
    actions["Pin"].trigger()
    hands.settle()
    assert hands.rows == ["Pinned", "Why?"]


def test_the_button_of_a_row_opens_its_menu(hands: Hands) -> None:
    chat = hands.talks.tell("Why?")
    hands.read()
    view = hands.pane.list
    row = view.visualRect(hands.index(chat))
    at = QPoint(row.right() - 16, row.center().y())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    (menu,) = view.findChildren(QMenu)
    assert menu.isVisible()
    menu.close()


def test_a_search_shows_places_and_going_to_one_opens_it_on_its_branch(hands: Hands) -> None:
    chat = hands.talks.tell("Which ferry?", "The Sula [1].")
    Keeping(hands.talks.catalog, ChatId(chat), 0).asked("Which?").answered(answer("None.", 1))
    hands.talks.tell("一线城市", "住宿标准为每晚600元[1]。")
    hands.read()
    hands.type_search("sula")
    assert hands.hits == ["Which ferry?"]
    assert hands.pane.status.text() == "1 place"
    QTest.keyClick(hands.pane.field, Qt.Key.Key_Return)
    hands.settle()
    (turn,) = hands.talks.chat.transcript.turns
    assert (hands.shown(), turn.text) == (chat, "The Sula [1].")
    hands.type_search("住宿")
    assert hands.hits == ["一线城市"]
    hands.type_search("nowhere")
    assert hands.pane.status.text() == "Nothing found."
    QTest.keyClick(hands.pane.field, Qt.Key.Key_Escape)
    hands.settle()
    assert hands.pane.list.isVisible()


def test_enter_goes_to_the_first_place_even_before_it_was_found(hands: Hands) -> None:
    chat = hands.talks.tell("Which ferry?", "The Sula [1].")
    hands.read()
    QTest.keyClicks(hands.pane.field, "sula")
    QTest.keyClick(hands.pane.field, Qt.Key.Key_Return)
    hands.settle()
    hands.settle()
    assert hands.shown() == chat


def test_the_arrow_goes_from_the_field_to_what_was_found(hands: Hands) -> None:
    chat = hands.talks.tell("Which ferry?", "The Sula [1].")
    hands.read()
    hands.type_search("sula")
    QTest.keyClick(hands.pane.field, Qt.Key.Key_Down)
    assert hands.pane.found.currentIndex().row() == 0
    QTest.keyClick(hands.pane.found, Qt.Key.Key_Return)
    hands.settle()
    assert hands.shown() == chat


def test_conversations_are_exported_in_the_form_that_was_chosen(
    hands: Hands, tmp_path: Path
) -> None:
    chat = hands.talks.tell("Why: fuel/power?")
    hands.read()
    hands.click(chat)
    for form, ending in (("Markdown (*.md)", "md"), ("JSON, with all branches (*.json)", "json")):
        hands.pane.export((chat,))
        (dialog,) = hands.pane.findChildren(ExportDialog)
        dialog.selectNameFilter(form)
        dialog.filterSelected.emit(form)
        assert dialog.defaultSuffix() == ending
        dialog.fileSelected.emit(str(tmp_path / f"talk.{ending}"))
        dialog.reject()
        hands.settle()
        pause(20)
        assert not shiboken6.isValid(dialog)
    assert "# Why: fuel/power?" in (tmp_path / "talk.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "talk.json").read_text(encoding="utf-8"))["version"] == 1


@pytest.mark.parametrize(
    ("title", "name"),
    [("Why: fuel/power?", "Why fuel power"), ("差旅费用", "差旅费用"), ("..", "conversation")],
)
def test_a_file_is_named_after_its_conversation(title: str, name: str) -> None:
    assert file_name(title) == name


def test_ten_thousand_conversations_do_not_hold_the_window_up(hands: Hands) -> None:
    from datetime import datetime

    now = time.time()
    many = [
        Conversation(ChatId(n), f"talk {n}", ("default",), 0.0, now - n * 3600)
        for n in range(1, 10_001)
    ]
    rows = group_by_period(many, datetime.now())
    changed = group_by_period(
        [Conversation(ChatId(99_999), "new", (), 0.0, now), *many], datetime.now()
    )
    seconds = []
    for shown in (rows, changed, rows, changed):
        began = time.thread_time()  # of this thread alone: the machine may be busy
        hands.pane.list.show_rows(shown)
        hands.pane.list.choose(5_000)
        hands.pane.list.viewport().repaint()
        seconds.append(time.thread_time() - began)
    assert min(seconds[1:]) < 0.05, seconds
    assert hands.pane.list.rows.rowCount() == len(changed)


def test_every_row_has_a_height_of_its_own_font(hands: Hands) -> None:
    """The view measures one row for all."""
    delegate = hands.pane.list.itemDelegate()
    option = QStyleOptionViewItem()
    option.font = hands.pane.list.font()
    small = delegate.sizeHint(option, QModelIndex()).height()
    option.font.setPointSizeF(option.font.pointSizeF() * 2)
    assert delegate.sizeHint(option, QModelIndex()).height() > small
