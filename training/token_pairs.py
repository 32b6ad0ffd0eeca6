"""Pairs of texts cut to the tokens that the encoder reads, and where each stands in its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MODELS = Path(__file__).parent.parent / "resources" / "models"
TOKENS = 256
"""What a pair is cut to: a chunk of the program with its question and headings fits."""
Span = tuple[int, int]
"""The first character, and the one after the last."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The numbers of the tokens around the texts of a pair, and of that which fills a batch."""

    begin: int
    end: int
    fill: int


MINILM = Marks(101, 102, 0)
E5 = Marks(0, 2, 1)


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
    marks: Marks = MINILM

    @property
    def ids(self) -> list[int]:
        """All tokens."""
        begin, end = self.marks.begin, self.marks.end
        return [begin, *self.query.ids, end, *self.passage.ids, end]

    @property
    def segments(self) -> list[int]:
        """0 for the query and the marks around it, 1 for the passage and its mark."""
        return [0] * self.passage.first + [1] * (len(self.passage.ids) + 1)


class PairTokenizer:
    """Cuts pairs of texts to so many tokens, the query to half of them.

    By all-MiniLM-L6-v2's tokenizer, or by multilingual-e5-small's.
    """

    def __init__(self, tokens: int = TOKENS, marks: Marks = MINILM) -> None:
        self.marks = marks
        self._tokenizer = _e5_tokenizer() if marks == E5 else _minilm_tokenizer()
        self._tokens = tokens

    def cut(self, pairs: Sequence[tuple[str, str]]) -> list[Cut]:
        """Return the pairs, each cut to fit."""
        return [self._cut(self._encoded(one), self._encoded(other)) for one, other in pairs]

    def _cut(self, asked: Any, told: Any) -> Cut:
        kept = min(len(asked.ids), self._tokens // 2)
        more = self._tokens - kept - 3
        return Cut(
            Part(asked.ids[:kept], asked.offsets[:kept], 1),
            Part(told.ids[:more], told.offsets[:more], kept + 2),
            self.marks,
        )

    def _encoded(self, text: str) -> Any:
        return self._tokenizer.encode(text, add_special_tokens=False)


def _minilm_tokenizer() -> Any:
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(MODELS / "all-minilm-l6-v2" / "tokenizer.json"))


def _e5_tokenizer() -> Any:
    from desktop_rag.models.unigram_tokenizer import UnigramTokenizer

    return UnigramTokenizer((MODELS / "multilingual-e5-small" / "pieces.npz").read_bytes())
