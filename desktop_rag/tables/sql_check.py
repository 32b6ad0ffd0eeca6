"""Checks SQL that a model wrote: one SELECT over known tables, of functions that only compute.

What the statement is, DuckDB's own parser says (`json_serialize_sql`), so that no trick of spelling
gets by. What is not known to be harmless is refused: other kinds of nodes, functions that read
files, settings or the environment, recursion, and functions that make rows or long texts of
nothing. That the database can reach nothing either way is `sql_engine`'s business.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.tables.typed_table import ROW

LONGEST_SQL = 4000
"""Characters of a statement."""
_QUERIES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE"})
_SOURCES = frozenset({"BASE_TABLE", "JOIN", "SUBQUERY", "EMPTY"})
_EXPRESSIONS = frozenset(
    [
        "COLUMN_REF",
        "CONSTANT",
        "FUNCTION",
        "COMPARISON",
        "CONJUNCTION",
        "OPERATOR",
        "CAST",
        "CASE",
        "BETWEEN",
        "SUBQUERY",
        "STAR",
        "WINDOW",
        "TYPE",
    ]
)
_AGGREGATES = frozenset(
    [
        "count",
        "count_star",
        "sum",
        "avg",
        "mean",
        "min",
        "max",
        "median",
        "mode",
        "stddev",
        "stddev_samp",
        "stddev_pop",
        "variance",
        "var_samp",
        "var_pop",
        "quantile_cont",
        "quantile_disc",
        "any_value",
        "first",
        "last",
        "arg_max",
        "arg_min",
        "max_by",
        "min_by",
        "bool_and",
        "bool_or",
        "count_if",
        "countif",
        "product",
        "corr",
        "string_agg",
    ]
)
_FUNCTIONS = _AGGREGATES | frozenset(
    [
        "+",
        "-",
        "*",
        "/",
        "//",
        "%",
        "**",
        "^",
        "||",
        "~~",
        "!~~",
        "~~*",
        "!~~*",
        "like_escape",
        "not_like_escape",
        "ilike_escape",
        "not_ilike_escape",
        "abs",
        "round",
        "floor",
        "ceil",
        "ceiling",
        "sign",
        "sqrt",
        "power",
        "pow",
        "ln",
        "log",
        "log10",
        "exp",
        "mod",
        "greatest",
        "least",
        "coalesce",
        "ifnull",
        "nullif",
        "lower",
        "upper",
        "trim",
        "ltrim",
        "rtrim",
        "length",
        "strlen",
        "substr",
        "substring",
        "left",
        "right",
        "replace",
        "concat",
        "concat_ws",
        "contains",
        "starts_with",
        "ends_with",
        "prefix",
        "suffix",
        "position",
        "strpos",
        "instr",
        "split_part",
        "reverse",
        "year",
        "month",
        "day",
        "quarter",
        "week",
        "weekday",
        "dayofweek",
        "dayname",
        "monthname",
        "hour",
        "minute",
        "second",
        "date_part",
        "date_trunc",
        "date_diff",
        "datediff",
        "date_add",
        "date_sub",
        "date_part",
        "strftime",
        "strptime",
        "try_strptime",
        "make_date",
        "extract",
        "last_day",
        "today",
        "current_date",
        "trunc",
        "to_days",
        "to_weeks",
        "to_months",
        "to_years",
        "row_number",
        "rank",
        "dense_rank",
        "percent_rank",
        "cume_dist",
        "ntile",
        "lag",
        "lead",
        "first_value",
        "last_value",
        "list_value",
        "in",
        "not",
    ]
)


class QueryRefused(UserError):
    """SQL that is not run; its sentence says why, for the model as well."""


def check_query(statement: str, tables: Mapping[str, object], parse: Callable[[str], str]) -> str:
    """Return one SELECT's statement, without what ends it; a `QueryRefused` for anything else.

    `tables` are the names of tables that may be read; `parse` gives DuckDB's JSON of a statement.
    """
    statement = statement.strip().rstrip(";").strip()
    if not statement or len(statement) > LONGEST_SQL:
        raise _refused("The query is empty or too long.")
    tree = json.loads(parse(statement))
    if tree.get("error"):
        raise _refused(Phrase("The query cannot be read: {0}", str(tree.get("error_message"))))
    statements = tree.get("statements", ())
    if len(statements) != 1:
        raise _refused("Only one query may be written.")
    known = {each.casefold() for each in tables}
    _check(statements[0].get("node"), known)
    return statement


def rows_query(statement: str, parse: Callable[[str], str]) -> dict[str, Any] | None:
    """Return the statement, as JSON, that gives the numbers of the rows a query rests on.

    It is the query with `_row` in place of what it selects, without groups. None where the rows
    cannot be told so: in a query over several tables, or over what is no table.
    """
    tree: dict[str, Any] = json.loads(parse(statement))
    node = tree["statements"][0]["node"]
    if (
        node.get("type") != "SELECT_NODE"
        or (node.get("from_table") or {}).get("type") != "BASE_TABLE"
    ):
        return None
    if node.get("cte_map", {}).get("map"):
        return None
    if _is_aggregate(node):
        node |= {"group_expressions": [], "group_sets": [], "having": None, "modifiers": []}
        node |= {"aggregate_handling": "STANDARD_HANDLING", "qualify": None}
    elif any(each.get("type") == "DISTINCT_MODIFIER" for each in node.get("modifiers", ())):
        node["modifiers"] = []
    _spell_out_order(node)
    row = {"class": "COLUMN_REF", "type": "COLUMN_REF", "alias": "", "column_names": [ROW]}
    node["select_list"] = [row]
    return tree


@dataclass(frozen=True, slots=True)
class ReadColumns:
    """The names of columns that a query over one table reads, and that table's name."""

    table: str = ""
    names: tuple[str, ...] = ()


def read_columns(statement: str, parse: Callable[[str], str]) -> ReadColumns:
    """Return what a checked query reads; nothing of one that is not over a single table.

    Names that the query gives itself are among those of columns.
    """
    node = json.loads(parse(statement))["statements"][0]["node"]
    source = node.get("from_table") or {}
    if source.get("type") != "BASE_TABLE":
        return ReadColumns()
    named = [
        str(each["column_names"][-1]) for each in _nodes(node) if each.get("class") == "COLUMN_REF"
    ]
    return ReadColumns(str(source.get("table_name", "")), tuple(dict.fromkeys(named)))


def _spell_out_order(node: dict[str, Any]) -> None:
    """Put what is selected in the place of numbers and names by which a query is ordered."""
    selected = node["select_list"]
    by_alias = {each["alias"].casefold(): each for each in selected if each.get("alias")}
    for modifier in node.get("modifiers", ()):
        for order in modifier.get("orders", ()):
            told = order.get("expression", {})
            number = told.get("literal", {}).get("text", "") if told.get("literal") else ""
            if str(number).isdecimal() and 0 < int(number) <= len(selected):
                order["expression"] = selected[int(number) - 1] | {"alias": ""}
            name = (told.get("column_names") or [""])[-1].casefold()
            if name in by_alias:
                order["expression"] = by_alias[name] | {"alias": ""}


def _is_aggregate(node: Mapping[str, Any]) -> bool:
    """Say whether a SELECT makes one row of several."""
    if node.get("group_expressions") or node.get("having"):
        return True
    return any(
        each.get("class") == "FUNCTION" and each.get("function_name") in _AGGREGATES
        for each in _nodes(node.get("select_list"))
    )


def _check(node: Any, tables: set[str]) -> None:
    """Refuse a query with a part that is not known to be harmless."""
    if not isinstance(node, dict):
        raise _refused("Only a query that reads may be written.")
    named = {
        str(entry.get("key", "")).casefold()
        for each in _nodes(node)
        for entry in (each.get("cte_map") or {}).get("map", ())
    }
    for each in _nodes(node):
        kind = str(each.get("type", ""))
        if kind.endswith("_NODE") and kind not in _QUERIES:
            raise _refused(Phrase("A query may not hold {0}.", kind))
        if "from_table" in each:
            _check_sources(each["from_table"], tables | named)
        if "class" in each:
            _check_expression(each)


def _check_sources(node: Any, tables: set[str]) -> None:
    for each in _sources(node):
        kind = each.get("type")
        if kind not in _SOURCES:
            raise _refused(Phrase("A query may read tables only, not {0}.", str(kind)))
        if kind == "BASE_TABLE":
            name = str(each.get("table_name", ""))
            is_elsewhere = each.get("schema_name") or each.get("catalog_name")
            if is_elsewhere or name.casefold() not in tables:
                raise _refused(Phrase("There is no table {0}.", name))


def _sources(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict) and node.get("type"):
        yield node
        if node.get("type") == "JOIN":
            yield from _sources(node.get("left"))
            yield from _sources(node.get("right"))


def _check_expression(node: Mapping[str, Any]) -> None:
    kind = str(node["class"])
    if kind not in _EXPRESSIONS:
        raise _refused(Phrase("A query may not hold {0}.", kind))
    name = str(node.get("function_name", "")).casefold()
    if name and name not in _FUNCTIONS:
        raise _refused(Phrase("The function {0} may not be used.", name))
    if node.get("schema") or node.get("catalog"):
        raise _refused(Phrase("The function {0} may not be used.", name))


def _nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Yield each object of a tree."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield each
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each


def _refused(why: str) -> QueryRefused:
    return QueryRefused(why, "Ask the question in other words.")
