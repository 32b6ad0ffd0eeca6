"""Answers without a language model: how often the quotes hold the answer, with the reader and not.

python -m benchmarks.extractive_answers DATA [--sets hotpotqa,2wiki,musique] [--split dev]
                                            [--limit 60]

DATA is a folder of question sets, each with `corpus.jsonl.gz` and `dev.jsonl.gz`. A question's gold
passages among those that BM25 finds are read by the second stage; the best five are quoted from,
once by words and meaning alone, once with the reader beside them. Questions answered by yes or no,
and those whose answer stands in none of the five, are left out.
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rank_bm25 import BM25Okapi

from benchmarks import builtin_models
from desktop_rag.core.language import content_words
from desktop_rag.core.types import ChunkId, DocumentId, Locator, LocatorKind, Passage
from desktop_rag.evaluation.datasets import CorpusPassage, EvalQuestion, read_corpus, read_questions
from desktop_rag.evaluation.metrics import interval, percent
from desktop_rag.generation.extract import extract
from desktop_rag.models.pair_reader import PairReader
from desktop_rag.models.protocols import Embedder

SETS = ("hotpotqa", "2wiki", "musique")
BESIDE, READ = 25, 5  # passages that BM25 finds, and that are quoted from


@dataclass(frozen=True, slots=True)
class QuoteResult:
    """One question: whether the first quote, and any quote, holds the answer, before and with."""

    question: str
    answers: tuple[str, ...]
    before: str
    now: str

    def first(self, text: str) -> float:
        """Return 1 if the first quote holds an answer."""
        return holds(text.partition("\n\n")[0], self.answers)

    def any(self, text: str) -> float:
        """Return 1 if a quote holds an answer."""
        return holds(text, self.answers)


class Corpus:
    """The passages of a corpus, found by BM25 and put in order by the reader."""

    def __init__(self, corpus: Sequence[CorpusPassage], reader: PairReader) -> None:
        self._corpus = list(corpus)
        self._reader = reader
        self._bm25 = BM25Okapi([content_words(f"{e.title} {e.text}") for e in corpus])

    def passages(self, item: EvalQuestion) -> tuple[Passage, ...]:
        """Return the passages that a question is answered from, best first."""
        scores = self._bm25.get_scores(content_words(item.question))
        near = [self._corpus[at] for at in np.argsort(-scores)[:BESIDE]]
        gold = [each for each in self._corpus if each.id in item.gold]
        some = list({each.id: each for each in (*gold, *near)}.values())
        read = self._reader.score(item.question, [f"{e.title}\n{e.text}" for e in some])
        order = sorted(range(len(some)), key=lambda at: -read[at])
        return tuple(passage(some[at], rank) for rank, at in enumerate(order[:READ], start=1))


def main() -> None:
    """Print a line a set, and on demand the answers themselves."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--split", default="dev")
    parser.add_argument("--limit", type=int, default=60, help="questions of a set")
    parser.add_argument("--show", type=int, default=0, help="answers of a set to print")
    given = parser.parse_args()
    embedder, reader = builtin_models.models()
    for name in given.sets.split(","):
        folder = given.data / name
        items = read_questions(folder / f"{given.split}.jsonl.gz")
        snapshot = Corpus(read_corpus(folder / "corpus.jsonl.gz"), reader)
        tried = list(_tried(fit(items)[: given.limit], snapshot, (embedder, reader)))
        print("\n".join(_told(name, tried)))
        print("\n".join(_shown(tried[: given.show])))


def _tried(
    items: Sequence[EvalQuestion], snapshot: Corpus, models: tuple[Embedder, PairReader]
) -> Iterator[QuoteResult]:
    embedder, reader = models
    for item in items:
        found = snapshot.passages(item)
        if holds("\n".join(each.text for each in found), item.answers):
            before = extract(item.question, found, embedder).text
            now = extract(item.question, found, embedder, reader.read).text
            yield QuoteResult(item.question, item.answers, before, now)


def fit(items: Sequence[EvalQuestion]) -> list[EvalQuestion]:
    """Return the questions whose answer is a text that a passage may hold."""
    return [
        each for each in items if each.answers and _plain(each.answers[0]) not in ("yes", "no", "")
    ]


def _told(name: str, tried: Sequence[QuoteResult]) -> Iterator[str]:
    for what, look in (("the first quote", QuoteResult.first), ("any quote", QuoteResult.any)):
        before = [look(each, each.before) for each in tried]
        now = [look(each, each.now) for each in tried]
        gain = [mine - its for mine, its in zip(now, before, strict=True)]
        yield (
            f"{name}, n {len(tried)}, {what} holds the answer: {percent(before)} by words and "
            f"meaning, {percent(now)} with the reader, gain {interval(gain)}"
        )


def _shown(tried: Sequence[QuoteResult]) -> Iterator[str]:
    for each in tried:
        yield f"\n? {each.question}\n= {' | '.join(each.answers)}"
        yield f"- {each.before!r}\n+ {each.now!r}"


def passage(entry: CorpusPassage, rank: int) -> Passage:
    """Return a passage of a corpus as a search would, whole."""
    end = len(entry.text)
    return Passage(
        rank=rank,
        chunk_id=ChunkId(rank),
        document_id=DocumentId(rank),
        path=f"/{entry.id}",
        locator=Locator(LocatorKind.PAGE, 1, 0, end),
        title=entry.title,
        section="",
        text=entry.text,
        match=(0, end),
        score=1.0 / rank,
    )


def holds(text: str, answers: Sequence[str]) -> float:
    """Return 1 if a text has one of the answers, whatever their capitals and marks."""
    plain = f" {_plain(text)} "
    return float(any(f" {_plain(each)} " in plain for each in answers if _plain(each)))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))


if __name__ == "__main__":
    main()
