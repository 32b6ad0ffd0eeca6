"""A made document: what it must be read as, in whichever of its right orders.

What stands aside (a footnote, a caption, a box) may be read where it stands in the columns, at its
page's end or at its beginning. Running heads and page numbers may be read or not. The end of a
sentence that goes on on the next page may be read before what stands between.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, product
from pathlib import Path

from benchmarks.page_layouts.typesetting import CHINESE

Rows = tuple[tuple[str, ...], ...]
_END = re.compile(r"\.(?=\s|$)|。")  # of a made sentence


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A line of text on a page: its left end and baseline from the page's bottom left, in points.

    Lines with one `part` are one paragraph. `spread` is the width that each of its spaces gains.
    """

    page: int
    part: int
    text: str
    x: float
    y: float
    font: str
    size: float
    broken: bool = False
    aside: bool = False
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class MadeTable:
    """A table's cells: `heads` are rows of column heads, a merged head repeated over its columns.

    The first column names the rows. An empty cell is an empty text.
    """

    heads: Rows
    rows: Rows


@dataclass(frozen=True, slots=True)
class MadeDocument:
    """A document's name, kind and language, and what it must be read as.

    `texts` are its text in each right order; `furniture` its running heads and page numbers; `cut`
    the sentences that go on over a page's end.
    """

    name: str
    kind: str
    language: str
    pages: int
    texts: tuple[str, ...]
    tables: tuple[MadeTable, ...]
    furniture: tuple[str, ...]
    cut: tuple[str, ...] = ()

    def path(self, folder: Path) -> Path:
        """Return where it lies in the folder that it was written to."""
        return folder / f"{self.name}.pdf"


def texts_of(lines: Sequence[PlacedLine]) -> tuple[str, ...]:
    """Return the text of lines in each order that is right; each page has one of its own."""
    numbers = sorted({line.page for line in lines})
    pages = [_orders([line for line in lines if line.page == number]) for number in numbers]
    return tuple(dict.fromkeys(joined_text(chain(*chosen)) for chosen in product(*pages)))


def _orders(lines: Sequence[PlacedLine]) -> list[Sequence[PlacedLine]]:
    """Return a page's lines in each right order: with what stands aside there, last, or first."""
    if not any(line.aside for line in lines):
        return [lines]
    last = sorted(lines, key=lambda line: line.aside)
    first = sorted(lines, key=lambda line: not line.aside)
    return [lines, last, first]


def joined_text(lines: Iterable[PlacedLine]) -> str:
    """Return lines as text: a paragraph's lines joined, broken words made whole."""
    return "\n".join(_paragraph(list(part)) for _, part in groupby(lines, lambda each: each.part))


def _paragraph(lines: Sequence[PlacedLine]) -> str:
    text, broken = "", False
    for line in lines:
        if broken:
            text = text[:-1] + line.text
        elif not text or line.font == CHINESE:
            text += line.text
        else:
            text += f" {line.text}"
        broken = line.broken
    return unicodedata.normalize("NFC", text)


def with_whole_sentences(
    lines: Sequence[PlacedLine],
) -> tuple[list[PlacedLine], tuple[str, ...]]:
    """Return lines with each sentence on the page where it begins, and those that were cut."""
    parts: dict[int, list[int]] = defaultdict(list)
    for at, line in enumerate(lines):
        parts[line.part].append(at)
    changed: dict[int, list[PlacedLine]] = {}
    cut: list[str] = []
    for numbers in parts.values():
        here = [at for at in numbers if lines[at].page == lines[numbers[0]].page]
        if len(here) == len(numbers) or _END.search(lines[here[-1]].text[-1:]):
            continue
        found = _rest(lines, numbers[len(here) :])
        moved = [replace(each, page=lines[here[-1]].page) for at in found for each in found[at][:1]]
        changed |= {at: found[at][1:] for at in found} | {here[-1]: [lines[here[-1]], *moved]}
        begun = _paragraph([lines[at] for at in here])
        start = max((end.end() for end in _END.finditer(begun)), default=0)
        cut.append(_paragraph([*(lines[at] for at in here), *moved])[start:].strip())
    whole = [each for at, line in enumerate(lines) for each in changed.get(at, [line])]
    return whole, tuple(cut)


def _rest(lines: Sequence[PlacedLine], numbers: Sequence[int]) -> Mapping[int, list[PlacedLine]]:
    """Return the lines of a sentence's rest by their numbers; the last one may be in two parts."""
    found: dict[int, list[PlacedLine]] = {}
    for at in numbers:
        end = _END.search(lines[at].text)
        if end is None:
            found[at] = [lines[at]]
            continue
        told, after = lines[at].text[: end.end()], lines[at].text[end.end() :].lstrip()
        found[at] = [replace(lines[at], text=told, broken=False)]
        if after:
            found[at].append(replace(lines[at], text=after))
        break
    return found
