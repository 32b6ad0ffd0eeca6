"""An answer as HTML for the clipboard: its Markdown's forms, its numbers, the list of its sources.

It brings no colours and no fonts, so it looks like the text that it is pasted into. Nothing in it
runs or is loaded, links lead to the web alone, and no cell of a table is a formula.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from pathlib import PurePath

from markdown_it.token import Token

from desktop_rag.core.formula_escape import beginnings
from desktop_rag.generation.citation_markers import citations_into_cells
from desktop_rag.gui.controllers.export_html import renderer, replace_numbers
from desktop_rag.gui.controllers.export_labels import ExportLabels
from desktop_rag.gui.controllers.table_texts import TABLE
from desktop_rag.gui.controllers.transcript import Turn

_WEB = re.compile(r"https?://.*", re.DOTALL)


def answer_html(turn: Turn, text: str, words: ExportLabels, *, is_quoting: bool = False) -> str:
    """Return an answer that reads `text`, with what it cites; `is_quoting` adds the quotes."""
    said = replace_numbers(citations_into_cells(text), lambda found: rf"\[{found[1]}\]")
    reader = renderer(_WEB)
    tokens = reader.parse(said)
    _make_inert(tokens)
    html = str(reader.renderer.render(tokens, reader.options, {})).replace("<table>", TABLE)
    return html + source_list(turn, turn.cited(), words, is_quoting=is_quoting)


def question_html(turn: Turn) -> str:
    """Return a question, nothing where there is none: a note has none."""
    lines = escape(turn.question).replace("\n", "<br>")
    return f"<p><b>{lines}</b></p>\n" if lines else ""


def source_list(
    turn: Turn, numbers: Iterable[int], words: ExportLabels, *, is_quoting: bool = False
) -> str:
    """Return the sources with these numbers: file and place, quotes where `is_quoting`."""
    lines = [_source(turn, n, words, is_quoting=is_quoting) for n in sorted(set(numbers))]
    listed = "".join(lines)
    return f"<p><b>{escape(words.sources)}</b></p>\n{listed}" if listed else ""


def _source(turn: Turn, number: int, words: ExportLabels, *, is_quoting: bool) -> str:
    if not 1 <= number <= len(turn.sources):
        return ""
    source = turn.sources[number - 1]
    cited = [each for each in turn.citations if each.n == number]
    place = words.place(cited[0].locator if cited else source.locator)
    name = PurePath(source.path).name or source.title
    line = escape(", ".join(part for part in (name, place) if part))
    quotes = dict.fromkeys(each.quote for each in cited) if is_quoting else ()
    below = "".join(f"<blockquote>{_lines(quote)}</blockquote>\n" for quote in quotes)
    return f"<p>[{number}] {line}</p>\n{below}"


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _make_inert(tokens: Sequence[Token]) -> None:
    """Make the cells of tables texts to a spreadsheet."""
    for before, token in pairwise(tokens):
        if before.type in ("td_open", "th_open") and token.children:
            _escape_formulas(token.children)


def _escape_formulas(pieces: Sequence[Token]) -> None:
    whole = "".join(piece.content for piece in pieces)
    for at in reversed(beginnings(whole)):
        piece, begin = _piece_at(pieces, at)
        piece.content = f"{piece.content[: at - begin]}'{piece.content[at - begin :]}"


def _piece_at(pieces: Sequence[Token], at: int) -> tuple[Token, int]:
    """Return the piece that holds a place of all their text, and where in that it begins."""
    return next(each for each in _begun(pieces) if each[1] + len(each[0].content) > at)


def _begun(pieces: Sequence[Token]) -> Iterator[tuple[Token, int]]:
    begin = 0
    for piece in pieces:
        yield piece, begin
        begin += len(piece.content)
