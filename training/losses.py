"""How far what the heads say is from what they should: one function for each kind of lesson."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch.nn import functional

from training.cuts import Cut, Part, Span
from training.encoder import MARKS, Said
from training.lessons import Lesson

START, END, USEFUL, KEPT = range(len(MARKS))
_NOWHERE = -1e4
_RARE = 3.0  # a token that is marked weighs so much more than one that is not


def ranking(groups: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return the mean of softmax over each group, whose first is right (Nogueira & Cho 2019)."""
    right = torch.zeros(1, dtype=torch.long)
    return torch.stack([functional.cross_entropy(each[None], right) for each in groups]).mean()


def reading(said: Said, lessons: Sequence[Lesson], cuts: Sequence[Cut]) -> list[torch.Tensor]:
    """Return each taught row's loss: all places where an answer stands share the probability.

    The first position stands for "no answer here" (Devlin et al. 2019, SQuAD 2.0); the probability
    of all places together is raised (Clark & Gardner 2018, section 2.2), as nobody knows which is
    meant.
    """
    losses = []
    for row, (lesson, cut) in enumerate(zip(lessons, cuts, strict=True)):
        if lesson.answers is None:
            continue
        found = [cut.passage.positions(span) for span in lesson.answers]
        held = [positions for positions in found if positions]
        ends = {START: [each[0] for each in held] or [0], END: [each[-1] for each in held] or [0]}
        open_to = _open(cut, said.marks.shape[1])
        for mark, places in ends.items():
            logits = said.marks[row, :, mark].masked_fill(~open_to, _NOWHERE)
            losses.append(logits.logsumexp(0) - logits[places].logsumexp(0))
    return losses


def _open(cut: Cut, length: int) -> torch.Tensor:
    """Return where an answer may begin or end: in the passage, or nowhere, which is 0."""
    made = torch.zeros(length, dtype=torch.bool)
    made[0] = True
    made[cut.passage.first : cut.passage.first + len(cut.passage.ids)] = True
    return made


def marking(said: Said, lessons: Sequence[Lesson], cuts: Sequence[Cut]) -> list[torch.Tensor]:
    """Return the loss of each row of which it is taught what is useful, or what is kept."""
    losses = []
    for row, (lesson, cut) in enumerate(zip(lessons, cuts, strict=True)):
        if lesson.useful is not None:
            losses.append(_tokens(said.marks[row, :, USEFUL], [(cut.passage, lesson.useful)]))
        if lesson.kept is not None:
            parts = list(zip((cut.query, cut.passage), lesson.kept, strict=True))
            losses.append(_tokens(said.marks[row, :, KEPT], parts))
    return losses


def _tokens(logits: torch.Tensor, parts: Sequence[tuple[Part, Sequence[Span]]]) -> torch.Tensor:
    wanted, looked_at = torch.zeros_like(logits), torch.zeros_like(logits, dtype=torch.bool)
    for part, spans in parts:
        looked_at[part.first : part.first + len(part.ids)] = True
        for span in spans:
            wanted[part.positions(span)] = 1.0
    return functional.binary_cross_entropy_with_logits(
        logits[looked_at], wanted[looked_at], pos_weight=torch.tensor(_RARE)
    )


def tagging(said: Said, lessons: Sequence[Lesson]) -> list[torch.Tensor]:
    """Return the loss of each row whose tag is taught."""
    return [
        functional.cross_entropy(said.tags[row][None], torch.tensor([lesson.tag]))
        for row, lesson in enumerate(lessons)
        if lesson.tag is not None
    ]
