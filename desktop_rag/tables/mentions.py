"""Which columns and which values of a table a question names, and where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.core.language import FUNCTION_WORDS
from desktop_rag.tables.cell_values import ColumnKind
from desktop_rag.tables.question_words import Word, name_forms, plain, raw_words, value_forms, words
from desktop_rag.tables.typed_table import Column, TypedTable

_MOST_VALUES = 20_000  # distinct cells of a column that are looked for
_LONGEST_VALUE = 30  # words
_LONGEST_CELL = 120  # characters
_PLACES = "省市县区州"
_WEAK = FUNCTION_WORDS | frozenset(
    [
        "yes",
        "no",
        "none",
        "all",
        "other",
        "total",
        "high",
        "low",
        "true",
        "false",
        "是",
        "否",
        "有",
        "无",
        "大",
        "小",
        "多",
        "少",
        "高",
        "低",
        "new",
        "old",
    ]
)
"""Cells that a question may say without meaning the cell, unless it names the column."""
_GAP = 3  # words that may stand between the words of a name
_PART = 0.5  # of a name's words that may stand for it


@dataclass(frozen=True, slots=True)
class ColumnMention:
    """A column that a question names in its words `first` to `end`.

    `share` says how much of the name is there.
    """

    column: Column
    first: int
    end: int
    share: float


@dataclass(frozen=True, slots=True)
class ValueMention:
    """A column's cells that a question names in its words `first` to `end`."""

    column: Column
    value: str
    first: int
    end: int


ValueIndex = dict[str, list[tuple[tuple[str, ...], Column, str]]]


def column_mentions(table: TypedTable, asked: Sequence[Word]) -> list[ColumnMention]:
    """Return the columns that a question names, whole names before parts, none overlapping."""
    found: list[ColumnMention] = []
    forms = [each.form for each in asked]
    for column in table.columns:
        for name in name_forms(column.name):
            found += _named(column, name, forms)
    found.sort(key=lambda each: (-each.share, -(each.end - each.first), each.first))
    kept: list[ColumnMention] = []
    for each in found:
        if all(each.end <= other.first or other.end <= each.first for other in kept) or (
            any(_same_span(each, other) for other in kept) and each.share == 1.0
        ):
            kept.append(each)
    return sorted(kept, key=lambda each: each.first)


def _same_span(one: ColumnMention, other: ColumnMention) -> bool:
    is_same = (one.first, one.end, one.share) == (other.first, other.end, other.share)
    return is_same and one.column is not other.column


def _named(column: Column, name: tuple[str, ...], forms: Sequence[str]) -> Iterator[ColumnMention]:
    """Yield where a name stands: in one piece, with little between its words, or a part of it."""
    size = len(name)
    is_found = False
    for at in range(len(forms) - size + 1):
        if tuple(forms[at : at + size]) == name:
            is_found = True
            yield ColumnMention(column, at, at + size, 1.0)
    if is_found or size == 1:
        return
    spread = _spread(name, forms)
    if spread is not None:
        yield ColumnMention(column, *spread, 0.9)
        return
    yield from _parts(column, name, forms)


def _spread(name: tuple[str, ...], forms: Sequence[str]) -> tuple[int, int] | None:
    """Return where all words of a name stand in order with little between them."""
    for begin, form in enumerate(forms):
        if form != name[0]:
            continue
        at = begin
        for word in name[1:]:
            window = forms[at + 1 : at + 2 + _GAP]
            if word not in window:
                break
            at += 1 + window.index(word)
        else:
            return begin, at + 1
    return None


def _parts(column: Column, name: tuple[str, ...], forms: Sequence[str]) -> Iterator[ColumnMention]:
    """Yield where at least half of a name's words stand in one piece, the longest one."""
    for size in range(len(name) - 1, 0, -1):
        if size < _PART * len(name):
            return
        for begin in range(len(name) - size + 1):
            part = name[begin : begin + size]
            if all(each in _WEAK or (len(each) == 1 and each.isascii()) for each in part):
                continue
            for at in range(len(forms) - size + 1):
                if tuple(forms[at : at + size]) == part:
                    yield ColumnMention(column, at, at + size, 0.8 * size / len(name))
                    return


def value_index(table: TypedTable, question: str) -> ValueIndex:
    """Return the cells of text columns that a question, `plain` as it is, may name.

    By their first words; those of a column with very many different cells are left out.
    """
    asked = {each.form for each in raw_words(question)}
    letters = {question[each.start : each.start + 2] for each in raw_words(question)}
    letters |= {each[:1] for each in letters}
    index: ValueIndex = defaultdict(list)
    for column in table.columns:
        if column.kind is not ColumnKind.TEXT:
            continue
        distinct = {each for each in column.cells.values if isinstance(each, str)}
        if len(distinct) > _MOST_VALUES:
            continue
        for value in sorted(distinct):
            if len(value) <= _LONGEST_CELL and _begins(value, letters):
                _enter(index, value_forms(value), column, value, asked)
    return index


def _begins(value: str, letters: set[str]) -> bool:
    """Say whether a cell begins as a word of the question, or with what is no letter."""
    begin = plain(value[:2])
    return begin[:2] in letters or begin[:1] in letters or not begin[:1].isalnum()


def _enter(
    index: ValueIndex, forms: tuple[str, ...], column: Column, value: str, asked: set[str]
) -> None:
    if not forms or len(forms) > _LONGEST_VALUE or forms[0] not in asked:
        return
    index[forms[0]].append((forms, column, value))
    if len(forms) > 2 and forms[-1] in _PLACES:
        index[forms[0]].append((forms[:-1], column, value))


def value_mentions(
    index: ValueIndex, question: str, named: Sequence[ColumnMention]
) -> list[ValueMention]:
    """Return the cells that a question, `plain` as it is, names; longest first, none overlapping.

    Of the columns that have a cell, one that the question names comes first, then the one with the
    fewest different cells. Places are counted in the words that `words` gives.
    """
    asked = raw_words(question)
    forms = [each.form for each in asked]
    columns = {each.column.name for each in named}
    found: list[tuple[int, int, Column, str]] = []
    for at, form in enumerate(forms):
        for value, column, cell in index.get(form, ()):
            end = at + len(value)
            if tuple(forms[at:end]) == value and not _is_weak(value, column, columns):
                found.append((at, end, column, cell))
    order = {name: at for at, name in enumerate(dict.fromkeys(c.name for _, _, c, _ in found))}
    found.sort(
        key=lambda each: (
            each[0] - each[1],
            each[2].name not in columns,
            _variety(each[2]),
            order[each[2].name],
        )
    )
    kept: list[tuple[int, int, Column, str]] = []
    for each in found:
        clash = [o for o in kept if not (each[1] <= o[0] or o[1] <= each[0])]
        is_same_cell = any((o[0], o[1], o[2]) == each[:3] for o in clash)
        if not clash or (is_same_cell and len(clash) == 1):
            kept.append(each)
    places = words(question)
    return [
        ValueMention(column, cell, *_in_words(places, asked[first].start, asked[end - 1].end))
        for first, end, column, cell in sorted(kept, key=lambda each: each[:2])
    ]


def _in_words(places: Sequence[Word], start: int, end: int) -> tuple[int, int]:
    """Return which words lie in a range of the text."""
    inside = [at for at, each in enumerate(places) if each.start < end and start < each.end]
    return inside[0], inside[-1] + 1


def _variety(column: Column) -> int:
    return len(set(column.cells.values))


def _is_weak(value: tuple[str, ...], column: Column, named: set[str]) -> bool:
    """Say whether a cell's words may be there by chance."""
    if column.name in named:
        return False
    is_short = len(value) == 1 and (len(value[0]) < 2 or value[0].isdigit())
    return is_short or all(each in _WEAK for each in value)
