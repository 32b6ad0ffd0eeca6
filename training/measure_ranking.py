"""Measures a trained reranker: recall@5 of reranked fusion and of chains, paired with fusion's.

    python -m training.measure_ranking DATA WORK OUT [--on dev|held-out] [--limit 60]
                                       [--weights 1,2]

What the first stage finds is taken from what `training.cache_first_stage` kept in WORK.

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

from training import question_sets
from training.chains import Neighbourhood
from training.encoder import WORDS, Batch, Encoder, PairReader, use_half
from training.first_stage_cache import CachedFirstStage, Hit, kept_at
from training.metrics import interval, log_softmax
from training.question_sets import MULTIHOP, Question
from training.token_pairs import E5, MINILM, PairTokenizer
from training.train import Ranked

_FIRST = 30  # candidates of the first stage
_BEAM = 3  # first passages that are followed
_TOP = 5
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
    asked.add_argument(
        "--weights", default="", help="the fused rank's, as 1,2; else the trained one"
    )
    asked.add_argument("--half", action="store_true")
    asked.add_argument("--device", default="cpu")
    asked.add_argument("--together", type=int, default=32, help="pairs read at once")
    given = asked.parse_args()
    model = trained(given.out, given.device)
    use_half(model, half=given.half)
    scorer = _scorer(model, PairTokenizer(), given.together)
    weights = [float(each) for each in given.weights.split(",") if each]
    weights = weights or [round(float(model.rank.detach()), 3)]
    for name in given.sets.split(","):
        if given.on == "dev":
            asking = question_sets.measured_questions(given.data, name)
        else:
            asking = question_sets.training_questions(given.data, name, held_out=True)
        asking = asking[: given.limit or None]
        near = Neighbourhood.of(given.data, name, CachedFirstStage(kept_at(given.work, name)))
        for weight in weights:
            ranked = [rankings(near, each.text, scorer, weight) for each in asking]
            told = {"set": name, "on": given.on, "weight": weight} | report(asking, ranked)
            print(json.dumps(told), flush=True)


def trained(out: Path, device: str = "cpu") -> Ranked:
    """Return what training has reached, with all-MiniLM-L6-v2's body or multilingual-e5-small's."""
    kept = torch.load(out / "reached.pt", weights_only=True, map_location="cpu")
    words = len(kept["model"]["reader.encoder.words.weight"])
    layers = sum(name.endswith(".qkv.bias") for name in kept["model"])
    marks = MINILM if words == WORDS else E5
    model = Ranked(PairReader(Encoder(0.0, layers, words)), marks).eval()
    model.load_state_dict(kept["model"])
    reached: Ranked = model.to(device)
    return reached


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
    return log_softmax(read - weight * np.log([hit.rank for hit in hits]))


def _chained(
    near: Neighbourhood, question: str, first: dict[str, float], scorer: Scorer
) -> list[str]:
    share: dict[str, float] = defaultdict(float)
    best = sorted(first, key=lambda each: -first[each])
    for begin in best[:_BEAM]:
        ends = list(dict.fromkeys([*near.beyond(question, begin), *best[: _TOP + 1]]))
        ends = [each for each in ends if each != begin]
        pairs = [(near.asked(question, begin, each), near.passages[each].read) for each in ends]
        then = log_softmax(scorer(pairs))
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


def _percent(share: float) -> float:
    return round(100 * float(share), 1)


def _scorer(model: Ranked, cutter: PairTokenizer, together: int) -> Scorer:
    device = model.rank.device
    known: dict[tuple[str, str], float] = {}

    def score(texts: Sequence[tuple[str, str]]) -> np.ndarray:
        fresh = [each for each in dict.fromkeys(texts) if each not in known]
        fresh.sort(key=lambda each: len(each[0]) + len(each[1]))
        with torch.inference_mode():
            for start in range(0, len(fresh), together):
                some = fresh[start : start + together]
                said = model.reader(Batch.of(cutter.cut(some)).to(device))
                known.update(zip(some, said.score.tolist(), strict=True))
        return np.array([known[each] for each in texts])

    return score


if __name__ == "__main__":
    main()
