"""Pairs of texts cut to the tokens that the encoder reads, and where each stands in its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

TOKENIZER = (
    Path(__file__).parent.parent / "resources" / "models" / "all-minilm-l6-v2" / "tokenizer.json"
)
TOKENS = 256
"""What a pair is cut to: a chunk of the program with its question and headings fits."""
_BEGIN, _END = 101, 102
Span = tuple[int, int]
"""The first character, and the one after the last."""


@dataclass(frozen=True, slots=True)
class Part:
    """One of a pair's texts, cut to fit: its tokens, their places, and which position is first."""

    ids: list[int]
    places: list[Span]
    first: int

    def positions(self, span: Span) -> list[int]:
        """Return the positions whose tokens touch a span; none where it was cut off."""
        begin, end = span
        inside = [at for at, (a, b) in enumerate(self.places) if a < end and b > begin]
        return [self.first + at for at in inside]


@dataclass(frozen=True, slots=True)
class Cut:
    """A pair as `[CLS] query [SEP] passage [SEP]`."""

    query: Part
    passage: Part

    @property
    def ids(self) -> list[int]:
        """All tokens."""
        return [_BEGIN, *self.query.ids, _END, *self.passage.ids, _END]

    @property
    def segments(self) -> list[int]:
        """0 for the query and the marks around it, 1 for the passage and its mark."""
        return [0] * self.passage.first + [1] * (len(self.passage.ids) + 1)


class PairTokenizer:
    """Cuts pairs of texts to so many tokens, the query to half of them."""

    def __init__(self, tokens: int = TOKENS) -> None:
        self._tokenizer = Tokenizer.from_file(str(TOKENIZER))
        self._tokens = tokens

    def cut(self, pairs: Sequence[tuple[str, str]]) -> list[Cut]:
        """Return the pairs, each cut to fit."""
        asked = self._encoded([query for query, _ in pairs])
        told = self._encoded([passage for _, passage in pairs])
        return [self._cut(one, other) for one, other in zip(asked, told, strict=True)]

    def _cut(self, asked: Any, told: Any) -> Cut:
        kept = min(len(asked.ids), self._tokens // 2)
        more = self._tokens - kept - 3
        return Cut(
            Part(asked.ids[:kept], asked.offsets[:kept], 1),
            Part(told.ids[:more], told.offsets[:more], kept + 2),
        )

    def _encoded(self, texts: Sequence[str]) -> list[Any]:
        return list(self._tokenizer.encode_batch(list(texts), add_special_tokens=False))
