"""How sure a model was of each token of a text; FLARE masks, or asks about, what it was unsure of.

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
        """Return the least probable token, None where no token is known."""
        return min(self._outside_citations(), key=lambda place: place.probability, default=None)

    def masked(self, beta: float) -> str:
        """Return the text on one line, without citations and tokens less probable than beta."""
        unsure = [(p.start, p.end) for p in self._outside_citations() if p.probability < beta]
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
        for place in self._outside_citations():
            if place.probability >= beta:
                continue
            if runs and runs[-1][1] == place.start:
                runs[-1] = (runs[-1][0], place.end)
            else:
                runs.append((place.start, place.end))
        texts = (self.text[start:end].strip() for start, end in runs)
        return list(dict.fromkeys(text for text in texts if content_words(text)))

    def _outside_citations(self) -> Iterator[TokenSpan]:
        """Yield the places of all tokens but those of citations."""
        cited = [found.span() for found in _CITED.finditer(self.text)]
        for place in locate_tokens(self.text, self.tokens):
            if not any(start < place.end and place.start < end for start, end in cited):
                yield place


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
