"""Prepares the documents of a knowledge base that wait for it: derived, embedded, stored.

What is stored is whole at every moment; a run that is stopped or killed is gone on with by the next
one, from the batch that was not stored. Each heavy step is short and is taken while no other run
takes one (`RunCoordinator`), so that questions and indexing go on meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import (
    DerivedText,
    NewDerivedText,
    PendingDocument,
    Preparation,
    PreparedState,
    PreparedStep,
)
from desktop_rag.core.disk_space import require_disk_space
from desktop_rag.core.search_text import search_text
from desktop_rag.core.types import DerivedId
from desktop_rag.indexing.run_coordinator import RunCoordinator
from desktop_rag.models.protocols import Vectors
from desktop_rag.preparation.base import (
    DerivedBatch,
    PreparationTools,
    SourceDocument,
    VectorPreparer,
)
from desktop_rag.preparation.registry import find, recipe

_PER_STEP = 64  # texts embedded in one step


@dataclass(frozen=True, slots=True)
class PreparationProgress:
    """How far a run has come: chunks that are dealt with, of so many that waited at its start.

    `seconds` is how long it took until now, `title` the document's that is at work.
    """

    chunks: int
    total: int
    seconds: float
    title: str


@dataclass(frozen=True, slots=True)
class PreparationRun:
    """One preparation's way through the documents that wait for it."""

    preparation: Preparation
    catalog: Catalog
    tools: PreparationTools
    turns: RunCoordinator

    @property
    def recipe(self) -> str:
        """Name how texts are derived here."""
        return recipe(find(self.preparation.way), self.preparation.model)

    def state(self) -> PreparedState:
        """Return how far the knowledge base is prepared."""
        kb, way = self.preparation.kb, self.preparation.way
        return self.catalog.preparations.state(kb, way, self.recipe)

    def run(self) -> Iterator[PreparationProgress]:
        """Prepare what waits, and embed what another model has embedded.

        Raises `ModelUnavailable` where the language model, or the embedder, is gone, `Cancelled`
        soon after the token's cancel; what was stored until then stays.
        """
        yield from self._catch_up()
        began, done = time.monotonic(), 0
        kb, way = self.preparation.kb, self.preparation.way
        waiting = self.catalog.preparations.pending(kb, way, self.recipe)
        total = sum(each.chunks for each in waiting)
        for each in waiting:
            if self.catalog.preparations.find(kb, way) != self.preparation:
                return  # paused, removed, or asked for with another model
            for batch in self._document(each):
                done += batch.chunks
                passed = time.monotonic() - began
                yield PreparationProgress(min(done, total), total, passed, each.title)

    def _document(self, pending: PendingDocument) -> Iterator[DerivedBatch]:
        """Prepare one document, from where it was left; yield each batch that was stored."""
        catalog, way = self.catalog, self.preparation.way
        begin = catalog.preparations.position(pending.document_id, way, self.recipe)
        if begin is None:  # another run did it meanwhile
            return
        source = SourceDocument(pending.document_id, pending.title, pending.chunks, catalog)
        steps = find(way).steps(source, begin, self.tools)
        sent: list[DerivedId] | None = None
        while True:
            self.tools.token.check()
            try:
                batch = steps.send(sent) if sent is not None else next(steps)
            except StopIteration:
                return
            step = PreparedStep(
                pending.document_id, way, self.recipe, begin, batch.position, batch.is_done
            )
            sent = self._store(step, batch.texts)
            if sent is None:
                return
            begin = batch.position
            yield batch

    def _store(self, step: PreparedStep, texts: Sequence[NewDerivedText]) -> list[DerivedId] | None:
        require_disk_space(self.catalog.database.path.parent)
        vectors = self._vectors(texts)
        with self.turns.step:
            return self.catalog.preparations.store(
                step, texts, vectors, self.tools.embedder.fingerprint
            )

    def _vectors(self, made: Sequence[NewDerivedText | DerivedText]) -> npt.NDArray[np.float16]:
        """Return a vector a derived text, in order: its own, or as its way compares its chunk."""
        embedder, preparer = self.tools.embedder, find(self.preparation.way)
        if not isinstance(preparer, VectorPreparer):
            return self._embed([each.text for each in made], embedder.embed)

        def own(texts: Sequence[str], token: CancelToken) -> Vectors:
            return preparer.vectors(texts, embedder, token)

        chunks = self.catalog.documents.get_chunks(each.sources[0] for each in made)
        read = [chunks.get(each.sources[0]) for each in made]  # None: removed meanwhile
        return self._embed(
            [search_text(each.context, each.text) if each else "" for each in read], own
        )

    def _embed(
        self, texts: Sequence[str], embed: Callable[[Sequence[str], CancelToken], Vectors]
    ) -> npt.NDArray[np.float16]:
        """Embed texts in steps of like length, so that no step pads much; a row each, in order."""
        made = np.zeros((len(texts), self.tools.embedder.dimensions), np.float16)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        for start in range(0, len(order), _PER_STEP):
            self.tools.token.check()
            part = order[start : start + _PER_STEP]
            with self.turns.step:
                vectors = embed([texts[at] for at in part], self.tools.token)
            made[part] = vectors.astype(np.float16)
        return made

    def _catch_up(self) -> Iterator[PreparationProgress]:
        """Embed derived texts that have no vector of the embedder that is in use."""
        kb, way = self.preparation.kb, self.preparation.way
        fingerprint, began, done = self.tools.embedder.fingerprint, time.monotonic(), 0
        while missing := self.catalog.preparations.without_vector(kb, way, fingerprint):
            texts = self.catalog.preparations.get(missing)
            vectors = self._vectors(list(texts.values()))
            with self.turns.step:
                self.catalog.preparations.add_vectors(
                    dict(zip(texts, vectors, strict=True)), fingerprint
                )
            done += len(missing)
            yield PreparationProgress(done, done, time.monotonic() - began, "")
