"""How far a reading is from what a document must be read as.

Text: 1 − Levenshtein's distance / the longer text's length, after NFKC, white space collapsed, that
beside Chinese characters left out; the best of the right orders counts. Lines that are a running
head or a page number are left out of the reading.

Cells: F1 over (row's label, column's head, value). A value must be the same but for white space;
labels and heads, of which letters and digits alone are compared, at least as near as `_NEAR`.

Sentences: of those that a page's end cuts, the share that stands whole in one block.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from benchmarks.page_layouts.made_document import MadeDocument, MadeTable
from benchmarks.page_layouts.readings import Cell, Reading, row_cells

_WIDE = "[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_SPACE_BY_WIDE = re.compile(rf"\s+(?={_WIDE})|(?<={_WIDE})\s+")
_NEAR = 0.8


@dataclass(frozen=True, slots=True)
class Score:
    """A document's score: of cells none where there is no table, of sentences where none is cut."""

    name: str
    kind: str
    pages: int
    text: float
    cells: float | None
    sentences: float | None = None


def score_of(made: MadeDocument, reading: Reading) -> Score:
    """Return how well a document was read."""
    cells = cell_score(made.tables, reading.cells) if made.tables else None
    text = text_score(made, reading.lines)
    sentences = sentence_score(made.cut, reading.blocks) if made.cut and reading.blocks else None
    return Score(made.name, made.kind, made.pages, text, cells, sentences)


def sentence_score(wanted: Sequence[str], blocks: Iterable[str]) -> float:
    """Return the share of sentences that stand whole in one block."""
    found = [normal(each) for each in blocks]
    return sum(any(normal(each) in block for block in found) for each in wanted) / len(wanted)


def text_score(made: MadeDocument, lines: Iterable[str]) -> float:
    """Return the edit similarity of a text to the nearest right one."""
    furniture = {normal(each) for each in made.furniture}
    found = normal("\n".join(line for line in lines if normal(line) not in furniture))
    return max(Levenshtein.normalized_similarity(found, normal(each)) for each in made.texts)


def cell_score(tables: Iterable[MadeTable], found: Sequence[Cell]) -> float:
    """Return the harmonic mean of precision and recall of cells."""
    wanted = [cell for table in tables for cell in expected_cells(table)]
    right = _matches(wanted, found)
    return 2 * right / (len(wanted) + len(found)) if wanted or found else 1.0


def expected_cells(table: MadeTable) -> list[Cell]:
    """Return the cells that a table must give; rows of heads are names, no cells."""
    names = [" ".join(filter(None, heads)) for heads in zip(*table.heads, strict=True)]
    return [cell for row in table.rows for cell in row_cells(row, names)]


def normal(text: str) -> str:
    """Return text after NFKC, its white space collapsed, none beside Chinese characters."""
    folded = " ".join(unicodedata.normalize("NFKC", text).split())
    return _SPACE_BY_WIDE.sub("", folded)


def _matches(wanted: Sequence[Cell], found: Sequence[Cell]) -> int:
    """Count the cells that were found, each of those found once."""
    unused: dict[str, list[Cell]] = {}
    for cell in found:
        unused.setdefault(_squeezed(cell.value), []).append(cell)
    right = 0
    for cell in wanted:
        same = unused.get(_squeezed(cell.value), [])
        fitting = next((each for each in same if _is_named_like(cell, each)), None)
        if fitting is not None:
            same.remove(fitting)
            right += 1
    return right


def _is_named_like(one: Cell, other: Cell) -> bool:
    return _is_near(one.label, other.label) and _is_near(one.head, other.head)


def _is_near(one: str, other: str) -> bool:
    return Levenshtein.normalized_similarity(_letters(one), _letters(other)) >= _NEAR


def _squeezed(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum())


def mean_text(scores: Sequence[Score]) -> float:
    """Return the mean over documents, each counted by its pages."""
    return sum(each.text * each.pages for each in scores) / sum(each.pages for each in scores)


def mean_cells(scores: Sequence[Score]) -> float | None:
    """Return the mean over documents with tables, each counted by its pages; None without any."""
    return _mean((each.cells, each.pages) for each in scores)


def mean_sentences(scores: Sequence[Score]) -> float | None:
    """Return the mean over documents with cut sentences, counted alike; None without any."""
    return _mean((each.sentences, each.pages) for each in scores)


def _mean(scores: Iterable[tuple[float | None, int]]) -> float | None:
    told = [(score, pages) for score, pages in scores if score is not None]
    pages = sum(count for _, count in told)
    return sum(score * count for score, count in told) / pages if told else None
