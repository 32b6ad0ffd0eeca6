"""Tables: questions of sums, counts and extremes, answered over all rows of the documents' tables.

Five passages hold a few rows; such a question needs each of them. So the sheets and tables of the
documents become typed tables, the ones that share most words with the question are chosen, and one
SELECT over them gives the answer:

    shapes   what a question asks (sum, count, mean, extremes, the first n; by groups; of rows with
             named cells) is read from its words, where those are all known
    model    else a model writes the SELECT from the tables' columns (text-to-SQL; the repair by the
             database's own message is that of Chen et al. 2023, self-debugging)
    rows     the passages that hold the rows are its sources

Where a knowledge base is prepared for it, tables are found by descriptions of them, too.

Nothing that a model writes is run before it was checked (`tables/sql_check`), and the database can
reach nothing but the tables (`tables/sql_engine`). Where no table answers, a single pass does.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import ClassVar

from desktop_rag.core.errors import ModelUnavailable, UserError
from desktop_rag.core.events import Notice, NoticeCode, ResultTable, Step, TableQuery
from desktop_rag.core.phrases import Phrase, SourceName
from desktop_rag.core.types import Citation, Passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.quotes import Quote
from desktop_rag.models.protocols import Message
from desktop_rag.strategies.base import (
    NO_OVERRIDES,
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.tables.query_prompt import SCHEMA, schema_text
from desktop_rag.tables.shape_sql import shape_sql
from desktop_rag.tables.sql_engine import QueryResult
from desktop_rag.tables.stored_tables import StoredTable
from desktop_rag.tables.table_answers import MOST_SHOWN, AnswerWriter, TableAnswer, shown_rows
from desktop_rag.tables.table_choice import (
    NEAR,
    TableReading,
    candidate_tables,
    read_question,
)
from desktop_rag.tables.typed_table import TypedTable
from desktop_rag.tables.used_rows import used_rows

_TRIES = 2  # of a model's query: the second is told what was wrong with the first
_NO_TABLE = "No table of the documents answers this: a single pass is done."
_MOST_DOCUMENTS = 20  # of a table put together from several, that are among the sources
_MOST_CITED = 20  # rows that are quoted
_MOST_NAMED = 3
_MOST_NEAR = 3  # tables that only the search speaks for


@dataclass(frozen=True, slots=True)
class Tables:
    """A query over whole tables, its words known or a model's; else a single pass."""

    name: ClassVar[str] = "tables"
    title: ClassVar[str] = "Tables"
    paper: ClassVar[str] = (
        "our own; repair by the database's message: Chen et al. 2023, Self-Debugging, "
        "arXiv 2304.05128"
    )
    needs: ClassVar[tuple[str, ...]] = ()
    without_model: ClassVar[Phrase] = Phrase(
        "Without a language model, questions of known words are computed over all rows of tables, "
        "exactly; to others only quotes can be given.",
        code=NoticeCode.QUOTES_ONLY,
    )

    k: int = option(5, "Passages", "How many passages the answer rests on.", low=1, high=50)
    sure: float = option(
        0.99,
        "Sure without a model",
        "The share of a question's words that must be known to do without a model's query.",
        low=0.0,
        high=1.01,
    )
    tables: int = option(3, "Tables", "How many tables a model is told of.", low=1, high=8)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Choose tables, ask them, and answer with the rows; else from passages."""
        k = question.k or self.k
        aim = SearchOverrides(derived=self.name) if tools.prepared(self.name)[0] else NO_OVERRIDES
        found = yield from tools.search(question.text, "the question", k, aim)
        candidates = yield from _candidates(question, found, tools)
        readings = read_question(question.text, candidates)
        best = readings[0] if readings and readings[0].question else None
        made: StrategyResult | None = None
        is_sure = _explained(best) >= self.sure
        if tools.model_name and candidates and not is_sure:
            made = yield from self._by_model(question, candidates[: self.tables], k, tools)
        if made is None and best is not None:
            made = yield from _by_shape(question, best, k, tools)
            yield from _others(readings)
        if made is None:
            yield Step("decision", _NO_TABLE)
            return (yield from tools.answer(found))
        return made

    def _by_model(
        self, question: Question, tables: Sequence[TypedTable], k: int, tools: StrategyTools
    ) -> Steps[StrategyResult | None]:
        """Have a model write the query, told once what is wrong with it; None where it cannot."""
        prompts = Prompts(question.language)
        messages = _first_messages(question, tables, tools)
        with closing(tools.table_database(tables)) as database:
            for _ in range(_TRIES):
                try:
                    reply = yield from tools.decide(messages, "write a query", SCHEMA)
                except ModelUnavailable as problem:
                    yield Notice(problem.sentence)
                    return None
                sql = str((reply or {}).get("sql", "")).strip()
                if not sql:
                    return None
                try:
                    result = database.query(sql)
                except UserError as problem:
                    yield TableQuery(sql, "model", _titles(tables), _rows(tables))
                    yield Notice(problem.what)
                    told = prompts.text("tables/repair", problem=_as_data(problem, tables, tools))
                    messages = [*messages, Message("assistant", sql), Message("user", told)]
                    continue
                yield TableQuery(sql, "model", _titles(tables), _rows(tables))
                table = _asked_table(result, tables)
                yield _shown(result, table)
                answer = AnswerWriter(question.language, tables).of_query(result)
                return (yield from _cited(answer, result, table, k, tools))
        return None


def _candidates(
    question: Question, found: Sequence[Passage], tools: StrategyTools
) -> Steps[list[TypedTable]]:
    """Return the tables that share most words with the question, best first, typed.

    Behind them come those of the documents that the search found, in its order: by their meaning,
    perhaps.
    """
    scope = tools.tables(found)
    if scope.left_out:
        yield Notice(
            Phrase("{0} documents with very large tables were left out.", f"{scope.left_out:,}")
        )
    chosen = candidate_tables(question.text, scope.groups)
    near = list(dict.fromkeys(each.document_id for each in found))
    beside = [
        group
        for document_id in near
        for group in scope.groups
        if document_id in {each.document_id for each in group}
    ]
    chosen += _others_than(chosen, beside)[:_MOST_NEAR]
    return [tools.typed_table(each, f"table_{n}") for n, each in enumerate(chosen, start=1)]


def _others_than(
    chosen: Sequence[Sequence[StoredTable]], found: Sequence[Sequence[StoredTable]]
) -> list[Sequence[StoredTable]]:
    """Return the groups that were found and are not chosen yet, each once."""
    known, others = [id(each) for each in chosen], []
    for each in found:
        if id(each) not in known:
            known.append(id(each))
            others.append(each)
    return others


def _by_shape(
    question: Question, reading: TableReading, k: int, tools: StrategyTools
) -> Steps[StrategyResult | None]:
    """Ask a table what the question's words say; None, after a notice, where that fails."""
    table, asked = reading.table, reading.question
    if asked is None:
        return None
    sql = shape_sql(asked, table)
    yield TableQuery(sql, "shape", _titles([table]), table.size)
    try:
        with closing(tools.table_database([table])) as database:
            result = database.query(sql)
    except UserError as problem:
        yield Notice(problem.sentence)
        return None
    yield _shown(result, table)
    answer = AnswerWriter(question.language, [table]).of_shape(asked, result)
    return (yield from _cited(answer, result, table, k, tools))


def _explained(reading: TableReading | None) -> float:
    return reading.question.explained if reading and reading.question else 0.0


def _others(readings: Sequence[TableReading]) -> Steps[None]:
    """Say which other table a question may mean just as well."""
    others = [each for each in readings[1:] if each.question is not None]
    if others and readings[0].score - others[0].score < NEAR:
        stored, row = others[0].table.place(0)
        name = SourceName(others[0].table.titles[0], stored.chunk_at(row))
        yield Step("decision", Phrase("The question may mean “{0}” just as well.", name))


def _first_messages(
    question: Question, tables: Sequence[TypedTable], tools: StrategyTools
) -> list[Message]:
    """Return the rules, and the tables with the question; what documents say is fenced."""
    prompts = Prompts(question.language)
    shown = tools.fenced(_as_passages(schema_text(tables), tables, tools))
    asked = prompts.text("shared/passages_and_question", passages=shown, question=question.text)
    return [Message("system", prompts.text("tables/rules")), Message("user", asked)]


def _as_data(problem: UserError, tables: Sequence[TypedTable], tools: StrategyTools) -> str:
    """Return what is wrong with a query as material: it may hold names of columns."""
    return tools.fenced(_as_passages(str(problem.what), tables, tools))


def _as_passages(
    text: str, tables: Sequence[TypedTable], tools: StrategyTools
) -> tuple[Passage, ...]:
    """Return a text about tables as a passage of the first one's document."""
    stored, row = tables[0].place(0)
    found = tools.chunk_passages([stored.chunk_at(row)])
    return tuple(replace(each, text=text) for each in found[:1])


def _cited(
    answer: TableAnswer, result: QueryResult, table: TypedTable, k: int, tools: StrategyTools
) -> Steps[StrategyResult]:
    """Return an answer with the passages of the rows that it rests on, and a quote of each row.

    Of each document that was read, a passage is among them, so that the answer goes when it goes.
    """
    rows = (result.rests_on or tuple(range(min(k, table.size))))[:_MOST_CITED]
    places = [table.place(row) for row in rows]
    chunks = list(dict.fromkeys(stored.chunk_at(row) for stored, row in places))[:k]
    known = {stored.document_id for stored, row in places if stored.chunk_at(row) in chunks}
    for part in table.parts[:_MOST_DOCUMENTS]:
        if part.rows and part.stored.document_id not in known:
            known.add(part.stored.document_id)
            places.append((part.stored, part.rows[0]))
            chunks.append(part.stored.chunk_at(part.rows[0]))
    by_chunk = {each.chunk_id: each for each in tools.chunk_passages(chunks)}
    sources = tuple(by_chunk[each] for each in dict.fromkeys(chunks) if each in by_chunk)
    citations = [
        _citation(by_chunk[stored.chunk_at(row)], sources, stored.spans[row])
        for stored, row in places
        if stored.chunk_at(row) in by_chunk
    ]
    markers = "".join(f"[{n}]" for n in sorted({each.n for each in citations}))
    yield from _read(sources)
    return StrategyResult(answer.text(markers), sources, "extracted", tuple(citations))


def _read(sources: Sequence[Passage]) -> Steps[None]:
    """Say which documents' rows were read."""
    named = {each.document_id: SourceName(each.title, each.chunk_id) for each in sources}
    for each in list(named.values())[:_MOST_NAMED]:
        yield Step("decision", Phrase("Rows of “{0}” were read, all of the table's.", each))


def _citation(source: Passage, sources: Sequence[Passage], span: tuple[int, int]) -> Citation:
    """Return the quote of a row, as far as its chunk holds it."""
    begin = source.locator.start or 0
    start, end = (min(max(0, at - begin), len(source.text)) for at in span)
    return Quote(sources.index(source) + 1, source, start, end).citation(0)


def _asked_table(result: QueryResult, tables: Sequence[TypedTable]) -> TypedTable:
    """Return the table that a query reads, the first where it reads several."""
    asked = result.table.casefold()
    return next((each for each in tables if each.name.casefold() == asked), tables[0])


def _shown(result: QueryResult, table: TypedTable) -> ResultTable:
    rows = tuple(shown_rows(result)[:MOST_SHOWN])
    return ResultTable(result.names, rows, len(result.rows), used_rows(result, table))


def _titles(tables: Sequence[TypedTable]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for table in tables for each in table.titles))


def _rows(tables: Sequence[TypedTable]) -> int:
    return sum(each.size for each in tables)
