"""What a model is told of tables, so that it can write a query: names, kinds and a few cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from desktop_rag.tables.sql_engine import quoted, sql_type
from desktop_rag.tables.table_answers import shown_value
from desktop_rag.tables.typed_table import Column, TypedTable

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"sql": {"type": "string", "maxLength": 2000}},
    "required": ["sql"],
}
"""A model's reply: a SELECT, or "" where the tables do not answer."""
_COLUMNS, _CELLS, _CHARACTERS = 40, 4, 40


def described_table(table: TypedTable) -> str:
    """Return a table's name, what it is called, its size, and a line for each of its columns."""
    lines = [f"table {quoted(table.name)}: {'; '.join(table.titles[:5])} ({table.size} rows)"]
    lines += [_column(each) for each in table.columns[:_COLUMNS]]
    if len(table.columns) > _COLUMNS:
        lines.append(f"… ({len(table.columns) - _COLUMNS} more columns)")
    return "\n".join(lines)


def schema_text(tables: Sequence[TypedTable]) -> str:
    """Return all tables, one after the other."""
    return "\n\n".join(map(described_table, tables))


def _column(column: Column) -> str:
    cells = dict.fromkeys(each for each in column.cells.values if each is not None)
    shown = [shown_value(each)[:_CHARACTERS] for each in list(cells)[:_CELLS]]
    unit = f", in {column.cells.unit}" if column.cells.unit else ""
    told = "; ".join(" ".join(each.split()) for each in shown)
    return f"  {quoted(column.name)} {sql_type(column.cells)}{unit}: {told}"
