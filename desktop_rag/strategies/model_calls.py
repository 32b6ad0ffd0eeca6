"""Calls of the language model for one question: each counted, told as an event, and stopped.

No strategy can call it unseen.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import ModelCall, Notice, Token, answer_broken_off
from desktop_rag.core.phrases import Phrase, PhraseList
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Passage
from desktop_rag.generation.prompt_builder import Prompt, PromptBuilder
from desktop_rag.generation.prompt_delimiters import PassageTagFilter
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.worked_examples import WorkedRules
from desktop_rag.models.protocols import ChatModel, GenerationOptions, Message, ReplyEnd, ReplyPiece
from desktop_rag.strategies.base import Generated, Question, Steps, ValueProbabilities
from desktop_rag.strategies.research_context import ResearchContext, ResearchState
from desktop_rag.strategies.structured_output import Schema, generate_object, weigh_values


def not_everything_fits(dropped: Sequence[str]) -> Notice:
    """Return the notice of what a prompt has no room for."""
    told = PhraseList(tuple(dropped), "; ")
    return Notice(Phrase("Not everything fits the model's context: {0}.", told))


@dataclass(frozen=True, slots=True)
class ModelTools:
    """What a strategy has a model write; see `base.StrategyTools`."""

    engine: ResearchContext
    question: Question
    token: CancelToken
    tally: ResearchState = field(default_factory=ResearchState)

    @property
    def model_name(self) -> str:
        """The language model's name."""
        return self.engine.model.name if self.engine.model else ""

    @property
    def model_parameters(self) -> int | None:
        """The size that the language model's server tells."""
        return self.engine.model.parameters if self.engine.model else None

    def generate(
        self, messages: Sequence[Message], purpose: str, options: GenerationOptions | None = None
    ) -> Steps[Generated]:
        """Call the model out of sight."""
        chosen = options or GenerationOptions(temperature=self.engine.settings.ollama.temperature)
        return self._call(Prompt(tuple(messages)), purpose, chosen, shown=False)

    def decide(
        self, messages: Sequence[Message], purpose: str, schema: Schema
    ) -> Steps[dict[str, Any] | None]:
        """Have the model choose; a reply that breaks the form is asked for again once."""
        prompts = Prompts(self.question.language)
        found = yield from generate_object(self.generate, messages, purpose, schema, prompts)
        if found is None:
            yield from self.undecided()
        return found

    def weigh(
        self, messages: Sequence[Message], purpose: str, schema: Schema
    ) -> Steps[ValueProbabilities | None]:
        """Have the model choose, and tell how near the other values were."""
        prompts = Prompts(self.question.language)
        found = yield from weigh_values(self.generate, messages, purpose, schema, prompts)
        if found is None:
            yield from self.undecided()
        return found

    def undecided(self) -> Steps[None]:
        """Say that the model twice broke the form."""
        return self._told_once("The model did not decide in the form that was asked for.")

    def think(self, passages: Sequence[Passage], purpose: str) -> Steps[Generated]:
        """Write a chain of thought, without the model's own thinking mode."""
        composer, answering = self._composer(), self.engine.settings.answering
        rules = Prompts(self.question.language).draft(only_documents=answering.only_documents)
        prompt = composer.write(rules, passages, order=answering.order)
        return self._call(prompt, purpose, self._options(composer), shown=False)

    def write(
        self,
        passages: Sequence[Passage],
        purpose: str,
        rules: str | WorkedRules,
        so_far: str = "",
        options: GenerationOptions | None = None,
    ) -> Steps[Generated]:
        """Write by rules of the strategy's own, out of sight."""
        worked = rules if isinstance(rules, WorkedRules) else WorkedRules(rules)
        composer = replace(self._composer(), examples=worked.examples)
        prompt = composer.write(worked.text, passages, so_far)
        return self._call(prompt, purpose, options or self._options(composer), shown=False)

    def estimate(self, text: str) -> int:
        """Return about how many tokens of the model a text takes."""
        return self._model().estimate_tokens(text)

    def room(self, messages: Sequence[Message]) -> int:
        """Return how many tokens of the context messages leave, 0 where they fill it."""
        return self._composer().room(messages)

    def _call(
        self, prompt: Prompt, purpose: str, options: GenerationOptions, *, shown: bool
    ) -> Steps[Generated]:
        """Call the model once; a break in its reply ends it, with a notice, if anything came."""
        if prompt.dropped:
            yield not_everything_fits(prompt.dropped)
        pieces: list[ReplyPiece] = []
        self.tally.llm_calls += 1
        reason = "broken"
        try:
            for part in self._reply(prompt, options):
                if isinstance(part, ReplyEnd):
                    reason = part.reason
                    yield from self._finished(part, purpose, prompt.dropped)
                else:
                    pieces.append(part)
                    yield from self._piece(part, shown=shown)
        except ModelUnavailable as problem:
            if not any(piece.text.strip() for piece in pieces):
                raise
            yield answer_broken_off(problem.sentence)
        text = "".join(piece.text for piece in pieces)
        gap = text[: len(text) - len(text.lstrip())]
        tokens = tuple(token for piece in pieces for token in piece.tokens)
        alternatives = tuple(row for piece in pieces for row in piece.alternatives)
        return Generated(text.strip(), reason, tokens, gap, alternatives)

    def _reply(self, prompt: Prompt, options: GenerationOptions) -> Iterator[ReplyPiece | ReplyEnd]:
        """Yield a reply's parts, without tags of passages that the model copied.

        Where enough sentences have come, stop the model and end there.
        """
        model, text, count = self._model(), "", 0
        began, tags = time.monotonic(), PassageTagFilter()
        with closing(model.chat(prompt.messages, options, self.token)) as parts:
            for part in parts:
                if isinstance(part, ReplyEnd):
                    yield ReplyPiece(tags.end())
                    yield part
                    return
                shown = tags.feed(part.text)
                yield replace(part, text=shown)
                text += shown
                count += max(1, len(part.tokens))
                if options.sentences and len(sentences(text.strip())) > options.sentences:
                    break
            else:
                return
        asked = sum(model.estimate_tokens(each.content) for each in prompt.messages)
        yield ReplyEnd(asked, count, "sentences", time.monotonic() - began)

    def _piece(self, piece: ReplyPiece, *, shown: bool) -> Steps[None]:
        if shown and piece.text:
            self.tally.written += piece.text
            yield Token(piece.text)

    def _finished(self, end: ReplyEnd, purpose: str, dropped: tuple[str, ...]) -> Steps[None]:
        self.tally.prompt_tokens += end.prompt_tokens or 0
        self.tally.answer_tokens += end.answer_tokens or 0
        name = self._model().name
        seconds = round(end.seconds, 4)  # as it is kept: later it must read the same
        yield ModelCall(name, purpose, end.prompt_tokens, end.answer_tokens, dropped, seconds)
        for text in end.notices:
            yield from self._told_once(text)

    def _told_once(self, text: str) -> Steps[None]:
        """Tell something once a question, however many calls it takes."""
        if text not in self.tally.told:
            self.tally.told.append(text)
            yield Notice(text)

    def _options(self, composer: PromptBuilder, *, think: bool = False) -> GenerationOptions:
        temperature = self.engine.settings.ollama.temperature
        return GenerationOptions(composer.answer_tokens, temperature, think)

    def _composer(self) -> PromptBuilder:
        question = self.question
        return PromptBuilder(
            self._model(),
            self.engine.settings,
            question.text,
            question.language,
            question.history,
        )

    def _model(self) -> ChatModel:
        if self.engine.model is None:
            raise ModelUnavailable(
                "No language model is there.", "Start Ollama and get a model for it."
            )
        return self.engine.model
