"""What a transform is: it changes how a question is searched for, then any strategy runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools


class Researcher(Protocol):
    """A strategy, or one behind transforms."""

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Research a question, yield what happens, return the answer."""
        ...


class Transform(Protocol):
    """A change to a question; `needs` names what must be there, as a strategy's does.

    What is answered stays the user's question. Where the model fails, or replies in no form that
    can be used, a notice says so, and the strategy runs on the question as it is.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]

    def run(
        self, question: Question, tools: StrategyTools, then: Researcher
    ) -> Steps[StrategyResult]:
        """Do this one's part, then run what comes after with tools that know of it."""
        ...


@dataclass(frozen=True, slots=True)
class TransformedStrategy:
    """A strategy behind one transform."""

    transform: Transform
    then: Researcher

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Run the transform, which runs the strategy."""
        return self.transform.run(question, tools, self.then)


def apply_transforms(transforms: Sequence[Transform], strategy: Researcher) -> Researcher:
    """Return a strategy behind transforms, of which the first acts first."""
    for transform in reversed(transforms):
        strategy = TransformedStrategy(transform, strategy)
    return strategy
