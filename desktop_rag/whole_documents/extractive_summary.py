"""A summary made of a document's own sentences, without a language model.

Sentences are scored by how near they are to the centroid of their part and of the document, and by
their position (MEAD: Radev et al. 2004, "Centroid-based summarization of multiple documents"; with
embeddings in place of TF-IDF, Rossiello et al. 2017). Maximal marginal relevance (Carbonell &
Goldstein 1998) keeps two from saying the same. Every part of the document is given its share.

Of a long document only sentences of the most central chunks are embedded: the chunks' vectors are
in the catalog.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.types import ChunkId, Passage
from desktop_rag.generation.quotes import Quote
from desktop_rag.models.protocols import Embedder, Vectors
from desktop_rag.whole_documents.document_parts import DocumentPart, document_parts, shares
from desktop_rag.whole_documents.document_passages import WholeDocument
from desktop_rag.whole_documents.document_sentences import (
    leans_on_others,
    reads_badly,
    sentences_of,
    telling,
)
from desktop_rag.whole_documents.sentence_vectors import (
    embedder_for,
    sentence_vectors,
    unit,
)

_MOST = 30  # sentences of a summary
_ROWS = 4  # of a document that is a table
_TABLE = 0.8  # share of rows from which it is one
_SHARE = 0.4  # of the sentences there are, at most
_MOST_COMPARED = 240  # sentences that are embedded
_PART_WEIGHT, _WHOLE_WEIGHT = 0.6, 0.4  # of the two centroids
_POSITION = 0.12  # what standing first in a part, or in a passage, is worth
_BAD = 0.3  # what reading badly costs
_DANGLING = 0.08  # what leaning on the sentence before costs
_RELEVANCE = 0.7  # λ of maximal marginal relevance
_SAME = 0.93  # cosine from which two sentences say the same
_LENGTHS = (40, 320)  # characters of a sentence that is neither short nor long
_LAST_NARROW = "\u2e7f"
_WIDE = 3  # a Chinese character says about as much as so many letters

Chunks = Mapping[ChunkId, Vectors]


@dataclass(frozen=True, slots=True)
class SummaryPart:
    """The sentences that were chosen of one part, in their order."""

    heading: str
    quotes: tuple[Quote, ...]


def summary_length(passages: int, sentences: int) -> int:
    """Return how many sentences a summary has: it grows with the logarithm of the passages."""
    wanted = round(3 + 2.5 * math.log2(max(1, passages)))
    return max(1, min(_MOST, wanted, math.ceil(_SHARE * sentences)))


def extract_summary(
    document: WholeDocument,
    chunks: Chunks,
    embedder: Embedder | None,
    token: CancelToken,
    most: int = 0,
) -> list[SummaryPart]:
    """Return the sentences that stand for a document, by its parts; none where it has none.

    They are at most so many; 0: as many as suit its length.

    `chunks` are the unit vectors of its chunks, as far as the catalog has them.
    """
    every = telling(sentences_of(document.passages))
    token.check()
    if not every:
        return []
    count = min(most or _MOST, summary_length(len(document.passages), len(every)))
    if is_table(every):
        count = min(count, _ROWS)
    sample = " ".join(quote.text for quote in every[:50])
    embedder = embedder_for(embedder, sample)
    parts = document_parts(document.passages, max(1, (count + 1) // 2))
    compared = _compared(document, parts, every, chunks if embedder is not None else {})
    vectors = sentence_vectors([_read(quote) for quote in compared], embedder, token)
    own = [_indices(compared, part.passages) for part in parts]
    filled = [(part, at) for part, at in zip(parts, own, strict=True) if at]
    allowed = shares([part.length for part, _ in filled], max(count, len(filled)))
    chosen = _chosen(compared, vectors, [at for _, at in filled], allowed)
    return [
        SummaryPart(part.heading, tuple(compared[n] for n in sorted(picked)))
        for (part, _), picked in zip(filled, chosen, strict=True)
        if picked
    ]


def is_table(quotes: Sequence[Quote]) -> bool:
    """Say whether nearly all that a document says are rows: one stands for others, not for all."""
    return sum(quote.is_row for quote in quotes) > _TABLE * len(quotes)


def best_sentences(
    passages: Sequence[Passage], count: int, embedder: Embedder | None, token: CancelToken
) -> list[Quote]:
    """Return the most central sentences of a few passages, in their order."""
    quotes = telling(sentences_of(passages))
    if not quotes:
        return []
    embedder = embedder_for(embedder, " ".join(each.text for each in quotes[:20]))
    vectors = sentence_vectors([_read(each) for each in quotes], embedder, token)
    (chosen,) = _chosen(quotes, vectors, [list(range(len(quotes)))], [count])
    return [quotes[at] for at in sorted(chosen)]


def _read(quote: Quote) -> str:
    return f"{quote.heading} {quote.text}".strip()


def _indices(quotes: Sequence[Quote], passages: Sequence[Passage]) -> list[int]:
    ranks = {each.rank for each in passages}
    return [at for at, quote in enumerate(quotes) if quote.passage.rank in ranks]


def _compared(
    document: WholeDocument, parts: Sequence[DocumentPart], quotes: list[Quote], chunks: Chunks
) -> list[Quote]:
    """Return the sentences of a long document's most central passages, every part's share."""
    if len(quotes) <= _MOST_COMPARED:
        return quotes
    central = _centrality(document, chunks)
    by_rank: dict[int, list[Quote]] = {}
    for quote in quotes:
        by_rank.setdefault(quote.passage.rank, []).append(quote)
    kept: set[int] = set()
    rooms = shares([part.length for part in parts], _MOST_COMPARED)
    for part, share in zip(parts, rooms, strict=True):
        room = share
        order = sorted(part.passages, key=lambda each: -central.get(each.rank, 0.0))
        for at, passage in enumerate([part.passages[0], *order]):
            if passage.rank in kept:
                continue
            room -= len(by_rank.get(passage.rank, ()))
            if room < 0 and at > 1:
                break
            kept.add(passage.rank)
    return [quote for quote in quotes if quote.passage.rank in kept]


def _centrality(document: WholeDocument, chunks: Chunks) -> dict[int, float]:
    """Return how near each passage's chunks are to the document's centroid, by its number."""
    known = [chunks[each] for each in document.chunk_ids if each in chunks]
    if not known:
        return {}
    centre = unit(np.mean(np.stack(known), axis=0))
    made = {}
    for passage, places in zip(document.passages, document.chunks, strict=True):
        near = [float(chunks[each.chunk_id] @ centre) for each in places if each.chunk_id in chunks]
        made[passage.rank] = max(near, default=0.0)
    return made


def _chosen(
    quotes: Sequence[Quote],
    vectors: Vectors,
    parts: Sequence[Sequence[int]],
    allowed: Sequence[int],
) -> list[list[int]]:
    """Return which sentences are taken of each part."""
    whole = unit(vectors.mean(axis=0))
    taken: list[int] = []
    made = []
    for at, room in zip(parts, allowed, strict=True):
        scores = _scores(quotes, vectors, at, whole)
        picked = _diverse(vectors, at, scores, (room, taken))
        taken += picked
        made.append(picked)
    return made


def _scores(
    quotes: Sequence[Quote], vectors: Vectors, at: Sequence[int], whole: Vectors
) -> dict[int, float]:
    centre = unit(vectors[list(at)].mean(axis=0))
    near = _PART_WEIGHT * (vectors[list(at)] @ centre) + _WHOLE_WEIGHT * (vectors[list(at)] @ whole)
    made, former = {}, None
    for place, (number, score) in enumerate(zip(at, near, strict=True)):
        quote = quotes[number]
        first = 1.0 / (1 + place) if place < 3 else 0.5 * (quote.n != former)
        former = quote.n
        made[number] = float(score) + _POSITION * first - _cost(quote)
    return made


def _cost(quote: Quote) -> float:
    """Return what speaks against quoting a sentence."""
    length = sum(_WIDE if character > _LAST_NARROW else 1 for character in quote.text)
    low, high = _LENGTHS
    cost = 0.15 if length < low else 0.1 * max(0.0, length / high - 1.0)
    return cost + _BAD * reads_badly(quote) + _DANGLING * leans_on_others(quote)


def _diverse(
    vectors: Vectors,
    at: Sequence[int],
    scores: Mapping[int, float],
    limits: tuple[int, Sequence[int]],
) -> list[int]:
    """Take the best by maximal marginal relevance, also against what other parts gave."""
    room, before = limits
    taken = list(before)
    waiting, picked = list(at), list[int]()
    closest = dict.fromkeys(waiting, 0.0)
    for other in taken:
        _note(closest, vectors, other)
    while waiting and len(picked) < room:
        best = max(waiting, key=lambda n: _RELEVANCE * scores[n] - (1 - _RELEVANCE) * closest[n])
        waiting.remove(best)
        if closest[best] >= _SAME and picked:
            continue
        picked.append(best)
        _note(closest, vectors, best)
    return picked


def _note(closest: dict[int, float], vectors: Vectors, other: int) -> None:
    at = list(closest)
    for number, cosine in zip(at, vectors[at] @ vectors[other], strict=True):
        closest[number] = max(closest[number], float(cosine))
