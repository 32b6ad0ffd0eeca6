"""Compose the messages of an answer: rules, fenced passages, question, within the context.

What a prompt holds and what is shown as its sources are one value: `Prompt.sources`. Where passages
are shortened, the prompt tells less of them, under the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from desktop_rag.core.phrases import Phrase
from desktop_rag.core.sentences import sentences
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import Passage
from desktop_rag.generation.extractive_compression import (
    CompressedPassages,
    is_compressed,
    passage_identity,
)
from desktop_rag.generation.packing import ordered, pack, tokens_of
from desktop_rag.generation.prompt_delimiters import delimit, delimit_incrementally
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.worked_examples import fitting_examples, worked_examples
from desktop_rag.models.protocols import Message, TokenBudget

_SHARE_LEFT = 0.97  # of the context: token counts are estimates
AS_GIVEN = "given"  # the order of a collection that grows at its end
_HISTORY_SHARE = 0.25  # of the room that the rules leave
_EXAMPLES = {"answer/brief": "answer", "answer/chain_of_thought": "answer_reasoned"}
_LEAST_BEGINNING = 64  # tokens of an answer that is continued


RawForm = Callable[[Sequence[Passage]], str]
"""Makes a whole raw prompt of the passages that fit."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Messages, and the passages in them: number n of the prompt is `sources[n - 1]`."""

    messages: tuple[Message, ...]
    sources: tuple[Passage, ...] = ()
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptBuilder:
    """Composes prompts for one model and one question; `order` is instead of the setting's.

    `shorter` is what is told of passages instead of all of their text. `examples` stand behind the
    rules as far as they leave room for all that is said; the last are left out first.
    """

    model: TokenBudget
    settings: Settings
    question: str
    language: str
    history: tuple[Message, ...] = ()
    order: str = ""
    shorter: CompressedPassages = field(default_factory=dict)
    examples: tuple[str, ...] = ()

    @property
    def answer_tokens(self) -> int:
        """How long an answer may be: the setting, but never over half of the context."""
        return min(self.settings.ollama.answer_tokens, self.model.context_tokens // 2)

    def answer(self, passages: Sequence[Passage], manner: str, aside: str = "") -> Prompt:
        """Ask for an answer with citations; `manner` is a prompt's name, as `answer/brief`."""
        if not passages:
            return self.filled(Prompts(self.language).closed_book(manner), (), aside=aside)
        rules = self._rules(manner, passages)
        return self._citing(manner).filled(rules, passages, aside=aside)

    def write(
        self, rules: str, passages: Sequence[Passage], so_far: str = "", order: str = AS_GIVEN
    ) -> Prompt:
        """Ask for a text by other rules, or for what comes after its beginning."""
        return replace(self, order=order).filled(rules, passages, so_far)

    def go_on(
        self, passages: Sequence[Passage], manner: str, so_far: str, known: Sequence[Passage]
    ) -> Prompt:
        """Ask for the answer's next part; `known` are the passages that have a number already."""
        rules = self._rules(manner, passages)
        return self._citing(manner).filled(rules, passages, so_far, known)

    def resume(
        self, passages: Sequence[Passage], manner: str, so_far: str, known: Sequence[Passage]
    ) -> Prompt:
        """Ask for the rest of an answer that was cut; of a long one, its end is told.

        It shares the room with passages and conversation; `known` are the answer's sources.
        """
        rules = self._rules(manner, passages)
        if not known:
            rules = Prompts(self.language).closed_book(manner)
        end = self._end_of(so_far, max(_LEAST_BEGINNING, self._room(rules) // 2))
        left_out = () if end == so_far else (Phrase("the beginning of the answer"),)
        prompt = self.filled(rules, passages, end, known)
        return replace(prompt, dropped=left_out + prompt.dropped)

    def _end_of(self, text: str, room: int) -> str:
        """Return the last sentences of a text that fit, at least some of the last one."""
        if self.model.estimate_tokens(text) <= room:
            return text
        starts = [each.start for each in sentences(text)]
        fits = (at for at in starts if self.model.estimate_tokens(text[at:]) <= room)
        end = text[next(fits, starts[-1]) :]
        while self.model.estimate_tokens(end) > room and len(end) > 1:
            end = end[len(end) // 4 + 1 :]
        return end

    def raw(self, form: RawForm, passages: Sequence[Passage], known: Sequence[Passage]) -> Prompt:
        """Ask for what comes after a text in a model's own form, without rules or conversation."""
        room = self._room(form(()))
        packed = pack(passages, room, self.model.estimate_tokens, self.shorter)
        message = Message("user", form(packed.in_prompt))
        return Prompt((message,), _with(known, packed.shown), packed.dropped)

    def room(self, messages: Sequence[Message]) -> int:
        """Return the tokens that messages leave in the context."""
        taken = sum(self.model.estimate_tokens(each.content) for each in messages)
        return max(0, int(self.model.context_tokens * _SHARE_LEFT) - taken)

    def _citing(self, manner: str) -> PromptBuilder:
        """Return it with the examples of cited answers that the settings want.

        The second one is a refusal, which is no example where the model may say what it knows.
        """
        answering = self.settings.answering
        count = min(answering.examples, 2 if answering.only_documents else 1)
        if not count or manner not in _EXAMPLES:
            return self
        shipped = worked_examples(_EXAMPLES[manner], self.language)
        return replace(self, examples=shipped[:count])

    def _rules(self, manner: str, passages: Sequence[Passage]) -> str:
        prompts = Prompts(self.language)
        only = self.settings.answering.only_documents
        name = "answer/documents_only" if only else "answer/documents_first"
        scope = prompts.text(name, not_found=prompts.not_found)
        rules = prompts.text("answer/rules", scope=scope, manner=prompts.text(manner))
        if not is_compressed(passages, self.shorter):
            return rules
        is_pruned = any(each.is_pruned for each in self.shorter.values())
        name = "answer/pruned_passages" if is_pruned else "answer/shortened_passages"
        return f"{rules}\n{prompts.text(name)}"

    def filled(
        self,
        rules: str,
        passages: Sequence[Passage],
        so_far: str = "",
        known: Sequence[Passage] = (),
        aside: str = "",
    ) -> Prompt:
        """Return rules, conversation, passages and question, as much of them as fits."""
        beside = sum(map(self.model.estimate_tokens, filter(None, (so_far, aside))))
        rules, fewer = self._with_examples(rules, passages, beside)
        room = self._room(rules) - beside
        history, forgotten = self._recent(int(room * _HISTORY_SHARE))
        room -= sum(self.model.estimate_tokens(message.content) for message in history)
        packed = pack(passages, room, self.model.estimate_tokens, self.shorter)
        sources = _with(known, packed.shown)
        places = {passage_identity(each): n for n, each in enumerate(sources, start=1)}
        arranged = ordered(packed.in_prompt, self.order or self.settings.answering.order)
        shown = [(places[passage_identity(each)], each) for _, each in arranged]
        put = delimit_incrementally if self.order == AS_GIVEN else delimit
        asked = Prompts(self.language).text(
            "shared/passages_and_question",
            passages=put(shown, self.question),
            question=self.question,
        )
        told = "\n\n".join(filter(None, (aside, asked.strip())))
        said = (Message("user", told), *_begun(so_far))
        messages = (Message("system", rules), *history, *said)
        return Prompt(messages, sources, fewer + forgotten + packed.dropped)

    def _with_examples(
        self, rules: str, passages: Sequence[Passage], beside: int
    ) -> tuple[str, tuple[str, ...]]:
        """Return the rules with as many examples as all passages leave room for, and what is left
        out in words.
        """
        needed = tokens_of(passages, self.model.estimate_tokens, self.shorter) + beside
        share = 1.0 - (_HISTORY_SHARE if self.history else 0.0)
        prompts = Prompts(self.language)

        def fits(told: str) -> bool:
            return needed <= share * self._room(told)

        return fitting_examples(rules, self.examples, prompts, fits)

    def _room(self, rules: str) -> int:
        """Return the tokens that the answer, the rules and the question leave."""
        fixed = self.model.estimate_tokens(rules) + self.model.estimate_tokens(self.question) + 32
        return int(self.model.context_tokens * _SHARE_LEFT) - self.answer_tokens - fixed

    def _recent(self, room: int) -> tuple[tuple[Message, ...], tuple[str, ...]]:
        """Return the last messages of the conversation that fit, and what is left out in words."""
        kept: list[Message] = []
        for message in reversed(self.history):
            room -= self.model.estimate_tokens(message.content)
            if room < 0:
                left = len(self.history) - len(kept)
                return tuple(kept[::-1]), (f"{left} earlier messages of the conversation",)
            kept.append(message)
        return tuple(kept[::-1]), ()


def _with(known: Sequence[Passage], shown: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return all passages that have a number, the new ones behind those that had theirs."""
    numbered = {passage_identity(each): each for each in known}
    return tuple((numbered | {passage_identity(each): each for each in shown}).values())


def _begun(so_far: str) -> tuple[Message, ...]:
    return (Message("assistant", so_far),) if so_far.strip() else ()
