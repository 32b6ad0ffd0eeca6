"""Questions of recognised shapes, without a language model: what is to be counted, summed, ranked.

Counts, sums, means, extremes and the first n, by groups, of rows with named cells: in English and
Chinese. `TableQuestion` is what was understood; `shape_sql` writes it as SQL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from desktop_rag.core.language import FUNCTION_WORDS
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


class Operation(StrEnum):
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
    `label` is asked. `period` cuts dates of the group to years or months. `explained` is the share of the question's words that
    meant something here.
    """

    operation: Operation
    measure: Column | None
    group: Column | None = None
    label: Column | None = None
    period: str = ""
    conditions: tuple[Condition, ...] = ()
    ranked: Operation | None = None
    limit: int = 1
    explained: float = 0.0


_COUNT = re.compile(
    r"\bhow many\b|\bnumber of\b|\bcount\b|多少(?=[个家条名人座所项笔种次位件张本只台艘辆类篇])|几(?=[个家条名座所项笔种次位件张本])"
    r"|有多少|数量有多少|个数|总数(?:是|为)?多少|共有多少|一共有"
)
_TALLY = re.compile(r"数量|個數|家数|数目|人数|条数")
_SUM = re.compile(
    r"\btotal(?:s|ed)?\b|\bsum\b|\baltogether\b|\boverall\b|\bcombined\b|\bin all\b|\bhow much\b"
    r"|合计|合計|總計|总和|总计|总额|总共|一共|之和|总(?!经理|部|店|裁|数|监)|累计|共计"
)
_MEAN = re.compile(r"\baverages?\b|\bmean\b|\bavg\b|平均|均值")
_MEDIAN = re.compile(r"\bmedian\b|中位数")
_MOST = re.compile(
    r"\b(?:highest|largest|biggest|greatest|most|maximum|max|longest|latest|newest|"
    r"most recent|top|best|tallest|oldest|heaviest|youngest|priciest)\b"
    r"|最(?:高|大|多|长|贵|晚|新|好|近|重|老|年长)|前(?=[\d一二三四五六七八九十两]+(?:名|位|个|家|条|大|项|种|座|的|$))|排名第一"
)
_LEAST = re.compile(
    r"\b(?:lowest|smallest|least|fewest|minimum|min|shortest|earliest|cheapest|lightest|bottom|"
    r"first built|worst)\b|最(?:低|小|少|短|便宜|早|轻|差|旧|年轻)"
)
_BY_DATE = re.compile(
    r"\b(?:latest|newest|most recent|oldest|earliest|youngest|first built)\b|最(?:晚|新|近|早|旧|老)"
)
_OLD = re.compile(r"\b(?:oldest|earliest|first built)\b|最(?:早|旧|老)")
_DIFFERENT = re.compile(r"\b(?:different|distinct|unique)\b|不同|[几多少][种类]|多少[种类]")
_NUMBERS = dict(
    zip(
        "one two three four five six seven eight nine ten".split() + list("一二三四五六七八九十"),
        [*range(1, 11), *range(1, 11)],
        strict=True,
    )
) | {"两": 2}
_ONE = r"\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|[一二三四五六七八九十两]"
_TOP = re.compile(
    rf"\b(?:top|bottom|first|last|largest|highest|biggest|smallest|lowest|greatest|cheapest|longest|"
    rf"latest|earliest|newest|oldest) (?P<one>{_ONE})\b"
    rf"|\b(?P<two>{_ONE}) (?:\w+ )?(?:most|top|largest|highest|biggest|smallest|lowest|greatest|"
    rf"fewest|least|cheapest|longest|latest|earliest|newest|oldest|best|tallest)\b"
    rf"|\b(?:the|which|what) (?P<six>{_ONE}) (?:\w+ ){{1,4}}(?:with|that have|having|by|has|have|had)\b"
    rf"|前(?P<three>{_ONE})(?:名|位|个|家|条|大|项|种|座|的|$)?"
    rf"|最[高大多长贵晚新小少低短早近](?:的|前)?(?P<four>{_ONE})(?:个|家|名|位|条|项|种|座|所|款|笔|件)"
    rf"|最低的(?P<five>{_ONE})"
)
_BY_YEAR = re.compile(r"\b(?:by|per|each|every) year\b|\b(?:yearly|annual(?:ly)?)\b|[按每各逐]年")
_BY_MONTH = re.compile(r"\b(?:by|per|each|every) month\b|\bmonthly\b|[按每各逐]个?月")
_RATES = re.compile(
    r"price|rate|ratio|score|percent|average|avg|mean|share|age\b|height|weight|latitude|"
    r"longitude|temperature|year|单价|价格|率|比例|评分|年龄|占比|単価|recall|precision|mrr|%"
)
"""Names of what is not summed over groups: the highest of them is the highest single one."""
_OPERATION_WORDS = re.compile(
    "|".join(each.pattern for each in (_COUNT, _SUM, _MEAN, _MEDIAN, _MOST, _LEAST, _DIFFERENT))
    + r"|\b(?:rows?|records?|entries|value|list|show|give|find|calculate|compute|each|every|by|per)\b"
    r"|哪|什么|多少|几|各|每|按|列出|分别|请|计算|统计|所有|全部|分组|名|个|家|位|座|所|条|项|种|共|是|为|的|了|有|在|中|里|和|与|及"
)
_GENERIC = re.compile(r"\b(?:rows?|records?|entries|lines)\b|(?:条|行)(?:记录|数据)?|记录")
_GROUPED = frozenset("by per each every".split())
_GROUPED_BEFORE = re.compile(r"(?:各个?|每一?个?|按照?|根据|分|不同(?:的)?|逐)$")
_WHICH = frozenset("which what who whose".split())


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
            conditions=tuple(each for each in self.conditions if each.column is not found.group or found.ranked),
            explained=self._explained(found),
        )

    def _ranking(self) -> Operation | None:
        if _OLD.search(self.text) and self._date() is not None and not _is_age(self.columns):
            return Operation.LAST
        if _MOST.search(self.text):
            return Operation.FIRST
        return Operation.LAST if _LEAST.search(self.text) else None

    def _ranked(self, ranked: Operation, group: Column | None) -> TableQuestion | None:
        """Return a question for the first or last rows, or groups of rows."""
        limit = self._limit()
        asked = group or self._asked_column()
        measure = self._measure(but=asked, is_ranked=True)
        is_mean = _MEAN.search(self.text) is not None
        if measure is None:
            if asked is None or _BY_DATE.search(self.text) or not _is_repeated(asked):
                return None
            return TableQuestion(
                Operation.COUNT, None, asked, ranked=ranked, limit=limit
            )
        if asked is None or asked is measure or not _is_repeated(asked):
            is_only = asked is None or asked is measure
            if is_only and self._wants_value() and not self._wants_row():
                return TableQuestion(ranked, measure, limit=limit)
            label = None if is_only else asked
            return TableQuestion(ranked, measure, label=label, ranked=ranked, limit=limit)
        is_count = _COUNT.search(self.text) is not None and measure.kind is not ColumnKind.NUMBER
        if is_count:
            return TableQuestion(Operation.COUNT, None, asked, ranked=ranked, limit=limit)
        if is_mean:
            return TableQuestion(Operation.MEAN, measure, asked, ranked=ranked, limit=limit)
        if measure.kind is ColumnKind.DATE or _is_rate(measure):
            if _SUM.search(self.text) is None:
                return TableQuestion(ranked, measure, label=asked, ranked=ranked, limit=limit)
        return TableQuestion(Operation.SUM, measure, asked, ranked=ranked, limit=limit)

    def _aggregate(self, group: Column | None) -> TableQuestion | None:
        """Return a question for a count, a sum or a mean, of all rows or by groups."""
        measure = self._measure(but=group, is_ranked=False)
        for pattern, operation in ((_MEDIAN, Operation.MEDIAN), (_MEAN, Operation.MEAN)):
            if pattern.search(self.text):
                return TableQuestion(operation, measure, group) if measure else None
        counted = _COUNT.search(self.text)
        if counted:
            return self._counted(counted, group)
        if _TALLY.search(self.text) and measure is None:
            return TableQuestion(Operation.COUNT, None, group)
        if _SUM.search(self.text):
            if measure is not None:
                return TableQuestion(Operation.SUM, measure, group)
            return self._counted(None, group) if _GENERIC.search(self.text) else None
        if "多少" in self.text and measure is not None:
            return TableQuestion(Operation.SUM, measure, group)
        return None

    def _counted(self, counted: re.Match[str] | None, group: Column | None) -> TableQuestion:
        """Return a question for a count: of rows, of different cells, or of what a number counts."""
        if _GENERIC.search(self.text):
            return TableQuestion(Operation.COUNT, None, group)
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
            kind = each.column.kind
            if kind is ColumnKind.NUMBER and each.share >= 0.5 and not _is_code(each.column):
                if self._is_free(each):
                    return TableQuestion(Operation.SUM, each.column, group)
            elif kind is ColumnKind.TEXT and each.share >= 0.5 and self._is_free(each):
                if _DIFFERENT.search(self.text) or _is_repeated(each.column):
                    return TableQuestion(Operation.DISTINCT, each.column, group)
        return TableQuestion(Operation.COUNT, None, group)

    def _is_free(self, mention: ColumnMention) -> bool:
        """Say whether a column is named for itself, not for one of its cells."""
        return all(each.column is not mention.column for each in self.conditions)

    def _limit(self) -> int:
        found = _TOP.search(self.text)
        said = next((each for each in found.groups() if each), "") if found else ""
        return _NUMBERS.get(said) or (int(said) if said.isdecimal() else 1)

    def _group(self, *, is_ranked: bool) -> Column | None:
        """Return the column for whose cells apart something is asked."""
        for each in self.columns:
            if each.column.kind is ColumnKind.NUMBER and (is_ranked or not _is_discrete(each.column)):
                continue
            before = [word.form for word in self.asked[max(0, each.first - 2) : each.first]]
            while before and before[-1] in ("the", "of", "a"):
                before.pop()
            text = self.text[: self.asked[each.first].start]
            is_by = bool(before) and before[-1] in _GROUPED
            if is_by or _GROUPED_BEFORE.search(text.rstrip()):
                return each.column
        return None

    def _period(self, group: Column | None) -> str:
        is_date = group is None or group.kind is ColumnKind.DATE
        if not is_date or (group is None and self._date() is None):
            return ""
        if _BY_YEAR.search(self.text):
            return "year"
        return "month" if _BY_MONTH.search(self.text) else ""

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
        if is_ranked and (_BY_DATE.search(self.text) or not numbers):
            dates = [each.column for each in named if each.column.kind is ColumnKind.DATE]
            if dates:
                return dates[0]
            if _BY_DATE.search(self.text):
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
        """Return the one column of amounts, where the question names none and ranks nothing else."""
        every = [
            each
            for each in self.table.columns
            if each.kind is ColumnKind.NUMBER and not _is_code(each) and not _is_years(each)
        ]
        said = re.search(r"\b(?:sum|total|amount|largest|biggest|smallest)\b|最[大小]|合计", self.text)
        asked = self._asked_column() if is_ranked else None
        is_most = is_ranked and asked is not None and _is_repeated(asked)
        return every[0] if len(every) == 1 and said and not is_most else None

    def _wants_value(self) -> bool:
        return re.search(
            r"\b(?:what(?:'s| is| was| are| were)?|how (?:high|large|big|much|long|old)|maximum|"
            r"minimum|max|min)\b|多少|多[高大长]|是什么",
            self.text,
        ) is not None

    def _wants_row(self) -> bool:
        is_which = re.search(r"\b(?:which|who|whose|list|name)\b|哪|谁|列出|名称", self.text)
        return is_which is not None or self._limit() > 1

    def _explained(self, found: TableQuestion) -> float:
        """Return the share of the words with a meaning of their own that the table explains."""
        known = set(self.meant)
        for each in (*self.columns, *self.values):
            known.update(range(each.first, each.end))
        titles = {
            word.form
            for part in self.table.parts
            for said in (part.stored.title, part.stored.sheet, part.stored.caption)
            for word in words(plain(re.sub(r"_+", " ", said)))
        }
        spoken = [each.span() for each in _OPERATION_WORDS.finditer(self.text)]
        spoken += [each.span() for each in _TOP.finditer(self.text)]
        score = total = 0
        for at, word in enumerate(self.asked):
            is_said = any(start <= word.start and word.end <= end for start, end in spoken)
            is_known = at in known or word.form in titles
            if not is_known and (is_said or word.form in FUNCTION_WORDS):
                continue
            total += 1
            score += is_known
        if not total:
            return 1.0 if _GENERIC.search(self.text) and self.table.size else 0.0
        return score / total


def _is_said_again(value: ValueMention, columns: Sequence[ColumnMention]) -> bool:
    return all(value.first < each.first or each.end < value.end for each in columns)


def _is_repeated(column: Column) -> bool:
    """Say whether cells of a column come more than once, as those of groups do."""
    filled = [each for each in column.cells.values if each is not None]
    return len(set(filled)) < len(filled)


def _is_discrete(column: Column) -> bool:
    """Say whether numbers are few enough to be groups: years, months, grades."""
    distinct = {each for each in column.cells.values if each is not None}
    return len(distinct) <= 50 and all(each == int(each) for each in distinct if not isinstance(each, str))  # type: ignore[arg-type]


def _is_years(column: Column) -> bool:
    return all(
        each is None or (not isinstance(each, str) and 1800 <= each <= 2200)  # type: ignore[operator]
        for each in column.cells.values
    )


def _is_code(column: Column) -> bool:
    """Say whether numbers only name things."""
    name = plain(column.name)
    return re.search(r"\bid\b|编号|号码|序号|代码|\bno\b|number$|phone|电话|\bindex\b", name) is not None


def _is_rate(column: Column) -> bool:
    return column.cells.unit == "%" or _RATES.search(plain(column.name)) is not None


def _is_age(columns: Sequence[ColumnMention]) -> bool:
    return any("age" in plain(each.column.name) for each in columns)
