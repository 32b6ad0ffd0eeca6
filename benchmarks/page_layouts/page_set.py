"""The set of made pages: which kinds there are, in which languages and orders, from one seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.page_layouts import table_layouts, text_layouts
from benchmarks.page_layouts.made_document import MadeDocument
from benchmarks.page_layouts.made_tables import Rules, statement_table
from benchmarks.page_layouts.page_writer import DrawingOrder, PageWriter
from benchmarks.page_layouts.sentences import TextSource

SEED = 20
_IN_ROWS, _IN_PARTS = DrawingOrder.ROWS, DrawingOrder.PARTS


@dataclass(frozen=True, slots=True)
class _Kind:
    """Documents of one layout, one in each of some languages."""

    lay_out: Callable[[TextSource], PageWriter]
    languages: Sequence[str]


def _table(
    made: table_layouts.Made, rules: Rules, writer_of: table_layouts.WriterOf = PageWriter
) -> Callable[[TextSource], PageWriter]:
    return partial(table_layouts.page_with_table, made=made, rules=rules, writer_of=writer_of)


_TWO, _THREE, _FOUR = ("en", "zh"), ("en", "en", "zh"), ("en", "en", "en", "zh")
_KINDS: Mapping[str, _Kind] = {
    "paper": _Kind(text_layouts.paper, _THREE),
    "paper, drawn by rows": _Kind(partial(text_layouts.paper, order=_IN_ROWS), _TWO),
    "paper, drawn in no order": _Kind(partial(text_layouts.paper, order=_IN_PARTS), _TWO),
    "report over pages": _Kind(text_layouts.report, _FOUR),
    "three columns": _Kind(text_layouts.newsletter, _THREE),
    "three columns, drawn by rows": _Kind(partial(text_layouts.newsletter, order=_IN_ROWS), _THREE),
    "box beside the text": _Kind(text_layouts.sidebar, _THREE),
    "box, drawn by rows": _Kind(partial(text_layouts.sidebar, order=_IN_ROWS), _TWO),
    "lists": _Kind(text_layouts.list_page, _THREE),
    "formulas": _Kind(text_layouts.formula_page, _TWO),
    "from right to left": _Kind(text_layouts.list_page, ("he",)),
    "table, all rules": _Kind(_table(table_layouts.amounts, Rules.ALL), _THREE),
    "table, some rules": _Kind(_table(table_layouts.amounts, Rules.HORIZONTAL), _TWO),
    "table, statement of accounts": _Kind(_table(statement_table, Rules.NONE), _TWO),
    "table, no rules": _Kind(_table(table_layouts.amounts, Rules.NONE), _FOUR),
    "table, two rows of heads": _Kind(_table(table_layouts.grouped, Rules.HORIZONTAL), _FOUR),
    "table, heads in a grid": _Kind(_table(table_layouts.grouped, Rules.ALL), _TWO),
    "table, cells of lines": _Kind(_table(table_layouts.texts, Rules.ALL), _TWO),
    "table, cells of lines, no rules": _Kind(
        _table(table_layouts.texts, Rules.NONE, partial(PageWriter, _IN_ROWS)), _TWO
    ),
    "table, remarks": _Kind(_table(table_layouts.noted, Rules.HORIZONTAL), _TWO),
    "table over two pages": _Kind(partial(table_layouts.long_table, rules=Rules.HORIZONTAL), _TWO),
    "page on its side": _Kind(
        _table(table_layouts.amounts, Rules.HORIZONTAL, partial(PageWriter, turned=True)), _TWO
    ),
}
KINDS = tuple(_KINDS)


def write_page_set(folder: Path, kinds: Sequence[str] = KINDS) -> Iterator[MadeDocument]:
    """Write the documents of some kinds into a folder as NAME.pdf; yield what each must give."""
    for kind in kinds:
        for number, language in enumerate(_KINDS[kind].languages, start=1):
            random = Random(f"{SEED} {kind} {number}")
            writer = _KINDS[kind].lay_out(TextSource(random, language))
            name = f"{kind.replace(',', '').replace(' ', '-')}-{number}-{language}"
            writer.write(folder / f"{name}.pdf", random)
            yield writer.document(name, kind, language)
