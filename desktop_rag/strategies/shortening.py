"""What a model is told of the passages of an answer, as the settings wish it: each passage once.

A passage that was shortened stays so until the question is answered: an answer that is written in
parts, or checked and written anew, tells it in the same words, and no summary is written twice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from desktop_rag.core.events import Step
from desktop_rag.core.types import Passage
from desktop_rag.generation.extractive_compression import (
    CompressedPassage,
    CompressedPassages,
    Identity,
    excerpts,
    passage_identity,
    prompt_text,
)
from desktop_rag.strategies.base import Steps
from desktop_rag.strategies.summaries import PassageSummarizer

if TYPE_CHECKING:
    from desktop_rag.strategies.model_calls import ModelTools

WHOLE, SENTENCES, SUMMARY = "none", "extractive", "abstractive"
SHORTENED = "shortened"
"""The step that says that passages were shortened, and by how much."""


def compress_passages(
    calls: ModelTools, passages: Sequence[Passage], *, in_parts: bool = False
) -> Steps[dict[Identity, CompressedPassage]]:
    """Return what is told of passages, after telling as steps what is left of them.

    An answer that is written `in_parts` has other passages with every part: there sentences are
    kept where a summary is wished.
    """
    rules, known = calls.engine.settings.answering, calls.tally.shorter
    new = [each for each in passages if passage_identity(each) not in known and each.text.strip()]
    if rules.compression == WHOLE or not new:
        return known
    kept = excerpts(calls.question.text, new, rules.compression_share, calls.engine.embedder)
    summed: dict[Identity, CompressedPassage] = {}
    if rules.compression == SUMMARY and not in_parts:
        summed = yield from PassageSummarizer(calls).of(new)
    known.update(kept | summed)
    calls.token.check()
    yield from _told(calls, passages, summed)
    return known


def _told(calls: ModelTools, passages: Sequence[Passage], new: Collection[Identity]) -> Steps[None]:
    """Tell what the model is told of an answer's passages: each new summary, and how much it is."""
    known, count = calls.tally.shorter, calls.estimate
    summed = [n for n, each in enumerate(passages, start=1) if _is_summary(each, known)]
    for n in summed:
        if passage_identity(passages[n - 1]) in new:
            yield Step("summary", f"Source {n}: {known[passage_identity(passages[n - 1])].text}")
    whole = sum(count(each.text) for each in passages)
    left = sum(count(prompt_text(each, known).text) for each in passages)
    share = f"about {left:,} of {whole:,} tokens are read"
    if len(summed) == len(passages):
        yield Step(SHORTENED, f"Summaries of the passages: {share}.")
    elif summed:
        some = f"Summaries of {len(summed)} of {len(passages)} passages"
        yield Step(SHORTENED, f"{some}, the best sentences of the others: {share}.")
    else:
        yield Step(SHORTENED, f"The best sentences of the passages: {share}.")


def _is_summary(passage: Passage, known: CompressedPassages) -> bool:
    found = known.get(passage_identity(passage))
    return found is not None and not found.kept
