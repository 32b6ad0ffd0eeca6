"""A real window over a real data folder, driven as a person would."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.requests import OpenRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.library import Idle
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.launch import make_window
from testing.qt_wait import pause, wait_for
from testing.sample_folder import SAMPLES

__all__ = ["SAMPLES", "Driver", "pause", "wait_for"]

OPEN: list[Driver] = []  # what is not closed


class Driver:
    """The window and the hands on it; with experts' tools, and without questions that are looked
    for when all is read, unless `overrides` say otherwise.

    It begins at the conversation; `window.centre.show_home()` shows what users begin with.
    """

    def __init__(self, app: QApplication, data_dir: Path, **overrides: str) -> None:
        settings = {
            "ollama.host": "http://127.0.0.1:9",
            "window.expert_tools": "true",
            "ingest.suggest_questions": "false",
        } | {key.replace("__", "."): value for key, value in overrides.items()}
        self._app = app
        self.window, self.context = make_window(app, data_dir, OpenRequest(), settings)
        OPEN.append(self)
        self.window.centre.back_to_chat()

    def open(self) -> None:
        """Show the window and let it open its data folder."""
        self.window.show()
        self.window.activateWindow()  # as a window manager does, which the tests' screen lacks
        self.context.begin()
        wait_for(lambda: self.context.library.snapshot.kbs)

    def drop(self, *paths: Path) -> None:
        """Drop files or folders on the window."""
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        event = QDropEvent(
            QPointF(400, 300),
            Qt.DropAction.CopyAction,
            mime,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        self.window.dropEvent(event)

    def add_a_file(self) -> None:
        """Have something to ask in the knowledge base that is shown: a sample, read."""
        self.drop(SAMPLES / "Meeting notes.md")
        self.wait_until_read(1)

    def wait_until_read(self, files: int) -> None:
        """Wait until so many files are ready and nothing is being done."""

        def is_read() -> bool:
            rows = self.context.library.snapshot.files
            ready = [row for row in rows if row.status is not FileStatus.QUEUED]
            return len(ready) >= files and self.context.library.activity == Idle()

        wait_for(is_read)

    def ask(self, question: str) -> None:
        """Type a question and press Enter."""
        edit = self.window.chat.composer.edit
        edit.setPlainText(question)
        QTest.keyClick(edit, Qt.Key.Key_Return)

    def wait_for_answer(self) -> Turn:
        """Wait until the last question is answered, and return its turn."""
        wait_for(lambda: self.turn is not None and not self.turn.running)
        assert self.turn is not None
        pause(60)
        return self.turn

    def click_citation(self, n: int) -> None:
        """Click on [n] in the transcript."""
        self.click_link(f"cite:{n}")

    def click_link(self, address: str) -> None:
        """Click on a link of the transcript that is in sight."""
        view = self.window.chat.view
        for y in range(0, view.viewport().height(), 5):
            for x in range(0, view.viewport().width(), 5):
                if view.anchorAt(QPoint(x, y)) == address:
                    at = QPoint(x, y)
                    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
                    return
        raise AssertionError(f"{address} is not in sight")

    @property
    def turn(self) -> Turn | None:
        """The last turn."""
        turns = self.context.chat.transcript.turns
        return turns[-1] if turns else None

    def close(self) -> None:
        """Close the window as its user would, and let it be freed.

        The next one is made as a first one is, before the style sheet is on: in half the time.
        """
        OPEN.remove(self)
        self.window.close()
        self.window.deleteLater()
        self.context.deleteLater()
        pause(20)
        self._app.setStyleSheet("")
