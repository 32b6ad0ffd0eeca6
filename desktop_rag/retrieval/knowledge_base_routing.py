"""Which knowledge base a question is for, told without a model by what stands in each of them.

Resource selection of federated search: CORI (Callan et al. 1995) counts how rare a term is among
collections, ReDDE (Si & Callan 2003) looks at what a search of each one gives. Here three signs are
read of each knowledge base: what the first stage finds by meaning (the mean of the best few
cosines, not a centroid, which says what a base is about on the whole), what BM25 finds (how
much of the question one chunk holds, a term as rare as in all of them together), and what the
question names: the base itself, files and folders, people, years, languages.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import CatalogDamaged, UserError
from desktop_rag.core.language import content_runs
from desktop_rag.core.routing_signals import NamedBy
from desktop_rag.core.search_text import search_text
from desktop_rag.core.types import KbId
from desktop_rag.index.knowledge_base_index import ModelChanged
from desktop_rag.index.tokenizer import search_terms
from desktop_rag.models.protocols import Vectors
from desktop_rag.retrieval.dense import DenseSearch
from desktop_rag.retrieval.evidence import TermStatistics, content_terms
from desktop_rag.retrieval.fuse import Hits
from desktop_rag.retrieval.lexical import term_statistics
from desktop_rag.retrieval.query import Query
from desktop_rag.retrieval.query_cleaning import without_answer_instructions, without_command

_BEST = 3  # cosines of a base that are averaged
_FOUND = 10  # chunks that each search of a base gives: no more are looked at
_READ = 5  # of BM25's, whose words are compared
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_TELLING = re.compile(r".{4,}|.*\d|[^\x00-\u2e7f]{2,}")  # words that may be a name
_WORD = re.compile(r"[^\W_]+")
_BY_RANK = 0.2  # what the first by meaning counts where cosines do not compare
_LANGUAGES = {
    "arabic": "ar", "chinese": "zh", "czech": "cs", "dutch": "nl", "english": "en",
    "french": "fr", "german": "de", "italian": "it", "japanese": "ja", "korean": "ko",
    "polish": "pl", "portuguese": "pt", "russian": "ru", "spanish": "es", "turkish": "tr",
    "中文": "zh", "英文": "en", "英语": "en", "德文": "de", "德语": "de", "法文": "fr",
    "法语": "fr", "日文": "ja", "日语": "ja",
    "deutsch": "de", "français": "fr", "español": "es",
}  # fmt: skip
_IN_LANGUAGE = re.compile(r"\b(?:in|auf|en)\s+(\w+)|(..)(?:写|的|文件|文档|资料)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedProperty:
    """What a question names of a knowledge base, and how much that tells it from the others.

    `text` is as the question words it. `share` in [0, 1] is that of the question's words, by
    weight; of a year or a language, the share of the documents that are of it.
    """

    by: NamedBy
    text: str
    share: float


@dataclass(frozen=True, slots=True)
class RoutingSignals:
    """What speaks for a knowledge base.

    `meaning` is the mean of its best cosines, None where its model does not read the question;
    `model` the fingerprint of that model. `words` in [0, 1] is the share of the question's terms,
    by weight, that its best chunk holds.
    """

    meaning: float | None
    words: float
    named: tuple[NamedProperty, ...] = ()
    model: str = ""

    @property
    def names(self) -> float:
        """What all that is named counts together, in [0, 1]."""
        rest = 1.0
        for each in self.named:
            rest *= 1.0 - _COUNTS[each.by] * min(each.share, 1.0)
        return 1.0 - rest


@dataclass(frozen=True, slots=True)
class RoutingWeights:
    """What the signs count beside each other; by default as `benchmarks.knowledge_base_routing`
    found best on one half of its questions.
    """

    meaning: float = 2.0
    words: float = 1.5
    names: float = 0.5


@dataclass(frozen=True, slots=True)
class RankedBase:
    """A knowledge base with its score, which compares only with those of the same question."""

    kb: KbId
    score: float
    signs: RoutingSignals


@dataclass(frozen=True, slots=True)
class Routing:
    """Knowledge bases, best first, and those that could not be searched, with the error."""

    ranked: tuple[RankedBase, ...]
    failed: tuple[tuple[KbId, UserError], ...] = ()


MEASURED = RoutingWeights()
CLOSE = 0.1
"""Scores that differ by no more than this are close: the question goes to both."""
_COUNTS = {
    NamedBy.BASE: 1.0,
    NamedBy.FILE: 0.5,
    NamedBy.PERSON: 0.8,
    NamedBy.YEAR: 0.2,
    NamedBy.LANGUAGE: 0.3,
}


@dataclass(frozen=True, slots=True)
class KnowledgeBaseRouter:
    """Ranks knowledge bases for a question. Safe to use from several threads.

    It costs one embedding of the question for each model, and the first stage of each base, which
    gives ten chunks.
    """

    catalog: Catalog
    dense: DenseSearch

    def ranked(
        self,
        question: str,
        kbs: Mapping[str, KbId],
        token: CancelToken,
        weights: RoutingWeights = MEASURED,
    ) -> Routing:
        """Return the knowledge bases (by name) for a question, best first."""
        signs, failed = self.signals(question, kbs, token)
        return Routing(ranked_by(signs, weights), failed)

    def signals(
        self, question: str, kbs: Mapping[str, KbId], token: CancelToken
    ) -> tuple[dict[KbId, RoutingSignals], tuple[tuple[KbId, UserError], ...]]:
        """Return what speaks for each knowledge base, and those that can't be searched."""
        asked = without_answer_instructions(question)
        found: dict[KbId, RoutingSignals] = {}
        texts: dict[KbId, list[str]] = {}
        failed = []
        vectors = self.dense.vectors_of(Query(asked, tuple(kbs.values()), _FOUND))
        for kb in kbs.values():
            token.check()
            try:
                meaning, texts[kb] = self._first_stage(asked, kb, vectors)
            except CatalogDamaged:
                raise
            except UserError as error:
                failed.append((kb, error))
                continue
            found[kb] = RoutingSignals(meaning, 0.0, model=vectors.get(kb, ("", None))[0])
        read = {name: kb for name, kb in kbs.items() if kb in found}
        known = term_statistics(self.dense.indexes, tuple(found), content_terms(asked))
        named = self._named(asked, read, known)
        return {
            kb: replace(each, words=_covered(asked, texts[kb], known), named=named[kb])
            for kb, each in found.items()
        }, tuple(failed)

    def _first_stage(
        self, asked: str, kb: KbId, vectors: Mapping[KbId, tuple[str, Vectors]]
    ) -> tuple[float | None, list[str]]:
        """Return the mean of the best cosines, and the texts that BM25 finds."""
        index = self.dense.indexes.of(kb)
        nearest: Hits = []
        if kb in vectors:
            model, vector = vectors[kb]
            try:
                nearest = index.dense(vector, _FOUND, model=model).hits
            except ModelChanged:  # just now: this question goes by words
                nearest = []
        lexical = index.lexical(asked, _FOUND)[:_READ]
        chunks = self.catalog.documents.get_chunks([chunk_id for chunk_id, _ in lexical])
        texts = [search_text(each.context, each.text) for each in chunks.values()]
        best = [cosine for _, cosine in nearest[:_BEST]]
        return (sum(best) / len(best) if best else None), texts

    def _named(
        self, asked: str, kbs: Mapping[str, KbId], known: TermStatistics
    ) -> dict[KbId, tuple[NamedProperty, ...]]:
        """Return what a question names of each knowledge base, and of none of most others."""
        terms = _naming_terms(asked)
        weights = {term: known.weight(term) for term in terms}
        whole = sum(map(known.weight, content_terms(asked))) or 1.0
        tables = self.catalog.named_documents
        by_kind = {
            NamedBy.BASE: {kb: _among(terms, search_terms(name)) for name, kb in kbs.items()},
            NamedBy.FILE: {kb: tables.in_paths(kb, terms, search_terms) for kb in kbs.values()},
            NamedBy.PERSON: {kb: tables.in_people(kb, terms, search_terms) for kb in kbs.values()},
        }
        found: dict[KbId, list[NamedProperty]] = {kb: [] for kb in kbs.values()}
        for kind, words_of in by_kind.items():
            bearers = Counter(word for words in words_of.values() for word in words)
            for kb, words in words_of.items():
                share = (
                    sum(weights[word] * _rarity(bearers[word], len(kbs)) for word in words) / whole
                )
                if share > 0.0:
                    found[kb].append(
                        NamedProperty(kind, _as_written(asked, words), min(share, 1.0))
                    )
        self._add_shares(asked, found)
        return {kb: tuple(each) for kb, each in found.items()}

    def _add_shares(self, asked: str, found: dict[KbId, list[NamedProperty]]) -> None:
        """Add years and languages that a question names, where some documents are of them."""
        tables = self.catalog.named_documents
        years = sorted({int(year) for year in _YEAR.findall(asked)})
        languages = sorted(_languages(asked))
        for kb, properties in found.items():
            told = (
                (NamedBy.YEAR, ", ".join(map(str, years)), tables.share_of_years(kb, years)),
                (
                    NamedBy.LANGUAGE,
                    ", ".join(languages),
                    tables.share_of_languages(kb, languages),
                ),
            )
            properties += [NamedProperty(*each) for each in told if each[2] > 0.0]


def ranked_by(
    signs: Mapping[KbId, RoutingSignals], weights: RoutingWeights, *, compares: bool = True
) -> tuple[RankedBase, ...]:
    """Return knowledge bases by what speaks for them, best first; equal ones as they were made.

    Where their vectors are of several models, or cosines are not to be compared, a base's rank by
    meaning among those of its model takes the place of its cosine.
    """
    models = {each.model for each in signs.values() if each.meaning is not None}
    nearness = _cosines(signs, weights) if compares and len(models) <= 1 else _ranks(signs)
    scores = {
        kb: nearness[kb] + weights.words * each.words + weights.names * each.names
        for kb, each in signs.items()
    }
    ranked = [RankedBase(kb, scores[kb], each) for kb, each in signs.items()]
    return tuple(sorted(ranked, key=lambda each: (-each.score, each.kb)))


def close_bases(ranked: Sequence[RankedBase]) -> tuple[RankedBase, ...]:
    """Return the best knowledge base, or the best two where their scores hardly differ."""
    return tuple(each for each in ranked[:2] if ranked[0].score - each.score <= CLOSE)


def _cosines(signs: Mapping[KbId, RoutingSignals], weights: RoutingWeights) -> dict[KbId, float]:
    """Return what each cosine counts above the least; one that is not known counts as that."""
    least = min((each.meaning for each in signs.values() if each.meaning is not None), default=0.0)
    return {
        kb: weights.meaning * ((least if each.meaning is None else each.meaning) - least)
        for kb, each in signs.items()
    }


def _ranks(signs: Mapping[KbId, RoutingSignals]) -> dict[KbId, float]:
    """Return what the rank of each base by meaning counts, among those of its model.

    The only one of its model is first of none: that says nothing.
    """
    counted = dict.fromkeys(signs, 0.0)
    for kb, each in signs.items():
        if each.meaning is None:
            continue
        others = [other for other in signs.values() if other.model == each.model]
        rank = 1 + sum(other.meaning > each.meaning for other in others if other.meaning)
        counted[kb] = _BY_RANK / rank if len(others) > 1 else _BY_RANK / 2
    return counted


def _covered(asked: str, texts: Sequence[str], known: TermStatistics) -> float:
    """Return the share of a question's terms, by weight, that the best of the texts holds."""
    weights = {term: known.weight(term) for term in content_terms(asked)}
    whole = sum(weights.values()) or 1.0
    held = (weights.keys() & set(search_terms(text)) for text in texts)
    return max((sum(weights[term] for term in some) / whole for some in held), default=0.0)


def _naming_terms(asked: str) -> list[str]:
    """Return the terms of a question that may be a name, each once."""
    runs = content_runs(without_command(asked))
    terms = (term for run in runs for term in search_terms(run))
    return [term for term in dict.fromkeys(terms) if _TELLING.fullmatch(term)]


def _as_written(asked: str, terms: Sequence[str]) -> str:
    """Return what a question says where these terms are in it: words, or runs of characters."""
    found: list[tuple[int, int]] = []
    for word in _WORD.finditer(asked):
        own = search_terms(word[0])
        if own == [each for each in own if each in terms]:
            found.append(word.span())
            continue
        for term in dict.fromkeys(each for each in own if each in terms):
            found += [
                (word.start() + at.start(), word.start() + at.end())
                for at in re.finditer(re.escape(term), word[0])
            ]
    joined: list[tuple[int, int]] = []
    for start, end in sorted(set(found)):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return " ".join(asked[start:end] for start, end in joined)


def _among(terms: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(term for term in terms if term in set(names))


def _rarity(bearers: int, bases: int) -> float:
    """Return how much a word tells that so many of the bases are named by: 1 of one, 0 of all.

    CORI's inverse collection frequency.
    """
    return math.log((bases + 0.5) / bearers) / math.log(bases + 0.5) if bases > 1 else 1.0


def _languages(asked: str) -> set[str]:
    """Return the codes of languages that a question names as that of documents."""
    named = (word for pair in _IN_LANGUAGE.findall(asked) for word in pair if word)
    return {_LANGUAGES[word.lower()] for word in named if word.lower() in _LANGUAGES}
