"""The small encoder that reads a query and a passage together, and its heads, in torch.

BERT's architecture (Devlin et al. 2019), written out so that its products can be
taken in bfloat16 while everything between them stays in single precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from training.e5_weights import E5Weights
from training.examples import MARKS, TAGS
from training.token_pairs import MINILM, MODELS, Cut, Marks

WIDTH, HEADS, INNER, PLACES = 384, 12, 1536, 512
LAYERS, WORDS = 6, 30522  # all-MiniLM-L6-v2's
BERT_NAMES = {
    "out": "attention.output.dense",
    "norm_out": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "norm_outer": "output.LayerNorm",
}
"""What BERT calls the parts of a layer that are the same in both."""
E5_NAMES = {"out": "ao", "norm_out": "aln", "inner": "fi", "outer": "fo", "norm_outer": "oln"}
"""The same of multilingual-e5-small's file."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Token numbers, `marks.fill` where there is none; segments: 0 the query's, 1 the passage's."""

    ids: torch.Tensor
    segments: torch.Tensor
    marks: Marks = MINILM

    @property
    def mask(self) -> torch.Tensor:
        """Where there is a token: shape `(rows, length)`."""
        return self.ids != self.marks.fill

    def to(self, device: torch.device) -> Batch:
        """Return the batch on a device."""
        return Batch(self.ids.to(device), self.segments.to(device), self.marks)

    @classmethod
    def of(cls, cuts: Sequence[Cut], step: int = 32) -> Batch:
        """Return cut pairs as one batch; its length is a multiple of `step`.

        Layers are compiled for each length that comes up: there shall be few.
        """
        length = -(-max(len(each.ids) for each in cuts) // step) * step
        marks = cuts[0].marks
        return cls(
            _padded([each.ids for each in cuts], length, marks.fill),
            _padded([each.segments for each in cuts], length, 0),
            marks,
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
    """A body of BERT's kind: states of shape `(rows, length, 384)`.

    In training the share `drop` of what a layer adds is left out (Srivastava et al. 2014).
    """

    def __init__(self, drop: float = 0.0, layers: int = LAYERS, words: int = WORDS) -> None:
        super().__init__()
        self.words = nn.Embedding(words, WIDTH)
        self.places = nn.Embedding(PLACES, WIDTH)
        self.segments = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(drop) for _ in range(layers))

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

    @classmethod
    def of_e5(cls, weights: E5Weights, layers: Sequence[int], drop: float = 0.0) -> Encoder:
        """Return some layers of multilingual-e5-small over the pieces that the program has.

        The pieces' embeddings are not trained: they are the embedder's.
        """
        table = weights.table().rows(e5_pieces(weights))
        made = cls(drop, len(layers), len(table.numbers))
        made.load_state_dict(_of_e5(weights, layers, table.single()))
        made.words.requires_grad_(requires_grad=False)
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
    marks = (batch.ids == batch.marks.begin) | (batch.ids == batch.marks.end)
    inside = batch.mask & ~marks
    asked = inside & (batch.segments == 0)
    told = inside & (batch.segments == 1)
    units = functional.normalize(states, dim=-1)
    cosines = units @ units.transpose(1, 2)
    best = cosines.masked_fill(~told[:, None, :], -1.0).amax(dim=-1)
    return (best * asked).sum(dim=1) / asked.sum(dim=1).clamp(min=1)


def _padded(rows: Sequence[list[int]], length: int, fill: int) -> torch.Tensor:
    return torch.tensor([row + [fill] * (length - len(row)) for row in rows])


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


def e5_pieces(weights: E5Weights) -> list[int]:
    """Return, for each piece of the shipped embedder, its number in the original."""
    stored = np.load(MODELS / "multilingual-e5-small" / "pieces.npz", allow_pickle=False)
    place = {piece: at for at, piece in enumerate(weights.pieces)}
    return [place[piece] for piece in stored["pieces"].tobytes().decode("utf-8").split("\n")]


def _of_e5(
    weights: E5Weights, layers: Sequence[int], table: npt.NDArray[np.float32]
) -> dict[str, Any]:
    """Return multilingual-e5-small's weights under the names used here."""

    def single(name: str) -> torch.Tensor:
        return torch.from_numpy(weights.single(name).copy())

    def matrix(name: str) -> torch.Tensor:
        columns = weights.inner if name.endswith(".fo.w") else weights.hidden
        return torch.from_numpy(weights.matrix(name, columns))

    made = {
        "words.weight": torch.from_numpy(table),
        "places.weight": torch.from_numpy(weights.positions_and_type()),
        "segments.weight": torch.zeros(2, WIDTH),
        "norm.weight": single("emb.ln.w"),
        "norm.bias": single("emb.ln.b"),
    }
    for at, layer in enumerate(layers):
        for part, read in (("weight", matrix), ("bias", single)):
            each = [read(f"l{layer}.{head}.{part[0]}") for head in "qkv"]
            made[f"layers.{at}.qkv.{part}"] = torch.cat(each)
            for ours, theirs in E5_NAMES.items():
                kind = single if ours.startswith("norm") else read
                made[f"layers.{at}.{ours}.{part}"] = kind(f"l{layer}.{theirs}.{part[0]}")
    return made
