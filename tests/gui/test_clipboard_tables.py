"""What of a table comes to the clipboard: in no form a formula, in the plain form of a text all."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from desktop_rag.gui.chat import clipboard
from desktop_rag.gui.clipboard_tables import as_table, selection_mime
from desktop_rag.gui.lab.evaluation_jobs import csv_of

_CELL = '=HYPERLINK("http://192.0.2.1/")'


def _cells_of(html: str) -> list[str]:
    document = QTextDocument()
    document.setHtml(html)
    lines = (line.strip() for line in document.toPlainText().splitlines())
    return [line for line in lines if line]


def test_a_copied_table_of_an_answer_has_no_formula(qtbot: QtBot) -> None:
    made = clipboard.table(f"| a | n |\n|---|---|\n| {_CELL} | -3.5 |\n| ＠x | +7 % |\n")
    assert made.text() == f"a\tn\n'{_CELL}\t-3.5\n'＠x\t+7 %\n"
    assert _cells_of(made.html()) == ["a", "n", f"'{_CELL}", "-3.5", "'＠x", "+7 %"]


def test_the_lab_s_table_has_no_formula_in_any_line_of_a_cell(qtbot: QtBot) -> None:
    made = as_table([["a", f"x\n{_CELL}"], [_CELL, "-x"]])
    assert made.text() == f"a\tx {_CELL}\n'{_CELL}\t'-x\n"
    assert _cells_of(made.html()) == ["a", "x", f"'{_CELL}", f"'{_CELL}", "'-x"]


def test_a_selected_table_of_a_text_has_no_formula_in_its_html(qtbot: QtBot) -> None:
    document = QTextDocument()
    document.setHtml(
        f"<p>before</p><table><tr><td><p>{_CELL}</p><p>😀 a<br>@x</p></td><td>-3</td></tr></table>"
    )
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    made = selection_mime(cursor)
    assert _cells_of(made.html()) == ["before", f"'{_CELL}", "😀 a", "'@x", "-3"]
    assert "\n=HYPERLINK" in made.text()  # as it stands there: this form is read as a text


def test_a_text_without_a_table_is_copied_as_it_is(qtbot: QtBot) -> None:
    document = QTextDocument("= not a table")
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    made = selection_mime(cursor)
    assert made.text() == "= not a table"
    assert made.html().endswith("<p>= not a table</p>\n")


def test_exported_figures_have_no_formula(qtbot: QtBot) -> None:
    rows = [{"strategy": _CELL, "=model": "a;=1+1", "recall": -0.5, "lack": None}]
    heads, row = csv_of(rows).splitlines()
    assert heads == "strategy,'=model,recall,lack"
    assert row == '"\'=HYPERLINK(""http://192.0.2.1/"")",a;\'=1+1,-0.5,'
