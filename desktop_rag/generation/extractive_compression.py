"""Extractive compression: of passages only the sentences that matter to the question are told.

As in RECOMP (Xu et al. 2024), but without a model of its own: BM25 over the sentences at hand and
the built-in embedder rank them. The passages themselves stay whole: they are what is shown as
sources, and what citations point into. Each keeps a share of its own, so that what is told of it
does not depend on the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.language import content_words
from desktop_rag.core.sentences import Span
from desktop_rag.core.types import Passage
from desktop_rag.generation.quotes import Quote, quotes_of
from desktop_rag.generation.sentence_ranking import scores_of
from desktop_rag.models.protocols import Embedder

_LEFT_OUT = "…"
_LEAST_WORDS = 3  # content words of a sentence that says something

Identity = tuple[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class CompressedPassage:
    """What a model is told of a passage; `kept` are the stretches of its text that this holds.

    A summary holds none word for word; `is_pruned`: words were left out within sentences.
    """

    text: str
    kept: tuple[Span, ...] = ()
    is_pruned: bool = False


CompressedPassages = Mapping[Identity, CompressedPassage]


def passage_identity(passage: Passage) -> Identity:
    """Return what makes a passage one: it may be cut to fit, but two strips of a chunk are two."""
    return passage.chunk_id, passage.match


def prompt_text(passage: Passage, shorter: CompressedPassages) -> Passage:
    """Return a passage with the text that a model is told of it."""
    found = shorter.get(passage_identity(passage))
    return passage if found is None else replace(passage, text=found.text)


def excerpts(
    question: str, passages: Sequence[Passage], share: float, embedder: Embedder | None
) -> dict[Identity, CompressedPassage]:
    """Return the best sentences of each passage, in their order: about a `share` of its text.

    Each passage keeps its best sentence at least, and a sentence the heading that it is under. An
    ellipsis stands where sentences are left out.
    """
    quotes = quotes_of(passages)
    scores = scores_of(question, quotes, embedder)
    made = {}
    for n, passage in enumerate(passages, start=1):
        own = [at for at, quote in enumerate(quotes) if quote.n == n]
        if own:
            few = [quotes[at] for at in own]
            kept = _best(few, [scores[at] for at in own], share * len(passage.text))
            made[passage_identity(passage)] = _excerpt(few, _with_headings(few, kept))
    return made


def _best(quotes: Sequence[Quote], scores: Sequence[float], room: float) -> set[int]:
    """Return the best quote of a passage, and of the others the best that fit the room."""
    order = sorted(range(len(quotes)), key=lambda at: -scores[at])
    first = min(order, key=lambda at: (_says_little(quotes[at]), -scores[at]))
    kept, room = {first}, room - len(quotes[first].text)
    for at in order:
        cost = len(quotes[at].text)
        if at != first and cost <= room and not quotes[at].is_heading:
            kept.add(at)
            room -= cost
    return kept


def _says_little(quote: Quote) -> bool:
    """Tell whether a line is a heading or a few words: no passage is to be told by that alone."""
    return quote.is_heading or len(content_words(quote.text)) < _LEAST_WORDS


def _with_headings(quotes: Sequence[Quote], kept: set[int]) -> set[int]:
    """Return what is kept of a passage with the line that each of it stands under."""
    found, above = set(kept), -1
    for at, quote in enumerate(quotes):
        if quote.is_heading:
            above = at
        elif at in kept and above >= 0:
            found.add(above)
    return found


def _excerpt(quotes: Sequence[Quote], kept: set[int]) -> CompressedPassage:
    """Join the kept quotes of a passage; what stood between neighbours stays between them."""
    whole, text, end, former = quotes[0].passage.text, "", 0, -1
    spans = tuple(Span(quotes[at].start, quotes[at].end) for at in sorted(kept))
    if len(kept) == len(quotes):
        return CompressedPassage(whole, spans)
    for at in sorted(kept):
        between = whole[end : quotes[at].start]
        text += (between if at == former + 1 else _gap(between, text)) + quotes[at].text
        end, former = quotes[at].end, at
    is_last = former == len(quotes) - 1
    return CompressedPassage(text if is_last else f"{text} {_LEFT_OUT}", spans)


def _gap(between: str, before: str) -> str:
    """Return what stands for what was left out: on a line of its own where lines were."""
    if not before:
        return f"{_LEFT_OUT} "
    return f"\n{_LEFT_OUT}\n" if "\n" in between.strip(" ") else f" {_LEFT_OUT} "


def is_compressed(passages: Iterable[Passage], shorter: CompressedPassages) -> bool:
    """Say whether anything of these passages is left out."""
    return any(prompt_text(each, shorter).text != each.text for each in passages)
