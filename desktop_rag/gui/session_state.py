"""Where the window was, its panes and its knowledge base, kept in the data folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QSize
from PySide6.QtWidgets import QMainWindow

from desktop_rag.gui.pane_layout import PaneLayout

_FILE = "window.ini"
_TITLE_BAR = 32  # pixels; how high it really is, is known only once the window stands


def fit(window: QMainWindow) -> None:
    """Make a window, before it is shown, no larger than its screen: the question is at its foot."""
    room = window.screen().availableGeometry().size()
    largest = QSize(room.width(), room.height() - _TITLE_BAR)
    if not window.isMaximized() and not window.isFullScreen():
        window.resize(window.size().boundedTo(largest))


class SessionState:
    """Restores and saves size and panes."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / _FILE

    def restore(self, window: QMainWindow, panes: PaneLayout) -> None:
        """Bring window and panes to where they were, if that is known."""
        kept = QSettings(str(self._path), QSettings.Format.IniFormat)
        frame, sizes = kept.value("frame"), kept.value("panes")
        if isinstance(frame, QByteArray):
            window.restoreGeometry(frame)
        if isinstance(sizes, QByteArray):
            panes.splitter.restoreState(sizes)

    @property
    def kb(self) -> str:
        """The knowledge base that was shown last, empty where none is known."""
        kept = QSettings(str(self._path), QSettings.Format.IniFormat)
        return str(kept.value("kb") or "")

    def keep_chat(self, chat_id: int) -> None:
        """Keep the conversation that the next start begins with, once."""
        kept = QSettings(str(self._path), QSettings.Format.IniFormat)
        kept.setValue("chat", chat_id)
        kept.sync()

    def take_chat(self) -> int | None:
        """Return the conversation to begin with, where one was kept, and forget it."""
        kept = QSettings(str(self._path), QSettings.Format.IniFormat)
        chat = str(kept.value("chat") or "")
        if chat:
            kept.remove("chat")
            kept.sync()
        return int(chat) if chat.isdecimal() else None

    def save(self, window: QMainWindow, panes: PaneLayout, kb: str) -> None:
        """Keep where they are, and which knowledge base is shown."""
        kept = QSettings(str(self._path), QSettings.Format.IniFormat)
        kept.setValue("frame", window.saveGeometry())
        if not panes.is_narrow:
            kept.setValue("panes", panes.splitter.saveState())
        kept.setValue("kb", kb)
        kept.sync()
