"""The program in the desktop's notification area: what is read, Pause, Open, Quit, notifications.

Where the desktop has no such area nothing of it is shown, and closing the window ends the program.
"""

from __future__ import annotations

import sys
from html import escape

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from desktop_rag.core.paths import resources
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.settings import Window
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.ingest_queue import Pause
from desktop_rag.gui.controllers.library import Indexing
from desktop_rag.gui.controllers.notifications import (
    AnswerReady,
    NotificationsController,
    ReadingFinished,
)
from desktop_rag.gui.library import library_text
from desktop_rag.gui.main_window import MainWindow

_NAME = "Desktop RAG"
_LONGEST = 120  # letters of a question

Told = ReadingFinished | AnswerReady


class Tray(QObject):
    """Stands for a window while it is hidden, and tells what happens while it isn't looked at."""

    def __init__(self, window: MainWindow, context: AppContext) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._last: Told | None = None
        self._has_told_of_staying = False
        self.notifications = NotificationsController(context.library, context.chat, self)
        self.menu = QMenu(window)
        self.state, self.pause = QAction(self.menu), QAction(self.menu)
        self.open, self.quit = QAction(self.menu), QAction(self.menu)
        self.icon = QSystemTrayIcon(QIcon(str(resources() / "icons" / "app.svg")), self)
        self._fill()
        self._connect()
        self.speak_anew()
        window.installEventFilter(self)

    @property
    def is_available(self) -> bool:
        """Whether the desktop has a place for the icon now."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    @Slot()
    def show(self) -> None:
        """Show the icon, as soon as the desktop has a place for it."""
        self.icon.show()

    @Slot()
    def speak_anew(self) -> None:
        """Write the menu in the window's language."""
        self.open.setText(self.tr("Open %1").replace("%1", _NAME))
        self.quit.setText(self.tr("Quit"))
        self._show_state()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Hide the window where its X is not to end the program."""
        if watched is self._window and event.type() == QEvent.Type.Close and self._stays:
            event.ignore()
            QGuiApplication.setQuitOnLastWindowClosed(False)
            self._window.hide()
            self._tell_of_staying()
            return True
        if watched is self._window and event.type() == QEvent.Type.Show:
            QGuiApplication.setQuitOnLastWindowClosed(True)
        return super().eventFilter(watched, event)

    @property
    def _stays(self) -> bool:
        return self._wishes.keep_running and self.is_available and not self._window.is_ending

    @property
    def _wishes(self) -> Window:
        return self._context.settings.settings.window

    @Slot()
    def open_window(self) -> None:
        """Bring the window to the front, wherever it was."""
        self._window.show()
        self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowMinimized)
        self._window.raise_()
        self._window.activateWindow()

    @Slot()
    def end(self) -> None:
        """End the program."""
        is_hidden = self._window.isHidden()
        self.icon.hide()
        self._window.close()
        if is_hidden:
            QApplication.quit()

    @Slot()
    def _turn_pause(self) -> None:
        library = self._context.library
        if library.pause:
            library.resume()
        else:
            library.pause_reading()

    @Slot()
    def _show_state(self) -> None:
        """Say what is being read, or why nothing is, in the menu and beside the icon."""
        library = self._context.library
        pause, waiting = library.pause, library.snapshot.waiting
        is_working = isinstance(library.activity, Indexing) and not pause
        said = (is_working and library_text.stage(library.activity)) or library_text.paused(
            pause, waiting
        )
        said = said or self.tr("Nothing is being read")
        resume = self.tr("Read anyway") if pause is Pause.BATTERY else self.tr("Resume reading")
        act = resume if pause else self.tr("Pause reading")
        if (self.state.text(), self.pause.text()) != (said, act):
            self.state.setText(said)
            self.pause.setText(act)
            self.icon.setToolTip(f"{_NAME}\n{said}")

    @Slot(object)
    def tell(self, news: Told) -> None:
        """Notify of something, where it is wanted and the program isn't looked at."""
        is_reading = isinstance(news, ReadingFinished)
        wishes = self._wishes
        is_wanted = wishes.notify_reading if is_reading else wishes.notify_answers
        if is_wanted and QApplication.activeWindow() is None:
            self._last = news
            self.icon.showMessage(_NAME, self.words_of(news), self.icon.icon())

    def words_of(self, news: Told) -> str:
        """Return what a notification says: numbers, or the question; nothing of a document."""
        if isinstance(news, AnswerReady):
            asked = sanitize_name(" ".join(news.question.split()))
            if not asked:
                return self.tr("An answer is ready")
            short = asked if len(asked) <= _LONGEST else f"{asked[:_LONGEST].rstrip()}…"
            plain = escape(short, quote=False) if sys.platform == "linux" else short  # markup there
            return self.tr("Answer ready: %1").replace("%1", plain)
        read = self.tr("Reading finished: %n file(s) read", "", news.read)
        if not news.troubled:
            return read
        several = self.tr("%1, %2 need attention").replace("%2", f"{news.troubled:,}")
        told = self.tr("%1, 1 needs attention") if news.troubled == 1 else several
        return told.replace("%1", read)

    def _tell_of_staying(self) -> None:
        """Say, once, that the program goes on: the window is gone."""
        if not self._has_told_of_staying:
            self._has_told_of_staying = True
            self._last = None
            words = self.tr("It keeps running. “Quit” in this icon's menu ends it.")
            self.icon.showMessage(_NAME, words, self.icon.icon())

    @Slot()
    def _follow(self) -> None:
        """Show what the last notification told of."""
        self.open_window()
        news, context = self._last, self._context
        if isinstance(news, ReadingFinished):
            self._window.centre.show_files()
        elif isinstance(news, AnswerReady):
            if news.chat_id is not None and news.chat_id != context.chat.transcript.chat_id:
                context.conversations.open(news.chat_id)
            self._window.centre.show_chat()

    @Slot(QSystemTrayIcon.ActivationReason)
    def _heed_click(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        kinds = QSystemTrayIcon.ActivationReason
        if reason in (kinds.Trigger, kinds.DoubleClick):
            self.open_window()

    @Slot()
    def _leave(self) -> None:
        """Close a window that is hidden when the program ends: what it keeps is written then."""
        self._window.is_ending = True
        if self._window.isHidden():
            self._window.close()

    @Slot()
    def _end_session(self) -> None:
        """Let nobody's logging off be held up."""
        self._window.is_ending = True

    def _fill(self) -> None:
        self.state.setEnabled(False)
        self.menu.addActions([self.state, self.pause])
        self.menu.addSeparator()
        self.menu.addActions([self.open, self.quit])
        self.icon.setContextMenu(self.menu)

    def _connect(self) -> None:
        library = self._context.library
        library.activity_changed.connect(self._show_state)
        library.pause_changed.connect(self._show_state)
        library.snapshot_changed.connect(self._show_state)
        self.notifications.told.connect(self.tell)
        self.pause.triggered.connect(self._turn_pause)
        self.open.triggered.connect(self.open_window)
        self.quit.triggered.connect(self.end)
        self.icon.activated.connect(self._heed_click)
        self.icon.messageClicked.connect(self._follow)
        if isinstance(app := QGuiApplication.instance(), QGuiApplication):
            app.commitDataRequest.connect(self._end_session)
            app.aboutToQuit.connect(self._leave)
