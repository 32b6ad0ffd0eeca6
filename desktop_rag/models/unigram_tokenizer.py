"""A unigram tokenizer (Kudo 2018, section 3.2), as sentencepiece cuts texts for XLM-R's models.

In Python, with its pieces in a dictionary: a vocabulary for many languages is there after a tenth
of a second and in a sixth of the memory that a trie of it takes. A word is cut once, and
remembered: texts are cut about as fast as by the library that builds the trie.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

BEGIN, PAD, END, UNKNOWN = range(4)
"""The numbers of the marks, which are the first pieces; the last piece is a mark, too."""

SPACE = "▁"
"""What stands in a piece for the space before a word."""

_UNKNOWN_PENALTY = 10.0  # below the rarest piece, as in sentencepiece
_REMEMBERED = 20_000  # words
_LONGEST_REMEMBERED = 24  # characters
_SPACES = "\t\n\f\r\u061c\u1680\u200b\u200c\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd"
_REPLACED = str.maketrans(
    dict.fromkeys([*range(1, 32), 0x7F, 0x8F, 0x9F], "") | dict.fromkeys(map(ord, _SPACES), " ")
)
_WIDE_TILDE = "\uff5e"  # which NFKC would make a narrow one
_WORD = re.compile("[^ ]+")


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text's token numbers, and where each begins and ends in the text where that was asked."""

    ids: list[int]
    offsets: list[tuple[int, int]]


class UnigramTokenizer:
    """Cuts texts into the likeliest pieces; its methods are those of `tokenizers.Tokenizer`.

    Safe to use from several threads.
    """

    def __init__(self, raw: bytes) -> None:
        stored = np.load(io.BytesIO(raw), allow_pickle=False)
        pieces = stored["pieces"].tobytes().decode("utf-8").split("\n")
        self._scores: list[float] = stored["scores"].tolist()
        self._unknown = min(self._scores[UNKNOWN + 1 : -1]) - _UNKNOWN_PENALTY
        self._ids = dict(zip(pieces, range(len(pieces)), strict=True))
        for mark in (*pieces[: UNKNOWN + 1], pieces[-1]):
            del self._ids[mark]
        self._longest: dict[str, int] = {}  # of the pieces that begin with two characters
        for piece in self._ids:
            if len(piece) > self._longest.get(piece[:2], 1):
                self._longest[piece[:2]] = len(piece)
        self._remembered = lru_cache(_REMEMBERED)(self._cut)

    def encode(self, text: str, *, add_special_tokens: bool = True) -> EncodedText:
        """Return a text's tokens with their offsets."""
        ids, offsets = [], []
        plain, sources = _aligned(text)
        for word in _WORD.finditer(plain):
            spans = sources[word.start() : word.end()]
            spans.insert(0, (spans[0][0], spans[0][0]))  # of the space
            begin = 0
            for piece, length in self._pieces(word[0]):
                ids.append(piece)
                offsets.append((spans[begin][0], spans[begin + length - 1][1]))
                begin += length
        if add_special_tokens:
            return EncodedText([BEGIN, *ids, END], [(0, 0), *offsets, (0, 0)])
        return EncodedText(ids, offsets)

    def encode_batch(
        self, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> list[EncodedText]:
        """Return each text's tokens with their offsets."""
        return [self.encode(text, add_special_tokens=add_special_tokens) for text in texts]

    def encode_batch_fast(
        self, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> list[EncodedText]:
        """Return each text's tokens without offsets."""
        before, after = ([BEGIN], [END]) if add_special_tokens else ([], [])
        found = []
        for text in texts:
            words = _WORD.findall(_normalized(text))
            ids = [piece for word in words for piece, _ in self._pieces(word)]
            found.append(EncodedText([*before, *ids, *after], []))
        return found

    def _pieces(self, word: str) -> Sequence[tuple[int, int]]:
        """Return the numbers and lengths of a word's pieces, the space before it among them."""
        cut = self._remembered if len(word) <= _LONGEST_REMEMBERED else self._cut
        return cut(f"{SPACE}{word}")

    def _cut(self, word: str) -> Sequence[tuple[int, int]]:
        """Find the likeliest pieces up to each character, from left to right (Viterbi)."""
        ids, scores, longest, size = self._ids, self._scores, self._longest, len(word)
        best = [0.0] + [-np.inf] * size
        came = [(UNKNOWN, 1)] * (size + 1)  # the last piece up to here, and its length
        for start in range(size):
            reached = best[start]
            if word[start] not in ids and reached + self._unknown > best[start + 1]:
                best[start + 1] = reached + self._unknown
                came[start + 1] = (UNKNOWN, 1)
            most = min(size, start + longest.get(word[start : start + 2], 1))
            for end in range(start + 1, most + 1):
                piece = ids.get(word[start:end])
                if piece is not None and reached + scores[piece] > best[end]:
                    best[end] = reached + scores[piece]
                    came[end] = (piece, end - start)
        return _followed(came)


def _followed(came: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Go back from the end, and return the pieces in order; unknown neighbours are one."""
    found: list[tuple[int, int]] = []
    end = len(came) - 1
    while end:
        piece, length = came[end]
        end -= length
        if piece == UNKNOWN and found and found[-1][0] == UNKNOWN:
            found[-1] = (UNKNOWN, found[-1][1] + length)
        else:
            found.append((piece, length))
    return tuple(reversed(found))


def _normalized(text: str) -> str:
    """Return a text as sentencepiece's rules `nmt_nfkc` write it."""
    parts = text.translate(_REPLACED).split(_WIDE_TILDE)
    return _WIDE_TILDE.join(unicodedata.normalize("NFKC", part) for part in parts)


def _aligned(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the normalized text, and for each of its characters what it was made of."""
    starts = [at for at, character in enumerate(text) if at == 0 or not _joins(character)]
    plain, sources = [], []
    for begin, end in pairwise([*starts, len(text)]):
        plain.append(_normalized(text[begin:end]))
        sources += [(begin, end)] * len(plain[-1])
    return "".join(plain), sources


def _joins(character: str) -> bool:
    """Say whether a character may become one with the character before it."""
    return unicodedata.combining(character) > 0 or "\u1160" <= character <= "\u11ff"
