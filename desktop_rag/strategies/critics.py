"""Who criticises the segments of Self-RAG: the model that wrote them, by its tokens or if asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from desktop_rag.core.types import Passage
from desktop_rag.generation import citation_markers
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.strategies.base import Question, Steps, StrategyTools
from desktop_rag.strategies.reflection_tokens import MIDDLE, Critique, Segment, segment_of

_SUPPORT = {"fully": 1.0, "partly": 0.5, "not": 0.0}
_OPENING = GenerationOptions(
    12, logprobs=True
)  # tokens in which a model says whether it wants passages
_RETRIEVE = {
    "type": "object",
    "properties": {"retrieve": {"type": "boolean"}},
    "required": ["retrieve"],
}
_CRITIQUE = {
    "type": "object",
    "properties": {
        "relevant": {"type": "boolean"},
        "support": {"enum": list(_SUPPORT)},
        "useful": {"type": "integer", "minimum": 1, "maximum": 5},
    },
    "required": ["relevant", "support", "useful"],
}


class Critic(Protocol):
    """Says what Self-RAG asks for. `by_token`: it is said in what the model writes anyway."""

    by_token: ClassVar[bool]

    def wants(self, so_far: str, passages: Sequence[Passage], tools: StrategyTools) -> Steps[float]:
        """Return the probability that passages are wanted before the answer goes on."""
        ...

    def critique(
        self, segment: Segment, passages: Sequence[Passage], tools: StrategyTools
    ) -> Steps[Critique]:
        """Return what is to be said of a segment that was written from passages."""
        ...


@dataclass(frozen=True, slots=True)
class TokenCritic:
    """Reads the reflection tokens: one short call whether to retrieve, none for a critique."""

    by_token: ClassVar[bool] = True

    def wants(self, so_far: str, passages: Sequence[Passage], tools: StrategyTools) -> Steps[float]:
        """Let the model begin; a model that says nothing of it wants passages."""
        said = yield from tools.go_on(passages, "retrieve?", _OPENING, draft=so_far)
        return segment_of(said, by_token=True).retrieve

    def critique(
        self,
        segment: Segment,
        passages: Sequence[Passage],  # noqa: ARG002
        tools: StrategyTools,  # noqa: ARG002
    ) -> Steps[Critique]:
        """Return what came with the segment."""
        yield from ()
        return segment.critique


@dataclass(frozen=True, slots=True)
class PromptedCritic:
    """Asks the model: one decision whether to retrieve, one for each segment."""

    question: Question
    by_token: ClassVar[bool] = False

    def wants(
        self,
        so_far: str,
        passages: Sequence[Passage],  # noqa: ARG002
        tools: StrategyTools,
    ) -> Steps[float]:
        """Ask whether the next sentence needs passages; without a decision it does."""
        asked = self._asked("retrieve", "", so_far)
        found = yield from tools.decide(asked, "retrieve?", _RETRIEVE)
        return 1.0 if found is None else float(found["retrieve"])

    def critique(
        self, segment: Segment, passages: Sequence[Passage], tools: StrategyTools
    ) -> Steps[Critique]:
        """Ask for relevance, support and usefulness; without a decision all are middling."""
        if not passages:
            return MIDDLE
        asked = self._asked("critique", tools.fenced(passages), segment.text)
        found = yield from tools.decide(asked, "critique", _CRITIQUE)
        if found is None:
            return MIDDLE
        useful = (found["useful"] - 3) / 2
        return Critique(float(found["relevant"]), _SUPPORT[found["support"]], useful)

    def _asked(self, rules: str, passages: str, text: str) -> list[Message]:
        """Return a prompt; the text goes without its numbers, which mean other passages here."""
        prompts = Prompts(self.question.language)
        plain = citation_markers.normalised(text, 0)
        told = prompts.text(
            "segment", passages=passages, question=self.question.text, text=plain
        ).strip()
        return [Message("system", prompts.text(rules)), Message("user", told)]
