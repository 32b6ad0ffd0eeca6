"""Fit what a passage's words and its meaning are worth as evidence, script by script.

    python -m training.fit_evidence DATA resources/models/multilingual-e5-small

Questions are asked of corpora that hold their passages, and of the same ones without any document
that a question asks for: what is found then answers nothing. The features are those of the
program's own first stage with this embedder (`retrieval/evidence`). A logistic model of
the share of words, the best cosine and the number of chunks is fitted on five sixths of the train
questions, on those that were written on DRCD without words of their passages, and, for passages in
another language than the question, on half of SciFact's claims in Spanish and Chinese and of the
English questions on CMRC; its constant is that at which of no set more than 12 % are answered
without their documents. A second model has, instead of the number of chunks, the lead of the best
cosine over the background; its constant is that at which of no set a further 3 % are. On the other
questions, and on dev questions, it is printed how many are answered with their passages, and
without: by the first model, and by either.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.index.bm25 import Bm25Index
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import Vectors
from desktop_rag.retrieval.evidence import (
    EVIDENCE_THRESHOLD,
    LEAD,
    EvidenceFeatures,
    FoundText,
    TermStatistics,
    background_cosine,
    content_terms,
    evidence_features,
)
from desktop_rag.retrieval.fuse import ScoreScale, fuse
from training import question_sets
from training.question_sets import (
    ARTICLES,
    Passage,
    Question,
    corpus,
    measured_questions,
    training_questions,
)

TRAINED = {"latin": ("hotpotqa", "covidqa", "pubmedqa"), "cjk": ("drcd_test", "jsquad_valid")}
MEASURED = {"latin": ("xquad_es", "musique"), "cjk": ("cmrc2018_dev", "drcd_dev")}
WRITTEN = Path(__file__).parent / "written"
_QUESTIONS = 150  # of each set
_SIZES = {30: 10, 500: _QUESTIONS}  # passages of a knowledge base, and questions that share one
_K = 5
_ANSWERED_WITHOUT = 0.12  # of the questions whose documents are not there
_FURTHER_WITHOUT = 0.03  # of them, by the lead
_CHUNKS, _LEAD = 2, 3  # places of the signs
_ARTICLE = re.compile(r"[a-z]*\d+")
_ROUNDS = 30  # of Newton's method: it stands still after ten
_CONSTANT = np.array([0.0, 0.0, 0.0, 0.0, 1.0])
_NAMES = ("words", "cosine", "chunks", "lead", "constant")

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's features, and whether a passage that it asks for was among the best."""

    told: EvidenceFeatures
    is_answered: bool
    has_passage: bool

    def signs(self, *, foreign: bool) -> Numbers:
        """Return words, cosine, the logarithm of the number of chunks, the lead, and 1."""
        covered = 0.0 if foreign else self.told.covered
        cosine = (self.told.foreign if foreign else self.told.meaning) or 0.0
        lead = 0.0 if self.told.background is None else cosine - self.told.background
        return np.array([covered, cosine, math.log10(self.told.chunks), lead, 1.0])


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions on the passages of a corpus; `is_fair` where no document answers for another."""

    title: str
    corpus: str
    questions: Sequence[Question]
    is_fair: bool = True


class RememberingEmbedder(OnnxEmbedder):
    """Embeds each text once: the knowledge bases have most of theirs in common."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._known: dict[str, Vectors] = {}
        self._asked: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return one unit vector a passage, as `OnnxEmbedder.embed`."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, super().embed(new, token), strict=True))
        return np.stack([self._known[text] for text in texts])

    def embed_query(self, text: str) -> Vectors:
        """Return a question's unit vector, as `OnnxEmbedder.embed_query`."""
        if text not in self._asked:
            self._asked[text] = super().embed_query(text)
        return self._asked[text]


def main() -> None:
    """Print the fitted numbers of each script, and what they decide."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("data", type=Path)
    asked.add_argument("model", type=Path)
    given = asked.parse_args()
    ask = partial(_asked, given.data, RememberingEmbedder(given.model))
    for script in ("latin", "cjk", "foreign"):
        foreign = script == "foreign"
        fitted = [(each, list(ask(each))) for each in _fitted(given.data, script)]
        every = [one for _, some in fitted for one in some]
        fair = [some for each, some in fitted if each.is_fair]
        first = _fit(every, without=_LEAD, foreign=foreign)
        first = _with_constant(first, fair, foreign=foreign)
        second = _fit(every, without=_CHUNKS, foreign=foreign)
        second = _with_lead_constant(first, second, fair, foreign=foreign)
        for name, numbers in ((script, first), (LEAD.format(script), second)):
            print(name, dict(zip(_NAMES, numbers.round(2).tolist(), strict=True)), flush=True)
        for each in _others(given.data, script):
            some = list(ask(each))
            for models in ([first], [first, second]):
                _print(each.title, some, models, foreign=foreign)


def _fitted(data: Path, script: str) -> Iterator[QuestionSet]:
    """Yield the questions that a script's numbers are fitted on."""
    for name in TRAINED.get(script, ()):
        yield QuestionSet(name, name, training_questions(data, name), name not in ARTICLES)
    if script == "cjk":
        yield QuestionSet("written on DRCD", "drcd_dev", _written("drcd_dev"))
    if script == "foreign":
        for language in ("es", "zh"):
            yield QuestionSet(language, "scifact_train", _written(f"scifact_train.{language}")[::2])
        yield QuestionSet("en", "cmrc2018_dev", _written("cmrc2018_dev.en")[::2])


def _others(data: Path, script: str) -> Iterator[QuestionSet]:
    """Yield the questions on which the numbers are tried."""
    for name in TRAINED.get(script, ()):
        held_out = training_questions(data, name, held_out=True)
        yield QuestionSet(f"{name}, held out", name, held_out)
    for name in MEASURED.get(script, ()):
        yield QuestionSet(name, name, measured_questions(data, name))
    if script == "cjk":
        yield QuestionSet("written on CMRC", "cmrc2018_dev", _written("cmrc2018_dev"))
    if script == "foreign":
        for language in ("es", "zh"):
            some = _written(f"scifact_train.{language}")[1::2]
            yield QuestionSet(f"claims, {language}, the other half", "scifact_train", some)
        some = _written("cmrc2018_dev.en")[1::2]
        yield QuestionSet("English on CMRC, the other half", "cmrc2018_dev", some)


def _written(name: str) -> list[Question]:
    """Return questions that share no word with their passages."""
    rows = map(json.loads, (WRITTEN / f"{name}.jsonl").read_text("utf-8").splitlines())
    return [Question(row["id"], row["question"], (), tuple(row["gold"])) for row in rows]


def _documents(data: Path, name: str) -> dict[str, str]:
    """Return what tells a passage's document: its title, else the article's number in its question.

    Of a piece of an article it is the article.
    """
    passages = corpus(data, name).values()
    told = {each.id: each.title or each.id.partition("/")[0] for each in passages}
    if name.startswith(("drcd", "jsquad")):
        for question in question_sets.measured_questions(data, name):
            article = _ARTICLE.match(question.id)
            told |= dict.fromkeys(question.gold, article[0] if article else question.id)
    return told


def _asked(data: Path, embedder: RememberingEmbedder, given: QuestionSet) -> Iterator[Asked]:
    """Ask some of the questions of corpora of each size, with their passages and without."""
    dice = random.Random(3)
    questions = dice.sample(given.questions, min(_QUESTIONS, len(given.questions)))
    held = corpus(data, given.corpus)
    documents = _documents(data, given.corpus)
    for size, count in _SIZES.items():
        for start in range(0, len(questions), count):
            some = questions[start : start + count]
            wanted = {each for question in some for each in question.gold}
            asked_for = {documents[each] for each in wanted}
            others = sorted(each for each in held if documents[each] not in asked_for)
            dice.shuffle(others)
            room = max(size - len(wanted), size // 3)
            with_gold = [*sorted(wanted), *others[:room]]
            for has_passage, ids in ((True, with_gold), (False, others[:size])):
                found = Corpus([held[each] for each in ids], embedder)
                yield from (found.asked(each, has_passage=has_passage) for each in some)


class Corpus:
    """Some passages that can be searched as the program does it, without its files."""

    def __init__(self, passages: Sequence[Passage], embedder: RememberingEmbedder) -> None:
        self._passages = passages
        self._embedder = embedder
        self._vectors = embedder.embed([each.read for each in passages])
        self._folder = tempfile.TemporaryDirectory()
        self._words = Bm25Index(Path(self._folder.name) / "words")
        added = enumerate(each.read for each in passages)
        self._words.apply((), ((ChunkId(n), DocumentId(n), text) for n, text in added))

    def asked(self, question: Question, *, has_passage: bool) -> Asked:
        """Return a question's features."""
        rules, terms = Retrieval(), content_terms(question.text)
        known = TermStatistics(self._words.frequencies(terms), len(self._passages))
        scale = ScoreScale(self._embedder.cosine_weight, sum(map(known.weight, terms)))
        cosines = self._vectors @ self._embedder.embed_query(question.text)
        nearest = np.argsort(-cosines)[: rules.candidates]
        dense = [(ChunkId(int(at)), float(cosines[at])) for at in nearest]
        lexical = self._words.search(question.text, rules.candidates)
        best = [each.chunk_id for each in fuse(dense, lexical, rules, scale)[:_K]]
        texts = [FoundText(self._passages[at].read, float(cosines[at])) for at in best]
        is_found = any(self._passages[at].id in question.gold for at in best)
        background = background_cosine([cosine for _, cosine in dense])
        told = evidence_features(question.text, texts, known, background)
        return Asked(told, is_found, has_passage)


def _fit(every: Sequence[Asked], *, without: int, foreign: bool) -> Numbers:
    """Return what each sign counts but that at one place, by Newton's method on the likelihood.

    A question whose passage is there but was not found says nothing of evidence.
    """
    some = [each for each in every if each.is_answered or not each.has_passage]
    rows = np.array([each.signs(foreign=foreign) for each in some])
    rows[:, without] = 0.0
    right = np.array([float(each.is_answered) for each in some])
    numbers = np.zeros(rows.shape[1])
    for _ in range(_ROUNDS):
        likely = 1.0 / (1.0 + np.exp(-(rows @ numbers)))
        slope = rows.T @ (right - likely) - 0.01 * numbers
        curve = (rows * (likely * (1 - likely))[:, None]).T @ rows + 0.01 * np.eye(len(numbers))
        numbers = numbers + np.linalg.solve(curve, slope)
    return numbers


def _with_constant(numbers: Numbers, sets: Sequence[Sequence[Asked]], *, foreign: bool) -> Numbers:
    """Return the numbers with the constant at which of no set many are answered without documents.

    A refusal of what is there is worse than a quotation that does not answer, which is seen to be
    none; how much worse the likelihood does not know. Articles of one subject answer each other's
    questions, so they have no say here.
    """
    bars = []
    for some in sets:
        sums = [_sum(numbers, each, foreign=foreign) for each in some if not each.has_passage]
        bars.append(np.quantile(sums, 1.0 - _ANSWERED_WITHOUT))
    return numbers - _CONSTANT * max(bars)


def _with_lead_constant(
    first: Numbers, second: Numbers, sets: Sequence[Sequence[Asked]], *, foreign: bool
) -> Numbers:
    """Return the second numbers with the constant at which of no set a few more are answered."""
    bars = []
    for some in sets:
        without = [each for each in some if not each.has_passage]
        refused = [each for each in without if _sum(first, each, foreign=foreign) <= 0]
        sums = sorted((_sum(second, each, foreign=foreign) for each in refused), reverse=True)
        bars.append(sums[int(_FURTHER_WITHOUT * len(without))])
    return second - _CONSTANT * max(bars)


def _sum(numbers: Numbers, each: Asked, *, foreign: bool) -> float:
    """Return the sum of signs, above 0 where a question is answered."""
    bar = math.log(EVIDENCE_THRESHOLD / (1 - EVIDENCE_THRESHOLD))
    return float(numbers @ each.signs(foreign=foreign)) - bar


def _print(name: str, every: Sequence[Asked], models: Sequence[Numbers], *, foreign: bool) -> None:
    """Print which share is answered with the passages, rightly, and without them."""

    def answered(some: Sequence[Asked]) -> float:
        told = [any(_sum(one, each, foreign=foreign) > 0 for one in models) for each in some]
        return 100 * float(np.mean(told)) if told else math.nan

    found = [each for each in every if each.is_answered]
    there = sum(each.has_passage for each in every)
    without = [each for each in every if not each.has_passage]
    print(
        f"  {name}, by {len(models)}: {there} asked, {len(found)} found; answered of those found"
        f" {answered(found):.1f} %, of those without their document {answered(without):.1f} %",
        flush=True,
    )


if __name__ == "__main__":
    main()
