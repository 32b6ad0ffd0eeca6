"""The small encoder that reads a query and a passage together, and its heads, in torch.

BERT's architecture (Devlin et al. 2019), written out so that its products can be
taken in bfloat16 while everything between them stays in single precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from training.examples import MARKS, TAGS
from training.token_pairs import Cut

WIDTH, LAYERS, HEADS, INNER, WORDS, PLACES = 384, 6, 12, 1536, 30522, 512
BERT_NAMES = {
    "out": "attention.output.dense",
    "norm_out": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "norm_outer": "output.LayerNorm",
}
"""What BERT calls the parts of a layer that are the same in both."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Token numbers, 0 where there is none; segments: 0 for the query, 1 for the passage."""

    ids: torch.Tensor
    segments: torch.Tensor

    @property
    def mask(self) -> torch.Tensor:
        """Where there is a token: shape `(rows, length)`."""
        return self.ids != 0

    def to(self, device: torch.device) -> Batch:
        """Return the batch on a device."""
        return Batch(self.ids.to(device), self.segments.to(device))

    @classmethod
    def of(cls, cuts: Sequence[Cut], step: int = 32) -> Batch:
        """Return cut pairs as one batch; its length is a multiple of `step`.

        Layers are compiled for each length that comes up: there shall be few.
        """
        length = -(-max(len(each.ids) for each in cuts) // step) * step
        return cls(
            _padded([each.ids for each in cuts], length),
            _padded([each.segments for each in cuts], length),
        )


class Product(nn.Linear):
    """A linear layer whose product is taken in bfloat16 when `half` says so."""

    half = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the product; what is added to it and normed stays in single precision."""
        if not self.half:
            return functional.linear(x, self.weight, self.bias)
        return functional.linear(x.bfloat16(), self.weight.bfloat16(), self.bias.bfloat16())


class Layer(nn.Module):
    """Attention and the two products after it, each added to what came in, and normed."""

    def __init__(self, drop: float) -> None:
        super().__init__()
        self._drop = drop
        self.qkv = Product(WIDTH, 3 * WIDTH)
        self.out = Product(WIDTH, WIDTH)
        self.inner = Product(WIDTH, INNER)
        self.outer = Product(INNER, WIDTH)
        self.norm_out = nn.LayerNorm(WIDTH, eps=1e-12)
        self.norm_outer = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return states of the shape of `x`; where `mask` is false nothing is looked at."""
        rows, length, _ = x.shape
        parts = self.qkv(x).view(rows, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        query, key, value = parts
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        seen = seen.transpose(1, 2).reshape(rows, length, WIDTH)
        x = self.norm_out(x + self._dropped(self.out(seen)))
        return self.norm_outer(x + self._dropped(self.outer(functional.gelu(self.inner(x)))))

    def _dropped(self, x: torch.Tensor) -> torch.Tensor:
        return functional.dropout(x, self._drop, self.training and self._drop > 0)


class Encoder(nn.Module):
    """MiniLM-L6's body: states of shape `(rows, length, 384)`.

    In training the share `drop` of what a layer adds is left out (Srivastava et al. 2014).
    """

    def __init__(self, drop: float = 0.0) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH, padding_idx=0)
        self.places = nn.Embedding(PLACES, WIDTH)
        self.segments = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(drop) for _ in range(LAYERS))

    def forward(self, batch: Batch) -> torch.Tensor:
        """Return the last layer's states."""
        places = torch.arange(batch.ids.shape[1], device=batch.ids.device)
        x = self.words(batch.ids) + self.places(places) + self.segments(batch.segments)
        x = self.norm(x)
        mask = batch.mask[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        return x

    @classmethod
    def of(cls, weights: Path, drop: float = 0.0) -> Encoder:
        """Return the encoder with all-MiniLM-L6-v2's weights."""
        from safetensors.torch import load_file

        made = cls(drop)
        made.load_state_dict(_renamed(load_file(weights)))
        return made


@dataclass(frozen=True, slots=True)
class HeadOutputs:
    """What the heads say: a score `(rows,)`, marks `(rows, length, 4)`, tags `(rows, 4)`."""

    score: torch.Tensor
    marks: torch.Tensor
    tags: torch.Tensor


class PairReader(nn.Module):
    """Reads a passage for a query once, and says all that is asked of the two.

    The score is what the first token says and how well their tokens meet: late interaction
    (Khattab & Zaharia 2020) over states that have read each other, which works untrained.
    """

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.says = nn.Linear(WIDTH, 1)
        self.weight = nn.Parameter(torch.tensor(10.0))
        self.marks = nn.Linear(WIDTH, len(MARKS))
        self.tags = nn.Linear(WIDTH, len(TAGS))
        nn.init.zeros_(self.says.weight)
        nn.init.zeros_(self.says.bias)

    def forward(self, batch: Batch) -> HeadOutputs:
        """Return what the heads say of each row."""
        states = self.encoder(batch)
        score = self.says(states[:, 0]).squeeze(-1) + self.weight * met(states, batch)
        return HeadOutputs(score, self.marks(states), self.tags(states[:, 0]))


def met(states: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Return the mean over a query's tokens of the best cosine to a passage's: shape `(rows,)`."""
    marks = (batch.ids == 101) | (batch.ids == 102)
    inside = batch.mask & ~marks
    asked = inside & (batch.segments == 0)
    told = inside & (batch.segments == 1)
    units = functional.normalize(states, dim=-1)
    cosines = units @ units.transpose(1, 2)
    best = cosines.masked_fill(~told[:, None, :], -1.0).amax(dim=-1)
    return (best * asked).sum(dim=1) / asked.sum(dim=1).clamp(min=1)


def _padded(rows: Sequence[list[int]], length: int) -> torch.Tensor:
    return torch.tensor([row + [0] * (length - len(row)) for row in rows])


def use_half(module: nn.Module, *, half: bool) -> None:
    """Take the products in bfloat16, in layers that are compiled for it, or no longer."""
    for each in module.modules():
        if isinstance(each, Product):
            each.half = half
        if half and isinstance(each, Layer):
            each.compile(dynamic=True)


def _renamed(theirs: dict[str, torch.Tensor]) -> dict[str, Any]:
    """Return a BERT's weights under the names used here."""
    theirs = {name.removeprefix("bert."): weight for name, weight in theirs.items()}
    made = {
        "words.weight": theirs["embeddings.word_embeddings.weight"],
        "places.weight": theirs["embeddings.position_embeddings.weight"],
        "segments.weight": theirs["embeddings.token_type_embeddings.weight"],
        "norm.weight": theirs["embeddings.LayerNorm.weight"],
        "norm.bias": theirs["embeddings.LayerNorm.bias"],
    }
    for at in range(LAYERS):
        for part in ("weight", "bias"):
            each = [f"attention.self.{name}.{part}" for name in ("query", "key", "value")]
            joined = torch.cat([theirs[f"encoder.layer.{at}.{name}"] for name in each])
            made[f"layers.{at}.qkv.{part}"] = joined
            for ours, name in BERT_NAMES.items():
                made[f"layers.{at}.{ours}.{part}"] = theirs[f"encoder.layer.{at}.{name}.{part}"]
    return made
