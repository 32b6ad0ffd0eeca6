"""One answer as a file: by its link and by its menu, as Word and PDF, in two languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import docx
import pypdfium2
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_rag.gui import language
from desktop_rag.gui.chat.answer_export_dialog import AnswerExportDialog
from testing.narrowing import present
from testing.ollama_double import OllamaDouble
from testing.window_driver import Driver, wait_for
from tests.gui.menu_clicks import pick_line

FERRY = "# Ferry\n\nThe ferry Solveig carries forty cars across the fjord. It sails at six."
SAID = "## Cars\n\nThe ferry Solveig carries **forty** cars [1].\n\n- It sails at six [1]."
QUESTION = "How many cars does the ferry Solveig carry?"


@pytest.fixture
def asked(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    """A window with an answer that a model wrote of a document."""
    path = tmp_path / "ferry.md"
    path.write_text(FERRY, encoding="utf-8")
    with OllamaDouble() as ollama:
        driver = Driver(qapp, tmp_path / "data", ollama__host=ollama.url)
        driver.open()
        driver.drop(path)
        driver.wait_until_read(1)
        ollama.say(SAID)
        driver.ask(QUESTION)
        driver.wait_for_answer()
        yield driver
        driver.close()


def export(driver: Driver, name: str, path: Path) -> str:
    """Choose a form in the dialog that is open; return what the window says when it is written."""
    dialog = present(driver.window.findChild(AnswerExportDialog))
    dialog.selectNameFilter(next(each for each in dialog.nameFilters() if name in each))
    dialog.filterSelected.emit(dialog.selectedNameFilter())
    dialog.fileSelected.emit(str(path))
    dialog.close()
    wait_for(path.exists)
    notice = driver.window.chat.notice
    wait_for(lambda: str(path) in notice.text)
    return notice.text


def test_the_link_writes_a_word_file_headed_by_the_question(asked: Driver, tmp_path: Path) -> None:
    asked.click_link("export:0")
    dialog = present(asked.window.findChild(AnswerExportDialog))
    assert dialog.selectedNameFilter() == "Word document (*.docx)"
    assert dialog.defaultSuffix() == "docx"
    assert Path(dialog.selectedFiles()[0]).name == QUESTION.replace("?", "") + ".docx"
    path = tmp_path / "answer.docx"
    assert export(asked, ".docx", path) == f"Exported to {path}."
    read = [(each.style.name, each.text) for each in docx.Document(str(path)).paragraphs]
    assert read[:4] == [
        ("Heading 1", QUESTION),
        ("Heading 3", "Cars"),
        ("Normal", "The ferry Solveig carries forty cars [1]."),
        ("List Paragraph", "It sails at six [1]."),
    ]
    assert ("Source", "Sources") in read
    assert any("ferry.md" in text for style, text in read if style == "Source")


def test_the_menu_writes_a_pdf_file_in_chinese(
    qapp: QApplication, asked: Driver, tmp_path: Path
) -> None:
    language.speak(qapp, "zh")
    asked.window.speak_anew()
    view = asked.window.chat.view
    wait_for(lambda: "forty" in view.toPlainText())
    pick_line(view.viewport(), "导出回答…", view.cursorRect(view.document().find("six")).center())
    path = tmp_path / "answer.pdf"
    assert export(asked, ".pdf", path) == f"已导出到 {path}。"
    pages = pypdfium2.PdfDocument(path)
    text = pages[0].get_textpage().get_text_bounded()
    pages.close()
    assert text.startswith(QUESTION)
    assert "forty cars [1]" in text
    assert "来源" in text


def test_the_menu_copies_the_whole_answer_without_a_selection(asked: Driver) -> None:
    QGuiApplication.clipboard().clear()
    view = asked.window.chat.view
    pick_line(view.viewport(), "Copy answer", view.cursorRect(view.document().find("six")).center())
    copied = QGuiApplication.clipboard().mimeData()
    assert copied.text() == present(asked.turn).text
    assert "<strong>forty</strong> cars [1]" in copied.html()
    assert "[1] ferry.md" in copied.html()


def test_a_place_that_cannot_be_written_is_told_and_nothing_is_left(
    asked: Driver, tmp_path: Path
) -> None:
    asked.click_link("export:0")
    dialog = present(asked.window.findChild(AnswerExportDialog))
    dialog.fileSelected.emit(str(tmp_path / "nowhere" / "answer.docx"))
    dialog.close()
    complaint = asked.window.chat.complaint
    wait_for(complaint.isVisible)
    assert "answer.docx could not be written" in complaint.text
    assert "Choose another place." in complaint.text
