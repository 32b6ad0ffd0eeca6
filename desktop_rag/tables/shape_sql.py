"""Writes a question that was understood as SQL."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal

from desktop_rag.tables.cell_values import ColumnKind
from desktop_rag.tables.question_conditions import Condition, Operand
from desktop_rag.tables.question_shapes import Aggregate, TableQuestion
from desktop_rag.tables.sql_engine import quoted
from desktop_rag.tables.typed_table import Column, TypedTable

_CALLS = {
    Aggregate.SUM: "sum",
    Aggregate.MEAN: "avg",
    Aggregate.MEDIAN: "median",
    Aggregate.FIRST: "max",
    Aggregate.LAST: "min",
}
_MOST_GROUPS = 200
_MOST_TIES = 20  # that share the last place
_LABELS = 2  # columns that tell which row it is
_TELLING = 0.9  # of the rows that a column tells apart


def shape_sql(question: TableQuestion, table: TypedTable) -> str:
    """Return the SELECT for a question of a table."""
    source = f"FROM {quoted(table.name)}"
    where = _where(question)
    if question.ranked in (Aggregate.FIRST, Aggregate.LAST) and question.group is None:
        return _ranked_rows(question, table, source)
    value = _value(question)
    told = quoted(value.replace('"', "")) if question.measure is not None else quoted("rows")
    if question.group is None:
        return _joined(f"SELECT {value} AS {told}", source, where)
    group = _group(question)
    if question.ranked is not None:
        tail = _first_ones(value, question)
    else:
        tail = f"ORDER BY {group} LIMIT {_MOST_GROUPS}"
    head = f"SELECT {group} AS {quoted(question.group.name)}, {value} AS {told}"
    return _joined(head, source, where, f"GROUP BY {group}", tail)


def _ranked_rows(question: TableQuestion, table: TypedTable, source: str) -> str:
    measure = question.measure
    name = quoted(measure.name) if measure else "_row"
    labels = [quoted(each.name) for each in label_columns(question, table)]
    is_there = f"{name} IS NOT NULL"
    where = _where(question)
    where = f"{where} AND {is_there}" if where else f"WHERE {is_there}"
    head = f"SELECT {', '.join([*labels, name])}"
    return _joined(head, source, where, _first_ones(name, question))


def _first_ones(value: str, question: TableQuestion) -> str:
    """Return what keeps the first rows by a value, those that share the last place as well."""
    order = f"{value} {'DESC' if question.ranked is Aggregate.FIRST else 'ASC'} NULLS LAST"
    kept = f"QUALIFY rank() OVER (ORDER BY {order}) <= {question.limit}"
    return f"{kept} ORDER BY {order} LIMIT {question.limit + _MOST_TIES}"


def label_columns(question: TableQuestion, table: TypedTable) -> Sequence[Column]:
    """Return the columns that tell which row it is: what is asked for, and the best of text."""
    texts = [
        each for each in table.columns if each is not question.measure and _is_label(each, table)
    ]
    telling = [each for each in texts if _distinct(each) >= _TELLING * table.size] or texts
    labels = [question.label] if question.label is not None else []
    labels += [each for each in telling[:1] if each is not question.label]
    return labels[:_LABELS]


def _distinct(column: Column) -> int:
    return len(set(column.cells.values) - {None})


def _is_label(column: Column, table: TypedTable) -> bool:
    """Say whether a column's cells tell rows apart: short ones that are not all the same."""
    cells = [each for each in column.cells.values if isinstance(each, str)]
    if column.kind is not ColumnKind.TEXT or not cells:
        return False
    return (len(set(cells)) > 1 or table.size == 1) and max(map(len, cells)) <= 200


def _value(question: TableQuestion) -> str:
    if question.measure is None or question.operation is Aggregate.COUNT:
        return "count(*)"
    name = quoted(question.measure.name)
    if question.operation is Aggregate.DISTINCT:
        return f"count(DISTINCT {name})"
    return f"{_CALLS[question.operation]}({name})"


def _group(question: TableQuestion) -> str:
    if question.group is None:
        return ""
    name = quoted(question.group.name)
    if question.group.kind is ColumnKind.DATE and question.period:
        pattern = "%Y" if question.period == "year" else "%Y-%m"
        return f"strftime({name}, '{pattern}')"
    return name


def _where(question: TableQuestion) -> str:
    told = [_condition(each) for each in question.conditions]
    return f"WHERE {' AND '.join(told)}" if told else ""


def _condition(condition: Condition) -> str:
    name = quoted(condition.column.name)
    values = [_literal(each) for each in condition.operands]
    match condition.operator:
        case "in" if len(values) == 1:
            return f"{name} = {values[0]}"
        case "in":
            return f"{name} IN ({', '.join(values)})"
        case "between":
            return f"{name} BETWEEN {values[0]} AND {values[1]}"
        case "year" | "month":
            return f"{condition.operator}({name}) = {values[0]}"
    return f"{name} {condition.operator} {values[0]}"


def _literal(value: Operand) -> str:
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, dt.date):
        return f"DATE '{value.isoformat()}'"
    return "'" + value.replace("'", "''") + "'"


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
