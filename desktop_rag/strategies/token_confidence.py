"""How sure a model was of each word of a text; FLARE masks, or asks about, what it was unsure of.

A word is as probable as the least probable of its tokens, and one that means nothing by itself
("The" at 29 %) is nothing to be unsure of.
Tokens are found in the text one after the other. A character that was spread over several tokens
takes the least of their probabilities; tokens of which nothing came are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.core.language import content_words

Tokens = Sequence[tuple[str, float]]

# Which number a source has is no fact of the answer: unsure numbers call for no search.
_COMMAS = re.compile(r"\s*([,;，；、])(?:\s*[,;，；、])+")
_CITED = re.compile(r"\s*[\[【][\d,，、\s-]+[\]】]")
# Two characters within a word of a script that puts spaces between its words.
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_IN_WORD = re.compile(rf"(?:[^\W{_WIDE}]|['’-]){{2}}")
_NEAR = 8  # characters within which a token is looked for again after one that is garbled


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """Characters `start` to `end` of a text, and the probability of the token that they are."""

    start: int
    end: int
    probability: float


@dataclass(frozen=True, slots=True)
class TokenConfidence:
    """A text and the probabilities of its tokens."""

    text: str
    tokens: Tokens

    def least_confident(self) -> TokenSpan | None:
        """Return the least probable word that means anything, None where no such is known."""
        said = (each for each in self._words() if content_words(self.text[each.start : each.end]))
        return min(said, key=lambda word: word.probability, default=None)

    def masked(self, beta: float) -> str:
        """Return the text on one line, without citations and words less probable than beta."""
        unsure = [
            (len(self.text[: word.start].rstrip()), word.end)
            for word in self._words()
            if word.probability < beta
        ]
        cited = [found.span() for found in _CITED.finditer(self.text)]
        kept: list[str] = []
        at = 0
        for start, end in sorted((*unsure, *cited)):
            kept.append(self.text[at:start])
            at = max(at, end)
        rest = " ".join("".join((*kept, self.text[at:])).split())
        return _COMMAS.sub(r"\1", rest)

    def uncertain_spans(self, beta: float) -> list[str]:
        """Return each run of tokens less probable than beta, once, if it means anything."""
        runs: list[tuple[int, int]] = []
        for word in self._words():
            if word.probability >= beta:
                continue
            if runs and not self.text[runs[-1][1] : word.start].strip():
                runs[-1] = (runs[-1][0], word.end)
            else:
                runs.append((word.start, word.end))
        texts = (self.text[start:end].strip() for start, end in runs)
        return list(dict.fromkeys(text for text in texts if content_words(text)))

    def _words(self) -> list[TokenSpan]:
        """Return the words of which tokens are known, each as probable as its least probable one.

        What a token of a script without spaces holds is a word of its own.
        """
        found: list[TokenSpan] = []
        for place in self._outside_citations():
            start, end = _trimmed(self.text, place)
            if start == end:
                continue
            before = found[-1] if found else None
            if before is not None and before.end == start and self._is_one_word(start):
                least = min(before.probability, place.probability)
                found[-1] = TokenSpan(before.start, end, least)
            else:
                found.append(TokenSpan(start, end, place.probability))
        return found

    def _is_one_word(self, at: int) -> bool:
        """Whether the characters before and behind a place belong to one word."""
        return _IN_WORD.fullmatch(self.text[at - 1 : at + 1]) is not None

    def _outside_citations(self) -> Iterator[TokenSpan]:
        """Yield the places of all tokens but those of citations."""
        cited = [found.span() for found in _CITED.finditer(self.text)]
        for place in locate_tokens(self.text, self.tokens):
            if not any(start < place.end and place.start < end for start, end in cited):
                yield place


def _trimmed(text: str, place: TokenSpan) -> tuple[int, int]:
    """Return where a token stands without the white space around it."""
    token = text[place.start : place.end]
    start = place.start + len(token) - len(token.lstrip())
    return start, max(start, place.end - (len(token) - len(token.rstrip())))


def locate_tokens(text: str, tokens: Tokens) -> list[TokenSpan]:
    """Return where each token stands in a text."""
    found: list[TokenSpan] = []
    at, least = 0, 1.0
    for token, probability in tokens:
        piece = token if at else token.lstrip()
        least = min(least, probability)
        start = text.find(piece, at, at + len(piece) + _NEAR) if piece else -1
        if start < 0:
            continue
        if start > at:  # what stands between came of tokens that are not in the text as they are
            found.append(TokenSpan(at, start, least))
        found.append(TokenSpan(start, start + len(piece), probability))
        at, least = start + len(piece), 1.0
    return found


def tokens_of_prefix(text: str, tokens: Tokens, end: int) -> tuple[tuple[str, float], ...]:
    """Return the tokens that the first `end` characters of a text are made of."""
    for count in range(len(tokens) + 1):
        placed = locate_tokens(text, tokens[:count])
        if placed and placed[-1].end >= end:
            return tuple(tokens[:count])
    return tuple(tokens)
