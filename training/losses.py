"""How far what the heads say is from what they should: the sum over what is taught, and its count.

Each function takes what was said of a part's rows and its targets, see `batches.Targets`.
"""

from __future__ import annotations

import torch
from torch.nn import functional

from training.batches import NO_TAG, Targets
from training.encoder import HeadOutputs
from training.examples import END, USEFUL

_NOWHERE = -1e4
_RARE = 3.0  # a token that is marked weighs so much more than one that is not
Loss = tuple[torch.Tensor, torch.Tensor]


def ranking(scores: torch.Tensor, groups: torch.Tensor) -> torch.Tensor:
    """Return the mean of softmax over each group, whose first is right (Nogueira & Cho 2019).

    `scores` `(rows,)`; `groups` `(groups, most)`: rows, -1 where there is none.
    """
    each = scores[groups.clamp(min=0)].masked_fill(groups < 0, _NOWHERE)
    return functional.cross_entropy(each, torch.zeros_like(groups[:, 0]))


def distilling(scores: torch.Tensor, taught: torch.Tensor, groups: torch.Tensor) -> Loss:
    """Return how far softmax over each group is from the teacher's (Hinton et al. 2015).

    A group of which the teacher scored nothing counts nothing.
    """
    outside = groups < 0
    ours = scores[groups.clamp(min=0)].masked_fill(outside, _NOWHERE).log_softmax(dim=1)
    theirs = taught[groups.clamp(min=0)].masked_fill(outside, _NOWHERE)
    known = ~theirs.isnan().any(dim=1)
    if not known.any():
        return scores.sum() * 0.0, known.sum()
    target = theirs[known].log_softmax(dim=1)
    apart = functional.kl_div(ours[known], target, reduction="sum", log_target=True)
    return apart, known.sum()


def reading(said: HeadOutputs, targets: Targets) -> tuple[Loss, Loss]:
    """Return the losses of where an answer begins and ends: of rows that have one, that have none.

    They are told apart, for the second are many times as many.

    The first position stands for "no answer here" (Devlin et al. 2019, SQuAD 2.0); the probability
    of all places together is raised (Clark & Gardner 2018, section 2.2), as nobody knows which is
    meant.
    """
    logits = said.marks[..., : END + 1].masked_fill(~targets.open[..., None], _NOWHERE)
    right = logits.masked_fill(~targets.spans, _NOWHERE).logsumexp(dim=1)
    losses = (logits.logsumexp(dim=1) - right).mean(dim=1)
    none, some = targets.spans[:, 0, 0], targets.spans[:, 1:, 0].any(dim=1)
    return ((losses * some).sum(), some.sum()), ((losses * none).sum(), none.sum())


def marking(said: HeadOutputs, targets: Targets) -> Loss:
    """Return the loss of which tokens are useful, or kept: each row's mean over its tokens."""
    losses = functional.binary_cross_entropy_with_logits(
        said.marks[..., USEFUL:],
        targets.wanted,
        pos_weight=torch.tensor(_RARE, device=targets.wanted.device),
        reduction="none",
    )
    counts = targets.asked.sum(dim=1)
    means = (losses * targets.asked).sum(dim=1) / counts.clamp(min=1)
    return means.sum(), (counts > 0).sum()


def tagging(said: HeadOutputs, targets: Targets) -> Loss:
    """Return the loss of the tags."""
    losses = functional.cross_entropy(said.tags, targets.tags, ignore_index=NO_TAG, reduction="sum")
    return losses, (targets.tags != NO_TAG).sum()
