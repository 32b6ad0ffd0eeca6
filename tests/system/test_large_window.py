"""The program where everything is two and three times as large: all is whole, and within reach."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from desktop_rag.core.paths import resources
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.library import Idle
from desktop_rag.gui.main_window import MainWindow
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.shortcuts import ShortcutsDialog
from desktop_rag.gui.viewer.document_viewer import DocumentViewer
from desktop_rag.gui.viewer.pdf_painting import MARK_NOW
from tests.gui.test_accessibility import controls, told
from tests.gui.test_text_fits import cut_off
from tests.scripted_program import Stage

Steps = Generator[Callable[[], object], None, Any]
REPORT = resources() / "samples" / "Annual report 2024.pdf"
_LEAST = 24  # pixels: of what is higher, a part can be seen at a time
_SECONDS = 20.0
_DARK = 3 * 110  # red, green and blue of a letter, together
ASKED = "By how much did fuel and power fall, and why?"


@pytest.mark.parametrize(
    ("times", "language", "how"),
    [
        pytest.param(2, "zh", {"QT_SCALE_FACTOR": "2"}, marks=pytest.mark.slow),
        (3, "en", {}),
    ],
    ids=["the system's, in Chinese", "the settings'"],
)
def test_nothing_is_cut_off_or_out_of_reach_and_a_mark_lies_on_its_words(
    tmp_path: Path, times: int, language: str, how: dict[str, str]
) -> None:
    chosen = () if how else (f"window.scale={times}00",)
    with Stage(tmp_path / "stage", look_everywhere) as stage:
        program = stage.start(tmp_path / "home", *chosen, language=language, **how)
        seen = stage.told(0)
        assert program.wait(60) == 0
    assert seen["ratio"] == times
    assert seen["wrong"] == []
    mark = seen["mark"]
    assert mark["ratio"] == times
    assert 0 <= mark["off"] < 0.3
    assert mark["ink across"] > 0.9, "from the first letter to the last"
    assert 0.4 < mark["ink up"] < 1, "as high as letters are, and none is cut by its edge"


def look_everywhere(window: MainWindow) -> Steps:
    """Look at the window in each of its states, and at its dialogs."""
    wrong = yield from at("start", window)
    if window.size() != window.size().boundedTo(window.screen().availableSize()):
        wrong.append("the window is larger than the screen")
    window.add((str(REPORT),))
    library, chat = window.context.library, window.context.chat
    yield lambda: [row.status for row in library.snapshot.files] == [FileStatus.READY]
    yield lambda: library.activity == Idle() and window.context.offers.strategies
    window.chat.composer.edit.setPlainText(ASKED)
    QTest.keyClick(window.chat.composer.edit, Qt.Key.Key_Return)
    yield lambda: chat.transcript.turns and not chat.transcript.running
    wrong += yield from at("answer", window)
    turn, viewer = chat.transcript.turns[-1], window.sources.viewer
    window.sources.open_citation(turn, turn.citations[0].n)
    yield lambda: viewer.page_view.mark_rects() and viewer.page_view.is_whole
    yield lambda: MARK_NOW in colours(viewer)
    wrong += yield from at("document", window)
    mark = read(viewer)
    window.sources.close_document()
    window.centre.back_to_chat()
    wrong += yield from at("conversations", window)
    window.centre.show_files()
    yield window.centre.files.model.rowCount
    wrong += yield from at("files", window)
    window.settings.open()
    (dialog,) = window.findChildren(SettingsDialog)
    yield lambda: all(page.is_filled for page in dialog.pages)
    for row in range(dialog.navigation.count()):
        dialog.navigation.setCurrentRow(row)
        wrong += yield from at(f"settings {row}", dialog)
    dialog.close()
    keys = ShortcutsDialog(window)
    keys.open()
    yield keys.isVisible
    wrong += yield from at("keys", keys)
    keys.close()
    window.close()
    return {"ratio": window.devicePixelRatio(), "wrong": wrong, "mark": mark}


def at(place: str, window: QWidget) -> Generator[Callable[[], object], None, list[str]]:
    """Return what is cut off in a window or out of reach, once all has found its place."""
    until = time.monotonic() + _SECONDS
    yield lambda: time.monotonic() > until or not faults(window)
    return [f"{place}: {each}" for each in faults(window)]


def faults(window: QWidget) -> list[str]:
    return [*cut_off(window), *out_of_reach(window)]


def out_of_reach(window: QWidget) -> Iterator[str]:
    """Yield the controls that are not whole in sight, and that nothing could be scrolled to."""
    for control in controls(window):
        whole = QRect(control.mapTo(window, control.rect().topLeft()), control.size())
        area = scrolled_in(control)
        if area is None and not window.rect().contains(whole):
            yield f"{told(control)} hangs over the edge, at {whole.getRect()}"
        if area is None and control.visibleRegion().boundingRect() != control.rect():
            yield f"{told(control)} is covered, but for {control.visibleRegion().boundingRect()}"
        if area is not None and area.viewport().height() < min(control.height(), _LEAST):
            yield f"{told(control)} has {area.viewport().height()} pixels to be scrolled in"


def scrolled_in(widget: QWidget) -> QAbstractScrollArea | None:
    """Return what can be scrolled to bring a widget into sight."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QAbstractScrollArea):
        above = above.parentWidget() if not above.isWindow() else None
    return above


def read(viewer: DocumentViewer) -> dict[str, float]:
    """Return how the paint of the mark lies to its words, in parts of its own size.

    `off` is how far its upper edge is from theirs; `ink` how far letters go in it.
    """
    view, document = viewer.page_view, viewer.document
    assert document is not None
    assert document.mark is not None
    words = min(box.y0 for box in document.mark.boxes) * view.stack.scale
    shot, ratio = pixels(viewer)
    there = shot == int(MARK_NOW[1:], 16)
    rows, columns = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
    part = shot[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    ink = (part & 0xFF) + (part >> 8 & 0xFF) + (part >> 16 & 0xFF) < _DARK
    return {
        "ratio": ratio,
        "off": (view.on_screen(document.page).top() + words - rows[0] / ratio) * ratio / len(part),
        "ink across": extent(ink.any(axis=0)),
        "ink up": extent(ink.any(axis=1)),
    }


def extent(there: Any) -> float:
    """Return how much of a row of yes and no lies between the first yes and the last."""
    places = np.flatnonzero(there)
    return float(places[-1] - places[0] + 1) / len(there) if len(places) else 0.0


def colours(viewer: DocumentViewer) -> set[str]:
    return {f"#{each:06x}" for each in np.unique(pixels(viewer)[0])}


def pixels(viewer: DocumentViewer) -> tuple[Any, float]:
    """Return what is painted of the pages, as numbers, and how many pixels go to one."""
    shot = viewer.page_view.viewport().grab().toImage()
    image = shot.convertToFormat(QImage.Format.Format_RGB32)
    words = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    return words & 0xFFFFFF, shot.devicePixelRatio()
