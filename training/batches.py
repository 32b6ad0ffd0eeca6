"""Lessons as tensors: what a pair is, and what the heads should say of each of its tokens."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import torch

from training.encoder import Batch
from training.examples import Example, Group
from training.token_pairs import Cut, PairTokenizer, Span

NO_TAG = -1


class Targets(NamedTuple):
    """What the heads should say of a batch's rows.

    `spans` `(rows, length, 2)`: where an answer begins, ends; the first position stands for none.
    `open` `(rows, length)`: where it may. `wanted`, `asked` `(rows, length, 2)`: whether a token is
    useful, kept; and whether that is taught. `tags` `(rows,)`: a tag, or NO_TAG.
    """

    spans: torch.Tensor
    open: torch.Tensor
    wanted: torch.Tensor
    asked: torch.Tensor
    tags: torch.Tensor


class Part(NamedTuple):
    """Pairs that are read together, and what is taught of them."""

    batch: Batch
    targets: Targets


class Step(NamedTuple):
    """One step of training: its parts, and which of their rows, counted through, are a group's.

    `groups` `(groups, most)`: rows, the right one first, -1 where there is none; `ranks` `(rows,)`:
    the logarithm of each row's rank in the first stage; `taught` `(rows,)`: the teacher's scores,
    NaN where none was asked.
    """

    parts: list[Part]
    groups: torch.Tensor
    ranks: torch.Tensor
    taught: torch.Tensor


def step_of(
    groups: Sequence[Group], others: Sequence[Example], cutter: PairTokenizer, together: int
) -> Step:
    """Return a step's tensors; rows of like length are read together, so that little is padding."""
    lessons = [*itertools.chain.from_iterable(groups), *others]
    cuts = cutter.cut([(each.query, each.passage) for each in lessons])
    order = sorted(range(len(lessons)), key=lambda at: len(cuts[at].ids))
    place = {row: at for at, row in enumerate(order)}
    parts = [
        _part([lessons[at] for at in some], [cuts[at] for at in some])
        for some in (order[at : at + together] for at in range(0, len(order), together))
    ]
    rows = itertools.count()
    placed = [[place[next(rows)] for _ in group] for group in groups]
    most = max(map(len, placed), default=0)
    filled = torch.tensor([row + [-1] * (most - len(row)) for row in placed], dtype=torch.long)
    ranks = torch.tensor([math.log(lessons[at].rank) for at in order])
    scores = [lessons[at].score for at in order]
    taught = torch.tensor([math.nan if each is None else each for each in scores])
    return Step(parts, filled, ranks, taught)


def moved(part: Part, device: torch.device) -> Part:
    """Return a part on a device."""
    targets = Targets(*(each.to(device, non_blocking=True) for each in part.targets))
    return Part(part.batch.to(device), targets)


def _part(lessons: Sequence[Example], cuts: Sequence[Cut]) -> Part:
    batch = Batch.of(cuts)
    rows, length = batch.ids.shape
    spans = torch.zeros(rows, length, 2, dtype=torch.bool)
    open_ = torch.zeros(rows, length, dtype=torch.bool)
    wanted = torch.zeros(rows, length, 2)
    asked = torch.zeros(rows, length, 2, dtype=torch.bool)
    for row, (lesson, cut) in enumerate(zip(lessons, cuts, strict=True)):
        first, after = cut.passage.first, cut.passage.first + len(cut.passage.ids)
        open_[row, 0] = open_[row, first:after] = True
        if lesson.answers is not None:
            _mark_spans(spans[row], cut, lesson.answers)
        if lesson.useful is not None:
            _mark_tokens(wanted[row, :, 0], asked[row, :, 0], cut, ((), lesson.useful), (1,))
        if lesson.kept is not None:
            _mark_tokens(wanted[row, :, 1], asked[row, :, 1], cut, lesson.kept, (0, 1))
    tags = torch.tensor([NO_TAG if each.tag is None else each.tag for each in lessons])
    return Part(batch, Targets(spans, open_, wanted, asked, tags))


def _mark_spans(spans: torch.Tensor, cut: Cut, answers: Sequence[Span]) -> None:
    held = [positions for span in answers if (positions := cut.passage.positions(span))]
    spans[[each[0] for each in held] or [0], 0] = True
    spans[[each[-1] for each in held] or [0], 1] = True


def _mark_tokens(
    wanted: torch.Tensor,
    asked: torch.Tensor,
    cut: Cut,
    spans: Sequence[Sequence[Span]],
    of: Sequence[int],
) -> None:
    for which in of:
        part = (cut.query, cut.passage)[which]
        asked[part.first : part.first + len(part.ids)] = True
        for span in spans[which]:
            wanted[part.positions(span)] = 1.0
