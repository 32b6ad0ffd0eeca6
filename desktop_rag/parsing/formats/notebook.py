"""Read a Jupyter notebook: its cells in order, and what they printed, without pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.latex_notation import ENVIRONMENT
from desktop_rag.parsing.formats.markdown import from_markdown
from desktop_rag.parsing.formats.plain_text import read_text
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument, TableRow

_LONGEST_OUTPUT = 10_000  # characters of what one cell printed
_COLOURS = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
_MARKS = ("$", r"\(", r"\[")  # of a formula; data frames and lists are LaTeX as well
_CUT = "Long outputs of the notebook's cells were cut."


def parse(path: Path) -> ParsedDocument:
    """Return a notebook's cells: Markdown as such, code, and the text that it gave."""
    try:
        notebook = json.loads(read_text(path))
    except (ValueError, RecursionError):
        raise file_problems.corrupt("The notebook is damaged.") from None
    cells = _cells(notebook)
    if cells is None:
        raise file_problems.corrupt("The notebook is damaged.")
    blocks: list[Block] = []
    notes: list[str] = []
    title = ""
    for number, cell in enumerate(cells, start=1):
        place = BlockLocator(LocatorKind.PART, Phrase("cell {0}", number))
        source = _joined(cell.get("source", cell.get("input", "")))
        kind = cell.get("cell_type")
        if kind == "markdown":
            document = from_markdown(source)
            title = title or document.title
            blocks += [_placed(block, place) for block in document.blocks]
        elif kind == "heading":
            blocks.append(Block(BlockKind.HEADING, source.strip(), place, _level(cell)))
        else:
            is_code = kind == "code"
            blocks.append(
                Block(BlockKind.CODE if is_code else BlockKind.TEXT, source.rstrip(), place)
            )
            blocks += _outputs(cell.get("outputs"), place, notes)
    return ParsedDocument(title, tuple(blocks), notes=tuple(notes))


def _cells(notebook: Any) -> list[dict[str, Any]] | None:
    """Return a notebook's cells, which the first versions kept in sheets; None if it has none."""
    if not isinstance(notebook, dict):
        return None
    found = notebook.get("cells")
    if found is None and isinstance(notebook.get("worksheets"), list):
        sheets = [each for each in notebook["worksheets"] if isinstance(each, dict)]
        found = [cell for sheet in sheets for cell in sheet.get("cells") or ()]
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else None


def _level(cell: dict[str, Any]) -> int:
    level = cell.get("level")
    return level if isinstance(level, int) and 0 < level < 7 else 1


def _outputs(outputs: Any, place: BlockLocator, notes: list[str]) -> Iterator[Block]:
    """Yield what a cell printed and returned, as text; of an error its name and its message."""
    room = _LONGEST_OUTPUT
    for output in outputs if isinstance(outputs, list) else ():
        text = _COLOURS.sub("", _output(output)).strip() if isinstance(output, dict) else ""
        if len(text) > room:
            text = text[:room]
            notes += [] if _CUT in notes else [_CUT]
        room -= len(text)
        if text:
            yield Block(BlockKind.CODE, text, place)


def _output(output: dict[str, Any]) -> str:
    if output.get("output_type") in {"error", "pyerr"}:
        return f"{output.get('ename', '')}: {output.get('evalue', '')}"
    data = output.get("data")
    held = data if isinstance(data, dict) else output
    latex = _joined(held.get("text/latex")).strip()
    if latex.startswith(_MARKS) or ENVIRONMENT.match(latex):
        return latex
    for key in ("text/plain", "text/markdown", "text", "text/latex"):
        if key in held:
            return _joined(held[key])
    return ""


def _joined(lines: Any) -> str:
    """Return a text that may be written as a list of lines."""
    if isinstance(lines, list):
        return "".join(line for line in lines if isinstance(line, str))
    return lines if isinstance(lines, str) else ""


def _placed(block: Block, place: BlockLocator) -> Block:
    rows = tuple(TableRow(row.text, place) for row in block.rows)
    return replace(block, place=place, rows=rows)
