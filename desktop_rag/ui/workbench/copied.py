"""Rows of cells for the clipboard: tabs for a spreadsheet, HTML for a text program."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QMimeData


def as_table(rows: Sequence[Sequence[str]]) -> QMimeData:
    """Return rows in both forms; a cell that would be taken for a formula is text."""
    made = QMimeData()
    made.setText("\n".join("\t".join(map(_plain, row)) for row in rows) + "\n")
    made.setHtml(f"<table>{''.join(map(_row, rows))}</table>")
    return made


def _plain(cell: str) -> str:
    line = " ".join(cell.split())
    return f"'{line}" if line.startswith(("=", "+", "@")) else line


def _row(cells: Sequence[str]) -> str:
    told = (escape(cell).replace("\n", "<br>") for cell in cells)
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in told)}</tr>"
