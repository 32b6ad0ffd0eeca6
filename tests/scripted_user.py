"""A user in the program: performs a test's script in the window's thread.

See `tests.scripted_program`.
"""

from __future__ import annotations

import importlib
import itertools
import json
import os
import time
import traceback
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QMetaObject, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication, QMessageBox

from desktop_rag.gui.main_window import MainWindow

Play = Callable[[MainWindow], Generator[Callable[[], object], None, Any]]

_STEP_MS = 20
_SECONDS = 60.0


def reach_in(stage: Path) -> None:
    """Perform the next play of a stage once there is a window; called in any thread."""
    while (app := QCoreApplication.instance()) is None:
        time.sleep(0.02)
    hand = Hand(stage, _next(stage))
    hand.moveToThread(app.thread())
    QMetaObject.invokeMethod(hand, "begin", Qt.ConnectionType.QueuedConnection)
    _HANDS.append(hand)


_HANDS: list[Hand] = []  # Python would take them away


def _next(stage: Path) -> int:
    """Return the number of the next play, and note which process performs it."""
    for number in itertools.count():
        try:
            with (stage / f"{number}.pid").open("x") as file:
                file.write(str(os.getpid()))
        except FileExistsError:
            continue
        return number
    raise AssertionError


class Hand(QObject):
    """Goes through one play; what it waits for is looked at again and again."""

    def __init__(self, stage: Path, number: int) -> None:
        super().__init__()
        self._stage = stage
        self._number = number
        self._performed: Generator[Callable[[], object], None, Any] | None = None
        self._wanted: Callable[[], object] = self._is_open
        self._since = time.monotonic()
        self._again: QTimer | None = None

    @Slot()
    def begin(self) -> None:
        """Wait for the window to have its data folder, or to say that it can't; then begin."""
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_STEP_MS)
        self._again.timeout.connect(self._step)
        self._again.start()

    @Slot()
    def _step(self) -> None:
        try:
            if self._wanted():
                self._wanted, self._since = self._go_on(), time.monotonic()
            assert time.monotonic() - self._since < _SECONDS, f"in vain after {self._place()}"
        except StopIteration as end:
            self._tell({"told": end.value})
            return
        except BaseException:  # noqa: BLE001 - whatever it is, the test is to know it
            self._tell({"fault": traceback.format_exc()})
            os._exit(70)
        if self._again is not None:
            self._again.start()

    def _go_on(self) -> Callable[[], object]:
        if self._performed is None:
            module, name = json.loads((self._stage / "plays.json").read_text("utf-8"))[self._number]
            self._performed = getattr(importlib.import_module(module), name)(_window())
        assert self._performed is not None
        return next(self._performed)

    def _place(self) -> str:
        """Say where in the play it is that the hand waits."""
        frame = getattr(self._performed, "gi_frame", None)
        return "the start" if frame is None else f"line {frame.f_lineno}"

    def _is_open(self) -> bool:
        window = _window()
        return window is not None and (_is_served(window) or _is_refused(window))

    def _tell(self, said: dict[str, object]) -> None:
        beside = self._stage / f"{self._number}.part"
        beside.write_text(json.dumps(said), "utf-8")
        beside.rename(self._stage / f"{self._number}.json")


def _is_served(window: MainWindow) -> bool:
    return bool(window.context.library.snapshot.kbs)


def _is_refused(window: MainWindow) -> bool:
    return bool(window.findChildren(QMessageBox))


def _window() -> MainWindow | None:
    shown = [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)]
    return next((each for each in shown if each.isVisible()), None)
