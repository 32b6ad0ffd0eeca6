"""Documents that mean harm, in the real window and at the terminal: shown, and without effect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QTableView, QWidget

from desktop_rag.core.types import FileStatus
from desktop_rag.gui.chat.transcript_links import KINDS
from desktop_rag.gui.controllers.transcript import Answered
from testing.ollama_double import OllamaDouble
from testing.window_driver import Driver, pause, wait_for
from tests.system import hostile_documents
from tests.system.terminal import Terminal

_MOVING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_SAID = (
    "It sails at seven [1]. [a [b]](file:///etc/passwd) "
    "[this](javascript:alert(1)) [that](file:///etc/passwd) "
    f"![p](https://evil.example/p.png) <img src='{hostile_documents.SHARE}'> "
    "<script>alert(1)</script> "
    "<//evil.example/share> [share](\\\\\\\\evil.example\\\\share)"
)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return hostile_documents.written(tmp_path / "documents")


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    with OllamaDouble() as ollama:
        ollama.say(_SAID)
        made = Driver(qapp, tmp_path / "data", ollama__host=ollama.url)
        made.open()
        yield made
        made.close()


@pytest.mark.usefixtures("only_loopback")
@pytest.mark.timeout(180)
def test_the_window_shows_them_as_they_are_and_loads_nothing(
    driver: Driver, documents: Path
) -> None:
    driver.drop(documents)
    driver.wait_until_read(len(hostile_documents.NAMES))
    rows = driver.context.library.snapshot.files
    assert {row.status for row in rows} == {FileStatus.READY}
    driver.ask(f"When does the ferry of pier 3 sail? <img src='{hostile_documents.SHARE}'>")
    turn = driver.wait_for_answer()
    assert isinstance(turn.outcome, Answered)
    assert turn.outcome.mode == "generated"

    document = driver.window.chat.view.document()
    assert not anchors(document) - {each.rstrip(":") for each in KINDS}
    assert "\ufffc" not in document.toPlainText(), "no picture"
    QTest.keyClick(driver.window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: driver.window.centre.files.model.rowCount() == len(hostile_documents.NAMES))
    pause(50)
    shown = said_of_files(driver.window)
    assert any("invoice\ufffdfdp.exe.md" in text for text in shown)
    assert [text for text in shown if _MOVING.search(text)] == []
    assert [text for text in read_as_html(driver.window) if not is_escaped(text)] == []


def anchors(document: QTextDocument) -> set[str]:
    """Return the kinds of all links of a text."""
    found = set()
    block = document.begin()
    while block.isValid():
        each = block.begin()
        while not each.atEnd():
            address = each.fragment().charFormat().anchorHref()
            found |= {address.partition(":")[0]} if address else set()
            each += 1
        block = block.next()
    return found


def cells(window: QWidget) -> Iterator[QModelIndex]:
    """Yield every cell of every list, tree and table."""

    def below(
        model: QAbstractItemModel, columns: int, parent: QModelIndex
    ) -> Iterator[QModelIndex]:
        for row in range(model.rowCount(parent)):
            for column in range(columns):
                yield model.index(row, column, parent)
            yield from below(model, columns, model.index(row, 0, parent))

    for view in window.findChildren(QAbstractItemView):
        if (model := view.model()) is not None:
            columns = model.columnCount() if isinstance(view, QTableView) else 1
            yield from below(model, columns, QModelIndex())


def said_of_files(window: QWidget) -> list[str]:
    """Return what lists and labels show on one line."""
    said = [str(index.data()) for index in cells(window) if index.data() is not None]
    return said + [label.text() for label in window.findChildren(QLabel) if not label.wordWrap()]


def read_as_html(window: QWidget) -> list[str]:
    """Return what Qt takes for HTML of the tooltips and labels."""
    tips = [index.data(Qt.ItemDataRole.ToolTipRole) for index in cells(window)]
    tips += [widget.toolTip() for widget in window.findChildren(QWidget)]
    tips += [
        label.text()
        for label in window.findChildren(QLabel)
        if label.textFormat() == Qt.TextFormat.AutoText
    ]
    return [text for text in tips if text and GuiQt.mightBeRichText(text)]


def is_escaped(html: str) -> bool:
    """Say whether the only tags are ours."""
    return not re.sub(r"</?div>|<br>", "", html).count("<")


def test_the_terminal_is_told_nothing_but_text(tmp_path: Path, documents: Path) -> None:
    terminal = Terminal(tmp_path / "home", is_forked=False)
    asked = "When does the ferry of pier 4 sail?"
    for words in (
        ("index", documents, "--verbose"),
        ("search", asked),
        ("ask", asked),
        ("show", documents / hostile_documents.NAMES[4]),
        ("remove", documents / hostile_documents.NAMES[4]),
    ):
        typed = terminal.type(*words)
        assert typed.status == 0
        assert typed.out
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", typed.out + typed.err)
    logs = [file.read_text("utf-8") for file in (tmp_path / "home" / "logs").glob("*")]
    assert not any("\x1b" in log or "ferry of pier" in log for log in logs)
