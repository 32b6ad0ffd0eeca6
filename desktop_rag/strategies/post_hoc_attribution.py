"""Ground what a model wrote without passages: a sentence stays where the documents support it.

A sentence is searched for, and kept with the number of the passage that supports it strongly. What
nothing supports is shown as a dropped draft; where nothing remains, nothing was found.

The model had no passage to go by, so that a sentence may say nearly what a document says and be
wrong in one word. Names and numbers must therefore stand in the quote itself, and what one of the
two denies the other must deny.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from desktop_rag.core.events import Draft
from desktop_rag.core.language import content_words
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Passage
from desktop_rag.generation import citation_markers
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.refusal import says_not_found
from desktop_rag.strategies.base import Generated, Question, Steps, StrategyResult, StrategyTools

_PASSAGES = 2  # that are looked at for each sentence
_NAME = re.compile(r"\b[A-Z][\w'’-]*|\d[\w.,]*\w|\d")
_WIDE = re.compile(r"[\u3400-\u9fff]+")
_WIDE_SHARE = 0.8  # of a sentence's pairs of characters: names have no capitals there
_DENIAL = re.compile(
    r"\b(?:not?|never|none|neither|nor|without|cannot)\b|n['’]t\b|[不没沒未无無非]", re.IGNORECASE
)


def answer_without_retrieval(
    manner: str, question: Question, tools: StrategyTools
) -> Steps[StrategyResult]:
    """Return what the model answers without passages; grounded, where only documents count."""
    if not tools.only_documents:
        return (yield from tools.answer((), manner))
    rules = Prompts(question.language).closed_book(manner)
    said = yield from tools.write((), "from memory", rules)
    return (yield from attribute(said, question, tools))


def attribute(said: Generated, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
    """Return the sentences that the documents support, with their sources; else a refusal."""
    text = citation_markers.normalised(said.text, 0)
    spans = [] if says_not_found(text) else sentences(text)
    ground = _Ground(tools)
    for span in spans:
        before = text[: span.start]
        yield from ground.lay(before[len(before.rstrip()) :], span.of(text))
    if not ground.text:
        return StrategyResult(Prompts(question.language).not_found, (), "refused")
    return StrategyResult(ground.text, tuple(ground.sources), unfinished=said.reason != "stop")


@dataclass(slots=True)
class _Ground:
    """The sentences kept so far, and the passages that support them, in order of their numbers."""

    tools: StrategyTools
    text: str = ""
    sources: list[Passage] = field(default_factory=list)

    def lay(self, gap: str, sentence: str) -> Steps[None]:
        """Keep a sentence, with the white space before it, if a passage supports it strongly."""
        query = " ".join(sentence.split())
        passages = yield from self.tools.search(query, "a source for a sentence", _PASSAGES)
        made = self.tools.supported(sentence, passages)
        is_kept = not made.from_model and any(agrees(sentence, c.quote) for c in made.citations)
        yield Draft(sentence, is_kept)
        if not is_kept:
            return
        n = made.citations[0].n
        numbered = made.text.replace(f"[{n}]", f"[{self._number(passages[n - 1])}]")
        shown = gap + numbered if self.text else numbered
        self.text += shown
        yield from self.tools.keep(shown)

    def _number(self, passage: Passage) -> int:
        """Return a source's number, the next one for a new source."""
        known = [each.chunk_id for each in self.sources]
        if passage.chunk_id in known:
            return known.index(passage.chunk_id) + 1
        self.sources.append(passage)
        return len(self.sources)


def agrees(sentence: str, quote: str) -> bool:
    """Say whether a quote has a sentence's names and numbers, and denies what it denies.

    A question says nothing that could be supported.
    """
    if sentence.rstrip().endswith(("?", "？")):
        return False
    held = set(content_words(quote))
    named = {word for name in _NAME.findall(sentence) for word in content_words(name)}
    pairs = [pair for run in _WIDE.findall(sentence) for pair in content_words(run)]
    shared = sum(pair in held for pair in pairs)
    denies_alike = bool(_DENIAL.search(sentence)) == bool(_DENIAL.search(quote))
    return named <= held and shared >= _WIDE_SHARE * len(pairs) and denies_alike
