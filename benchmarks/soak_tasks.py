"""Hours of use in one window: reading, asking, looking things up, again and again.

Each round leaves behind what it found: its conversation, its note and its file are deleted, so
that whatever the process holds more of after many rounds is held for nothing.
"""

from __future__ import annotations

import itertools
import logging
import shutil
import time
from pathlib import Path
from typing import Any

import psutil
from PySide6.QtCore import Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from desktop_rag.core.requests import KbRequest, NoteRequest
from desktop_rag.gui.controllers.conversation_groups import conversations_of
from desktop_rag.gui.mode_rail import Mode
from testing.window_driver import SAMPLES, Driver, pause, wait_for

_MIB = 2**20
_WARM_UP = 1 / 12  # of the time: what is made once is there then
_QUESTIONS = (
    "Why did fuel costs fall in 2024?",
    "When is the next meeting?",
    "Who is responsible for the ferries?",
    "What was decided on the library?",
)
_SIZES = ((1320, 840), (900, 600), (1600, 1000))


def soak(driver: Driver, given: dict[str, Any]) -> dict[str, Any]:
    """Use the window for so many `seconds`; return MiB after each round, and what went wrong."""
    troubles = _Troubles()
    day = _Day(driver, Path(given["documents"]))
    held: list[tuple[float, float, float]] = []
    start = time.monotonic()
    for number in itertools.count():
        day.go_round(number)
        held.append((time.monotonic() - start, *_held()))
        if held[-1][0] > given["seconds"]:
            break
    return _compared(held, given["seconds"]) | {"rounds": len(held), "troubles": troubles.told}


def _compared(held: list[tuple[float, float, float]], seconds: float) -> dict[str, Any]:
    """Return what is held over the twelfth of the time after the warm-up, and over the last."""
    early = [each for each in held if seconds * _WARM_UP < each[0] <= 2 * seconds * _WARM_UP]
    late = [each for each in held if each[0] > seconds * (1 - _WARM_UP)]
    made: dict[str, Any] = {"held": held}
    for name, rows in (("early", early or held[:1]), ("late", late)):
        made[f"window {name}"] = sum(row[1] for row in rows) / len(rows)
        made[f"all {name}"] = sum(row[2] for row in rows) / len(rows)
    return made


class _Troubles(logging.Handler):
    """Notes errors of the log and warnings of Qt."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []
        logging.getLogger().addHandler(self)
        qInstallMessageHandler(self._hear)

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(record.getMessage()[:300])

    def _hear(self, kind: QtMsgType, _: object, text: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and "does not support" not in text:
            self.told.append(f"Qt: {text[:300]}")


class _Day:
    """What a person does in a round."""

    def __init__(self, driver: Driver, folder: Path) -> None:
        self._driver = driver
        self._window = driver.window
        self._folder = folder
        shutil.copytree(SAMPLES, folder, dirs_exist_ok=True)
        driver.drop(folder)
        driver.wait_until_read(len(list(folder.iterdir())))

    def go_round(self, number: int) -> None:
        """Do everything once, and tidy up."""
        window, context = self._window, self._driver.context
        window.resize(*_SIZES[number % len(_SIZES)])
        context.settings.change("window.theme", ("light", "dark")[number % 2])
        if number % 5 == 0:
            context.settings.change("window.language", ("zh", "en")[number // 5 % 2])
        self._add_and_change(number)
        window.centre.show_chat()
        context.chat.new()
        self._ask(number)
        self._read(number)
        self._visit_pages()
        self._note(number)
        self._open_dialogs()
        self._tidy(number)

    def _add_and_change(self, number: int) -> None:
        made = self._folder / f"Note {number}.md"
        made.write_text(f"# Note {number}\n\nBoat {number} sails at {number % 24} o'clock.\n")
        files = self._driver.context.library
        files.update_all()
        wait_for(lambda: any(row.path == str(made) for row in files.snapshot.files))
        self._driver.wait_until_read(len(list(self._folder.iterdir())))

    def _ask(self, number: int) -> None:
        self._driver.ask(f"When does boat {number} sail?")
        self._driver.wait_for_answer()
        self._driver.ask(_QUESTIONS[number % len(_QUESTIONS)])
        self._driver.wait_for_answer()

    def _read(self, number: int) -> None:
        """Open a document of any format, go through it, and close it."""
        window = self._window
        rows = self._driver.context.library.snapshot.files
        window.centre.read_file(rows[number % len(rows)].path)
        pause(1000)
        view = window.focusWidget() or window
        for _ in range(20):
            QTest.keyClick(view, Qt.Key.Key_PageDown)
            pause(20)
        window.centre.go_back()
        pause(100)

    def _visit_pages(self) -> None:
        for mode in (Mode.HOME, Mode.LIBRARY, Mode.NOTES, Mode.ASK):
            self._window.centre.show_mode(mode)
            pause(200)

    def _note(self, number: int) -> None:
        notes = self._driver.context.notes
        before = len(notes.rows)
        notes.add(NoteRequest("add", text=f"Boat {number} sails.", kbs=("default",)))
        wait_for(lambda: len(notes.rows) == before + 1)
        self._window.centre.show_notes()
        notes.open(notes.rows[0].id)
        pause(200)
        notes.delete([row.id for row in notes.rows])
        notes.bury()
        wait_for(lambda: not notes.rows)

    def _open_dialogs(self) -> None:
        self._window.settings.open()
        pause(300)
        for dialog in self._window.findChildren(QDialog):
            dialog.close()
        pause(100)

    def _tidy(self, number: int) -> None:
        """Delete the conversation and the file, and every tenth time a knowledge base."""
        context = self._driver.context
        (self._folder / f"Note {number}.md").unlink()
        context.library.update_all()
        gone = f"Note {number}.md"
        asked = conversations_of(context.conversations.rows)
        context.conversations.delete([each.id for each in asked])
        context.conversations.bury()
        wait_for(lambda: not context.conversations.rows)
        files = context.library
        wait_for(lambda: not any(row.path.endswith(gone) for row in files.snapshot.files))
        if number % 10 == 9:
            files.change_base(KbRequest("create", f"base {number}"))
            wait_for(lambda: len(files.snapshot.kbs) == 2)
            files.take_out(KbRequest("delete", f"base {number}"))
            wait_for(lambda: len(files.snapshot.kbs) == 1)
        QApplication.processEvents()


def _held() -> tuple[float, float]:
    """Return the MiB of the window's process, and of it with all its children."""
    own = psutil.Process()
    window = own.memory_full_info().uss / _MIB
    return window, window + sum(_uss(each) for each in own.children(recursive=True))


def _uss(process: psutil.Process) -> float:
    try:
        return float(process.memory_full_info().uss) / _MIB
    except psutil.Error:  # it has ended meanwhile
        return 0.0
