"""Measures a trained reranker: recall@5 of reranked fusion and of chains, paired with fusion's.

    python -m training.measure DATA WORK OUT [--on dev|held-out] [--limit 60]

A chain's probability is that of its first passage among the first stage's best, times that of its
second among what the first leads to; a passage's is the sum over the chains that hold it.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from training import sets
from training.chains import Neighbourhood
from training.cuts import Cutter
from training.encoder import Batch, Encoder, PairReader, use_half
from training.first_stage import Hit
from training.groups import neighbourhood
from training.sets import MULTIHOP, Question
from training.train import Ranked

_FIRST = 30  # candidates of the first stage
_BEAM = 3  # first passages that are followed
_TOP = 5
_BATCH = 32
Scorer = Callable[[Sequence[tuple[str, str]]], np.ndarray]


@dataclass(frozen=True, slots=True)
class Rankings:
    """What each way of ranking puts first, for one question."""

    fusion: list[str]
    reranked: list[str]
    chains: list[str]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("data", type=Path)
    asked.add_argument("work", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument("--on", choices=("dev", "held-out"), default="held-out")
    asked.add_argument("--limit", type=int, default=0)
    asked.add_argument("--sets", default=",".join(MULTIHOP))
    asked.add_argument("--weight", type=float, help="the fused rank's, instead of the trained one")
    asked.add_argument("--half", action="store_true")
    given = asked.parse_args()
    model = Ranked(PairReader(Encoder())).eval()
    model.load_state_dict(torch.load(given.out / "reached.pt", weights_only=True)["model"])
    use_half(model, half=given.half)
    scorer = _scorer(model, Cutter(176))
    for name in given.sets.split(","):
        if given.on == "dev":
            asking = sets.measured_questions(given.data, name)
        else:
            asking = sets.training_questions(given.data, name, held_out=True)
        asking = asking[: given.limit or None]
        near = neighbourhood(given.data, given.work, name)
        weight = float(model.rank.detach()) if given.weight is None else given.weight
        ranked = [rankings(near, each.text, scorer, weight) for each in asking]
        print(json.dumps({"set": name, "on": given.on} | report(asking, ranked)), flush=True)


def rankings(near: Neighbourhood, question: str, scorer: Scorer, weight: float) -> Rankings:
    """Rank the passages for a question in every way."""
    hits = near.stage.search(question, _FIRST)
    ids = [hit.id for hit in hits]
    first = _first(near, question, hits, scorer, weight)
    order = np.argsort(-first, kind="stable")
    reranked = [ids[at] for at in order]
    return Rankings(
        ids, reranked, _chained(near, question, dict(zip(ids, first, strict=True)), scorer)
    )


def _first(
    near: Neighbourhood, question: str, hits: Sequence[Hit], scorer: Scorer, weight: float
) -> np.ndarray:
    """Return the log probability of each first passage."""
    read = scorer([(question, near.passages[hit.id].read) for hit in hits])
    return _log_softmax(read - weight * np.log([hit.rank for hit in hits]))


def _chained(
    near: Neighbourhood, question: str, first: dict[str, float], scorer: Scorer
) -> list[str]:
    share: dict[str, float] = defaultdict(float)
    best = sorted(first, key=lambda each: -first[each])
    for begin in best[:_BEAM]:
        ends = list(dict.fromkeys([*near.beyond(question, begin), *best[: _TOP + 1]]))
        ends = [each for each in ends if each != begin]
        pairs = [(near.asked(question, begin, each), near.passages[each].read) for each in ends]
        then = _log_softmax(scorer(pairs))
        share[begin] += float(np.exp(first[begin]))
        for each, more in zip(ends, then, strict=True):
            share[each] += float(np.exp(first[begin] + more))
    for each in best[_BEAM:]:
        share[each] += float(np.exp(first[each]))
    return sorted(share, key=lambda each: -share[each])


def report(asking: Sequence[Question], ranked: Sequence[Rankings]) -> dict[str, object]:
    """Return recall@5 of each ranking in percent, with the range of its gain over fusion."""
    told: dict[str, object] = {"questions": len(asking)}
    fusion = recalls(asking, [each.fusion for each in ranked])
    told["fusion"] = _percent(fusion.mean())
    for name in ("reranked", "chains"):
        ours = recalls(asking, [getattr(each, name) for each in ranked])
        told[name] = _percent(ours.mean())
        told[f"{name} over fusion"] = [_percent(each) for each in interval(ours - fusion)]
    return told


def recalls(asking: Sequence[Question], ranked: Sequence[Sequence[str]]) -> np.ndarray:
    """Return each question's share of gold passages among the first five: shape `(questions,)`."""
    found = [
        len(set(question.gold) & set(ids[:_TOP])) / len(set(question.gold))
        for question, ids in zip(asking, ranked, strict=True)
    ]
    return np.array(found)


def interval(values: np.ndarray, draws: int = 2000) -> tuple[float, float]:
    """Return the bootstrap 95 % interval of a mean."""
    dice = np.random.default_rng(1)
    means = dice.choice(values, (draws, len(values))).mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def _percent(share: float) -> float:
    return round(100 * float(share), 1)


def _log_softmax(scores: np.ndarray) -> np.ndarray:
    if not len(scores):
        return scores
    shifted = scores - scores.max()
    return np.asarray(shifted - np.log(np.exp(shifted).sum()))


def _scorer(model: Ranked, cutter: Cutter) -> Scorer:
    def score(texts: Sequence[tuple[str, str]]) -> np.ndarray:
        order = sorted(range(len(texts)), key=lambda at: len(texts[at][0]) + len(texts[at][1]))
        made = np.zeros(len(texts))
        with torch.inference_mode():
            for start in range(0, len(order), _BATCH):
                some = order[start : start + _BATCH]
                read = model.reader(Batch.of(cutter.cut([texts[at] for at in some])))
                made[some] = read.score.double().numpy()
        return made

    return score


if __name__ == "__main__":
    main()
