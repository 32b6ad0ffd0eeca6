"""What a model is told of the passages of an answer, as the settings wish it: each passage once.

A passage that was shortened stays so until the question is answered: an answer that is written in
parts, or checked and written anew, tells it in the same words, and no summary is written twice.

Abstractive compression: the model says of each passage what it tells about the question.

As in RECOMP (Xu et al. 2024), by one call for as many passages as fit. What comes is material, as
the passages are: it stands within the same fences, and quotes and citations point at the originals.
A summary with a figure that its passage lacks is not used.

Token pruning: the built-in reader says which words of a passage matter
(`generation/token_pruning`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Notice, Step
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import Passage
from desktop_rag.generation.extractive_compression import (
    CompressedPassage,
    CompressedPassages,
    Identity,
    excerpts,
    passage_identity,
    prompt_text,
)
from desktop_rag.generation.number_extraction import digit_numbers, missing_numbers, numbers
from desktop_rag.generation.prompt_delimiters import delimit
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.token_pruning import prune_tokens
from desktop_rag.models.pair_reader import PairReading
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.strategies.base import Generated, Steps
from desktop_rag.strategies.model_calls import ModelTools
from desktop_rag.strategies.query_builder import one_line
from desktop_rag.strategies.research_context import ResearchContext
from desktop_rag.strategies.structured_output import Schema, generate_object

_AT_ONCE = 10  # passages of one call
_WORDS = 40  # of a summary
_REPLY, _REPLY_EACH = 40, 110  # tokens of a reply, and of each summary in it
WHOLE, SENTENCES, SUMMARY, TOKENS = "none", "extractive", "abstractive", "tokens"
SHORTENED = "shortened"
"""The step that says that passages were shortened, and by how much."""


@dataclass(frozen=True, slots=True)
class PassageSummarizer:
    """Has the passages of one question summarised."""

    calls: ModelTools

    def of(self, passages: Sequence[Passage]) -> Steps[dict[Identity, CompressedPassage]]:
        """Return the summaries that can be used; none, after a notice, where the model fails."""
        made: dict[Identity, CompressedPassage] = {}
        waiting = list(passages)
        while waiting:
            messages, count = self._asked(waiting[:_AT_ONCE])
            few, waiting = waiting[:count], waiting[count:]
            try:
                said = yield from self._said(messages, count)
            except ModelUnavailable as problem:
                yield Notice(Phrase("{0} The passages are shortened without it.", problem.sentence))
                return made
            if not said:
                return made
            made |= dict(_usable(few, said))
        return made

    def _said(self, messages: Sequence[Message], count: int) -> Steps[list[str]]:
        """Return what the model says of each passage; nothing where it twice breaks the form."""

        def generate(
            told: Sequence[Message], purpose: str, options: GenerationOptions
        ) -> Steps[Generated]:
            long = replace(options, max_tokens=_room_for(count))
            return self.calls.generate(told, purpose, long)

        prompts = Prompts(self.calls.question.language)
        found = yield from generate_object(
            generate, messages, "summarise the passages", _schema(count), prompts
        )
        if found is None:
            yield from self.calls.undecided()
            return []
        return list(found["summaries"])

    def _asked(self, passages: Sequence[Passage]) -> tuple[list[Message], int]:
        """Return messages about as many of the passages as the context has room for."""
        prompts, count = Prompts(self.calls.question.language), len(passages)
        while True:
            rules = prompts.text("compression/summarise", count=str(count), words=str(_WORDS))
            numbered = list(enumerate(passages[:count], start=1))
            shown = delimit(numbered, self.calls.question.text)
            asked = prompts.text(
                "shared/passages_and_question", passages=shown, question=self.calls.question.text
            )
            messages = [Message("system", rules), Message("user", asked)]
            if count == 1 or self.calls.room(messages) >= _room_for(count):
                return messages, count
            count //= 2


def _room_for(count: int) -> int:
    return _REPLY + _REPLY_EACH * count


def _schema(count: int) -> Schema:
    summaries = {
        "type": "array",
        "items": {"type": "string"},
        "minItems": count,
        "maxItems": count,
    }
    return {"type": "object", "properties": {"summaries": summaries}, "required": ["summaries"]}


def _usable(
    passages: Sequence[Passage], said: Sequence[str]
) -> Iterator[tuple[Identity, CompressedPassage]]:
    """Yield the summaries that say something, in fewer words, and no figure of their own."""
    for passage, summary in zip(passages, said, strict=True):
        text = one_line(summary)
        known = numbers(f"{passage.title} {passage.section} {passage.text}")
        if (
            text
            and len(text) < len(passage.text)
            and not missing_numbers(digit_numbers(text), known)
        ):
            yield passage_identity(passage), CompressedPassage(text)


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
    kept = shortened_passages(calls.engine, calls.question.text, new, calls.token)
    summed: dict[Identity, CompressedPassage] = {}
    if rules.compression == SUMMARY and not in_parts:
        summed = yield from PassageSummarizer(calls).of(new)
    known.update(kept | summed)
    calls.token.check()
    yield from _told(calls, passages, summed)
    return known


def shortened_passages(
    engine: ResearchContext,
    question: str,
    passages: Sequence[Passage],
    token: CancelToken | None = None,
) -> dict[Identity, CompressedPassage]:
    """Return the best sentences of passages; their best words where the settings wish that.

    Of what the built-in reader does not read, sentences.
    """
    rules, reader = engine.settings.answering, engine.reader_of(question)
    kept = excerpts(question, passages, rules.compression_share, engine.embedder)
    if rules.compression != TOKENS or reader is None:
        return kept

    def read(query: str, texts: Sequence[str]) -> Sequence[PairReading] | None:
        try:
            return reader.read(query, texts, token)
        except ModelUnavailable:
            return None

    return kept | prune_tokens(question, passages, rules.compression_share, read)


def _told(calls: ModelTools, passages: Sequence[Passage], new: Collection[Identity]) -> Steps[None]:
    """Tell what the model is told of an answer's passages: each new summary, and how much it is."""
    known, count = calls.tally.shorter, calls.estimate
    summed = [n for n, each in enumerate(passages, start=1) if _is_summary(each, known)]
    for n in summed:
        if passage_identity(passages[n - 1]) in new:
            yield Step(
                "summary",
                Phrase("Source {0}: {1}", n, known[passage_identity(passages[n - 1])].text),
            )
    whole = sum(count(each.text) for each in passages)
    left = sum(count(prompt_text(each, known).text) for each in passages)
    share = Phrase("about {0} of {1} tokens are read", f"{left:,}", f"{whole:,}")
    if len(summed) == len(passages):
        yield Step(SHORTENED, Phrase("Summaries of the passages: {0}.", share))
    elif summed:
        some = Phrase("Summaries of {0} of {1} passages", len(summed), len(passages))
        yield Step(SHORTENED, Phrase("{0}, the best sentences of the others: {1}.", some, share))
    elif any(_is_pruned(each, known) for each in passages):
        yield Step(SHORTENED, Phrase("The most useful words of the passages: {0}.", share))
    else:
        yield Step(SHORTENED, Phrase("The best sentences of the passages: {0}.", share))


def _is_summary(passage: Passage, known: CompressedPassages) -> bool:
    found = known.get(passage_identity(passage))
    return found is not None and not found.kept


def _is_pruned(passage: Passage, known: CompressedPassages) -> bool:
    found = known.get(passage_identity(passage))
    return found is not None and found.is_pruned
