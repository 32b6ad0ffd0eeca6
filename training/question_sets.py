"""The question sets that the built-in models are trained and measured on.

Of each question it is known from which split it came; nothing that is trained may come from a
question that stands in a set to measure on, whatever its split says: see `Guard`.
"""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

MULTIHOP = ("hotpotqa", "2wiki", "musique")
RERANKED = (*MULTIHOP, "pubmedqa", "covidqa")  # whose train questions the reranker learns from
ASIAN = ("drcd_test", "jsquad_valid")  # in Chinese and Japanese
MEASURED_ONLY = ("cmrc2018_dev", "scifact_train", "xquad_es")
ARTICLES = ("covidqa",)  # whose passages are whole articles
FOR_TRAINING = ("covidqa", "pubmedqa", "drcd_dev", "drcd_test", "jsquad_valid")
MEASURED_FIRST = {"jsquad_valid": 300, "drcd_dev": 300}
"""Sets of which the first questions are measured on; their passages answer no lesson."""
_PIECE_WORDS = 100


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph and the title that it stands under."""

    id: str
    title: str
    text: str

    @property
    def read(self) -> str:
        """The passage as the models read it: as the program gives it to them."""
        return f"{self.title}\n{self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its answers, and the passages that hold them, each hop's in no certain order.

    `hops` are the single questions that it is made of, where that is known: `#1` in one of them
    stands for the first's answer.
    """

    id: str
    text: str
    answers: tuple[str, ...]
    gold: tuple[str, ...]
    hops: tuple[Hop, ...] = field(default=())
    facts: tuple[Fact, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Hop:
    """One of the questions that a question is made of, with the passage that answers it."""

    text: str
    answer: str
    gold: str


@dataclass(frozen=True, slots=True)
class Fact:
    """What a question's passages say, in three parts: `Devotion`, `director`, `Guido Brignone`."""

    subject: str
    relation: str
    object: str


class Guard:
    """Knows every question that is measured on, and lets none of them be trained on."""

    def __init__(self, data: Path) -> None:
        folders = [data / "multihop" / name / "dev.jsonl.gz" for name in MULTIHOP]
        folders += [data / "singlehop" / name / "questions.jsonl.gz" for name in MEASURED_ONLY]
        self._measured = {normalised(row["question"]) for path in folders for row in rows(path)}
        for name in ("labeler.dev", "filter.dev"):
            path = data / "efficientrag" / f"{name}.jsonl.gz"
            texts = (row.get("query") or asked(row["input"]) for row in rows(path))
            self._measured |= {normalised(text) for text in texts}

    def allows(self, text: str) -> bool:
        """Say whether a question may be trained on."""
        return normalised(text) not in self._measured


def asked(filter_input: str) -> str:
    """Return the question in what a filter reads, `Query: … Info: …`."""
    return filter_input.removeprefix("Query: ").partition(" Info: ")[0]


def normalised(text: str) -> str:
    """Return a question's letters and digits alone: case, accents and marks tell no two apart."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return " ".join(re.findall(r"\w+", "".join(c for c in plain if not unicodedata.combining(c))))


def corpus(data: Path, name: str) -> dict[str, Passage]:
    """Return a set's passages by id; whole articles are cut into passages."""
    folder = data / ("multihop" if name in MULTIHOP else "singlehop") / name
    found = rows(folder / "corpus.jsonl.gz")
    passages = [Passage(row["id"], row["title"], row["text"]) for row in found]
    if name in ARTICLES:
        passages = [piece for each in passages for piece in _pieces(each)]
    return {each.id: each for each in passages}


def _pieces(article: Passage) -> Iterator[Passage]:
    """Yield an article's sentences, so many words together, under its first line."""
    title = article.title or article.text.partition("\n")[0]
    held: list[str] = []
    count = 0
    for sentence in [*re.split(r"(?<=[.!?])\s+|\n+", article.text), ""]:
        if held and (not sentence or sum(len(e.split()) for e in held) >= _PIECE_WORDS):
            yield Passage(f"{article.id}/{count}", title, " ".join(held))
            held, count = [], count + 1
        if sentence.strip():
            held.append(sentence.strip())


def training_questions(data: Path, name: str, *, held_out: bool = False) -> list[Question]:
    """Return a set's questions that may be trained on, or those of them that choices are made on.

    A sixth of them, told by their ids, is held out of every training; of questions on articles all
    those on a sixth of the articles.
    """
    if name in MULTIHOP:
        path = data / "multihop" / name / "train.jsonl.gz"
    elif name in FOR_TRAINING:
        path = data / "singlehop" / name / "questions.jsonl.gz"
    else:
        raise ValueError(f"{name} is no set to train on.")
    guard = Guard(data)
    asked_first = [_question(row) for row in rows(path)][: MEASURED_FIRST.get(name, 0)]
    measured = {id_ for each in asked_first for id_ in each.gold}
    every = [
        each
        for each in map(_question, rows(path))
        if guard.allows(each.text) and measured.isdisjoint(each.gold)
    ]
    by = (each.gold[0] if name in ARTICLES else each.id for each in every)
    some = [each for each, told in zip(every, by, strict=True) if is_held_out(told) == held_out]
    return list(_on_pieces(data, name, some)) if name in ARTICLES else some


def is_held_out(told_by: str) -> bool:
    """Say whether a question, or an article, is of the sixth that choices are made on."""
    return zlib.crc32(told_by.encode()) % 6 == 0


def _on_pieces(data: Path, name: str, asking: Iterable[Question]) -> Iterator[Question]:
    """Yield questions on articles with the passages that hold an answer, if any holds it whole."""
    pieces = corpus(data, name)
    of: dict[str, list[Passage]] = defaultdict(list)
    for piece in pieces.values():
        of[piece.id.partition("/")[0]].append(piece)
    for question in asking:
        answers = tuple(" ".join(each.split()) for each in question.answers)
        told = (piece for article in question.gold for piece in of[article])
        gold = tuple(p.id for p in told if any(answer in p.text for answer in answers))
        if gold:
            yield replace(question, answers=answers, gold=gold)


def measured_questions(data: Path, name: str) -> list[Question]:
    """Return a set's questions that figures are reported on."""
    if name in MULTIHOP:
        path = data / "multihop" / name / "dev.jsonl.gz"
    else:
        path = data / "singlehop" / name / "questions.jsonl.gz"
    return [_question(row) for row in rows(path)]


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def write_rows(path: Path, written: Iterable[dict[str, Any]]) -> int:
    """Write a file of JSON lines, whole or not at all; return how many they are."""
    part, count = path.with_suffix(".part"), 0
    # No time and no name in it: the same rows are the same bytes.
    with part.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file:
        for row in written:
            file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
            count += 1
    part.replace(path)
    return count


def _flat(answers: Iterable[str | list[str]]) -> Iterator[str]:
    """Yield answers, and the other names of one that has some."""
    for each in answers:
        yield from [each] if isinstance(each, str) else each


def _question(row: dict[str, Any]) -> Question:
    steps = row.get("decomposition", ())
    hops = [Hop(step["question"], step["answer"], str(step["support_id"])) for step in steps]
    facts = [Fact(*each) for each in row.get("evidences", ())]
    return Question(
        row["id"],
        row["question"],
        tuple(_flat(row["answers"])),
        tuple(row["gold"]),
        tuple(hops),
        tuple(facts),
    )
