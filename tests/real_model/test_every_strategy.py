"""What holds of every strategy with a real language model, whatever that writes.

What this model writes means little and differs from run to run: nothing here is about its words.
"""

from __future__ import annotations

from typing import Any

import pytest

from desktop_rag.core.events import Answer, Event, ModelCall, Notice
from desktop_rag.core.sentences import sentences
from desktop_rag.generation.citation_markers import numbers_in
from desktop_rag.strategies import registry
from testing.ollama_double import OllamaDouble
from testing.ollama_double.recorded import Recorded
from tests.real_model.conftest import CONTEXT, RealSetup

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("only_loopback")]

QUESTION = "How many justices has the court that Anna Berg founded?"
# Calls of the model that a strategy may make under its defaults, where a count of its rounds says.
MOST_CALLS = {
    "single_pass": 1, "linked_hops": 1, "efficient_rag": 1, "single_pass_cot": 1, "direct": 1,
    "chain_of_thought": 1, "iter_retgen": 3, "adaptive": 16, "crag": 8, "ircot": 17, "react": 16,
    "self_ask": 14, "self_rag": 40, "dsp": 16, "flare_direct": 40, "flare_instruct": 14,
    "previous_sentence": 40, "previous_window": 40, "prompt_rag": 5, "tables": 5,
    "hypothetical_questions": 1, "propositions": 1, "raptor": 1, "multi_head": 1,
    "entity_graph": 1,
}  # fmt: skip
# Its choices are many, and each is filled up to its longest by this model: two minutes.
LONG = ("self_rag",)


def kinds() -> list[object]:
    return [
        pytest.param(kind, id=kind.name, marks=pytest.mark.slow if kind.name in LONG else ())
        for kind in registry.STRATEGIES
    ]


@pytest.mark.parametrize("kind", kinds())
def test_it_ends_within_its_budgets(
    asking: RealSetup, ollama: OllamaDouble, kind: type[Any]
) -> None:
    events = asking.ask(QUESTION, strategy=kind.name)
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.text.strip()
    assert answer.strategy == kind.name
    assert answer.mode in {"generated", "extracted", "refused"}
    assert_citations_hold(answer)
    assert ("llm" in kind.needs) <= answer.llm_calls <= MOST_CALLS[kind.name]
    assert_counts_hold(ollama, events, answer)


def assert_citations_hold(answer: Answer) -> None:
    """Every number points to a source that is shown, and every quote stands in it."""
    assert set(numbers_in(answer.text)) <= set(range(1, len(answer.sources) + 1))
    for citation in answer.citations:
        source = answer.sources[citation.n - 1]
        assert citation.quote in source.text


def assert_counts_hold(ollama: OllamaDouble, events: list[Event], answer: Answer) -> None:
    """Calls are told as they were made, and none takes more than the context, unless told so."""
    asked = generated(ollama)
    calls = [event for event in events if isinstance(event, ModelCall)]
    assert len(calls) == answer.llm_calls <= len(asked)
    assert answer.prompt_tokens == sum(call.prompt_tokens or 0 for call in calls)
    assert all((call.prompt_tokens or 0) + (call.answer_tokens or 0) <= CONTEXT for call in calls)
    assert {request.options["num_ctx"] for request in asked} <= {CONTEXT}
    # A strategy that wants one sentence stops the model where the next one begins.
    stopped = [request for request in asked if request.abandoned]
    assert all(len(sentences(request.sent.strip())) > 1 for request in stopped)
    cut = [request for request in asked if request.dropped or request.lacks_room]
    if cut:
        assert any("context" in event.text for event in events if isinstance(event, Notice))


def generated(ollama: OllamaDouble) -> list[Recorded]:
    return ollama.chats + ollama.to("/api/generate")
