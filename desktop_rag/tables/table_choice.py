"""Chooses the table that a question is about, by its words against names, titles and cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, log

from desktop_rag.core.language import FUNCTION_WORDS
from desktop_rag.tables.mentions import value_index
from desktop_rag.tables.question_shapes import TableQuestion, understand
from desktop_rag.tables.question_words import name_words, plain, raw_words, words
from desktop_rag.tables.stored_tables import StoredTable
from desktop_rag.tables.typed_table import TypedTable

LEAST_EXPLAINED = 0.6
"""Share of a question's words that its table must have."""
_LEAST_OF_COUNT = 0.75  # where only rows are counted: then nothing but the words speak for a table
NEAR = 0.05
"""How near another table's score may be to the best, so that it is told."""
_LOOKED_AT = 8  # tables that are made typed for one question
_TITLE = 0.5  # of a column's name: what a word in a title is worth
_CELL = 0.7


@dataclass(frozen=True, slots=True)
class TableReading:
    """A question as it was understood of one table.

    None where it is of no recognised shape, or too few of its words are the table's.
    """

    table: TypedTable
    question: TableQuestion | None
    score: float


def candidate_tables(
    question: str, groups: Sequence[Sequence[StoredTable]]
) -> list[Sequence[StoredTable]]:
    """Return the groups of tables that share most words with a question, best first.

    Words that few tables have count more (inverse document frequency).
    """
    text = plain(question)
    asked = {each.form for each in words(text)} - FUNCTION_WORDS
    terms = _search_terms(text)
    found = [_shared(asked, terms, group) for group in groups]
    spread = Counter(word for shared in found for word in shared)
    rare = {word: log(1 + len(groups) / count) for word, count in spread.items()}
    scores = [fsum(worth * rare[word] for word, worth in shared.items()) for shared in found]
    sizes = [sum(each.size for each in group) for group in groups]
    order = sorted(range(len(groups)), key=lambda at: (-scores[at], -sizes[at]))
    return [groups[at] for at in order if scores[at] > 0][:_LOOKED_AT]


def read_question(question: str, tables: Iterable[TypedTable]) -> list[TableReading]:
    """Return what a question asks of each table, the best explained first."""
    readings = [_reading(question, each) for each in tables]
    return sorted(readings, key=lambda each: -each.score)


def _reading(question: str, table: TypedTable) -> TableReading:
    index = value_index(table, plain(question))
    found = understand(question, table, index)
    if found is None:
        return TableReading(table, None, 0.0)
    least = LEAST_EXPLAINED if found.measure or found.conditions or found.group else _LEAST_OF_COUNT
    if found.explained < least:
        return TableReading(table, None, 0.0)
    literal = sum(plain(each.name) in plain(question) for each in table.columns)
    score = found.explained + _named_share(question, table) * 0.2 + min(literal, 3) * 0.03
    return TableReading(table, found, score)


def _named_share(question: str, table: TypedTable) -> float:
    """Return how much of a title the question says, of the best one."""
    asked = {each.form for each in words(plain(question))}
    shares = [0.0]
    for part in table.parts:
        title = {
            word
            for said in (part.stored.title, part.stored.sheet, part.stored.caption)
            for word in name_words(said)
        }
        shares.append(len(title & asked) / max(3, len(title)))
    return max(shares)


def _shared(
    asked: set[str], terms: Sequence[re.Pattern[str]], group: Sequence[StoredTable]
) -> dict[str, float]:
    """Return what a question shares with tables, and what each is worth."""
    found: dict[str, float] = {}
    for each in group:
        for said in (each.title, each.sheet, each.caption):
            _note(found, asked & name_words(said), _TITLE)
        for term in terms:
            if term.pattern not in found and term.search(each.searched):
                found[term.pattern] = _CELL
    for name in group[0].names:
        _note(found, asked & name_words(name), 1.0)
    return found


def _search_terms(question: str) -> list[re.Pattern[str]]:
    """Return what is looked for in cells: words as they begin, and pairs of characters."""
    terms: list[str] = []
    each_word = raw_words(question)
    for at, each in enumerate(each_word):
        written = question[each.start : each.end]
        if not written.isascii() and len(written) == 1:
            beside = at + 1 < len(each_word) and each_word[at + 1].start == each.end
            if beside:
                terms.append(re.escape(question[each.start : each.end + 1]))
        elif written not in FUNCTION_WORDS:
            terms.append(rf"\b{re.escape(each.form)}")
    return [re.compile(each) for each in dict.fromkeys(terms)]


def _note(found: dict[str, float], said: Iterable[str], worth: float) -> None:
    for word in said:
        found[word] = max(found.get(word, 0.0), worth)
