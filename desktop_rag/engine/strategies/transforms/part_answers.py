"""Short answers to questions beside the user's own, each from passages found for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.core.types import Passage
from desktop_rag.engine.answering.prompts import Prompts
from desktop_rag.engine.answering.refusal import is_the_sentence
from desktop_rag.engine.models.protocols import Generation, Message
from desktop_rag.engine.strategies.base import Question, Steps, Tools
from desktop_rag.engine.strategies.transforms.replies import cleaned

_TOKENS = 120


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What a question was answered, "" where the passages did not say, and those passages."""

    question: str
    text: str
    passages: tuple[Passage, ...]

    @property
    def line(self) -> str:
        """Return question and answer in one line."""
        return f"{self.question} {self.text or '—'}"


@dataclass(frozen=True, slots=True)
class PartAnswers:
    """Searches and answers, `k` passages a question."""

    tools: Tools
    whole: Question
    k: int

    def answer(self, asked: str, why: str, known: Sequence[PartAnswer] = ()) -> Steps[PartAnswer]:
        """Search for a question with what is known before it, and answer it from the passages."""
        query = " ".join((asked, *(each.text for each in known if each.text)))
        passages = yield from self.tools.search(query, why, self.k)
        if not passages:
            return PartAnswer(asked, "", ())
        messages = self._messages(asked, passages, known)
        reply = yield from self.tools.generate(messages, why, Generation(_TOKENS))
        text = cleaned(reply.text)
        return PartAnswer(asked, "" if is_the_sentence(text) else text, passages)

    def _messages(
        self, asked: str, passages: Sequence[Passage], known: Sequence[PartAnswer]
    ) -> tuple[Message, ...]:
        """Return the call; the last passages go until there is room for a reply."""
        prompts = Prompts(self.whole.language)
        rules = Message(
            "system", prompts.text("transform_part_answer", not_found=prompts.not_found)
        )
        lines = "\n".join(each.line for each in known if each.text)
        while True:
            shown = self.tools.fenced(passages)
            text = "\n\n".join(filter(None, (shown, lines, asked)))
            messages = (rules, Message("user", text))
            if len(passages) <= 1 or self.tools.room(messages) >= _TOKENS:
                return messages
            passages = passages[:-1]
