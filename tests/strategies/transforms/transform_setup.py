"""A house and its papers: what the transforms' tests ask about, and how they run."""

from __future__ import annotations

import json
from collections.abc import Sequence

from desktop_rag.core.events import Event, Notice, PassagesFound, SearchStarted, Step
from desktop_rag.strategies.base import StrategyResult
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.strategies.single_pass import SinglePass
from desktop_rag.strategies.transforms.base import Researcher, Transform
from tests.strategies.conftest import finished

QUESTION = "How high is the rent of the house that Anna Berg let?"
LEASE = "The rent of the house is 1,450 francs."
OWNER = "Anna Berg let the house at Gartenweg 12 to Otto Brandt."
HILLS = "Tea is grown in the hills of Assam."
TOWER = "The tower was built in 1902."
FEES = "Monthly housing costs in Zug rise every year."
TEXTS = (LEASE, OWNER, HILLS, TOWER, FEES)
ANSWER = "It is 1,450 francs [1]."


def passed(
    transform: Transform, research: ResearchTools, then: Researcher | None = None
) -> tuple[list[Event], StrategyResult]:
    """Run a transform before a strategy (a single pass) to its end."""
    return finished(transform.run(research.question, research, then or SinglePass(k=3)))


def listing(questions: Sequence[str]) -> str:
    return json.dumps({"questions": list(questions)}, ensure_ascii=False)


def told(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Notice)]


def steps(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.name, event.text) for event in events if isinstance(event, Step)]


def searched(events: list[Event]) -> list[str]:
    return [event.query for event in events if isinstance(event, SearchStarted)]


def found(events: list[Event]) -> list[list[str]]:
    return [[p.text for p in e.passages] for e in events if isinstance(e, PassagesFound)]
