"""Questions of recognised shapes, without a language model: what is to be counted, summed, ranked.

Counts, sums, means, extremes and the first n, by groups, of rows with named cells: in English and
Chinese. `TableQuestion` is what was understood; `shape_sql` writes it as SQL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from desktop_rag.core.language import FUNCTION_WORDS
from desktop_rag.tables import question_patterns as patterns
from desktop_rag.tables.cell_values import ColumnKind
from desktop_rag.tables.mentions import (
    ColumnMention,
    ValueIndex,
    ValueMention,
    column_mentions,
    value_mentions,
)
from desktop_rag.tables.question_conditions import Condition, conditions_of
from desktop_rag.tables.question_words import Word, plain, words
from desktop_rag.tables.typed_table import Column, TypedTable


class Aggregate(StrEnum):
    """What is done with the rows."""

    COUNT = "count"
    DISTINCT = "distinct"
    SUM = "sum"
    MEAN = "mean"
    MEDIAN = "median"
    FIRST = "first"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question as it was understood.

    Of the rows that meet all `conditions`, `measure` is summed, counted … for each of `group`; None
    counts rows. With `ranked`, the first or last `limit` rows (or groups) by it are wanted: then
    `operation` is how a group's are put together, FIRST and LAST for rows as they are, of which
    `label` is asked. `period` cuts dates of the group to years or months. `explained` is the share
    of the question's words that meant something here.
    """

    operation: Aggregate
    measure: Column | None
    group: Column | None = None
    label: Column | None = None
    period: str = ""
    conditions: tuple[Condition, ...] = ()
    ranked: Aggregate | None = None
    limit: int = 1
    explained: float = 0.0


_MOST_GROUPS = 50  # of numbers
_HALF = 0.5  # of a column's name
_WHICH = frozenset(["which", "what", "who", "whose"])


def understand(question: str, table: TypedTable, index: ValueIndex) -> TableQuestion | None:
    """Return what a question asks of a table, None where it is of no recognised shape."""
    return _Reading.of(question, table, index).understood()


@dataclass(frozen=True, slots=True)
class _Reading:
    """A question beside a table: its words, and what of the table they name."""

    text: str
    asked: tuple[Word, ...]
    table: TypedTable
    columns: tuple[ColumnMention, ...]
    values: tuple[ValueMention, ...]
    conditions: tuple[Condition, ...]
    meant: frozenset[int]  # words of conditions

    @classmethod
    def of(cls, question: str, table: TypedTable, index: ValueIndex) -> _Reading:
        text = plain(question)
        asked = words(text)
        columns = column_mentions(table, asked)
        values = value_mentions(index, text, columns)
        taken = {at for each in values for at in range(each.first, each.end)}
        columns = [
            each
            for each in columns
            if each.share == 1.0 or not taken & set(range(each.first, each.end))
        ]
        whole = {at for each in columns if each.share == 1.0 for at in range(each.first, each.end)}
        values = [
            each
            for each in values
            if not set(range(each.first, each.end)) <= whole or _is_said_again(each, columns)
        ]
        conditions, meant = conditions_of(text, asked, table, columns, values)
        return cls(
            text, asked, table, tuple(columns), tuple(values), tuple(conditions), frozenset(meant)
        )

    def understood(self) -> TableQuestion | None:
        ranked = self._ranking()
        group = self._group(is_ranked=ranked is not None)
        period = self._period(group)
        if period and group is None:
            group = self._date()
        found = self._ranked(ranked, group) if ranked else self._aggregate(group)
        if found is None:
            return None
        return replace(
            found,
            period=period if found.group is group else "",
            conditions=tuple(
                each for each in self.conditions if each.column is not found.group or found.ranked
            ),
            explained=self._explained(),
        )

    def _ranking(self) -> Aggregate | None:
        if (
            patterns.OLD.search(self.text)
            and self._date() is not None
            and not _is_age(self.columns)
        ):
            return Aggregate.LAST
        if patterns.MOST.search(self.text):
            return Aggregate.FIRST
        return Aggregate.LAST if patterns.LEAST.search(self.text) else None

    def _ranked(self, ranked: Aggregate, group: Column | None) -> TableQuestion | None:
        """Return a question for the first or last rows, or groups of rows."""
        limit = self._limit()
        asked = group or self._asked_column()
        measure = self._measure(but=asked, is_ranked=True)
        is_mean = patterns.MEAN.search(self.text) is not None
        if measure is None:
            if asked is None or patterns.BY_DATE.search(self.text) or not _is_repeated(asked):
                return None
            return TableQuestion(Aggregate.COUNT, None, asked, ranked=ranked, limit=limit)
        if asked is None or asked is measure or not _is_repeated(asked):
            is_only = asked is None or asked is measure
            if is_only and self._wants_value() and not self._wants_row():
                return TableQuestion(ranked, measure, limit=limit)
            label = None if is_only else asked
            return TableQuestion(ranked, measure, label=label, ranked=ranked, limit=limit)
        is_count = (
            patterns.COUNT.search(self.text) is not None and measure.kind is not ColumnKind.NUMBER
        )
        if is_count:
            return TableQuestion(Aggregate.COUNT, None, asked, ranked=ranked, limit=limit)
        if is_mean:
            return TableQuestion(Aggregate.MEAN, measure, asked, ranked=ranked, limit=limit)
        is_single = measure.kind is ColumnKind.DATE or _is_rate(measure)
        if is_single and patterns.SUM.search(self.text) is None:
            return TableQuestion(ranked, measure, label=asked, ranked=ranked, limit=limit)
        return TableQuestion(Aggregate.SUM, measure, asked, ranked=ranked, limit=limit)

    def _aggregate(self, group: Column | None) -> TableQuestion | None:
        """Return a question for a count, a sum or a mean, of all rows or by groups."""
        measure = self._measure(but=group, is_ranked=False)
        for pattern, operation in (
            (patterns.MEDIAN, Aggregate.MEDIAN),
            (patterns.MEAN, Aggregate.MEAN),
        ):
            if pattern.search(self.text):
                return TableQuestion(operation, measure, group) if measure else None
        counted = patterns.COUNT.search(self.text)
        if counted:
            return self._counted(counted, group)
        if patterns.TALLY.search(self.text) and measure is None:
            return TableQuestion(Aggregate.COUNT, None, group)
        if patterns.SUM.search(self.text):
            if measure is not None:
                return TableQuestion(Aggregate.SUM, measure, group)
            return self._counted(None, group) if patterns.GENERIC.search(self.text) else None
        if measure is None or not (group is not None or "多少" in self.text):
            return None
        is_named = any(each.column is measure for each in self.columns)
        if not is_named or (_is_rate(measure) and group is not None):
            return None
        return TableQuestion(Aggregate.SUM, measure, group)

    def _counted(self, counted: re.Match[str] | None, group: Column | None) -> TableQuestion:
        """Return a question for a count: of rows, of different cells, of what a number counts."""
        if patterns.GENERIC.search(self.text):
            return TableQuestion(Aggregate.COUNT, None, group)
        behind = next(
            (at for at, each in enumerate(self.asked) if counted and each.start >= counted.end()),
            len(self.asked),
        )
        near = [
            each
            for each in self.columns
            if behind <= each.first <= behind + 3 and each.column is not group
        ]
        for each in near:
            operation = self._counting(each)
            if operation is not None:
                return TableQuestion(operation, each.column, group)
        return TableQuestion(Aggregate.COUNT, None, group)

    def _counting(self, mention: ColumnMention) -> Aggregate | None:
        """Return how what a column says is counted: numbers are added, cells told apart."""
        column = mention.column
        if mention.share < _HALF or not self._is_free(mention):
            return None
        if column.kind is ColumnKind.NUMBER:
            return None if _is_code(column) else Aggregate.SUM
        is_told_apart = patterns.DIFFERENT.search(self.text) or _is_repeated(column)
        return Aggregate.DISTINCT if column.kind is ColumnKind.TEXT and is_told_apart else None

    def _is_free(self, mention: ColumnMention) -> bool:
        """Say whether a column is named for itself, not for one of its cells."""
        return all(each.column is not mention.column for each in self.conditions)

    def _limit(self) -> int:
        found = patterns.TOP.search(self.text)
        said = next((each for each in found.groups() if each), "") if found else ""
        return patterns.NUMBERS.get(said) or (int(said) if said.isdecimal() else 1)

    def _group(self, *, is_ranked: bool) -> Column | None:
        """Return the column for whose cells apart something is asked."""
        for each in self.columns:
            if each.column.kind is ColumnKind.NUMBER and (
                is_ranked or not _is_discrete(each.column)
            ):
                continue
            before = [word.form for word in self.asked[max(0, each.first - 2) : each.first]]
            while before and before[-1] in ("the", "of", "a"):
                before.pop()
            text = self.text[: self.asked[each.first].start]
            is_by = bool(before) and before[-1] in patterns.GROUPED
            if is_by or patterns.GROUPED_BEFORE.search(text.rstrip()):
                return each.column
        return None

    def _period(self, group: Column | None) -> str:
        is_date = group is None or group.kind is ColumnKind.DATE
        if not is_date or (group is None and self._date() is None):
            return ""
        if patterns.BY_YEAR.search(self.text):
            return "year"
        return "month" if patterns.BY_MONTH.search(self.text) else ""

    def _date(self) -> Column | None:
        """Return the column of dates that is named, else the only one."""
        named = [each.column for each in self.columns if each.column.kind is ColumnKind.DATE]
        every = [each for each in self.table.columns if each.kind is ColumnKind.DATE]
        return named[0] if named else (every[0] if len(every) == 1 else None)

    def _asked_column(self) -> Column | None:
        """Return the column whose cell is the answer: behind "which", else the first of text."""
        texts = [
            each
            for each in self.columns
            if each.column.kind is not ColumnKind.NUMBER and self._is_free(each)
        ]
        behind = [
            each
            for each in texts
            if any(word.form in _WHICH for word in self.asked[max(0, each.first - 2) : each.first])
            or re.search(r"哪[一些]?[个家座所种位条]?$", self.text[: self.asked[each.first].start])
        ]
        chosen = behind or [each for each in texts if each.column.kind is ColumnKind.TEXT]
        return chosen[0].column if chosen else None

    def _measure(self, *, but: Column | None, is_ranked: bool) -> Column | None:
        """Return the column of numbers (or, for ranking, dates) that the question is about."""
        used = {each.column.name for each in self.conditions}
        named = [each for each in self.columns if each.column is not but]
        numbers = [each for each in named if each.column.kind is ColumnKind.NUMBER]
        numbers = [each for each in numbers if each.column.name not in used] or numbers
        if is_ranked and (patterns.BY_DATE.search(self.text) or not numbers):
            dates = [each.column for each in named if each.column.kind is ColumnKind.DATE]
            if dates:
                return dates[0]
            if patterns.BY_DATE.search(self.text):
                return self._date()
        if not numbers:
            return self._only_number(is_ranked=is_ranked)
        plain_ones = [each for each in numbers if each.column.cells.unit != "%"] or numbers
        by = [
            each
            for each in plain_ones
            if each.first and self.asked[each.first - 1].form in ("by", "in")
        ]
        return max(by or plain_ones, key=lambda each: (each.share, each.end - each.first)).column

    def _only_number(self, *, is_ranked: bool) -> Column | None:
        """Return the only column of amounts, where the question names none."""
        every = [
            each
            for each in self.table.columns
            if each.kind is ColumnKind.NUMBER and not _is_code(each) and not _is_years(each)
        ]
        said = re.search(
            r"\b(?:sum|total|amount|largest|biggest|smallest)\b|最[大小]|合计", self.text
        )
        asked = self._asked_column() if is_ranked else None
        is_most = is_ranked and asked is not None and _is_repeated(asked)
        return every[0] if len(every) == 1 and said and not is_most else None

    def _wants_value(self) -> bool:
        return (
            re.search(
                r"\b(?:what(?:'s| is| was| are| were)?|how (?:high|large|big|much|long|old)|"
                r"maximum|minimum|max|min)\b|多少|多[高大长]|是什么",
                self.text,
            )
            is not None
        )

    def _wants_row(self) -> bool:
        is_which = re.search(r"\b(?:which|who|whose|list|name)\b|哪|谁|列出|名称", self.text)
        return is_which is not None or self._limit() > 1

    def _explained(self) -> float:
        """Return the share of the words with a meaning of their own that the table explains."""
        known = set(self.meant)
        for first, end in ((each.first, each.end) for each in self.columns):
            known.update(range(first, end))
        for value in self.values:
            known.update(range(value.first, value.end))
        titles = {
            word.form
            for part in self.table.parts
            for said in (part.stored.title, part.stored.sheet, part.stored.caption)
            for word in words(plain(re.sub(r"_+", " ", said)))
        }
        spoken = [each.span() for each in patterns.OPERATION_WORDS.finditer(self.text)]
        spoken += [each.span() for each in patterns.TOP.finditer(self.text)]
        score = total = 0
        for at, word in enumerate(self.asked):
            is_said = any(start <= word.start and word.end <= end for start, end in spoken)
            is_known = at in known or word.form in titles
            if not is_known and (is_said or word.form in FUNCTION_WORDS):
                continue
            total += 1
            score += is_known
        if not total:
            return 1.0 if patterns.GENERIC.search(self.text) and self.table.size else 0.0
        return score / total


def _is_said_again(value: ValueMention, columns: Sequence[ColumnMention]) -> bool:
    return all(value.first < each.first or each.end < value.end for each in columns)


def _is_repeated(column: Column) -> bool:
    """Say whether cells of a column come more than once, as those of groups do."""
    filled = [each for each in column.cells.values if each is not None]
    return len(set(filled)) < len(filled)


def _is_discrete(column: Column) -> bool:
    """Say whether numbers are few enough to be groups: years, months, grades."""
    distinct = {each for each in column.cells.values if isinstance(each, Decimal)}
    return len(distinct) <= _MOST_GROUPS and all(each == int(each) for each in distinct)


def _is_years(column: Column) -> bool:
    numbers = [each for each in column.cells.values if isinstance(each, Decimal)]
    return all(1800 <= each <= 2200 for each in numbers)


def _is_code(column: Column) -> bool:
    """Say whether numbers only name things."""
    name = plain(column.name)
    return (
        re.search(r"\bid\b|编号|号码|序号|代码|\bno\b|number$|phone|电话|\bindex\b", name)
        is not None
    )


def _is_rate(column: Column) -> bool:
    return column.cells.unit == "%" or patterns.RATES.search(plain(column.name)) is not None


def _is_age(columns: Sequence[ColumnMention]) -> bool:
    return any("age" in plain(each.column.name) for each in columns)
