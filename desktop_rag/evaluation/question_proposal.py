"""Questions proposed from the documents, for the user to accept, change or reject.

A language model writes a question and its answer for a passage; what copies the passage's words,
can't be understood alone, or can't be answered from the passage is dropped. Without a model they
are made of headings and defined terms: simple, and with words of what they are to find.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.defined_terms import quoted_term
from desktop_rag.core.language import all_words, language
from desktop_rag.core.types import BlockKind, ChunkId, DocumentId, Passage
from desktop_rag.generation.prompt_delimiters import delimit
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import Message
from desktop_rag.strategies.base import Steps
from desktop_rag.strategies.model_calls import ModelTools

_SEED = 0
_LEAST = 80  # characters of a passage that says something; a Chinese one counts double
_KINDS = (BlockKind.TEXT, BlockKind.LIST, BlockKind.TABLE)
_COPIED = 12  # in a row, of characters of Chinese; a word counts double
_SCHEMA = {
    "type": "object",
    "properties": {"question": {"type": "string"}, "answer": {"type": "string"}},
    "required": ["question", "answer"],
}
_CHECK = {
    "type": "object",
    "properties": {"alone": {"type": "boolean"}, "answered": {"type": "boolean"}},
    "required": ["alone", "answered"],
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A question, its answer ("" where only the passage is known), and where it stands."""

    question: str
    answer: str
    document: DocumentId
    span: tuple[int, int]
    text: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A passage that a question is to be made for."""

    chunk: StoredChunk
    text: str

    def fenced(self, written: str = "") -> str:
        """Return it as material for a message, with what was written of it."""
        chunk, whole = self.chunk, (0, len(self.text))
        ids, about = (chunk.chunk_id, chunk.document_id), (chunk.title, chunk.section)
        passage = Passage(1, *ids, "", chunk.locator, *about, self.text, whole, 0.0)
        return delimit([(1, passage)], written)


def sampled(catalog: Catalog, ids: Sequence[ChunkId]) -> Iterator[Sample]:
    """Yield passages worth a question, from one document after the other, the same at each call."""
    order = np.random.default_rng(_SEED).permutation(len(ids))
    shuffled = [ids[number] for number in order]
    waiting: list[Sample] = []
    for start in range(0, len(shuffled), 200):
        found = catalog.documents.get_chunks(shuffled[start : start + 200]).values()
        used: set[DocumentId] = set()
        for chunk in sorted(found, key=lambda each: shuffled.index(each.chunk_id, start)):
            if chunk.kind not in _KINDS or _weight(chunk.text) < _LEAST:
                continue
            sample = Sample(chunk, catalog.documents.text(chunk.document_id, *_span(chunk)))
            if chunk.document_id in used:
                waiting.append(sample)
            else:
                used.add(chunk.document_id)
                yield sample
        yield from waiting
        waiting = []


def propose_with_model(sample: Sample, calls: ModelTools) -> Steps[Proposal | None]:
    """Return what the model asks about a passage; None where it is no good question."""
    prompts = Prompts(language(sample.text))
    asked = [
        Message("system", prompts.text("question_proposal/propose")),
        Message("user", sample.fenced()),
    ]
    found = yield from calls.decide(asked, "propose", _SCHEMA)
    question, answer = (" ".join((found or {}).get(n, "").split()) for n in ("question", "answer"))
    if not question or not answer or copies(question, sample.text):
        return None
    shown = sample.fenced(question + answer)
    told = prompts.text(
        "question_proposal/candidate", passage=shown, question=question, answer=answer
    )
    checked = [Message("system", prompts.text("question_proposal/check")), Message("user", told)]
    verdict = yield from calls.decide(checked, "propose: check", _CHECK)
    if verdict is None or not (verdict["alone"] and verdict["answered"]):
        return None
    return _proposal(sample, question, answer)


def propose_by_rules(sample: Sample, stem: str) -> Proposal | None:
    """Return a question about a defined term or a heading of a passage; None without either.

    A document without a title is called by its file's `stem`.
    """
    chunk, is_chinese = sample.chunk, language(sample.text) == "zh"
    if term := quoted_term(sample.text):
        asked = f"“{term}”指的是什么？" if is_chinese else f"What does “{term}” mean?"
        return _proposal(sample, asked, "")
    heading = chunk.section.rpartition(" > ")[2].strip().removeprefix(chunk.title).strip()
    if not heading or heading == chunk.title:
        return None
    title = chunk.title or stem
    if is_chinese:
        return _proposal(sample, f"《{title}》中关于“{heading}”说了什么？", "")
    return _proposal(sample, f"What does “{title}” say of “{heading}”?", "")


def copies(question: str, passage: str) -> bool:
    """Return whether a question has many words in a row from a passage: searching it is no test."""
    asked, told = all_words(question), f" {' '.join(all_words(passage))} "
    lengths = [1 if _is_sign(word) else 2 for word in asked]
    return any(
        length >= _COPIED and f" {' '.join(asked[start:stop])} " in told
        for start in range(len(asked))
        for stop, length in enumerate(accumulate(lengths[start:]), start + 1)
    )


def _proposal(sample: Sample, question: str, answer: str) -> Proposal:
    chunk = sample.chunk
    return Proposal(question, answer, chunk.document_id, _span(chunk), sample.text)


def _span(chunk: StoredChunk) -> tuple[int, int]:
    start, stop = chunk.locator.start, chunk.locator.end
    return chunk.big if start is None or stop is None else (start, stop)


def _weight(text: str) -> int:
    return len(text) + sum(map(_is_sign, text))


def _is_sign(word: str) -> bool:
    return "\u4e00" <= word[0] <= "\u9fff"
