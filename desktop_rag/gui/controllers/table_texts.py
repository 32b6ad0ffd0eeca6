"""Cells for the clipboard: tabs for a spreadsheet, HTML for a text program; no formulas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from desktop_rag.core.formula_escape import escape_formula

TABLE = '<table border="1" cellspacing="0" cellpadding="4">'
"""How a table in a text begins: one without lines is hard to read where it is pasted."""


@dataclass(frozen=True, slots=True)
class TableTexts:
    """Rows in both forms; `left_out` are those that were too many to be among them."""

    plain: str
    html: str
    left_out: int = 0


def table_texts(rows: Sequence[Sequence[str]], left_out: int = 0) -> TableTexts:
    """Return rows in both forms."""
    plain = "\n".join("\t".join(map(_plain, row)) for row in rows) + "\n"
    return TableTexts(plain, f"<table>{''.join(map(_row, rows))}</table>", left_out)


def _plain(cell: str) -> str:
    return escape_formula(" ".join(cell.split()))


def _row(cells: Sequence[str]) -> str:
    told = (escape(escape_formula(cell)).replace("\n", "<br>") for cell in cells)
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in told)}</tr>"
