"""Questions that a chunk answers, to be found by questions: reverse HyDE.

Documents are expanded with questions that they answer (doc2query: Nogueira et al. 2019, arXiv
1904.08375); here each question has a vector of its own that leads to the chunk. A language model
writes them; without one they are made, by rules, of what a document asks itself, of terms that it
defines, of its headings, and of the rows and columns of its tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.defined_terms import quoted_term, subject_term
from desktop_rag.core.language import language
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import BlockKind
from desktop_rag.preparation.base import (
    ListPrompt,
    PreparationTools,
    Preparing,
    SourceDocument,
)

_MOST = 3  # questions of a text, as many as LlamaIndex's and others' extractors write
_MOST_ROWS = 12  # of a table that are asked about
_LONGEST = 200  # characters of a question by rules
_NAMED_ROW = re.compile(r"^(?P<label>[^;|\n]{1,60}); (?P<rest>[^\n]+)$", re.MULTILINE)
_COLUMN = re.compile(r"(?:^|; )(?P<name>[^:;|\n]{1,60}): (?=\S)")
_PROMPT = ListPrompt("questions", most=_MOST, batch=8, batch_by_rules=256)


@dataclass(frozen=True, slots=True)
class HypotheticalQuestionPreparer:
    """Writes questions that each chunk answers."""

    name: ClassVar[str] = "hypothetical_questions"
    title: ClassVar[str] = "Hypothetical questions"
    effect: ClassVar[str] = "Questions that each passage answers are found beside its own text."
    paper: ClassVar[str] = "doc2query: Nogueira et al. 2019, arXiv 1904.08375; reverse HyDE"
    version: ClassVar[int] = 1
    calls_per_chunk: ClassVar[float] = 1.0

    def steps(self, document: SourceDocument, begin: int, tools: PreparationTools) -> Preparing:
        """Write questions chunk by chunk."""
        return _PROMPT.steps(document, begin, tools, questions_by_rules)


def questions_by_rules(chunk: StoredChunk) -> list[str]:
    """Return questions that a chunk answers, made without a model; none where no rule fits."""
    is_chinese = language(chunk.text) == "zh"
    if chunk.kind is BlockKind.TABLE:
        found = islice(_about_rows(chunk, is_chinese=is_chinese), _MOST_ROWS)
    else:
        found = islice(_about_text(chunk, is_chinese=is_chinese), _MOST)
    return list(dict.fromkeys(each for each in found if len(each) <= _LONGEST))


def _about_text(chunk: StoredChunk, *, is_chinese: bool) -> Iterator[str]:
    heading = chunk.section.rpartition(" > ")[2].strip()
    yield from (each for each in (chunk.title, heading) if _is_question(each))
    told = [each.of(chunk.text).strip() for each in sentences(chunk.text)]
    yield from (each for each in told if _is_question(each))
    terms = [quoted_term(chunk.text), *map(subject_term, told)]
    for term in filter(None, terms):
        yield f"什么是{term}？" if is_chinese else f"What is {term}?"
    if heading and heading != chunk.title and not _is_question(heading):
        yield _about(chunk.title, heading, is_chinese=is_chinese)


def _about_rows(chunk: StoredChunk, *, is_chinese: bool) -> Iterator[str]:
    """Yield a question a row: what stands in its columns."""
    about = chunk.section.rpartition(" > ")[2].strip() or chunk.title
    for row in _NAMED_ROW.finditer(chunk.text):
        names = [each["name"] for each in _COLUMN.finditer(row["rest"])]
        if not names:
            continue
        label = row["label"].rpartition(": ")[2] or row["label"]
        columns = ("、" if is_chinese else ", ").join(names[:4])
        if is_chinese:
            yield f"{about}：{label}的{columns}是多少？"
        else:
            yield f"{about}: what are {columns} of {label}?"


def _about(title: str, heading: str, *, is_chinese: bool) -> str:
    if is_chinese:
        return f"《{title}》中关于“{heading}”说了什么？" if title else f"{heading}是什么？"
    return f"What does {title} say about {heading}?" if title else f"What about {heading}?"


def _is_question(text: str) -> bool:
    return text.endswith(("?", "？")) and len(text) > 5
