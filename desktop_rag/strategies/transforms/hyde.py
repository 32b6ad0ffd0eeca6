"""HyDE (Gao et al. 2022): search near passages that the model makes up as answers.

Such a passage may be wrong, but it is worded as the right one is. Its vector, averaged with the
question's, is what is compared; words and the reranker keep to the question itself. One passage is
nearly as good as the paper's eight, and much cheaper.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from desktop_rag.core.events import Draft, Notice
from desktop_rag.core.phrases import Phrase
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.strategies.base import (
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.strategies.transforms.base import Researcher
from desktop_rag.strategies.transforms.reply_cleaning import AS_IT_IS, passage_of, with_fallback
from desktop_rag.strategies.transforms.search_override import aimed_search

_TOKENS = 160  # of a passage: about what one holds
_GO_ON = "The passages made up until then are used."


@dataclass(frozen=True, slots=True)
class Hyde:
    """Searches by meaning near passages that the model makes up as answers."""

    name: ClassVar[str] = "hyde"
    title: ClassVar[str] = "Hypothetical passages (HyDE)"
    paper: ClassVar[str] = "Gao et al. 2022, HyDE, arXiv 2212.10496"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    passages: int = option(
        1, "Passages", "How many passages are made up; the paper has 8.", low=1, high=8
    )
    temperature: float = option(
        0.7, "Temperature", "How much the passages differ from each other.", low=0.0, high=2.0
    )

    def run(
        self, question: Question, tools: StrategyTools, then: Researcher
    ) -> Steps[StrategyResult]:
        """Have passages made up; the question's vector is the mean of its own and theirs."""
        made = yield from self._made(question, tools)
        if not made:
            return (yield from then.run(question, tools))

        def near(aim: SearchOverrides) -> SearchOverrides:
            return replace(aim, alike=(*aim.alike, *made))

        return (yield from then.run(question, aimed_search(tools, question, near)))

    def _made(self, question: Question, tools: StrategyTools) -> Steps[tuple[str, ...]]:
        """Return the passages that the model makes up; a call that fails is the last."""
        prompt = Prompts(question.language).text("transform/hyde", question=question.text)
        options = GenerationOptions(_TOKENS, temperature=self.temperature)
        made: list[str] = []
        for n in range(1, self.passages + 1):
            steps = passage_of(prompt, Phrase("hypothetical passage {0}", n), tools, options)
            text = yield from with_fallback(self.title, steps, None, _GO_ON if made else AS_IT_IS)
            if text is None:
                return tuple(made)
            if text:
                yield Draft(text, kept=False)
                made.append(text)
        if not made:
            yield Notice(Phrase("{0}: the model wrote no passage. {1}", self.title, AS_IT_IS))
        return tuple(made)
