"""How much of a reference a text says in the same words: BLEU and ROUGE-L.

BLEU is Papineni et al. 2002 as sacrebleu computes it for one sentence (Post 2018): Chinese by its
characters. ROUGE-L is Lin 2004: the longest common subsequence of words, Chinese characters each
being one, as the harmonic mean of its shares of both texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from desktop_rag.core.language import all_words, language

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU

_CITED = re.compile(r"\s?\[\d{1,3}\]")
_CHARACTERS = frozenset({"zh", "ja", "ko"})


def without_citations(text: str) -> str:
    """Return a text without the numbers of its sources."""
    return _CITED.sub("", text)


def bleu(told: str, reference: str) -> float:
    """Return BLEU in [0, 1]; orders that a text is too short for do not count."""
    if not told.strip() or not reference.strip():
        return 0.0
    metric = _bleu(language(reference))
    return float(metric.sentence_score(told, [reference]).score) / 100.0


def rouge_l(told: str, reference: str) -> float:
    """Return ROUGE-L in [0, 1], of words without case and marks."""
    said, known = _words(told), _words(reference)
    if not said or not known:
        return 0.0
    return 2 * common_length(said, known) / (len(said) + len(known))


def common_length(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how long the longest common subsequence is.

    By bits, a row of the usual table at a time (Hyyrö 2004, "Bit-parallel LCS-length computation
    revisited").
    """
    places: dict[str, int] = {}
    for at, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << at
    whole = (1 << len(one)) - 1
    row = whole
    for word in other:
        met = row & places.get(word, 0)
        row = ((row + met) | (row - met)) & whole
    return len(one) - row.bit_count()


def _words(text: str) -> list[str]:
    return all_words(unicodedata.normalize("NFKC", text))


@cache
def _bleu(spoken: str) -> BLEU:
    from sacrebleu.metrics.bleu import BLEU  # a tenth of a second

    tokenizer = {"zh": "zh"}.get(spoken, "char" if spoken in _CHARACTERS else "13a")
    return BLEU(tokenize=tokenizer, effective_order=True)
