"""What goes wrong in the program itself, as the user of the window is told it."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from PySide6.QtGui import QGuiApplication

from desktop_rag.catalog import document_queries
from desktop_rag.core import logs
from desktop_rag.gui.chat.transcript_view import CitationClick
from desktop_rag.gui.controllers import snapshot_loader
from desktop_rag.gui.error_dialog import ErrorDialog
from desktop_rag.gui.main_window import MainWindow
from tests.scripted_program import Stage
from tests.system.terminal import Terminal

SAID = "The monthly salary of minister Adelheid Brunner is ninety thousand guilders."
PLACES = (
    "SnapshotLoader.read",
    "DocumentQueries.pieces",
    "DocumentQueries.chunks",
    "_open_citation",
)


def test_faults_at_once_are_one_dialog_with_a_remedy_and_a_report_without_a_document_s_text(
    tmp_path: Path,
) -> None:
    paper = tmp_path / "Brunner contract.md"
    paper.write_text(f"# Salaries\n\n{SAID}\n", encoding="utf-8")
    home = tmp_path / "home"
    assert Terminal(home).type("index", paper).status == 0
    with Stage(tmp_path / "stage", spoil) as stage:
        program = stage.start(home)
        told = stage.told(0)
        assert program.wait(60) == 0
    assert told["dialogs"] == 1
    assert told["what"]
    assert "can go on" in told["remedy"]
    counted = [int(times) for times in re.findall(r"^(\d+) ×$", told["report"], re.MULTILINE)]
    assert len(counted) >= 4
    assert re.findall(r"\d+", told["times"]) == [str(sum(counted))]
    assert told["report"] == told["copied"]
    log = (logs.folder(home) / "desktop-rag.log").read_text("utf-8")
    for text in (told["report"], log):
        assert "ValueError" in text
        assert all(place in text for place in PLACES)
        assert not words(text) & words(SAID)
    assert not words(told["report"]) & words(paper.name)
    assert str(tmp_path) not in told["report"]
    assert told["dialogs after"] == 0
    assert told["files after"] == ["Brunner contract.md"], "one can go on"


def words(text: str) -> set[str]:
    """Return the words of a text that say something."""
    return {word.lower() for word in re.findall(r"\w+", text) if len(word) > 3}


def spoil(window: MainWindow) -> Generator[Callable[[], object], None, Any]:
    """Break what reads the catalog, so that its errors tell a document's text.

    The shelf, a document's text and its passages are read in lanes; a fourth error comes in the
    window's thread, of a citation that is none.
    """
    context = window.context
    yield lambda: context.library.snapshot.files and context.offers.strategies
    row = context.library.snapshot.files[0]
    sound = snapshot_loader._with_away, document_queries._piece
    vars(snapshot_loader)["_with_away"] = vars(document_queries)["_piece"] = fail
    context.refresh()
    window.centre.files.actions_of_files.passages_asked.emit(row.path)
    window.chat.cited.emit(CitationClick(7, 1))
    yield lambda: all(place in "".join(map(report_of, boxes(window))) for place in PLACES)
    (box, *others) = boxes(window)
    box.copy.click()
    said: dict[str, Any] = {
        "dialogs": 1 + len(others),
        "what": box.what.text(),
        "remedy": box.remedy.text(),
        "times": box.times.text(),
        "report": box.report,
        "copied": QGuiApplication.clipboard().text(),
    }
    snapshot_loader._with_away, document_queries._piece = sound
    box.reject()
    yield lambda: not boxes(window)
    said["dialogs after"] = len(boxes(window))
    window.centre.show_files()
    context.refresh()
    yield window.centre.files.model.rowCount
    said["files after"] = [Path(each.path).name for each in window.centre.files.model.rows]
    window.close()
    return said


def boxes(window: MainWindow) -> list[ErrorDialog]:
    return window.findChildren(ErrorDialog)


def report_of(box: ErrorDialog) -> str:
    return box.report


def fail(*_: object) -> Any:
    raise ValueError(SAID)
