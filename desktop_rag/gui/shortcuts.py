"""The keys of the window, and the list of them that F1 shows."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from desktop_rag.gui.widgets.scroll_areas import ContentScrollArea

NEW, ADD_FILES, ADD_FOLDER = "Ctrl+N", "Ctrl+O", "Ctrl+Shift+O"
FIND, FIND_ALL, ASK, STOP, HELP = "Ctrl+F", "Ctrl+Shift+F", "Ctrl+L", "Esc", "F1"
HOME, ASKING, LIBRARY, NOTES, BENCH = "Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+4", "Ctrl+5"
SIDE, PALETTE, FULL_SCREEN = "Ctrl+B", "Ctrl+K", "F11"
SETTINGS, QUIT = "Ctrl+,", "Ctrl+Q"
NEXT_MARK, PREVIOUS_MARK = "Alt+Down", "Alt+Up"
NEXT_FOUND, PREVIOUS_FOUND = "F3", "Shift+F3"


Keys = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ShortcutGroup:
    """Keys that belong together: pairs of the keys and what they do."""

    title: str
    keys: Keys


def tr(text: str) -> str:
    """Return a text of the list in the window's language."""
    return QCoreApplication.translate("Shortcuts", text)


def shortcut_groups(*, is_expert: bool) -> tuple[ShortcutGroup, ...]:
    """Return every key and what it does; those of experts' tools for them alone."""
    everywhere = (each for each in _everywhere() if is_expert or each[0] != BENCH)
    return (
        ShortcutGroup(tr("Everywhere"), tuple(everywhere)),
        ShortcutGroup(tr("Asking"), _asking()),
        ShortcutGroup(tr("Files"), _files()),
        ShortcutGroup(tr("Reading"), _reading()),
    )


def _everywhere() -> Keys:
    return (
        (HOME, tr("Home")),
        (ASKING, tr("Ask")),
        (LIBRARY, tr("Library")),
        (NOTES, tr("Notes")),
        (BENCH, tr("Workbench")),
        (PALETTE, tr("Go to a document, a conversation or a command")),
        (SIDE, tr("Show or hide the list at the left")),
        (SETTINGS, tr("Settings")),
        ("Tab, Shift+Tab", tr("Go to the next or the previous control")),
        ("Shift+F10", tr("Open the context menu")),
        (HELP, tr("This list")),
        (QUIT, tr("Quit")),
    )


def _asking() -> Keys:
    return (
        (ASK, tr("Go to the question field")),
        ("Enter", tr("Send the question")),
        ("Shift+Enter", tr("New line in the question")),
        (STOP, tr("Stop the answer, or close the document")),
        (NEW, tr("New conversation")),
        (FIND, tr("Find in the conversation or the document")),
        (FIND_ALL, tr("Search all conversations")),
        ("F2, Del", tr("Rename or delete a conversation; remove a file")),
        ("Ctrl+Z", tr("Bring back a conversation just deleted")),
        ("Up", tr("Edit the last question, from the empty field")),
    )


def _files() -> Keys:
    return (
        (ADD_FILES, tr("Add files")),
        (ADD_FOLDER, tr("Add a folder")),
        ("Space", tr("Show or hide the details of the chosen file")),
        ("F5, Ctrl+Shift+Up", tr("Read chosen files again, or first")),
    )


def _reading() -> Keys:
    return (
        ("PgUp, PgDown", tr("Scroll a document by a screen")),
        ("+, −, 0", tr("Zoom a document's pages or text; fit the width")),
        (FULL_SCREEN, tr("Show a document in full screen, or no longer")),
        (f"{PREVIOUS_MARK}, {NEXT_MARK}", tr("Previous or next mark in a document")),
        (f"{PREVIOUS_FOUND}, {NEXT_FOUND}", tr("Previous or next place found in a document")),
    )


class ShortcutsDialog(QDialog):
    """Shows the list; open it with `open()`."""

    def __init__(self, parent: QWidget | None = None, *, is_expert: bool = False) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        table = _table(shortcut_groups(is_expert=is_expert))
        column.addWidget(ContentScrollArea(table, self.windowTitle()))
        column.addWidget(buttons)


def _table(groups: tuple[ShortcutGroup, ...]) -> QWidget:
    """Return the groups one below the other, their columns aligned."""
    table = QWidget()
    table.setObjectName("clear")
    grid = QGridLayout(table)
    grid.setContentsMargins(10, 4, 12, 8)
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(6)
    row = 0
    for group in groups:
        title = QLabel(group.title)
        title.setObjectName("small")
        grid.addWidget(title, row, 0, 1, 2)
        grid.setRowMinimumHeight(row, title.sizeHint().height() + (10 if row else 0))
        grid.setAlignment(title, Qt.AlignmentFlag.AlignBottom)
        for keys, meaning in group.keys:
            row += 1
            key = QLabel(shown_keys(keys))
            key.setObjectName("heading")
            grid.addWidget(key, row, 0)
            grid.addWidget(QLabel(meaning), row, 1)
        row += 1
    return table


def shown_keys(keys: str) -> str:
    """Return keys as they are printed on the keyboard: on a Mac their signs, else their names."""
    form = QKeySequence.SequenceFormat
    chosen = form.NativeText if sys.platform == "darwin" else form.PortableText
    parts = keys.split(", ")
    written = [QKeySequence(part).toString(chosen) for part in parts]
    return ", ".join(native or part for native, part in zip(written, parts, strict=True))
