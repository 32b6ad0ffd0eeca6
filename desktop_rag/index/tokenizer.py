"""How text becomes words: the same for what is indexed and for what is asked.

NFKC, case folded, cut into runs of letters, marks and digits, English stems. Scripts that are
written without spaces are cut into bigrams, and single characters so that one can be asked for.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise
from typing import Any

import tantivy

from desktop_rag.core.unicode import valid_text

VERSION = 1  # counts changes of what the words of a text are: indexes of another one are rebuilt

_RUNS = re.compile(
    "["
    "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    "\u3105-\u312f\uac00-\ud7a3"  # bopomofo, hangul
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0edf\u1000-\u109f\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
    "]+"
)


def analyzer() -> Any:
    """Return tantivy's half of the analysis, for text that went through `index_text`."""
    tokenizer = tantivy.Tokenizer.regex(r"[\p{Alphabetic}\p{M}\p{N}]+")
    builder = tantivy.TextAnalyzerBuilder(tokenizer)
    return builder.filter(tantivy.Filter.stemmer("english")).build()


def index_text(text: str) -> str:
    """Return our half of the analysis of text to be indexed."""
    return _RUNS.sub(_both, _folded(text))


def search_terms(text: str) -> list[str]:
    """Return the terms to look for: of a run without spaces its bigrams, or its one character."""
    found: list[str] = _analyzer().analyze(_RUNS.sub(_pairs, _folded(text)))
    return found


@cache
def _analyzer() -> Any:
    """Return the one that texts are cut with: it takes longer to make than to cut a page."""
    return analyzer()


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", valid_text(text)).casefold()


def _both(run: re.Match[str]) -> str:
    """Return a run's characters and bigrams, spaced."""
    text = run.group()
    return f" {' '.join(text)} {_bigrams(text)} "


def _pairs(run: re.Match[str]) -> str:
    """Return a run's bigrams, spaced, or its only character."""
    text = run.group()
    return f" {text if len(text) == 1 else _bigrams(text)} "


def _bigrams(text: str) -> str:
    return " ".join(first + second for first, second in pairwise(text))
