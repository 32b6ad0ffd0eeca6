"""The example of Self-RAG's paper, and what its tests ask and read of a run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from desktop_rag.core.events import Event
from desktop_rag.core.settings import Answering, Settings
from desktop_rag.strategies.base import StrategyResult
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.strategies.self_rag import SelfRag
from tests.strategies.conftest import finished

# The paper's own example (its figure 1).
QUESTION = "How did US states get their names?"
PERSONS = "Of the fifty US states, eleven names come from persons."
TRIBES = "The names of 26 US states come from Native Americans, Utah among them."
NOVEL = "California has its name from a novel."
OPEN = Settings(answering=Answering(only_documents=False))


def run(research: ResearchTools, **options: Any) -> tuple[list[Event], StrategyResult]:
    """Run Self-RAG on a question to its end."""
    return finished(SelfRag(**options).run(research.question, research))


def of(events: Iterable[Event], kind: type[Any]) -> list[Any]:
    """Return the events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def judged(relevant: bool, support: str, useful: int) -> str:
    """Return a critic's reply."""
    return json.dumps({"relevant": relevant, "support": support, "useful": useful})


def wants(retrieve: bool) -> str:
    """Return the reply to whether a search is needed."""
    return json.dumps({"retrieve": retrieve})


GOOD, FAIR, POOR = judged(True, "fully", 5), judged(True, "partly", 3), judged(False, "not", 1)
