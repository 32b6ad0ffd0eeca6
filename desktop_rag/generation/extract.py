"""Answer without a language model: the sentences of the passages that come nearest to an answer.

Every word of such an answer stands in a document. It is made of one to three quotes, each with its
source's number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from desktop_rag.core.language import content_words
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Citation, Passage
from desktop_rag.generation import table_cell_answers
from desktop_rag.generation.answer_spans import find_answer_quotes
from desktop_rag.generation.quotes import Quote, quotes_of
from desktop_rag.generation.reading_windows import PairRead
from desktop_rag.generation.sentence_ranking import scores_of
from desktop_rag.models.protocols import Embedder

_MOST = 3  # quotes
_NEAR = 0.82  # of the best quote's score, for a second or third one
_SAME = 0.6  # share of words from which a quote repeats another
_LONG = 360  # characters from which a quote is shortened
_WINDOW = 300
_FIRST = 0.12  # what standing in the best passage is worth, fading with the rank
_HEADING = 0.35  # what looking like a heading costs
_IDENTIFIED = 0.6  # what it is worth that a row has the very name of the question
_CLAUSE = re.compile(r"(?<=[,;:，；：、])\s*|\n")


@dataclass(frozen=True, slots=True)
class Extract:
    """Quotes as an answer; empty `text` where the passages have no sentence.

    Source n is `sources[n - 1]`: those that are quoted come first, in their order in the text.
    """

    text: str
    citations: tuple[Citation, ...]
    sources: tuple[Passage, ...]


def extract(
    question: str,
    sources: Sequence[Passage],
    embedder: Embedder | None,
    read: PairRead | None = None,
) -> Extract:
    """Return the best one to three quotes of the sources, which stand best first, as an answer."""
    question = _asked(question)
    quotes = [quote for quote in quotes_of(sources) if _says_something(quote)]
    if not quotes:
        return Extract("", (), tuple(sources))
    scores = _scores(question, quotes, embedder)
    chosen = _chosen(quotes, scores, set(content_words(question)))
    if read is not None and not chosen[0].is_row:
        chosen = _with_spotted(
            chosen, [quotes[at] for at in find_answer_quotes(question, quotes, scores, read)]
        )
    order = _quoted_first([quote.n for quote in chosen], len(sources))
    numbered = [replace(quote, n=order.index(quote.n) + 1) for quote in chosen]
    text, citations = _written([_answering(quote, question) for quote in numbered])
    return Extract(text, citations, tuple(sources[n - 1] for n in order))


def _quoted_first(quoted: Sequence[int], sources: int) -> list[int]:
    return list(dict.fromkeys((*quoted, *range(1, sources + 1))))


def _asked(question: str) -> str:
    """Return the sentences that ask, without the instructions around them."""
    asking = [s.of(question) for s in sentences(question) if s.of(question).endswith(("?", "？"))]
    return " ".join(asking) or question


def _says_something(quote: Quote) -> bool:
    """Tell whether a quote is more than a title, column names, a question or a page number."""
    text = quote.text.rstrip(" \"'”’」』）)")
    if quote.is_row:
        return bool(table_cell_answers.cells_of(text)) or ": " not in quote.passage.text
    if quote.text == quote.passage.title:
        return False
    if text.endswith(("?", "？")) or text.startswith("#"):
        return False
    return len(content_words(text)) >= 3


def _scores(question: str, quotes: Sequence[Quote], embedder: Embedder | None) -> list[float]:
    """Score quotes by their words, and by where they stand."""
    scores = scores_of(question, quotes, embedder)
    return [score + _worth(quote, question) for score, quote in zip(scores, quotes, strict=True)]


def _worth(quote: Quote, question: str) -> float:
    """Return what speaks for a quote beside its words."""
    worth = _FIRST / quote.n
    if quote.is_row:
        return worth + _IDENTIFIED * table_cell_answers.identity_share(quote.text, question)
    return worth - _HEADING * quote.is_heading


def _chosen(quotes: Sequence[Quote], scores: Sequence[float], asked: set[str]) -> list[Quote]:
    """Return the best quote, and those as good that add something; of a table one row."""
    order = [int(at) for at in np.argsort(-np.asarray(scores), kind="stable")]
    best = quotes[order[0]]
    if best.is_row:
        return [best]
    kept = [best]
    for at in order[1:]:
        if len(kept) == _MOST or scores[at] < _NEAR * scores[order[0]]:
            break
        if not quotes[at].is_heading and not any(
            _repeats(quotes[at].text, other.text, asked) for other in kept
        ):
            kept.append(quotes[at])
    return kept


def _with_spotted(chosen: Sequence[Quote], seen: Sequence[Quote]) -> list[Quote]:
    """Let the quotes in which the reader sees the answer be among them, behind the best."""
    if all(quote in chosen for quote in seen):
        return list(chosen)
    behind = [quote for quote in chosen[1:] if quote not in seen]
    return [chosen[0], *(quote for quote in seen if quote != chosen[0]), *behind][:_MOST]


def _repeats(one: str, other: str, asked: set[str]) -> bool:
    """Tell whether two texts say the same beside the words of the question."""
    mine, its = set(content_words(one)) - asked, set(content_words(other)) - asked
    return len(mine & its) >= _SAME * min(len(mine), len(its))


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the answer: what is shown, and the quote that is cited."""

    shown: str
    quote: Quote


def _answering(quote: Quote, question: str) -> _Line:
    """Narrow a quote to what answers: the cell of a row, the clauses of a long sentence."""
    if quote.is_row:
        return _cell(quote, question)
    if quote.text.endswith((":", "：")):
        quote = _with_following(quote)
    if len(quote.text) > _LONG:
        quote = _shortened(quote, set(content_words(question)))
    return _Line(_quoted(quote.text), quote)


def _cell(quote: Quote, question: str) -> _Line:
    found = table_cell_answers.find_cell(quote.text, question)
    if found is None:
        return _Line(_quoted(quote.text), quote)
    narrowed = _part(quote, found.answer.start, found.answer.end)
    identity = quote.text[found.identity.start : found.identity.end]
    return _Line(f"{_quoted(identity)} {_quoted(narrowed.text)}", narrowed)


def _with_following(quote: Quote) -> Quote:
    """Take in the list that a sentence announces."""
    end = quote.end
    for span in sentences(quote.passage.text):
        if span.start >= quote.end and span.end - quote.start <= _LONG:
            end = span.end
    return _part(quote, 0, end - quote.start)


def _shortened(quote: Quote, asked: set[str]) -> Quote:
    """Return the run of clauses, about `_WINDOW` long, that holds most of the question's words."""
    cuts = [0, *(clause.end() for clause in _CLAUSE.finditer(quote.text)), len(quote.text)]
    windows = [(start, _stretch(start, cuts)) for start in cuts[:-1]]
    best = max(windows, key=lambda w: len(asked & set(content_words(quote.text[w[0] : w[1]]))))
    return _part(quote, *best)


def _stretch(start: int, cuts: Sequence[int]) -> int:
    """Return where a window that starts at a clause ends: at a clause, or in one that is longer."""
    ends = [cut for cut in cuts if start < cut <= start + _WINDOW]
    return ends[-1] if ends else min(start + _WINDOW, cuts[-1])


def _part(quote: Quote, start: int, end: int) -> Quote:
    """Return characters `start` to `end` of a quote, trimmed; `end` may lie behind it."""
    text = quote.passage.text[quote.start + start : quote.start + end]
    start += len(text) - len(text.lstrip())
    end -= len(text) - len(text.rstrip())
    return Quote(quote.n, quote.passage, quote.start + start, quote.start + end)


def _quoted(text: str) -> str:
    return f"“{' '.join(text.split())}”"


def _written(lines: Sequence[_Line]) -> tuple[str, tuple[Citation, ...]]:
    """Join the lines, and find the number of each one's sentence in the joined text."""
    text = ""
    citations = []
    for line in lines:
        text += f"{line.shown} [{line.quote.n}]"
        citations.append(line.quote.citation(len(sentences(text)) - 1))
        text += "\n\n"
    return text.strip(), tuple(citations)
