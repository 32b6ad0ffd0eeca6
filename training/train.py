"""Trains the reranker on groups of one right passage among wrong ones.

    python -m training.train DATA WORK OUT [--minutes 60] [--resume]

Each step scores some groups and pulls the right passage up: softmax over a group (Nogueira & Cho
2019; listwise as in Gao et al. 2021). The fused rank is added to the score with a weight that is
learnt too, so that the model learns what the first stage does not know. What a run has reached is
kept every few minutes, and `--resume` goes on from there.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional

from training import sets
from training.encoder import Batch, Encoder, Reranker, use_half
from training.first_stage import EMBEDDER
from training.sets import RERANKED, Passage

_UNRANKED = 60  # the rank of what the first stage did not find
_KEPT_EVERY = 300.0  # seconds
_TOGETHER = 32  # pairs read at once
_PEOPLE = 9  # how often a person's question is drawn for each made-up one
_OF_PEOPLE = ("asked", "asked on", "part")
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a run trains. A pair is cut to `tokens`, its query to half of them."""

    steps: int
    groups: int = 4
    negatives: int = 7
    tokens: int = 176
    rate: float = 8e-5
    warm: float = 0.06
    seed: int = 1


class Ranked(nn.Module):
    """The reranker's score with the first stage's opinion beside it."""

    def __init__(self, reranker: Reranker) -> None:
        super().__init__()
        self.reranker = reranker
        self.rank = nn.Parameter(torch.tensor(0.5))

    def forward(
        self, pairs: Pairs, texts: Sequence[tuple[str, str]], ranks: torch.Tensor
    ) -> torch.Tensor:
        """Return a score for each pair; a rank of 1 costs nothing.

        Pairs of like length go together, so that little of what is computed is padding.
        """
        order = sorted(range(len(texts)), key=lambda at: sum(map(len, texts[at])))
        read = [
            self.reranker(pairs.batch([texts[at] for at in order[start : start + _TOGETHER]]))
            for start in range(0, len(order), _TOGETHER)
        ]
        back = torch.tensor(order).argsort()
        return torch.cat(read)[back] - self.rank * ranks.log()


class Pairs:
    """Turns pairs of texts into batches."""

    def __init__(self, tokens: int, step: int = 32) -> None:
        self._tokenizer = Tokenizer.from_file(str(EMBEDDER / "tokenizer.json"))
        self._tokens = tokens
        self._step = step  # lengths differ by so many tokens: each one is compiled for

    def batch(self, pairs: Sequence[tuple[str, str]]) -> Batch:
        """Return the pairs as `[CLS] query [SEP] passage [SEP]`, each cut to fit."""
        asked = self._numbers([query for query, _ in pairs])
        told = self._numbers([passage for _, passage in pairs])
        rows, parts = [], []
        for one, other in zip(asked, told, strict=True):
            query = one[: self._tokens // 2]
            passage = other[: self._tokens - len(query) - 3]
            rows.append([101, *query, 102, *passage, 102])
            parts.append([0] * (len(query) + 2) + [1] * (len(passage) + 1))
        length = -(-max(map(len, rows)) // self._step) * self._step
        return Batch(_padded(rows, length), _padded(parts, length))

    def _numbers(self, texts: Sequence[str]) -> list[list[int]]:
        encoded = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [each.ids for each in encoded]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("data", type=Path)
    asked.add_argument("work", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument("--weights", type=Path, required=True, help="all-MiniLM-L6-v2's safetensors")
    asked.add_argument("--steps", type=int, default=3000)
    asked.add_argument("--groups", type=int, default=4, help="groups a step")
    asked.add_argument("--half", action="store_true", help="products in bfloat16")
    asked.add_argument("--resume", action="store_true")
    given = asked.parse_args()
    torch.manual_seed(1)
    model = Ranked(Reranker(Encoder.of(given.weights)))
    use_half(model, half=given.half)
    plan = Plan(steps=given.steps, groups=given.groups)
    run(model, groups(given.data, given.work), plan, given.out, resume=given.resume)


def groups(data: Path, work: Path) -> list[tuple[Row, dict[str, Passage]]]:
    """Return the groups that can be ranked at all, each with the corpus that its ids are of."""
    found = []
    for name in RERANKED:
        passages = sets.corpus(data, name)
        rows = sets.rows(work / f"groups-{name}.jsonl.gz")
        found += [(row, passages) for row in rows if row["rank"] or not row["ranks"]]
    return found


def run(
    model: Ranked, rows: Sequence[tuple[Row, dict[str, Passage]]], plan: Plan, out: Path,
    *, resume: bool,
) -> None:  # fmt: skip
    """Train to the plan's end, keeping what was reached."""
    out.mkdir(parents=True, exist_ok=True)
    optimizer = torch.optim.AdamW(model.parameters(), plan.rate, weight_decay=0.01, fused=True)
    pairs, first = Pairs(plan.tokens), 0
    if resume:
        kept = torch.load(out / "reached.pt", weights_only=True)
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        first = kept["step"]
    losses: list[float] = []
    begun = kept_at = time.monotonic()
    for step, drawn in itertools.islice(enumerate(_drawn(rows, plan)), first, plan.steps):
        for each in optimizer.param_groups:
            each["lr"] = plan.rate * _pace(step / plan.steps, plan.warm)
        losses.append(_step(model, optimizer, pairs, drawn))
        if step % 50 == 49:
            told = {"step": step + 1, "loss": round(sum(losses[-50:]) / len(losses[-50:]), 4)}
            print(json.dumps(told | {"seconds": round(time.monotonic() - begun)}), flush=True)
        if time.monotonic() - kept_at > _KEPT_EVERY or step == plan.steps - 1:
            kept_at = time.monotonic()
            _keep(model, optimizer, step + 1, out)


def _step(model: Ranked, optimizer: Any, pairs: Pairs, drawn: list[Group]) -> float:
    texts = [pair for group in drawn for pair in group.pairs]
    ranks = torch.tensor([float(rank) for group in drawn for rank in group.ranks])
    scores = model(pairs, texts, ranks)
    parts = scores.split([len(group.pairs) for group in drawn])
    right = torch.zeros(1, dtype=torch.long)
    loss = torch.stack([functional.cross_entropy(part[None], right) for part in parts]).mean()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    return float(loss.detach())


@dataclass(frozen=True, slots=True)
class Group:
    """Pairs of texts, the right one first, and the first stage's ranks."""

    pairs: list[tuple[str, str]]
    ranks: list[int]


def _drawn(rows: Sequence[tuple[Row, dict[str, Passage]]], plan: Plan) -> Iterator[list[Group]]:
    """Yield each step's groups; the same ones in every run with this seed."""
    dice = random.Random(plan.seed)
    people = [row for row in rows if row[0]["kind"] in _OF_PEOPLE]
    made_up = [row for row in rows if row[0]["kind"] not in _OF_PEOPLE]
    ways = _endless(people, dice), _endless(made_up, dice)
    chance = min(1.0, _PEOPLE * len(people) / (_PEOPLE * len(people) + len(made_up)))
    while True:
        chosen = [next(ways[dice.random() >= chance]) for _ in range(plan.groups)]
        yield [_group(row, passages, plan, dice) for row, passages in chosen]


def _endless(rows: list[Any], dice: random.Random) -> Iterator[Any]:
    while True:
        dice.shuffle(rows)
        yield from rows


def _group(row: Row, passages: dict[str, Passage], plan: Plan, dice: random.Random) -> Group:
    places = range(len(row["others"]))
    some = sorted(dice.sample(places, min(plan.negatives, len(places))))
    queries = row["queries"] or [row["query"]] * len(places)
    ranks = row["ranks"] or [1] * len(places)
    pairs = [(row["query"], passages[row["gold"]].read)]
    pairs += [(queries[at], passages[row["others"][at]].read) for at in some]
    gold_rank = (row["rank"] or _UNRANKED) if row["ranks"] else 1
    return Group(pairs, [gold_rank, *(ranks[at] for at in some)])


def _pace(done: float, warm: float) -> float:
    """Return the share of the highest rate: up over `warm`, then down along a half cosine."""
    if done < warm:
        return (done + 1e-3) / warm
    return 0.5 * (1 + math.cos(math.pi * (done - warm) / (1 - warm)))


def _padded(rows: list[list[int]], length: int) -> torch.Tensor:
    return torch.tensor([row + [0] * (length - len(row)) for row in rows])


def _keep(model: Ranked, optimizer: Any, step: int, out: Path) -> None:
    part = out / "reached.part"
    torch.save(
        {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, part
    )
    part.replace(out / "reached.pt")


if __name__ == "__main__":
    main()
