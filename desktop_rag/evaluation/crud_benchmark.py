"""The four tasks of CRUD-RAG (Lyu et al. 2024, arXiv 2401.17043) made of the user's own documents.

Create: go on with a text. Read: answer a question. Update: correct a text that was made wrong.
Delete: say what several documents say, in short. The paper has language models make them of news;
here rules do, so that a set is the same at every run with the same seed over the same documents,
and needs no model. What is asked for stands in the documents: a task measures finding and using it.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.evaluation_records import WHOLE, GoldPassage
from desktop_rag.core.language import content_words, language
from desktop_rag.core.sentences import Span, is_ended, sentences
from desktop_rag.core.types import DocumentId, KbId, Passage
from desktop_rag.evaluation.crud_alterations import Alteration, altered_text
from desktop_rag.evaluation.crud_questions import proposed_reading
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.evaluation.gold_matching import GoldTarget
from desktop_rag.evaluation.saved_question_set import gold_name
from desktop_rag.whole_documents.document_passages import (
    IndexedDocument,
    WholeDocument,
    read_document,
)

CREATE, READ, UPDATE, DELETE = "create", "read", "update", "delete"
TASKS = (CREATE, READ, UPDATE, DELETE)

_LEAST_SENTENCES = 4
_LEAST_WEIGHT = 160  # characters of a text that is gone on with; a Chinese one counts double
_ALTERED_SENTENCES = 3
_GROUP = 3  # documents of a summary
_COMPARED = 40  # documents among which the ones most alike are looked for
_OPENING_SENTENCES = 3
_ABSTRACT = re.compile(
    r"^(?:\d+\.?\s*)?(?:executive )?(?:abstract|summary|摘\s*要|概\s*要|提\s*要)$", re.IGNORECASE
)
_TEXTS = {
    CREATE: (
        "Go on with the following text as the documents do; do not repeat it:\n\n{0}",
        "请依照文档内容续写下面的文字，不要重复原文：\n\n{0}",
    ),
    UPDATE: (
        "The following text has errors. Correct it by the documents, change nothing else:\n\n{0}",
        "下面的文字有错误。请根据文档改正，其余不变：\n\n{0}",
    ),
    DELETE: ("Summarise in short what these documents say: {0}", "请简要概括以下文件的内容：{0}"),
}


@dataclass(frozen=True, slots=True)
class CrudCase:
    """A task: what is asked, with its reference as the one answer, and where that stands.

    `alterations` are what was made wrong in a text to be corrected.
    """

    task: str
    item: EvalQuestion
    targets: tuple[GoldTarget, ...]
    alterations: tuple[Alteration, ...] = ()


@dataclass(frozen=True, slots=True)
class CrudSource:
    """Documents of knowledge bases, in an order that the seed gives; each is read when needed."""

    catalog: Catalog
    kbs: tuple[KbId, ...]
    seed: int
    token: CancelToken

    def documents(self) -> list[IndexedDocument]:
        """Return each document once; the order depends on contents and seed, not on paths."""
        found: dict[DocumentId, IndexedDocument] = {}
        for kb in self.kbs:
            for row in self.catalog.files.under(kb):
                if row.document_id is not None and row.chunks:
                    each = IndexedDocument(row.path, kb, row.document_id)
                    found.setdefault(row.document_id, each)
        hashes = self.catalog.documents.content_hashes(found)
        ordered = sorted(found.values(), key=lambda each: hashes[each.document_id])
        _dice(self.seed).shuffle(ordered)
        return ordered

    def read(self) -> Iterator[WholeDocument]:
        """Yield the documents with their passages."""
        for each in self.documents():
            self.token.check()
            yield read_document(self.catalog, each, self.token)

    def dice(self, document: WholeDocument, task: str) -> random.Random:
        """Return what chooses within one document, whatever was chosen before."""
        content = document.passages[0].content_hash if document.passages else ""
        return _dice(f"{self.seed} {task} {content}")

    def state(self) -> str:
        """Return a name for all that the documents hold: when it changes, answers do not count."""
        hashes = self.catalog.documents.content_hashes(
            [each.document_id for each in self.documents()]
        )
        return hashlib.sha256(" ".join(sorted(hashes.values())).encode()).hexdigest()[:16]


def crud_cases(source: CrudSource, count: int) -> list[CrudCase]:
    """Return up to so many cases of each task, one a document, task after task."""
    makers = {CREATE: _continuations, READ: _readings, UPDATE: _corrections, DELETE: _summaries}
    return [case for task in TASKS for case in islice(makers[task](source), count)]


def _continuations(source: CrudSource) -> Iterator[CrudCase]:
    """Yield beginnings of texts with what follows them, cut at the sentence nearest the middle."""
    for document in source.read():
        texts = list(_running_texts(document))
        if not texts:
            continue
        passage, spans = source.dice(document, CREATE).choice(texts)
        half = passage.text[spans[0].start : spans[-1].end]
        middle = spans[0].start + len(half) // 2
        after = min(range(1, len(spans)), key=lambda n: abs(spans[n].start - middle))
        begin = passage.text[spans[0].start : spans[after - 1].end]
        rest = Span(spans[after].start, spans[-1].end)
        yield _case(CREATE, begin, rest.of(passage.text), [_gold(document, passage, rest)])


def _readings(source: CrudSource) -> Iterator[CrudCase]:
    """Yield questions about defined terms and headings, with what is said there."""
    for document in source.read():
        found = proposed_reading(source.catalog, document, source.dice(document, READ))
        if found is not None:
            gold = (document, *found.span)
            yield _case(READ, found.question, found.answer, [gold])


def _corrections(source: CrudSource) -> Iterator[CrudCase]:
    """Yield sentences with figures or names that are others than in the document."""
    names: list[str] = []
    for document in source.read():
        dice = source.dice(document, UPDATE)
        texts = list(_running_texts(document))
        dice.shuffle(texts)
        for passage, spans in texts:
            first = dice.randrange(len(spans) - _ALTERED_SENTENCES + 1)
            whole = Span(spans[first].start, spans[first + _ALTERED_SENTENCES - 1].end)
            right = whole.of(passage.text)
            wrong, changes = altered_text(right, names, dice)
            if changes:
                gold = [_gold(document, passage, whole)]
                yield _case(UPDATE, wrong, right, gold, changes)
                break


def _summaries(source: CrudSource) -> Iterator[CrudCase]:
    """Yield groups of documents that are about much the same, with their abstracts."""
    opened = ((document, _opening(document)) for document in source.read())
    waiting = [each for each in islice(opened, _COMPARED * _GROUP) if each[1]]
    while len(waiting) > 1:
        document, opening = waiting.pop(0)
        spoken, words = language(opening), set(content_words(opening))
        alike = [each for each in waiting[:_COMPARED] if language(each[1]) == spoken]
        alike.sort(key=lambda each: -_shared(words, each[1]))
        group = [(document, opening), *alike[: _GROUP - 1]]
        if len(group) < 2:
            continue
        waiting = [each for each in waiting if each not in group]
        marks = ("《", "》", "") if spoken == "zh" else ("“", "”", ", ")
        named = marks[2].join(f"{marks[0]}{_title(one)}{marks[1]}" for one, _ in group)
        golds = [(one, 0, WHOLE) for one, _ in group]
        yield _case(DELETE, named, "\n".join(text for _, text in group), golds)


def _running_texts(document: WholeDocument) -> Iterator[tuple[Passage, list[Span]]]:
    """Yield the passages with running text: their longest run of whole sentences, one after the
    other, none of them said twice.
    """
    for passage in document.passages:
        spans = max(_runs(passage.text), key=len, default=[])
        told = [each.of(passage.text) for each in spans]
        weight = sum(map(len, told)) * (2 if language(passage.text) == "zh" else 1)
        is_said_once = len(set(told)) == len(told)
        if len(spans) >= _LEAST_SENTENCES and weight >= _LEAST_WEIGHT and is_said_once:
            yield passage, spans


def _runs(text: str) -> Iterator[list[Span]]:
    """Yield sentences that follow each other; what is none (a heading, a row) parts them."""
    run: list[Span] = []
    for span in sentences(text):
        if is_ended(span.of(text)):
            run.append(span)
        else:
            yield run
            run = []
    yield run


def _opening(document: WholeDocument) -> str:
    """Return what a document says of itself in short: its abstract, or how its text begins."""
    texts = [(each, max(_runs(each.text), key=len, default=[])) for each in document.passages]
    texts = [each for each in texts if len(each[1]) > 1]
    if not texts:
        return ""
    named = (each for each in texts if _ABSTRACT.match(each[0].section.rpartition(" > ")[2]))
    passage, spans = next(named, texts[0])
    return " ".join(span.of(passage.text) for span in spans[:_OPENING_SENTENCES])


def _dice(seed: int | str) -> random.Random:
    return random.Random(seed)  # noqa: S311 - a draw that can be repeated, and hides nothing


def _shared(words: set[str], other: str) -> float:
    others = set(content_words(other))
    return len(words & others) / max(1, len(words | others))


def _title(document: WholeDocument) -> str:
    return document.passages[0].title or PurePath(document.path).stem


Place = tuple[WholeDocument, int, int]


def _gold(document: WholeDocument, passage: Passage, span: Span) -> Place:
    """Return where a part of a passage lies in its document."""
    start = passage.locator.start or 0
    return document, start + span.start, start + span.end


def _case(
    task: str,
    told: str,
    reference: str,
    golds: Sequence[Place],
    alterations: tuple[Alteration, ...] = (),
) -> CrudCase:
    template = _TEXTS[task][language(told) == "zh"] if task in _TEXTS else "{0}"
    question = template.replace("{0}", told)
    targets = tuple(
        GoldTarget(
            gold_name(GoldPassage(document.path, "", start, stop)),
            frozenset({document.document_id}),
            start,
            stop,
        )
        for document, start, stop in golds
    )
    made = hashlib.sha256(f"{question}\0{reference}".encode()).hexdigest()[:16]
    gold = frozenset(each.id for each in targets)
    item = EvalQuestion(f"{task}-{made}", question, (reference,), gold)
    return CrudCase(task, item, targets, alterations)
