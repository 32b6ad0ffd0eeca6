"""Where the window was, its panes and its knowledge base, kept in the data folder."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import cast

from PySide6.QtCore import QByteArray, QSettings, QSize
from PySide6.QtWidgets import QMainWindow

from desktop_rag.gui.pane_layout import PaneChoice, PaneChoices, PaneLayout

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
        frame = kept.value("frame")
        if isinstance(frame, QByteArray):
            window.restoreGeometry(frame)
        panes.choices = pane_choices(str(kept.value("pane choices") or ""))

    @property
    def is_new(self) -> bool:
        """Whether no window has kept anything in the data folder."""
        return not self._path.is_file()

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
        """Keep where they are, and which knowledge base is shown; in no case the full screen."""
        panes.leave_full_screen()
        kept = QSettings(str(self._path), QSettings.Format.IniFormat)
        kept.setValue("frame", window.saveGeometry())
        kept.setValue("pane choices", json.dumps({n: asdict(c) for n, c in panes.choices.items()}))
        kept.setValue("kb", kb)
        kept.sync()


def pane_choices(kept: str) -> PaneChoices:
    """Return what was kept of the panes; nothing of it where it is not as this version writes."""
    try:
        found = json.loads(kept or "{}")
        return {str(name): _pane_choice(told) for name, told in found.items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}


def _pane_choice(told: dict[str, object]) -> PaneChoice:
    side, centre, sources = (int(each) for each in cast("list[int]", told["sizes"]))
    return PaneChoice(
        (side, centre, sources),
        has_side=bool(told["has_side"]),
        has_sources=None if told["has_sources"] is None else bool(told["has_sources"]),
    )
