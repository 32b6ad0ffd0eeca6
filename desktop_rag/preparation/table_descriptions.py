"""Descriptions of tables, each found by its meaning: what a table is about, in a few words.

Which table a question is about is told by its words (`tables/table_choice`) and by what the search
finds; a search finds rows, and no row says what the table is. So each table is told in a line: its
title, sheet and columns, with some of its values. A language model adds what it holds in sentences
(as the table summaries of Zhang et al. 2024, TableRAG, arXiv 2410.04739, and others).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from desktop_rag.catalog.table_chunks import TableDocument
from desktop_rag.core.catalog_records import NewDerivedText
from desktop_rag.preparation.base import (
    DerivedBatch,
    ListPrompt,
    PreparationTools,
    Preparing,
    SourceDocument,
)
from desktop_rag.tables.stored_tables import StoredTable, read_tables

_MOST_COLUMNS = 40
_MOST_VALUES = 3  # of a column that are told
_LONGEST_VALUE = 24  # characters
_LONGEST = 900  # characters of a description: about what the embedder reads
_MOST_SOURCES = 32  # chunks of a table that its description leads to
_PROMPT = ListPrompt("descriptions", most=2, batch=1, batch_by_rules=1)


@dataclass(frozen=True, slots=True)
class TableDescriptionPreparer:
    """Describes each table; a document is one batch."""

    name: ClassVar[str] = "tables"
    title: ClassVar[str] = "Tables"
    effect: ClassVar[str] = "A table is found by what it is about, not by its rows alone."
    paper: ClassVar[str] = "our own; descriptions of schemas: TableRAG, arXiv 2410.04739"
    version: ClassVar[int] = 1
    calls_per_chunk: ClassVar[float] = 0.02

    def steps(self, document: SourceDocument, begin: int, tools: PreparationTools) -> Preparing:
        """Describe the tables of a document, unless that is done."""
        kbs = [each.id for each in document.catalog.kbs.all()]
        of = TableDocument(document.document_id, document.title, "", "", 0)
        texts: list[NewDerivedText] = []
        for table in read_tables(document.catalog, of, kbs):
            tools.token.check()
            sources = tuple(dict.fromkeys(table.chunk_ids))[:_MOST_SOURCES]
            told = described(table)
            texts.append(NewDerivedText(told, sources))
            texts += (
                NewDerivedText(each, sources) for each in _written(document, told, tools, table)
            )
        count = document.chunk_count
        yield DerivedBatch(tuple(texts), count, count - begin, is_done=True)


def described(table: StoredTable) -> str:
    """Return what a table is about: titles, columns, and the first values of each."""
    about = " · ".join(dict.fromkeys(filter(None, (table.title, table.sheet, table.caption))))
    columns = list(zip(table.names, table.columns, strict=True))[:_MOST_COLUMNS]
    told = "; ".join(f"{name}{_examples(values)}" for name, values in columns)
    return f"{about}: {told}"[:_LONGEST]


def _examples(values: Sequence[str]) -> str:
    """Return a few different short values, in brackets."""
    found = list(_short(values))
    return f" ({', '.join(found)})" if found else ""


def _short(values: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    for each in values:
        if each and each not in seen and len(each) <= _LONGEST_VALUE:
            seen.add(each)
            yield each
            if len(seen) == _MOST_VALUES:
                return


def _written(
    document: SourceDocument, told: str, tools: PreparationTools, table: StoredTable
) -> list[str]:
    """Return what a model says that the table holds; nothing without one."""
    if tools.calls is None:
        return []
    found = document.catalog.documents.get_chunks([table.chunk_ids[0]])
    return [
        text
        for chunk in found.values()
        for text in _PROMPT.written(replace(chunk, text=told), tools.calls)
    ]
