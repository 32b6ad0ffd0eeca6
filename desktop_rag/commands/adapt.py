"""Adapts a knowledge base's query vectors to its reranker, and keeps that only where it is a gain.

The cost comes first, then progress, last what was measured. Nothing is kept of a run that is
stopped; begun again, it takes some minutes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any

from desktop_rag.commands import ask
from desktop_rag.commands.adaptation_questions import (
    AdaptationQuestions,
    AdaptedBase,
    opened_base,
    questions_of,
)
from desktop_rag.commands.consent_check import common_consent
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import RetrieverAdaptation
from desktop_rag.core.errors import UsageError, UserError
from desktop_rag.core.events import Answer, Event, IndexProgress, ListingRow, Notice
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import AdaptRequest, AskRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.evaluation.query_map_training import RankedCandidates, train_query_map
from desktop_rag.evaluation.retriever_adaptation import (
    AdaptedSearch,
    DividedQuestions,
    QuestionGain,
    divided,
    verdict,
)
from desktop_rag.workspace import Workspace

_MOST_DIMENSIONS = 1024
_FEWEST_TRAINED, _FEWEST_VALIDATION, _FEWEST_HELD_OUT = 20, 5, 20
_MEASURED = 10  # questions after which the time is told that the rest will take
_EFFECT = Phrase(
    "Questions are moved, before they are compared with passages, towards what the reranker puts "
    "first. It is learnt from questions that are made of your documents, and kept only where more "
    "is found by it on questions that it has not learnt from."
)
Generate = Callable[[str], str]
"""Gives the first generation on a question, empty for none."""


def run(workspace: Workspace, request: AdaptRequest, token: CancelToken) -> Iterator[Event]:
    """Do what is asked of a knowledge base's adaptation."""
    if request.action not in ("adapt", "list", "remove"):
        raise UsageError(Phrase("There is no adapt {0}.", request.action), "")
    with opened_base(workspace, request) as base:
        if request.action == "adapt":
            yield from _adapt(base, request, token)
        elif request.action == "remove":
            base.workspace.catalog.adaptations.remove(base.kb.id)
        yield ListingRow(_row(base))


def _adapt(base: AdaptedBase, request: AdaptRequest, token: CancelToken) -> Iterator[Event]:
    embedder = base.workspace.models.embedder
    if embedder.dimensions > _MOST_DIMENSIONS:
        raise UserError(
            Phrase("The embedding model's vectors have {0} numbers.", embedder.dimensions),
            Phrase("Choose a model of at most {0}, for example the built-in.", _MOST_DIMENSIONS),
        )
    generate = _generation(base, request, token)
    yield from _filled(base, token)
    if base.workspace.indexes.of(base.kb.id).model() != embedder.fingerprint:
        raise UserError(
            "The vectors of a knowledge base are still those of another embedding model.",
            "Index again: every passage is embedded anew.",
        )
    asked = questions_of(base, request, token)
    parts = divided(asked.items, asked.documents)
    _require_enough(parts)
    yield Notice(
        Phrase(
            "It learns from {0} questions and is measured on {1} others, on other documents.",
            len(parts.trained) + len(parts.validation),
            len(parts.held_out),
        )
    )
    run_ = _AdaptationRun(base, asked, parts, generate, token)
    yield from run_.steps()


def _filled(base: AdaptedBase, token: CancelToken) -> Iterator[Event]:
    """Index what is not indexed yet of a question set's corpus."""
    if base.collection is None:
        return
    corpus = base.unfilled
    for done in base.collection.fill(corpus, token):
        yield IndexProgress(done, len(corpus), base.kb.name, "embed", done, 0.0, None)


def _require_enough(parts: DividedQuestions) -> None:
    least = (
        (parts.trained, _FEWEST_TRAINED),
        (parts.validation, _FEWEST_VALIDATION),
        (parts.held_out, _FEWEST_HELD_OUT),
    )
    if any(len(some) < fewest for some, fewest in least):
        raise UserError(
            Phrase(
                "There are too few questions to learn from and to measure by: {0}, {1} and {2}.",
                *(len(some) for some, _ in least),
            ),
            "Add documents with headings or defined terms, or name a file of questions with "
            "--questions. A document's questions stay together.",
        )


def _generation(base: AdaptedBase, request: AdaptRequest, token: CancelToken) -> Generate:
    """Return what writes a first answer to a question; "" where no language model is to."""
    if request.model == "":
        return lambda _question: ""
    consent = common_consent(base.workspace, [base.kb.name])
    model = base.workspace.chat_model(request.model or "", consent).name

    def generate(question: str) -> str:
        wanted = AskRequest((base.kb.name,), question, "single_pass", model=model, kept_options="")
        for event in ask.run(base.workspace, wanted, token):
            if isinstance(event, Answer) and event.mode == "generated":
                return event.text
        return ""

    return generate


@dataclass(frozen=True, slots=True)
class _AdaptationRun:
    """Reads with the reranker, learns, measures, and stores what came of it."""

    base: AdaptedBase
    asked: AdaptationQuestions
    parts: DividedQuestions
    generate: Generate
    token: CancelToken

    def steps(self) -> Iterator[Event]:
        """Yield progress over all questions, those that are read and those that are measured."""
        workspace, kb, token = self.base.workspace, self.base.kb, self.token
        search = AdaptedSearch(self.asked.scope, workspace.retriever, kb.id)
        began = time.monotonic()
        read = yield from self._read(search, began)
        trained = [read[each.id] for each in self.parts.trained if each.id in read]
        looking = [read[each.id] for each in self.parts.validation if each.id in read]
        if len(trained) < _FEWEST_TRAINED or len(looking) < _FEWEST_VALIDATION:
            raise UserError(
                Phrase("The reranker reads too few of these questions: {0}.", len(read)),
                "Choose a reranker that reads the documents' language in the settings (Retrieval).",
            )
        query_map = train_query_map(trained, looking, token).query_map
        gains: list[QuestionGain] = []
        for item in self.parts.held_out:
            token.check()
            with workspace.turns.step:
                gains.append(search.gain(item, query_map))
            yield self._progress(len(read) + len(gains), began)
        told = RetrieverAdaptation(
            workspace.models.embedder.fingerprint,
            self.asked.source,
            _documents(self.base),
            len(trained) + len(looking),
        )
        measured = verdict(told, gains)
        kept = query_map if measured.is_gain else None
        workspace.catalog.adaptations.store(kb.id, measured, kept)

    def _read(
        self, search: AdaptedSearch, began: float
    ) -> Generator[Event, None, dict[str, RankedCandidates]]:
        """Have the reranker read candidates; return what it made of them, by questions' ids."""
        made: dict[str, RankedCandidates] = {}
        for done, item in enumerate((*self.parts.trained, *self.parts.validation), 1):
            self.token.check()
            generation = self.generate(item.question)
            with self.base.workspace.turns.step:
                found = search.candidates(item.question, generation)
            if found is not None:
                made[item.id] = found
            yield self._progress(done, began)
            if done == _MEASURED:
                yield self._time_told(time.monotonic() - began)
        return made

    @property
    def _total(self) -> int:
        return sum(map(len, (self.parts.trained, self.parts.validation, self.parts.held_out)))

    def _progress(self, done: int, began: float) -> IndexProgress:
        seconds = time.monotonic() - began
        left = seconds / done * (self._total - done)
        return IndexProgress(done, self._total, self.base.kb.name, "adapt", done, 0.0, left)

    def _time_told(self, seconds: float) -> Notice:
        left = seconds / _MEASURED * (self._total - _MEASURED)
        return Notice(
            Phrase(
                "It takes about {0} min more, measured on the first {1} questions. It can be "
                "stopped at any time; nothing is kept then.",
                max(1, round(left / 60)),
                _MEASURED,
            )
        )


def _documents(base: AdaptedBase) -> int:
    return base.workspace.catalog.files.counts(base.kb.id).get(FileStatus.READY, 0)


def _row(base: AdaptedBase) -> dict[str, Any]:
    """Return what there is of an adaptation.

    `state` is `none`, `kept`, `not_kept` or `other_model` (its vectors are another model's: it is
    not applied). `documents` is how many there are now, `documents_then` when it was trained.
    """
    catalog, kb = base.workspace.catalog, base.kb
    found = catalog.adaptations.find(kb.id)
    row: dict[str, Any] = {
        "kb": kb.name,
        "title": Phrase("Retriever adaptation"),
        "effect": _EFFECT,
        "state": "none",
        "documents": _documents(base),
    }
    if found is None:
        return row
    is_ours = found.fingerprint == base.workspace.models.embedder.fingerprint
    state = "kept" if catalog.adaptations.is_kept(kb.id) else "not_kept"
    return row | {
        "state": state if is_ours else "other_model",
        "source": found.source,
        "documents_then": found.documents,
        "trained": found.trained,
        "held_out": found.held_out,
        "recall_before": found.recall_before,
        "recall_after": found.recall_after,
        "gain": [found.gain_low, found.gain_high],
        "vector_before": found.vector_before,
        "vector_after": found.vector_after,
    }
