"""Fit what a passage's words and its meaning are worth as evidence, script by script.

    python -m training.fit_evidence DATA WORK resources/models/multilingual-e5-small

Questions are asked of a knowledge base that holds their passages, and of the same one without any
document that a question asks for: what is found then answers nothing. The features are those of the
program's own search with this embedder and no reranker (`retrieval/evidence`). A logistic model of
the share of words, the best cosine and the number of chunks is fitted on five sixths of the train
questions, and on those that were written on DRCD without words of their passages; on the last
sixth, and on dev questions, it is printed how many are answered with their passages, and without.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Settings
from desktop_rag.evaluation.corpus_index import CorpusIndex, open_corpus_index
from desktop_rag.evaluation.datasets import CorpusPassage
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import Vectors
from desktop_rag.retrieval.evidence import (
    EVIDENCE_THRESHOLD,
    EvidenceFeatures,
    content_terms,
    evidence_features,
    few_chunks,
)
from desktop_rag.retrieval.lexical import term_statistics
from desktop_rag.retrieval.two_stage import Query, TwoStageRetriever
from training import question_sets
from training.question_sets import (
    Question,
    corpus,
    measured_questions,
    training_questions,
)

FITTED = {"latin": ("hotpotqa", "covidqa", "pubmedqa"), "cjk": ("drcd_test", "jsquad_valid")}
MEASURED = {"latin": ("xquad_es", "musique"), "cjk": ("cmrc2018_dev", "drcd_dev")}
WRITTEN = Path(__file__).parent / "written"
_FITTED_TOO, _MEASURED_TOO = "drcd_dev", "cmrc2018_dev"
_QUESTIONS = 150  # of each set
_PASSAGES = 500
_K = 5
_ARTICLE = re.compile(r"[a-z]*\d+")
_ROUNDS = 30  # of Newton's method: it stands still after ten

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's features, and whether a passage that it asks for was among the best."""

    told: EvidenceFeatures
    is_answered: bool
    has_passage: bool
    is_held_out: bool


class RememberingEmbedder(OnnxEmbedder):
    """Embeds each text once: the two knowledge bases have most of theirs in common."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._known: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return one unit vector a passage, as `OnnxEmbedder.embed`."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, super().embed(new, token), strict=True))
        return np.stack([self._known[text] for text in texts])


def main() -> None:
    """Print the fitted numbers of each script, and what they decide."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("data", type=Path)
    asked.add_argument("work", type=Path)
    asked.add_argument("model", type=Path)
    given = asked.parse_args()
    ask = partial(_asked, given.data, given.work, RememberingEmbedder(given.model))
    for script, names in FITTED.items():
        fitted = {name: list(ask(name, training_questions(given.data, name))) for name in names}
        for name in names:
            held = training_questions(given.data, name, held_out=True)
            fitted[name] += [replace(each, is_held_out=True) for each in ask(name, held)]
        if script == "cjk":
            fitted["written on DRCD"] = list(ask(_FITTED_TOO, _written(_FITTED_TOO)))
        every = [each for some in fitted.values() for each in some]
        numbers = _fit([each for each in every if not each.is_held_out])
        print(f"{script}: {numbers[0]:.2f} words {numbers[1]:+.2f} cosine {numbers[2]:+.2f}")
        for name, some in fitted.items():
            _print(f"{name}, held out", [each for each in some if each.is_held_out], numbers)
        for name in MEASURED[script]:
            _print(name, list(ask(name, measured_questions(given.data, name))), numbers)
        if script == "cjk":
            asked_too = list(ask(_MEASURED_TOO, _written(_MEASURED_TOO)))
            _print("written on CMRC", asked_too, numbers)


def _written(name: str) -> list[Question]:
    """Return the questions that share no word with their passages."""
    rows = map(json.loads, (WRITTEN / f"{name}.jsonl").read_text("utf-8").splitlines())
    return [Question(row["id"], row["question"], (), tuple(row["gold"])) for row in rows]


def _documents(data: Path, name: str) -> dict[str, str]:
    """Return what tells a passage's document: its title, else the article's number in its question.

    Of a piece of an article it is the article.
    """
    told = {
        each.id: each.title or each.id.partition("/")[0] for each in corpus(data, name).values()
    }
    if name.startswith(("drcd", "jsquad")):
        for question in question_sets.measured_questions(data, name):
            article = _ARTICLE.match(question.id)
            told |= dict.fromkeys(question.gold, article[0] if article else question.id)
    return told


def _asked(
    data: Path, work: Path, embedder: RememberingEmbedder, name: str, every: Sequence[Question]
) -> Iterator[Asked]:
    """Ask some questions of both knowledge bases."""
    dice = random.Random(3)
    questions = dice.sample(every, min(_QUESTIONS, len(every)))
    wanted = {each for question in questions for each in question.gold}
    documents = _documents(data, name)
    asked_for = {documents[each] for each in wanted}
    held = {
        each.id: CorpusPassage(each.id, each.title, each.text)
        for each in corpus(data, name).values()
    }
    others = sorted(each for each in held if documents[each] not in asked_for)
    others = dice.sample(others, min(len(others), max(50, _PASSAGES - len(wanted))))
    key = f"{name} {len(every)} documents"
    for title, ids in (("with", [*sorted(wanted), *others]), ("without", others)):
        with open_corpus_index(work, f"{key} {title}", embedder, Settings()) as index:
            for _ in index.fill([held[each] for each in ids], CancelToken()):
                pass
            for question in questions:
                yield _features(index, embedder, question, has_passage=title == "with")


def _features(
    index: CorpusIndex, embedder: OnnxEmbedder, question: Question, *, has_passage: bool
) -> Asked:
    retriever = TwoStageRetriever(index.catalog, index.indexes, embedder, (), Settings().retrieval)
    trace = retriever.followed(Query(question.text, (index.kb,), _K))
    terms = content_terms(question.text)
    known = term_statistics(index.indexes, (index.kb,), terms)
    told = evidence_features(terms, trace.dated, known, lambda _: True)
    paths = {passage.path for passage in trace.found.passages}
    return Asked(told, bool(paths & set(question.gold)), has_passage, False)


def _fit(every: Sequence[Asked]) -> Numbers:
    """Return what words, cosine and a constant count, by Newton's method on the likelihood.

    A question whose passage is there but was not found says nothing of evidence.
    """
    some = [each for each in every if each.is_answered or not each.has_passage]
    rows = np.array([[each.told.covered, each.told.meaning or 0.0, 1.0] for each in some])
    offsets = np.array([few_chunks(each.told.chunks) for each in some])
    right = np.array([float(each.is_answered) for each in some])
    numbers = np.zeros(3)
    for _ in range(_ROUNDS):
        likely = 1.0 / (1.0 + np.exp(-(rows @ numbers + offsets)))
        slope = rows.T @ (right - likely) - 0.01 * numbers
        curve = (rows * (likely * (1 - likely))[:, None]).T @ rows + 0.01 * np.eye(3)
        numbers = numbers + np.linalg.solve(curve, slope)
    return numbers


def _print(name: str, every: Sequence[Asked], numbers: Numbers) -> None:
    """Print which share is answered with the passages, rightly, and without them."""
    bar = math.log(EVIDENCE_THRESHOLD / (1 - EVIDENCE_THRESHOLD))

    def answered(some: Sequence[Asked]) -> float:
        told = [
            numbers @ (each.told.covered, each.told.meaning or 0.0, 1.0)
            + few_chunks(each.told.chunks)
            > bar
            for each in some
        ]
        return 100 * float(np.mean(told)) if told else math.nan

    there = [each for each in every if each.has_passage]
    found = [each for each in there if each.is_answered]
    without = [each for each in every if not each.has_passage]
    print(
        f"  {name}: {len(there)} questions, {len(found)} found; answered of those found"
        f" {answered(found):.1f} %, of those without their passage {answered(without):.1f} %",
        flush=True,
    )


if __name__ == "__main__":
    main()
