"""Tie each sentence of an answer to the quote that supports it, or say that none does.

A sentence that says what a quote says, but with another name or number, misleads most easily: the
number behind it is right, and so is every other word. Where a sentence is of the same matter as a
quote and has a name that its sources lack, the built-in reader looks for what it claims, as it
looks for an answer. Of freer paraphrases it is no judge, and is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from desktop_rag.core import markdown_tables
from desktop_rag.core.cancel import current_token
from desktop_rag.core.language import content_words
from desktop_rag.core.sentences import Span, sentences
from desktop_rag.core.types import Citation, Passage
from desktop_rag.generation import citation_markers
from desktop_rag.generation.number_extraction import (
    Quantity,
    missing_numbers,
    numbers,
    unsupported_numbers,
)
from desktop_rag.generation.quotes import Quote, quotes_of
from desktop_rag.generation.reading_windows import PairRead, reading_windows
from desktop_rag.generation.sentence_ranking import Numbers, SentenceRanking
from desktop_rag.models.protocols import Embedder

STRONG = 0.58  # strength from which a sentence without a number counts as supported
_AKIN = 0.3  # strength from which a sentence is of the same matter as a quote
_NEAR = 0.4  # strength from which one counts as supported if the reader finds it in the passage
_THERE = 2.0  # margin above which the reader is sure that a passage says something
_NOWHERE = -2.0  # margin below which the reader is sure that a passage does not say something
_MOST = 500  # sentences for which quotes are looked for; those behind them count as without
_LEAST_WORDS = 2  # content words that make a sentence a claim
_ENDED = re.compile(r"[.!?…。！？]\W*$")
_LEAD_IN = re.compile(r"[:：]\s*$|^#{1,6}\s|^(?:\*\*|__)[^*_.!?。！？]+(?:\*\*|__)$")
_NUMBERING = re.compile(r"^(?:>\s*)*\d{1,3}(?:[.)]\s+|、)")  # of a list: no number of the claim's
_NAME = re.compile(r"(?<=\s)[A-Z][a-z]{2,}")  # a sentence's first word may be any
_LABEL = re.compile(r"\b(?=\w*\d)\w+|(?<=\s)[A-Z]\w*")  # names, abbreviations, codes
_WIDE_END = re.compile(r"[。！？｡…”’」』）》]$")


@dataclass(frozen=True, slots=True)
class CitedText:
    """An answer with its citations; `from_model` numbers the sentences that nothing supports."""

    text: str
    citations: tuple[Citation, ...]
    from_model: tuple[int, ...]


def no_reader(query: str, texts: Sequence[str]) -> None:
    """Read nothing: there is no reader."""
    del query, texts


@dataclass(frozen=True, slots=True)
class ClaimReader:
    """What looks for a claim in a passage, and the question, whose names a claim may have."""

    read: PairRead = no_reader
    question: str = ""


def is_question(sentence: str) -> bool:
    """Whether a sentence asks, and so says nothing that could be supported."""
    return sentence.rstrip(" \"'”’」』)）*").endswith(("?", "？"))


def cite_sentences(
    text: str,
    sources: Sequence[Passage],
    embedder: Embedder | None,
    claim_reader: ClaimReader = ClaimReader(),
    *,
    unfinished: bool = False,
) -> CitedText:
    """Return the answer with valid numbers, each tied to a quote.

    A sentence that names no source gets the number of the one that supports it strongly, if any;
    one that changes what its sources say keeps its numbers, but counts as supported by none. Of an
    `unfinished` answer the last sentence, where it has no end, is left as it is.
    """
    return _Linker(sources, embedder, claim_reader, unfinished).link(
        citation_markers.normalised(text, len(sources))
    )


@dataclass
class _Linker:
    sources: Sequence[Passage]
    embedder: Embedder | None
    claim_reader: ClaimReader
    unfinished: bool
    citations: list[Citation] = field(default_factory=list)
    from_model: list[int] = field(default_factory=list)
    quotes: list[Quote] = field(init=False)
    ranking: SentenceRanking = field(init=False)

    def __post_init__(self) -> None:
        self.quotes = quotes_of(self.sources)
        self.ranking = SentenceRanking([quote.text for quote in self.quotes], self.embedder)

    def link(self, text: str) -> CitedText:
        made: list[str] = []
        at = 0
        spans = sentences(text)
        silent = [*citation_markers.code_blocks(text), *markdown_tables.header_lines(text)]
        for index, span in enumerate(spans[:_MOST]):
            current_token().check()
            end = _end_of_prose(text, span, silent)
            may_lack_end = self.unfinished and span is spans[-1]
            made += [
                text[at : span.start],
                self._sentence(index, text[span.start : end], may_lack_end=may_lack_end),
            ]
            at = end
        self.from_model += range(_MOST, len(spans))
        whole = "".join((*made, text[at:]))
        return CitedText(whole, tuple(self.citations), tuple(self.from_model))

    def _sentence(self, index: int, sentence: str, *, may_lack_end: bool) -> str:
        """Cite one sentence, and return it, with the number that it lacked."""
        claim = _NUMBERING.sub("", citation_markers.strip_citations(sentence))
        named = citation_markers.numbers_in(sentence)
        if named:
            scores = self.ranking.scores(claim)
            best = self._best_in(claim, named, scores.order)
            self.citations += [self.quotes[at].citation(index) for at in best]
            if best and self._is_changed(claim, best, max(scores.strength[best])):
                self.from_model.append(index)
            return sentence
        if is_question(claim):  # an echo of the question, or one of the model's: no claim
            self.from_model.append(index)
            return sentence
        if _LEAD_IN.search(claim) or len(content_words(claim)) < _LEAST_WORDS:
            return sentence
        if may_lack_end and not _ENDED.search(claim):
            return sentence
        quote = self._strong(claim)
        if quote is None:
            self.from_model.append(index)
            return sentence
        self.citations.append(quote.citation(index))
        return _marked(sentence, quote.n)

    def _best_in(self, claim: str, named: Sequence[int], order: Numbers) -> list[int]:
        """Return the best quote of each named source: one with all the claim's numbers, if any."""
        wanted = numbers(claim)
        ranks = [
            (not missing_numbers(wanted, numbers(quote.text)), float(score))
            for quote, score in zip(self.quotes, order, strict=True)
        ]
        found = []
        for n in named:
            inside = [at for at, quote in enumerate(self.quotes) if quote.n == n]
            if inside:
                found.append(max(inside, key=ranks.__getitem__))
        return found

    def _strong(self, claim: str) -> Quote | None:
        """Return the quote that supports a claim strongly, whichever source it is in.

        A quote that lacks a number of the claim's speaks of the same, but says something else.
        """
        if not self.quotes:
            return None
        strength = self.ranking.scores(claim).strength
        best = int(np.argmax(strength))
        if strength[best] < _NEAR or missing_numbers(
            numbers(claim), numbers(self.quotes[best].text)
        ):
            return None
        if strength[best] >= STRONG:
            return None if self._is_changed(claim, [best], STRONG) else self.quotes[best]
        margin = self._margin(claim, [best])
        return self.quotes[best] if margin is not None and margin >= _THERE else None

    def _is_changed(self, claim: str, near: Sequence[int], strength: float) -> bool:
        """Say whether a claim changes what the quotes that it is near to say.

        What joins several sources is looked through for figures alone: no one of them says it all.
        """
        is_copy = strength >= STRONG
        passages = [self.quotes[at].passage for at in near] if is_copy else self.sources
        figures, names = self._news(claim, passages, _LABEL if is_copy else _NAME)
        if is_copy and figures:
            return True
        if strength < _AKIN or not (figures or names):
            return False
        margin = self._margin(claim, near)
        return margin is not None and margin < _NOWHERE

    def _margin(self, claim: str, near: Sequence[int]) -> float | None:
        """Return how sure the reader is that a quote's surroundings say what a claim says."""
        quotes = [self.quotes[at] for at in near]
        beside = [
            part.text for quote in quotes for part in reading_windows(quote) if part.has(quote)
        ]
        readings = self.claim_reader.read(claim, beside) if len(beside) == 1 else None
        found = readings[0].answer() if readings else None
        return found.margin if found is not None else None

    def _news(
        self, claim: str, passages: Sequence[Passage], pattern: re.Pattern[str]
    ) -> tuple[frozenset[Quantity], set[str]]:
        """Return the figures and the words of names that neither passages nor the question have."""
        said = " ".join([self.claim_reader.question, *map(_whole, passages)])
        named = {word for name in pattern.findall(claim) for word in content_words(name)}
        return unsupported_numbers(claim, said), named - set(content_words(said))


def _whole(passage: Passage) -> str:
    return f"{passage.title} {passage.section} {passage.text}"


def _end_of_prose(text: str, span: Span, silent: Sequence[tuple[int, int]]) -> int:
    """Return where a sentence ends, or begins what claims nothing: code, the head of a table."""
    for start, end in silent:
        if start < span.end and span.start < end:
            return max(span.start, span.start + len(text[span.start : start].rstrip()))
    return span.end


def _marked(sentence: str, n: int) -> str:
    """Return a sentence with a number behind it, or of a row in its last cell."""
    marker = f"[{n}]"
    is_row = sentence.startswith("|") or " | " in sentence  # or the last of a row's sentences
    if is_row and sentence.endswith("|"):
        return markdown_tables.cite_row(sentence, marker)
    return f"{sentence}{marker}" if _WIDE_END.search(sentence) else f"{sentence} {marker}"
