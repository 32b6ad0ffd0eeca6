"""Trains the small encoder that reads a query and a passage together, all its heads at once.

    python -m training.train DATA WORK OUT --weights FILE [--steps 3000] [--half] [--resume]

Each step has groups of one right passage among wrong ones, which teach ranking and reading, and
pairs which teach labels, tags and filters (`lessons`). The fused rank is added to the score with a
weight that is learnt too, so that the model learns what the first stage does not know. What a run
has reached is kept every few minutes, and `--resume` goes on from there.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from desktop_rag.models.pair_reader import PairReader as Teacher
from training import losses
from training.batch_sampler import BatchSampler, Share
from training.batches import Step, moved, step_of
from training.code_switching import Dictionary
from training.e5_weights import E5Weights
from training.encoder import Encoder, PairReader, use_half
from training.token_pairs import E5, MINILM, TOKENS, Marks, PairTokenizer

_KEPT_EVERY = 300.0  # seconds
_TOLD_EVERY = 50  # steps
_RANK_RATE = 30.0  # the rank's weight learns so much faster: it is one number, and far from home
_WEIGHTS = {"rank": 1.0, "span": 0.4, "none": 0.2, "mark": 0.3, "tag": 0.2, "taught": 1.0}


@dataclass(frozen=True, slots=True)
class Plan:
    """How a run trains."""

    steps: int
    share: Share = field(default_factory=Share)
    rate: float = 8e-5
    warm: float = 0.06
    seed: int = 1
    together: int = 32
    """Pairs read at once."""
    workers: int = 0
    """Processes that prepare steps; what a step holds does not depend on them."""
    tokens: int = TOKENS


class Ranked(nn.Module):
    """The reader with the weight of the first stage's opinion beside its score."""

    def __init__(self, reader: PairReader, marks: Marks = MINILM) -> None:
        super().__init__()
        self.reader = reader
        self.marks = marks
        self.rank = nn.Parameter(torch.tensor(0.5 if marks == MINILM else 2.0))


class Lessons(Dataset[Step]):
    """A plan's steps as tensors."""

    def __init__(
        self, school: BatchSampler, plan: Plan, cutter: PairTokenizer, first: int = 0
    ) -> None:
        self._school, self._plan, self._first = school, plan, first
        self._cutter = cutter

    def __len__(self) -> int:
        return self._plan.steps - self._first

    def __getitem__(self, at: int) -> Step:
        groups, others = self._school.step(self._first + at, self._plan.share, self._plan.seed)
        return step_of(groups, others, self._cutter, self._plan.together)


def main() -> None:
    """Train as the command line says."""
    given = _arguments()
    torch.manual_seed(given.seed)
    torch.set_float32_matmul_precision("high")
    model = _begun(given).to(given.device)
    use_half(model, half=given.half)
    plan = Plan(
        given.steps,
        Share(negatives=given.negatives, asian=given.asian, switched=given.switched).times(
            given.times
        ),
        rate=given.rate,
        seed=given.seed,
        together=given.together,
        workers=given.workers,
        tokens=given.tokens,
    )
    run(
        model,
        BatchSampler(
            given.data,
            given.work,
            held_out_too=given.all,
            dictionary=Dictionary(given.dictionary) if given.dictionary else None,
            teacher=Teacher(given.teacher) if given.teacher else None,
        ),
        plan,
        given.out,
        resume=given.resume,
    )


def _arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("data", type=Path)
    asked.add_argument("work", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument(
        "--weights",
        type=Path,
        required=True,
        help="all-MiniLM-L6-v2's safetensors, or multilingual-e5-small's e5-small-q4.bin",
    )
    asked.add_argument("--layers", default="0,1,2,3,4,5", help="of multilingual-e5-small")
    asked.add_argument("--tokens", type=int, default=TOKENS, help="that a pair is cut to")
    asked.add_argument("--dictionary", type=Path, help="CC-CEDICT, for questions in two languages")
    asked.add_argument("--teacher", type=Path, help="a reader's folder whose scores are learnt")
    asked.add_argument("--asian", type=int, default=0, help="groups in Chinese or Japanese")
    asked.add_argument("--switched", type=float, default=0.0, help="share of groups")
    asked.add_argument("--steps", type=int, default=3000)
    asked.add_argument("--times", type=int, default=1, help="so many times a step's lessons")
    asked.add_argument("--negatives", type=int, default=5, help="in each group")
    asked.add_argument("--rate", type=float, default=8e-5)
    asked.add_argument("--drop", type=float, default=0.0, help="share of states left out")
    asked.add_argument(
        "--all", action="store_true", help="held-out questions too; then choose no more"
    )
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--together", type=int, default=32, help="pairs read at once")
    asked.add_argument("--workers", type=int, default=0, help="processes that prepare steps")
    asked.add_argument("--device", default="cpu")
    asked.add_argument("--half", action="store_true", help="products in bfloat16")
    asked.add_argument("--resume", action="store_true")
    return asked.parse_args()


def _begun(given: argparse.Namespace) -> Ranked:
    """Return the model as training begins with it."""
    if given.weights.suffix != ".bin":
        return Ranked(PairReader(Encoder.of(given.weights, given.drop)))
    layers = [int(each) for each in given.layers.split(",")]
    encoder = Encoder.of_e5(E5Weights(given.weights), layers, given.drop)
    return Ranked(PairReader(encoder), E5)


def run(model: Ranked, school: BatchSampler, plan: Plan, out: Path, *, resume: bool) -> None:
    """Train to the plan's end, keeping what was reached."""
    out.mkdir(parents=True, exist_ok=True)
    optimizer, first = _optimizer(model, plan), 0
    if resume:
        kept = torch.load(out / "reached.pt", weights_only=True)
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        first = kept["step"]
    lessons = Lessons(school, plan, PairTokenizer(plan.tokens, model.marks), first)
    told: dict[str, list[torch.Tensor]] = defaultdict(list)
    begun = kept_at = time.monotonic()
    for step, made in enumerate(_loaded(lessons, plan), start=first):
        for each in optimizer.param_groups:
            each["lr"] = each["highest"] * _pace(step / plan.steps, plan.warm)
        for name, loss in _step(model, optimizer, made).items():
            told[name].append(loss)
        if step % _TOLD_EVERY == _TOLD_EVERY - 1:
            means = {name: round(float(torch.stack(each).mean()), 4) for name, each in told.items()}
            means["weight"] = round(float(model.rank.detach()), 3)
            told.clear()
            seconds = round(time.monotonic() - begun)
            print(json.dumps({"step": step + 1, **means, "seconds": seconds}), flush=True)
        if time.monotonic() - kept_at > _KEPT_EVERY or step == plan.steps - 1:
            kept_at = time.monotonic()
            _keep(model, optimizer, step + 1, out)


def _loaded(lessons: Lessons, plan: Plan) -> Iterator[Step]:
    made: Any = DataLoader(
        lessons,
        batch_size=None,
        num_workers=plan.workers,
        prefetch_factor=4 if plan.workers else None,
    )
    return iter(made)


def _optimizer(model: Ranked, plan: Plan) -> torch.optim.Optimizer:
    shares = [
        {
            "params": [each for each in model.reader.parameters() if each.requires_grad],
            "highest": plan.rate,
        },
        {"params": [model.rank], "highest": _RANK_RATE * plan.rate, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(shares, plan.rate, weight_decay=0.01, fused=True)


def _step(model: Ranked, optimizer: Any, step: Step) -> dict[str, torch.Tensor]:
    device = model.rank.device
    scores: list[torch.Tensor] = []
    sums: dict[str, list[losses.Loss]] = defaultdict(list)
    for part in step.parts:
        there = moved(part, device)
        said = model.reader(there.batch)
        scores.append(said.score)
        some, none = losses.reading(said, there.targets)
        sums["span"].append(some)
        sums["none"].append(none)
        sums["mark"].append(losses.marking(said, there.targets))
        sums["tag"].append(losses.tagging(said, there.targets))
    together = torch.cat(scores) - model.rank * step.ranks.to(device)
    read, groups = torch.cat(scores), step.groups.to(device)
    means = {"rank": losses.ranking(together, groups)}
    sums["taught"].append(losses.distilling(read, step.taught.to(device), groups))
    for name, each in sums.items():
        total, count = (torch.stack(found).sum() for found in zip(*each, strict=True))
        means[name] = total / count.clamp(min=1)
    torch.stack([_WEIGHTS[name] * loss for name, loss in means.items()]).sum().backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    return {name: loss.detach() for name, loss in means.items()}


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
