"""What the measured window does, in a process of its own.

    python -m benchmarks.window_tasks TASK ARGUMENTS

The arguments are JSON; the last line printed is a JSON object. The window is opened as
`desktop-rag` opens it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from benchmarks import file_table_tasks, soak_tasks, tree_tasks
from benchmarks.gui_stalls import Stalls
from desktop_rag.core.requests import IndexRequest
from desktop_rag.gui.controllers.library import Idle
from testing.window_driver import Driver, pause, wait_for

_SWITCH_SECONDS = 0.001  # as desktop_rag.gui.launch sets it
_LARGEST = 600.0
_LONGEST_PAINT = 20.0
_MEGABYTE = 2**20


def main() -> None:
    """Do one task and print what was measured."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    task, given = TASKS[sys.argv[1]], json.loads(sys.argv[2])
    app = QApplication(sys.argv[:1])
    app.setDesktopFileName("desktop-rag")
    driver = Driver(app, Path(given["data_dir"]), ollama__host=given["host"])
    driver.open()
    driver.window.resize(1320, 840)
    try:
        print(json.dumps(task(driver, given)), flush=True)
    finally:
        driver.close()


def frames(driver: Driver, given: dict[str, Any]) -> dict[str, Any]:
    """Watch the event loop, idle or while a folder is indexed and an answer streams."""
    if given["samples"]:
        driver.context.library.ingest_queue.put(IndexRequest("default", (given["samples"],)))
        wait_for(lambda: driver.context.library.snapshot.files, _LARGEST)
        wait_for(lambda: driver.context.library.activity == Idle(), _LARGEST)
    pause(3000)
    stalls = Stalls(where=given["where"])
    if given["documents"]:
        driver.context.library.ingest_queue.put(IndexRequest("default", (given["documents"],)))
        driver.ask("Why did fuel costs fall in 2024?")
        wait_for(lambda: driver.turn is not None and len(driver.turn.text) > 20, _LARGEST)
    stalls.start()
    busy, answers = _busy(driver, given) if given["documents"] else _idle(given)
    made = stalls.stop()
    chunks = sum(kb.chunks for kb in driver.context.library.snapshot.kbs)
    return made | {
        "seconds": busy,
        "answers": answers,
        "chunks": chunks,
        "where": stalls.places.most_common(12),
    }


def _idle(given: dict[str, Any]) -> tuple[float, int]:
    pause(1000 * given["seconds"])
    return float(given["seconds"]), 0


def _busy(driver: Driver, given: dict[str, Any]) -> tuple[float, int]:
    """Ask anew whenever an answer has ended, until the time is over or the folder is read."""
    start, answers = time.monotonic(), 1
    while time.monotonic() - start < given["seconds"]:
        pause(100)
        if driver.context.library.activity == Idle():
            break
        if driver.turn is not None and not driver.turn.running:
            driver.ask(f"And why did fuel costs fall in {2000 + answers}?")
            answers += 1
    return time.monotonic() - start, answers


def idle(driver: Driver, given: dict[str, Any]) -> dict[str, Any]:
    """Say what the process holds when nothing happens, before and after a question."""
    wait_for(lambda: driver.context.library.activity == Idle(), _LARGEST)
    pause(1000 * given["seconds"])
    first = psutil.Process().memory_info().rss / _MEGABYTE
    driver.ask("Why did fuel costs fall in 2024?")
    driver.wait_for_answer()
    pause(1000 * given["seconds"])
    return {"idle": first, "asked": psutil.Process().memory_info().rss / _MEGABYTE}


def opening(driver: Driver, given: dict[str, Any]) -> dict[str, Any]:
    """Say when the window could be used since `begun`, how long its first answer took, and memory.

    It can be used when it is shown and the knowledge bases are listed.
    """
    usable = time.time() - given["begun"]
    start = time.time()
    driver.ask("Why did fuel costs fall in 2024?")
    driver.wait_for_answer()
    answered = time.time() - start
    window, children = psutil.Process(), psutil.Process().children(recursive=True)
    own = _held(window)
    total = own + sum(_held(child) for child in children)
    return {"usable": usable, "answered": answered, "window": own, "all": total}


def indexing(driver: Driver, given: dict[str, Any]) -> dict[str, Any]:
    """Say what all processes hold at most, together, while a folder is indexed."""
    driver.context.library.ingest_queue.put(IndexRequest("default", (given["documents"],)))
    wait_for(lambda: driver.context.library.activity != Idle(), _LARGEST)
    most: dict[str, float] = {"all": 0.0, "window": 0.0, "parsers": 0}
    start = time.monotonic()
    while time.monotonic() - start < given["seconds"]:
        pause(500)
        window, children = psutil.Process(), psutil.Process().children(recursive=True)
        own = _held(window)
        total = own + sum(_held(child) for child in children)
        most["window"] = max(most["window"], own)
        if total > most["all"]:
            most |= {"all": total, "parsers": len(children)}
        if driver.context.library.activity == Idle():
            break
    return most


def _held(process: psutil.Process) -> float:
    """Return the MiB of a process; what it shares is shared out, where the system can tell."""
    try:
        told = process.memory_full_info()
    except psutil.Error:
        return 0.0
    return float(getattr(told, "pss", told.uss)) / _MEGABYTE


def conversation(driver: Driver, given: dict[str, Any]) -> dict[str, Any]:
    """Open an empty and a long conversation, from the click to the paint, and go through it."""
    short, long = [], []
    for _ in range(4):
        short.append(_opened(driver, given["short"], 1))
        long.append(_opened(driver, given["long"], given["turns"]))
    view = driver.window.chat.view
    stalls = Stalls()
    stalls.start()
    bar = view.verticalScrollBar()
    for step in range(100):
        bar.setValue(bar.maximum() * (99 - step) // 99)
        pause(15)
    scrolled = stalls.stop()
    stalls.start()
    for step in range(20):
        driver.window.resize(900 + 20 * step, 700)
        pause(30)
    return {"short": short, "long": long, "scrolled": scrolled, "resized": stalls.stop()}


def _opened(driver: Driver, chat_id: int, turns: int) -> float:
    """Return the seconds from the click on a conversation until its view was painted with it."""
    painted = _Painted(lambda: len(driver.context.chat.transcript.turns) == turns)
    viewport = driver.window.chat.view.viewport()
    viewport.installEventFilter(painted)
    start = time.perf_counter()
    driver.context.chat.open(chat_id)
    while not painted.at:
        pause(1)
        if time.perf_counter() - start > _LONGEST_PAINT:
            turns_there = len(driver.context.chat.transcript.turns)
            raise TimeoutError(f"conversation {chat_id} was not painted: {turns_there} turns")
    viewport.removeEventFilter(painted)
    pause(200)
    return painted.at - start


class _Painted(QObject):
    """Notes when a widget had been painted for the first time after something became so."""

    def __init__(self, ready: Callable[[], bool]) -> None:
        super().__init__()
        self.at = 0.0
        self._ready = ready
        self._painting = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        del watched
        if self._painting and not self.at:
            self.at = time.perf_counter()  # the event after the paint
        elif event.type() == QEvent.Type.Paint and self._ready():
            self._painting = True
            QApplication.postEvent(self.parent() or self, QEvent(QEvent.Type.User))
        return False

    def event(self, event: QEvent) -> bool:
        if self._painting and not self.at:
            self.at = time.perf_counter()
        return super().event(event)


TASKS: dict[str, Callable[[Driver, dict[str, Any]], dict[str, Any]]] = {
    "frames": frames,
    "idle": idle,
    "indexing": indexing,
    "opening": opening,
    "conversation": conversation,
    "files": file_table_tasks.files,
    "tree": tree_tasks.tree,
    "soak": soak_tasks.soak,
}

if __name__ == "__main__":
    main()
