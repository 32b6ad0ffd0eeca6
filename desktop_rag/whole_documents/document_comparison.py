"""Compares documents sentence by sentence, without a language model.

Sentences that stand in several documents word for word are set aside. The others are aligned one to
one, the most alike first: by their words (TF-IDF, figures counted alike, so that a changed amount
does not part two clauses), then by meaning where words tell less. What stays alone, only one
document says. It is monolingual sentence alignment as in Nelken & Shieber (2006), with embeddings
for the second pass.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import permutations

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.language import all_words, content_words
from desktop_rag.generation.number_extraction import missing_numbers, numbers
from desktop_rag.generation.quotes import Quote
from desktop_rag.models.protocols import Embedder, Vectors
from desktop_rag.whole_documents.document_passages import WholeDocument
from desktop_rag.whole_documents.document_sentences import (
    comparable,
    leans_on_others,
    reads_badly,
    sentences_of,
)
from desktop_rag.whole_documents.sentence_vectors import (
    embedder_for,
    sentence_vectors,
    unit,
    word_vectors,
)

ALIKE = 0.55  # cosine of words from which two sentences are two wordings of one
_AKIN = 0.25  # the same, where their meanings are alike, too
_MEANT_ALIKE = 0.72  # cosine of meanings from which two sentences say the same
_MOST_COMPARED = 3000  # sentences of a document
_MOST_EMBEDDED = 150  # of a document, those that are most like one of another
_MOST_CHANGES = 3  # that are named behind two wordings
_LONGEST_CHANGE = 60  # characters
_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"\d(?:[\d.,:/-]*\d)?[A-Za-z]*|[\u2e80-\u9fff]|[^\W\d\u2e80-\u9fff]+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class AlignedSentences:
    """What several documents say of the same: a quote each, by the document's place.

    `differs` says whether their figures do; `likeness` is the cosine by which they were aligned,
    `is_reworded` whether the words themselves are alike.
    """

    quotes: tuple[tuple[int, Quote], ...]
    differs: bool
    is_reworded: bool
    likeness: float


@dataclass(frozen=True, slots=True)
class DocumentComparison:
    """What documents have in common and what they do not; `same` counts the sentences that stand
    in at least two word for word, `counts` those of each document.
    """

    counts: tuple[int, ...]
    same: int
    aligned: tuple[AlignedSentences, ...]
    alone: tuple[tuple[Quote, ...], ...]


def compare_documents(
    documents: Sequence[WholeDocument], embedder: Embedder | None, token: CancelToken
) -> DocumentComparison:
    """Return what two or more documents say differently, alike, and alone."""
    every = [comparable(sentences_of(each.passages))[:_MOST_COMPARED] for each in documents]
    token.check()
    groups, left, same = _without_same(every)
    for at, quotes in enumerate(left):
        open_groups = [each for each in groups if at not in each.quotes]
        pairs = _aligned(open_groups, quotes, embedder, token)
        for one, other, near in pairs:
            open_groups[one].quotes[at] = quotes[other]
            open_groups[one].likeness = min(open_groups[one].likeness, near)
        taken = {other for _, other, _ in pairs}
        groups += [_Group({at: each}) for n, each in enumerate(quotes) if n not in taken]
    alone = [
        tuple(each.quotes[at] for each in groups if [*each.quotes] == [at])
        for at in range(len(every))
    ]
    aligned = [_judged(each) for each in groups if len({*map(_mark, each.quotes.values())}) > 1]
    return DocumentComparison(
        tuple(map(len, every)), same, tuple(sorted(aligned, key=_order)), tuple(alone)
    )


def changes(one: str, other: str) -> list[tuple[str, str]]:
    """Return what two wordings have in place of each other, the first few, figures first."""
    mine, its = _WORDS.findall(one), _WORDS.findall(other)
    found = []
    for kind, a, b, c, d in SequenceMatcher(None, mine, its, autojunk=False).get_opcodes():
        before, after = _joined(mine[a:b]), _joined(its[c:d])
        if kind == "replace" and max(len(before), len(after)) <= _LONGEST_CHANGE:
            found.append((before, after))
    return sorted(found, key=lambda each: not _DIGITS.search(each[0] + each[1]))[:_MOST_CHANGES]


def most_telling(quotes: Sequence[Quote], count: int) -> list[Quote]:
    """Return the sentences of one document that tell most, in their order: those with figures,
    whole ones, those that stand for what is around them.
    """
    if len(quotes) <= count:
        return list(quotes)
    vectors = word_vectors([quote.text for quote in quotes])
    central = vectors @ unit(vectors.mean(axis=0))
    scores = [
        float(near)
        + 0.15 * bool(numbers(quote.text))
        - 0.3 * reads_badly(quote)
        - 0.1 * leans_on_others(quote)
        for near, quote in zip(central, quotes, strict=True)
    ]
    best = sorted(range(len(quotes)), key=lambda at: -scores[at])[:count]
    return [quotes[at] for at in sorted(best)]


@dataclass
class _Group:
    """What was aligned so far: a sentence of each document, by its place."""

    quotes: dict[int, Quote]
    likeness: float = 1.0


def _without_same(
    every: Sequence[Sequence[Quote]],
) -> tuple[list[_Group], list[list[Quote]], int]:
    """Set aside the sentences that stand in several documents word for word.

    Those that some documents lack are groups: another one may say it differently.
    """
    places: dict[str, dict[int, Quote]] = {}
    for at, quotes in enumerate(every):
        for quote in quotes:
            places.setdefault(_mark(quote), {})[at] = quote
    shared = {mark: each for mark, each in places.items() if len(each) > 1}
    groups = [_Group(dict(each)) for each in shared.values() if len(each) < len(every)]
    left = [[quote for quote in quotes if _mark(quote) not in shared] for quotes in every]
    return groups, left, len(shared)


def _aligned(
    groups: Sequence[_Group],
    quotes: Sequence[Quote],
    embedder: Embedder | None,
    token: CancelToken,
) -> list[tuple[int, int, float]]:
    """Return which groups go with which sentences, one to one, and how alike they are."""
    if not groups or not quotes:
        return []
    mine = [next(iter(group.quotes.values())).text for group in groups]
    its = [quote.text for quote in quotes]
    vectors = word_vectors([_DIGITS.sub("0", text) for text in (*mine, *its)])
    by_words = vectors[: len(mine)] @ vectors[len(mine) :].T
    token.check()
    pairs = _one_to_one(by_words, ALIKE)
    rows = _nearest(by_words, {one for one, _, _ in pairs}, axis=1)
    columns = _nearest(by_words, {other for _, other, _ in pairs}, axis=0)
    embedder = embedder_for(embedder, " ".join(its[:20]))
    if embedder is None or not rows or not columns:
        return pairs
    one = sentence_vectors([mine[at] for at in rows], embedder, token)
    other = sentence_vectors([its[at] for at in columns], embedder, token)
    if one.shape[1] != other.shape[1]:  # it failed for one of them
        return pairs
    meant = np.where(
        (by_words[np.ix_(rows, columns)] >= _AKIN) | (one @ other.T >= _MEANT_ALIKE),
        one @ other.T,
        0.0,
    )
    more = _one_to_one(np.asarray(meant, dtype=np.float32), _MEANT_ALIKE - 0.08)
    return [*pairs, *((rows[a], columns[b], near) for a, b, near in more)]


def _nearest(likeness: Vectors, taken: set[int], axis: int) -> list[int]:
    """Return the sentences that have no partner yet, those with the likeliest one first."""
    best = likeness.max(axis=axis)
    order = [int(at) for at in np.argsort(-best, kind="stable") if int(at) not in taken]
    return order[:_MOST_EMBEDDED]


def _one_to_one(likeness: Vectors, least: float) -> list[tuple[int, int, float]]:
    """Align rows with columns, the most alike first, each at most once."""
    found = np.argwhere(likeness >= least)
    order = np.argsort(-likeness[found[:, 0], found[:, 1]], kind="stable")
    rows, columns = set[int](), set[int]()
    made = []
    for row, column in found[order].tolist():
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            made.append((row, column, float(likeness[row, column])))
    return made


def _judged(group: _Group) -> AlignedSentences:
    quotes = sorted(group.quotes.items())
    texts = [quote.text for _, quote in quotes]
    told = [numbers(text) for text in texts]
    differs = any(missing_numbers(one, other) for one, other in permutations(told, 2))
    vectors = [set(content_words(text)) for text in texts]
    shared = set.intersection(*vectors)
    is_reworded = len(shared) >= 0.5 * max(map(len, vectors), default=1)
    return AlignedSentences(tuple(quotes), differs, is_reworded, group.likeness)


def _mark(quote: Quote) -> str:
    return " ".join(all_words(quote.text))


def _order(each: AlignedSentences) -> tuple[bool, bool, bool, int, int]:
    """Return what stands first: figures that differ, in the same words, whole sentences, in the
    text's order.
    """
    first = each.quotes[0][1]
    is_bad = any(reads_badly(quote) for _, quote in each.quotes)
    return not each.differs, not each.is_reworded, is_bad, first.passage.rank, first.start


def _joined(words: Sequence[str]) -> str:
    text = " ".join(words)
    return re.sub(r"(?<=[\u2e80-\uffff]) (?=[\u2e80-\uffff])", "", text)
