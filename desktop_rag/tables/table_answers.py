"""Words for what a query over tables gave: a sentence, the table, and what was left out.

In the question's language: English or Chinese.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from desktop_rag.tables.cell_values import ColumnKind
from desktop_rag.tables.question_conditions import Condition, Operand
from desktop_rag.tables.question_shapes import Aggregate, TableQuestion
from desktop_rag.tables.sql_engine import QueryResult, Value
from desktop_rag.tables.typed_table import Column, TypedTable

MOST_SHOWN = 50
"""Rows of a result that are shown."""
_TITLES = 3
_YEAR_DIGITS = 4  # a whole number of so many may be a year
_BEFORE = frozenset(["$", "€", "£", "¥", "₹", "₩"])
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "sum": "the sum of {measure}",
        "mean": "the average of {measure}",
        "median": "the median of {measure}",
        "first": "the highest {measure}",
        "last": "the lowest {measure}",
        "count": "the number of rows",
        "distinct": "the number of different values of {measure}",
        "is": "{what}{where} is {value}{rests}.",
        "best": "{name}: {what}{where} is {value}, the {rank}{rests}.",
        "row": "{name} has the {rank} {measure}{where}: {value}{rests}.",
        "groups": "{what} by {group}{where}{rests}:",
        "top": "The {count} {rank} by {by}{where}{rests}:",
        "none": "No row of {titles} meets what the question asks{where}.",
        "value": "The query gives {value}{rests}.",
        "rows": "The query gives {count} rows{rests}:",
        "rests": " ({count} rows of {titles})",
        "whole": " ({titles})",
        "where": " where {conditions}",
        "and": " and ",
        "highest": "highest",
        "lowest": "lowest",
        "latest": "latest",
        "earliest": "earliest",
        "misfits": "{count} of {filled} cells of {measure} are no {kind} and were left out.",
        "number": "numbers",
        "date": "dates",
        "totals": "{count} rows of totals were left out.",
        "lost": "{count} rows could not be read into columns and were left out.",
        "more": "{count} more rows are not shown.",
        "titles": "{titles} and {count} more",
        "comma": ", ",
        "equal": "{measure} is {value}",
        "year": "the year of {measure} is {value}",
        "month": "the month of {measure} is {value}",
        "between": "{measure} is between {value} and {other}",
        "compared": "{measure} {operator} {value}",
        "or": " or ",
        "quoted": "{measure}",
    },
    "zh": {
        "sum": "“{measure}”合计",
        "mean": "“{measure}”的平均值",
        "median": "“{measure}”的中位数",
        "first": "最大的“{measure}”",
        "last": "最小的“{measure}”",
        "count": "行数",
        "distinct": "“{measure}”的不同取值数",
        "is": "{what}{where}为 {value}{rests}。",
        "best": "{name}：{what}{where}为 {value}，{rank}{rests}。",
        "row": "{name}的“{measure}”{where}{rank}：{value}{rests}。",
        "groups": "按“{group}”分组的{what}{where}{rests}：",
        "top": "{by}{where}{rank}的 {count} 项{rests}：",
        "none": "{titles}中没有符合问题的行{where}。",
        "value": "查询结果为 {value}{rests}。",
        "rows": "查询得到 {count} 行{rests}：",
        "rests": "（依据{titles}的 {count} 行）",
        "whole": "（{titles}）",
        "where": "（{conditions}）",
        "and": "，",
        "highest": "最大",
        "lowest": "最小",
        "latest": "最晚",
        "earliest": "最早",
        "misfits": "“{measure}”的 {filled} 个单元格中有 {count} 个不是{kind}，未计入。",
        "number": "数字",
        "date": "日期",
        "totals": "有 {count} 行是合计行，未计入。",
        "lost": "有 {count} 行无法按列读取，未计入。",
        "more": "另有 {count} 行未显示。",
        "titles": "{titles}等，另有 {count} 个",
        "comma": "、",
        "equal": "{measure}为{value}",
        "year": "{measure}的年份为 {value}",
        "month": "{measure}的月份为 {value}",
        "between": "{measure}在 {value} 与 {other} 之间",
        "compared": "{measure} {operator} {value}",
        "or": "或",
        "quoted": "“{measure}”",
    },
}


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """An answer's parts: its sentence without its end mark, the mark, and what stands below."""

    sentence: str
    end: str
    below: tuple[str, ...] = ()

    def text(self, citations: str) -> str:
        """Return it with its citations at the sentence's end."""
        cited = f"{self.sentence}{self.end} {citations}".rstrip()
        return "\n\n".join((cited, *self.below))


class AnswerWriter:
    """Writes an answer over one table, or several, in a language."""

    def __init__(self, language: str, tables: Sequence[TypedTable]) -> None:
        self._words = _WORDS.get(language, _WORDS["en"])
        self._tables = tables

    def of_shape(self, question: TableQuestion, result: QueryResult) -> TableAnswer:
        """Return the answer to a question that was understood."""
        rows = [row for row in result.rows if any(each is not None for each in row)]
        if not rows or (
            question.operation is Aggregate.COUNT and result.row_count == 0 and question.group
        ):
            return self._answer(self._say("none", where=self._where(question.conditions)), result)
        if question.group is None and question.ranked is None:
            told = self._single(question, rows[0][-1], result)
            return self._answer(told, result, self._used(question))
        if len(rows) == 1 and question.ranked is not None:
            return self._answer(self._best(question, rows[0], result), result, self._used(question))
        shown = self._shown(question, result)
        kind = "top" if question.ranked is not None else "groups"
        told = self._say(
            kind,
            what=_capital(self._what(question)),
            group=question.group.name if question.group else "",
            by=self._what(question) if question.group is not None else self._quoted(question),
            where=self._where(question.conditions),
            count=str(len(rows)),
            rank=self._rank(question),
            rests=self._rests(result),
        )
        return self._answer(told, result, self._used(question), shown)

    def of_query(self, result: QueryResult) -> TableAnswer:
        """Return the answer that a query of a model's gave."""
        if not result.rows:
            return self._answer(self._say("none", where=""), result)
        rests = self._rests(result)
        if len(result.rows) == len(result.names) == 1:
            value = shown_value(result.rows[0][0])
            return self._answer(self._say("value", value=value, rests=rests), result)
        told = self._say("rows", count=str(len(result.rows)), rests=rests)
        return self._answer(told, result, (), markdown_table(result.names, shown_rows(result)))

    def _answer(
        self,
        told: str,
        result: QueryResult,
        used: Sequence[Column] = (),
        shown: str = "",
    ) -> TableAnswer:
        below = [shown] if shown else []
        if shown and len(result.rows) > MOST_SHOWN:
            below.append(self._say("more", count=str(len(result.rows) - MOST_SHOWN)))
        notes = [self._misfits(each) for each in used if each.cells.misfits]
        totals = sum(each.totals for each in self._tables)
        lost = sum(each.lost for each in self._tables)
        notes += [self._say("totals", count=str(totals))] if totals else []
        notes += [self._say("lost", count=str(lost))] if lost else []
        below += [" ".join(notes)] if notes else []
        return TableAnswer(told[:-1], told[-1], tuple(below))

    def _single(self, question: TableQuestion, value: Value, result: QueryResult) -> str:
        return self._say(
            "is",
            what=_capital(self._what(question)),
            where=self._where(question.conditions),
            value=with_unit(value, question),
            rests=self._rests(result),
        )

    def _best(self, question: TableQuestion, row: Sequence[Value], result: QueryResult) -> str:
        kind = "best" if question.group is not None else "row"
        return self._say(
            kind,
            name=self._words["comma"].join(
                shown_value(each) for each in row[:-1] if each is not None
            ),
            what=self._what(question),
            measure=self._measured(question),
            where=self._where(question.conditions),
            value=with_unit(row[-1], question),
            rank=self._rank(question),
            rests=self._rests(result) if kind == "best" else self._say("whole"),
        )

    def _shown(self, question: TableQuestion, result: QueryResult) -> str:
        """Return the result as a table; its last column is named as the question means it."""
        what = self._what(question) if question.group is not None else self._measured(question)
        rows = [
            (*map(shown_value, row[:-1]), with_unit(row[-1], question))
            for row in result.rows[:MOST_SHOWN]
        ]
        named = _capital(what.removeprefix("the ")) if question.group is not None else what
        return markdown_table((*result.names[:-1], named), rows)

    def _used(self, question: TableQuestion) -> list[Column]:
        columns = [question.measure, question.group, *(each.column for each in question.conditions)]
        found = [each for each in columns if each is not None]
        return list({each.name: each for each in found}.values())

    def _what(self, question: TableQuestion) -> str:
        return self._say(question.operation.value, measure=self._measured(question))

    def _measured(self, question: TableQuestion) -> str:
        return question.measure.name if question.measure is not None else ""

    def _quoted(self, question: TableQuestion) -> str:
        return self._words["quoted"].format(measure=self._measured(question))

    def _rank(self, question: TableQuestion) -> str:
        measure, is_first = question.measure, question.ranked is Aggregate.FIRST
        if measure is not None and measure.kind is ColumnKind.DATE:
            return self._words["latest" if is_first else "earliest"]
        return self._words["highest" if is_first else "lowest"]

    def _rests(self, result: QueryResult) -> str:
        if result.row_count is None:
            return self._say("whole")
        return self._say("rests", count=f"{result.row_count:,}")

    def _misfits(self, column: Column) -> str:
        cells = column.cells
        return self._say(
            "misfits",
            count=f"{cells.misfits:,}",
            filled=f"{cells.filled:,}",
            measure=column.name,
            kind=self._words["date" if column.kind is ColumnKind.DATE else "number"],
        )

    def _where(self, conditions: Sequence[Condition]) -> str:
        told = self._words["and"].join(map(self._condition, conditions))
        return self._words["where"].format(conditions=told) if told else ""

    def _condition(self, condition: Condition) -> str:
        values = [shown_operand(each) for each in condition.operands]
        template = {
            "in": "equal", "between": "between", "year": "year", "month": "month",
        }.get(condition.operator, "compared")  # fmt: skip
        value = self._words["or"].join(values) if condition.operator == "in" else values[0]
        return self._words[template].format(
            measure=condition.column.name,
            value=value,
            other=values[-1],
            operator=condition.operator,
        )

    def _say(self, sentence: str, /, **values: str) -> str:
        """Return a sentence filled in; a value's own braces stay as they are."""
        return self._words[sentence].format(**{"titles": self._titles()} | values)

    def _titles(self) -> str:
        titles = list(dict.fromkeys(each for table in self._tables for each in table.titles))
        shown = self._words["comma"].join(f"“{each}”" for each in titles[:_TITLES])
        if len(titles) <= _TITLES:
            return shown
        return self._words["titles"].format(titles=shown, count=str(len(titles) - _TITLES))


def with_unit(value: Value, question: TableQuestion) -> str:
    """Return a value as it is shown, with the unit of its column where it is one of its amounts."""
    text = shown_value(value)
    counts = (Aggregate.COUNT, Aggregate.DISTINCT)
    unit = "" if question.measure is None else question.measure.cells.unit
    if not unit or value is None or question.operation in counts:
        return text
    if unit == "%":
        return f"{text}%"
    return f"{unit}{text}" if unit in _BEFORE else f"{text} {unit}"


def shown_value(value: Value) -> str:
    """Return a value as a person writes it: figures in groups of three, years as they are."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return _number(_rounded(value))
    if isinstance(value, (int, Decimal)):
        return _number(Decimal(value))
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    return str(value)


def shown_operand(value: Operand) -> str:
    """Return what a condition compares with as it is shown."""
    return shown_value(value)


def shown_rows(result: QueryResult) -> list[tuple[str, ...]]:
    """Return the rows that are shown, as texts."""
    return [tuple(map(shown_value, row)) for row in result.rows[:MOST_SHOWN]]


def markdown_table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; no cell steps out of its place."""
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(map(_in_cell, line))} |" for line in lines)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _in_cell(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())


def _rounded(value: float) -> Decimal:
    """Return a mean to four places behind the point, or to five figures where it is small."""
    if not math.isfinite(value):
        return Decimal(str(value))
    exact = Decimal(repr(value))
    places = 4 if abs(exact) >= 1 or not exact else 4 - exact.adjusted()
    return exact.quantize(Decimal(1).scaleb(-min(places, 12)), ROUND_HALF_UP)


def _number(value: Decimal) -> str:
    if not value.is_finite():
        return str(value)
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    whole, point, rest = text.partition(".")
    digits = whole.lstrip("-")
    if len(digits) > _YEAR_DIGITS or (len(digits) == _YEAR_DIGITS and rest):
        whole = f"{int(whole):,}"
    return "0" if text in ("-0", "") else f"{whole}{point}{rest}"
