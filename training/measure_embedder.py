"""Measure what an embedder alone finds, in one language and across languages: recall@5.

    python -m training.measure_embedder DATA resources/models/multilingual-e5-small

"alone": among the passages of the question's own set, in one language. "pooled": among those of all
sets together, as in a folder of many languages. `written` questions share no word with their
passage, or are a claim in another language than its abstract. A model that has a `LanguageBias` is
measured without taking it out as well. The passages are those that some question asks for, and
others, up to so many a set.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from desktop_rag.models.language_bias import LanguageBias
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import Vectors
from training.question_sets import Passage, corpus, measured_questions

WRITTEN = Path(__file__).parent / "written"
PASSAGES = {
    "hotpotqa": 1200, "scifact_train": 2000, "xquad_es": 240, "cmrc2018_dev": 848,
    "drcd_dev": 400, "jsquad_valid": 500,
}  # fmt: skip
_QUESTIONS = 300
_BEST = 5


@dataclass(frozen=True, slots=True)
class AskedSet:
    """Questions on one set's passages: `gold` are the ids of the passages that each asks for."""

    name: str
    of: str
    questions: Vectors
    gold: list[set[str]]


@dataclass(frozen=True, slots=True)
class PassageSet:
    """A set's passages by id and vector."""

    ids: list[str]
    vectors: Vectors


def main() -> None:
    """Print a row for each set of questions."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("data", type=Path)
    asked.add_argument("model", type=Path)
    given = asked.parse_args()
    embedder = OnnxEmbedder(given.model)
    bias, embedder.bias = embedder.bias, None
    sets: list[AskedSet] = []
    passages: dict[str, PassageSet] = {}
    for name, most in PASSAGES.items():
        asking = _asked(given.data, name, embedder)
        wanted = set[str]().union(*(gold for each in asking for gold in each.gold))
        chosen = _chosen(corpus(given.data, name), wanted, most)
        passages[name] = PassageSet(
            [each.id for each in chosen], embedder.embed([each.read for each in chosen])
        )
        sets += asking
    for title, taken in (("as it is", None), ("without the languages' bias", bias)):
        if title == "as it is" or taken is not None:
            print(f"{title}: questions, recall@5 alone, pooled, mean cosine, 95th percentile")
            _report(sets, passages, taken)


def _asked(data: Path, name: str, embedder: OnnxEmbedder) -> list[AskedSet]:
    """Return a set's own questions and those that were written on its passages."""
    own = measured_questions(data, name)[:_QUESTIONS]
    made = [(name, [each.text for each in own], [set(each.gold) for each in own])]
    for file in sorted(WRITTEN.glob(f"{name}*.jsonl")):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        made.append(
            (
                f"written/{file.stem}",
                [row["question"] for row in rows],
                [set(row["gold"]) for row in rows],
            )
        )
    return [
        AskedSet(title, name, np.stack(list(map(embedder.embed_query, texts))), gold)
        for title, texts, gold in made
    ]


def _chosen(every: dict[str, Passage], wanted: set[str], most: int) -> list[Passage]:
    """Return the passages that are asked for and others, the same ones each time."""
    others = [each for each in every.values() if each.id not in wanted]
    count = max(0, min(len(others), most - len(wanted)))
    return [every[each] for each in sorted(wanted)] + random.Random(3).sample(others, count)


def _report(
    sets: Sequence[AskedSet], passages: dict[str, PassageSet], bias: LanguageBias | None
) -> None:
    def passage(vectors: Vectors) -> Vectors:
        return vectors if bias is None else bias.without(vectors, bias.passage)

    ids = [(name, each) for name, some in passages.items() for each in some.ids]
    pool = passage(np.concatenate([each.vectors for each in passages.values()]))
    for each in sets:
        mine = [name == each.of for name, _ in ids]
        asked = each.questions if bias is None else bias.without(each.questions, bias.query)
        cosines = asked @ pool.T
        gold = [{(each.of, passage) for passage in some} for some in each.gold]
        pooled = _recall(cosines, ids, gold)
        alone = _recall(cosines[:, mine], [i for i in ids if i[0] == each.of], gold)
        spread = cosines.mean(), np.percentile(cosines, 95)
        print(
            f"{each.name:28}{len(asked):5} {100 * alone:6.1f} {100 * pooled:6.1f}"
            f" {spread[0]:6.2f} {spread[1]:6.2f}"
        )


def _recall(
    cosines: Vectors, ids: Sequence[tuple[str, str]], gold: Sequence[set[tuple[str, str]]]
) -> float:
    best = np.argsort(-cosines, axis=1)[:, :_BEST]
    return float(
        np.mean(
            [
                len(wanted & {ids[at] for at in found}) / len(wanted)
                for found, wanted in zip(best, gold, strict=True)
            ]
        )
    )


if __name__ == "__main__":
    main()
