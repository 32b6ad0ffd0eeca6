"""Trains the small encoder that reads a query and a passage together, all its heads at once.

    python -m training.train DATA WORK OUT --weights FILE [--steps 3000] [--half] [--resume]

Each step has groups of one right passage among wrong ones, which teach ranking and reading, and
pairs which teach labels, tags and filters (`lessons`). The fused rank is added to the score with a
weight that is learnt too, so that the model learns what the first stage does not know. What a run
has reached is kept every few minutes, and `--resume` goes on from there.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn

from training import losses
from training.cuts import Cut, Cutter
from training.encoder import Batch, Encoder, PairReader, use_half
from training.lessons import Group, Lesson
from training.school import School, Share

_KEPT_EVERY = 300.0  # seconds
_TOGETHER = 32  # pairs read at once
_TOLD_EVERY = 50  # steps
_RANK_RATE = 30.0  # the rank's weight learns so much faster: it is one number, and far from home
_WEIGHTS = {"rank": 1.0, "read": 0.3, "mark": 0.3, "tag": 0.2}


@dataclass(frozen=True, slots=True)
class Plan:
    """How a run trains. A pair is cut to `tokens`, its query to half of them."""

    steps: int
    share: Share = field(default_factory=Share)
    tokens: int = 176
    rate: float = 8e-5
    warm: float = 0.06
    seed: int = 1


class Ranked(nn.Module):
    """The reader with the weight of the first stage's opinion beside its score."""

    def __init__(self, reader: PairReader) -> None:
        super().__init__()
        self.reader = reader
        self.rank = nn.Parameter(torch.tensor(0.5))


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
    model = Ranked(PairReader(Encoder.of(given.weights)))
    use_half(model, half=given.half)
    plan = Plan(given.steps, Share(groups=given.groups))
    run(model, School(given.data, given.work), plan, given.out, resume=given.resume)


def run(model: Ranked, school: School, plan: Plan, out: Path, *, resume: bool) -> None:
    """Train to the plan's end, keeping what was reached."""
    out.mkdir(parents=True, exist_ok=True)
    optimizer = _optimizer(model, plan)
    cutter, first = Cutter(plan.tokens), 0
    if resume:
        kept = torch.load(out / "reached.pt", weights_only=True)
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        first = kept["step"]
    told: dict[str, list[float]] = defaultdict(list)
    begun = kept_at = time.monotonic()
    steps = enumerate(school.steps(plan.share, plan.seed))
    for step, (groups, others) in itertools.islice(steps, first, plan.steps):
        for each in optimizer.param_groups:
            each["lr"] = each["highest"] * _pace(step / plan.steps, plan.warm)
        for name, loss in _step(model, optimizer, cutter, groups, others).items():
            told[name].append(loss)
        if step % _TOLD_EVERY == _TOLD_EVERY - 1:
            means = {name: round(sum(each) / len(each), 4) for name, each in told.items()}
            means["weight"] = round(float(model.rank.detach()), 3)
            told.clear()
            seconds = round(time.monotonic() - begun)
            print(json.dumps({"step": step + 1, **means, "seconds": seconds}), flush=True)
        if time.monotonic() - kept_at > _KEPT_EVERY or step == plan.steps - 1:
            kept_at = time.monotonic()
            _keep(model, optimizer, step + 1, out)


def _optimizer(model: Ranked, plan: Plan) -> torch.optim.Optimizer:
    shares = [
        {"params": list(model.reader.parameters()), "highest": plan.rate},
        {"params": [model.rank], "highest": _RANK_RATE * plan.rate, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(shares, plan.rate, weight_decay=0.01, fused=True)


def _step(
    model: Ranked, optimizer: Any, cutter: Cutter, groups: list[Group], others: list[Lesson]
) -> dict[str, float]:
    lessons = [*itertools.chain.from_iterable(groups), *others]
    cuts = cutter.cut([(each.query, each.passage) for each in lessons])
    found: dict[str, list[torch.Tensor]] = defaultdict(list)
    scores = [torch.empty(0)] * len(lessons)
    order = sorted(range(len(lessons)), key=lambda at: len(cuts[at].ids))
    for begin in range(0, len(order), _TOGETHER):  # of like length: little of it is padding
        some = order[begin : begin + _TOGETHER]
        _read(model, [lessons[at] for at in some], [cuts[at] for at in some], found)
        for at, score in zip(some, found.pop("scores"), strict=True):
            scores[at] = score - model.rank * math.log(lessons[at].rank)
    sizes = itertools.accumulate((len(each) for each in groups), initial=0)
    parts = [torch.stack(scores[a:b]) for a, b in itertools.pairwise(sizes)]
    means = {"rank": losses.ranking(parts)}
    means |= {name: torch.stack(each).mean() for name, each in found.items() if each}
    torch.stack([_WEIGHTS[name] * loss for name, loss in means.items()]).sum().backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    return {name: float(loss.detach()) for name, loss in means.items()}


def _read(
    model: Ranked, lessons: list[Lesson], cuts: list[Cut], found: dict[str, list[torch.Tensor]]
) -> None:  # fmt: skip
    """Read some pairs, and add their scores and their losses to what was found."""
    said = model.reader(Batch.of(cuts))
    found["scores"] = list(said.score)
    found["read"] += losses.reading(said, lessons, cuts)
    found["mark"] += losses.marking(said, lessons, cuts)
    found["tag"] += losses.tagging(said, lessons)


def _pace(done: float, warm: float) -> float:
    """Return the share of the highest rate: up over `warm`, then down along a half cosine."""
    if done < warm:
        return (done + 1e-3) / warm
    return 0.5 * (1 + math.cos(math.pi * (done - warm) / (1 - warm)))


def _keep(model: Ranked, optimizer: Any, step: int, out: Path) -> None:
    part = out / "reached.part"
    torch.save(
        {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, part
    )
    part.replace(out / "reached.pt")


if __name__ == "__main__":
    main()
