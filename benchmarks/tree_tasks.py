"""What the measured window does with the drawing of a long document's tree."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF

from desktop_rag.gui.controllers.document_tree import DocumentTree
from desktop_rag.gui.controllers.preparations import PreparationRow
from desktop_rag.gui.library.derived_tree_view import DerivedTreeView
from testing.synthetic_trees import made_tree
from testing.window_driver import Driver, pause

_STEPS = 200

_ROW = PreparationRow("default", "raptor", "", "", "ready", None, 1, 1, 1, 0, asks_model=False)
Measured = dict[str, float]


def tree(driver: Driver, given: dict[str, Any]) -> dict[str, Any]:
    """Open a tree of so many passages as far as it goes, scroll through it, close nodes."""
    driver.window.centre.show_derived(_ROW)
    view = driver.window.centre.derived.drawing
    pause(500)
    made = {"empty": _scrolled(view)}
    view.show_tree(made_tree(given["leaves"]))
    made["as it is shown first"] = _scrolled(view)
    made["opened wholly"] = _timed([lambda: view.open_down_to(0)])
    made["scrolled"] = _scrolled(view)
    made["under the mouse"] = _pointed(view)
    made["opened and closed"] = _timed([lambda: view.click(_top(view))] * 10)
    view.show_tree(DocumentTree())
    return made


def _top(view: DerivedTreeView) -> QPointF:
    """Return where the first node of the highest row is."""
    seen = view.seen()
    (first, *_) = view.layout_of_all.in_sight(seen)
    return view.layout_of_all.box(first, seen).center()


def _scrolled(view: DerivedTreeView) -> Measured:
    """Paint the drawing at so many places of it; say how long each frame took the GUI thread."""
    bar = view.horizontalScrollBar()

    def step(at: int) -> Callable[[], None]:
        def frame() -> None:
            bar.setValue(bar.maximum() * at // _STEPS)
            view.viewport().repaint()

        return frame

    return _timed([step(at) for at in range(_STEPS + 1)])


def _pointed(view: DerivedTreeView) -> Measured:
    """Ask what is under the mouse, at places all over the view."""
    seen = view.seen()
    places = [
        QPointF(seen.left() + seen.width() * at / 50, seen.top() + seen.height() * (at % 7) / 7)
        for at in range(50)
    ]
    return _timed([partial(view.tip_at, each) for each in places])


def _timed(acts: list[Callable[[], object]]) -> Measured:
    """Return the median, p99 and longest of acts, in milliseconds that the thread computed."""
    taken = []
    for act in acts:
        begin = time.thread_time()
        act()
        taken.append(1000 * (time.thread_time() - begin))
        pause(0)
    p50, p99 = np.percentile(taken, (50, 99))
    return {"p50": float(p50), "p99": float(p99), "max": max(taken)}
