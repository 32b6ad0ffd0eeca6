"""Entities that each chunk names, and how they are related: the nodes and edges of a graph.

HippoRAG (Gutiérrez et al. 2024, arXiv 2405.14831) and HippoRAG 2 (arXiv 2502.14802) have a model
read entities and triples (subject, relation, object) out of each passage. Here a model writes the
triples, where there is one; entities are also found by rules (`core/entity_names`), which is all
there is without a model, and title and heading are entities of their chunks. An entity is a derived
text of level 0, a triple one of level 1 whose children are its subject and object.

With a model positions count two for each chunk: entities are stored first, as triples point to
them. Where a run was stopped in between, the model is asked again for these chunks' triples.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from desktop_rag.core.catalog_records import NewDerivedText, StoredChunk
from desktop_rag.core.entity_names import entity_key, entity_names
from desktop_rag.core.language import language
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import BlockKind, ChunkId, DerivedId
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import Message
from desktop_rag.preparation.base import (
    DerivedBatch,
    PreparationTools,
    Preparing,
    SourceDocument,
    by_chunks,
    fenced,
)
from desktop_rag.strategies.base import run_to_end
from desktop_rag.strategies.model_calls import ModelTools

_BATCH, _BATCH_BY_RULES = 4, 128  # chunks
_MOST_TRIPLES = 12  # of a chunk
_LONGEST = 80  # characters of a name that a model writes
_ASIDE = re.compile(r"\s*[(（][^()（）]*[)）]$")
_PARTS = ("subject", "relation", "object")


@dataclass(frozen=True, slots=True)
class Triple:
    """What a chunk says of two entities."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class EntityGraphPreparer:
    """Finds the entities of each chunk, and with a model their relations."""

    name: ClassVar[str] = "entity_graph"
    title: ClassVar[str] = "Graph of entities (HippoRAG)"
    effect: ClassVar[str] = "Passages are found by the people, places and terms that join them."
    paper: ClassVar[str] = "HippoRAG: Gutiérrez et al. 2024, arXiv 2405.14831, 2502.14802"
    version: ClassVar[int] = 1
    calls_per_chunk: ClassVar[float] = 1.0

    def steps(self, document: SourceDocument, begin: int, tools: PreparationTools) -> Preparing:
        """Find entities a few chunks at a time; with a model, then the triples of the same ones."""
        if tools.calls is None:
            return by_chunks(document, begin, _BATCH_BY_RULES, entities_by_rules)
        return self._with_triples(document, begin, tools.calls)

    def _with_triples(self, document: SourceDocument, begin: int, calls: ModelTools) -> Preparing:
        """Store entities, then triples, of `_BATCH` chunks; an odd position is between the two."""
        at = begin // 2 // _BATCH * _BATCH
        known = self._stored(document) if begin % 2 else None
        chunks = document.chunks(at)
        while batch := list(islice(chunks, _BATCH)):
            told = [(chunk.chunk_id, each) for chunk in batch for each in _written(chunk, calls)]
            at += len(batch)
            if known is None:
                found = _entities(batch, told)
                texts = tuple(NewDerivedText(name, sources) for name, sources in found)
                ids = yield DerivedBatch(texts, 2 * at - 1, len(batch))
                known = _keyed(zip((name for name, _ in found), ids, strict=True))
            yield DerivedBatch(_related(told, known), 2 * at, 0, at >= document.chunk_count)
            known = None
        if at < document.chunk_count or not document.chunk_count:
            yield DerivedBatch((), 2 * at, 0, is_done=True)

    def remark(self, *, has_model: bool) -> str:
        """Tell what the graph is made of."""
        return Phrase(
            "Entities are found by rules; the language model writes how they are related."
            if has_model
            else "Entities are found by rules, without a language model: passages that name the "
            "same are joined."
        )

    def _stored(self, document: SourceDocument) -> dict[str, DerivedId]:
        texts = document.catalog.preparations.texts_of(document.document_id, self.name)
        return _keyed((each.text, each.derived_id) for each in texts if not each.level)


def entities_by_rules(chunk: StoredChunk) -> list[str]:
    """Return the entities of a chunk: its title at its document's beginning, heading, names."""
    if chunk.kind is BlockKind.CODE:
        return []
    heading = chunk.section.rpartition(" > ")[2].strip()
    above = [_ASIDE.sub("", chunk.title)] if chunk.ordinal == 0 else []
    named = [*above, heading, *entity_names(chunk.text)]
    found: dict[str, str] = {}
    for name in named:
        found.setdefault(entity_key(name), name)
    return [name for key, name in found.items() if key]


def _written(chunk: StoredChunk, calls: ModelTools) -> Iterator[Triple]:
    """Yield the triples that a model writes of a chunk; none where it twice breaks the form."""
    prompts = Prompts(language(chunk.text))
    rules = prompts.text("preparation/triples", most=str(_MOST_TRIPLES))
    messages = [Message("system", rules), Message("user", fenced(chunk))]
    text = {"type": "string"}
    triple = {
        "type": "object",
        "properties": dict.fromkeys(_PARTS, text),
        "required": list(_PARTS),
    }
    schema = {
        "type": "object",
        "properties": {"triples": {"type": "array", "items": triple, "maxItems": _MOST_TRIPLES}},
        "required": ["triples"],
    }
    found = run_to_end(calls.decide(messages, "prepare: triples", schema)) or {}
    for each in found.get("triples", [])[:_MOST_TRIPLES]:
        made = _triple(each)
        if made is not None:
            yield made


def _triple(told: Mapping[str, Any]) -> Triple | None:
    parts = [" ".join(str(told.get(name, "")).split())[:_LONGEST] for name in _PARTS]
    made = Triple(*parts)
    is_whole = all((entity_key(made.subject), made.relation, entity_key(made.object)))
    return made if is_whole else None


def _entities(
    batch: Sequence[StoredChunk], told: Sequence[tuple[ChunkId, Triple]]
) -> list[tuple[str, tuple[ChunkId, ...]]]:
    """Return the names of a batch, each once, with the chunks that name them."""
    named = [(chunk.chunk_id, name) for chunk in batch for name in entities_by_rules(chunk)]
    named += [(chunk, name) for chunk, each in told for name in (each.subject, each.object)]
    names: dict[str, str] = {}
    sources: dict[str, list[ChunkId]] = {}
    for chunk_id, name in named:
        key = entity_key(name)
        names.setdefault(key, name)
        sources.setdefault(key, []).append(chunk_id)
    return [(name, tuple(dict.fromkeys(sources[key]))) for key, name in names.items()]


def _related(
    told: Sequence[tuple[ChunkId, Triple]], known: Mapping[str, DerivedId]
) -> tuple[NewDerivedText, ...]:
    made = []
    for chunk, each in told:
        ends = [known.get(entity_key(name)) for name in (each.subject, each.object)]
        children = tuple(dict.fromkeys(end for end in ends if end is not None))
        if len(children) == len(ends):
            text = " ".join((each.subject, each.relation, each.object))
            made.append(NewDerivedText(text, (chunk,), 1, children))
    return tuple(made)


def _keyed(named: Iterable[tuple[str, DerivedId]]) -> dict[str, DerivedId]:
    return {entity_key(name): number for name, number in named}
