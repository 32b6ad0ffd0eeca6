"""The keys of the window, and the list of them that F1 shows."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QVBoxLayout, QWidget

NEW, ADD_FILES, ADD_FOLDER = "Ctrl+N", "Ctrl+O", "Ctrl+Shift+O"
FIND, FIND_ALL, ASK, STOP, HELP = "Ctrl+F", "Ctrl+Shift+F", "Ctrl+L", "Esc", "F1"
DOCUMENTS, CONVERSATIONS, FILES, QUIT = "Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+Q"
SETTINGS = "Ctrl+,"
NEXT_MARK, PREVIOUS_MARK = "Alt+Down", "Alt+Up"
NEXT_FOUND, PREVIOUS_FOUND = "F3", "Shift+F3"


def listed() -> tuple[tuple[str, str], ...]:
    """Return every key and what it does."""

    def tr(text: str) -> str:
        return QCoreApplication.translate("Shortcuts", text)

    return (
        ("Enter", tr("Send the question")),
        ("Shift+Enter", tr("New line in the question")),
        (STOP, tr("Stop the answer, or close the document")),
        (NEW, tr("New conversation")),
        (ASK, tr("Go to the question field")),
        (FIND, tr("Find in the conversation or the document")),
        (FIND_ALL, tr("Search all conversations")),
        (ADD_FILES, tr("Add files")),
        (ADD_FOLDER, tr("Add a folder")),
        (DOCUMENTS, tr("Documents")),
        (CONVERSATIONS, tr("Conversations")),
        (FILES, tr("All files in a table")),
        ("F5, Ctrl+Shift+Up", tr("Read chosen files again, or first")),
        ("PgUp, PgDown", tr("Scroll a document by a screen")),
        ("+, −, 0", tr("Zoom a document's pages; fit their width")),
        (f"{PREVIOUS_MARK}, {NEXT_MARK}", tr("Previous or next marked passage of a document")),
        (f"{PREVIOUS_FOUND}, {NEXT_FOUND}", tr("Previous or next place found in a document")),
        ("F2, Del", tr("Rename or delete a conversation; remove a file")),
        (SETTINGS, tr("Settings")),
        (HELP, tr("This list")),
        (QUIT, tr("Quit")),
    )


class ShortcutsDialog(QDialog):
    """Shows the list; open it with `open()`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(6)
        for row, (keys, meaning) in enumerate(listed()):
            key = QLabel(_shown(keys))
            key.setObjectName("heading")
            grid.addWidget(key, row, 0)
            grid.addWidget(QLabel(meaning), row, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(14)
        column.addLayout(grid)
        column.addWidget(buttons)


def _shown(keys: str) -> str:
    """Return keys as the platform writes them."""
    parts = [
        QKeySequence(part).toString(QKeySequence.SequenceFormat.NativeText)
        for part in keys.split(", ")
    ]
    return ", ".join(native or part for native, part in zip(parts, keys.split(", "), strict=True))
