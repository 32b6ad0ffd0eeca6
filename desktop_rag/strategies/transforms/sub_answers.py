"""Short answers to questions beside the user's own, each from passages found for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.core.types import Passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.refusal import is_standard_refusal
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.strategies.base import Question, Steps, StrategyTools
from desktop_rag.strategies.transforms.reply_cleaning import clean_reply

_TOKENS = 120


@dataclass(frozen=True, slots=True)
class SubAnswer:
    """What a question was answered, "" where the passages did not say, and those passages."""

    question: str
    text: str
    passages: tuple[Passage, ...]

    @property
    def line(self) -> str:
        """Return question and answer in one line."""
        return f"{self.question} {self.text or '—'}"


@dataclass(frozen=True, slots=True)
class SubQuestionAnswerer:
    """Searches and answers, `k` passages a question."""

    tools: StrategyTools
    whole: Question
    k: int

    def answer(self, asked: str, why: str, known: Sequence[SubAnswer] = ()) -> Steps[SubAnswer]:
        """Search for a question with what is known before it, and answer it from the passages."""
        query = " ".join((asked, *(each.text for each in known if each.text)))
        passages = yield from self.tools.search(query, why, self.k)
        if not passages:
            return SubAnswer(asked, "", ())
        messages = self._messages(asked, passages, known)
        reply = yield from self.tools.generate(messages, why, GenerationOptions(_TOKENS))
        text = clean_reply(reply.text)
        return SubAnswer(asked, "" if is_standard_refusal(text) else text, passages)

    def _messages(
        self, asked: str, passages: Sequence[Passage], known: Sequence[SubAnswer]
    ) -> tuple[Message, ...]:
        """Return the call; the last passages go until there is room for a reply."""
        prompts = Prompts(self.whole.language)
        rules = Message("system", prompts.text("transform/sub_answer", not_found=prompts.not_found))
        lines = "\n".join(each.line for each in known if each.text)
        while True:
            shown = self.tools.fenced(passages)
            text = "\n\n".join(filter(None, (shown, lines, asked)))
            messages = (rules, Message("user", text))
            if len(passages) <= 1 or self.tools.room(messages) >= _TOKENS:
                return messages
            passages = passages[:-1]
