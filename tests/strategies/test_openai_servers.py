"""What holds of every strategy with a server that speaks OpenAI's protocol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Answer, Notice
from desktop_rag.core.remote_consent import Consent
from desktop_rag.models.openai_compatible import OpenAIChat
from desktop_rag.models.protocols import ChatModel
from desktop_rag.strategies import registry
from testing.ollama_double import fail
from testing.openai_double import LLAMA_CPP, LM_STUDIO, OpenAIDouble
from tests.commands.ask_setup import COURT, AskSetup
from tests.strategies.test_every_strategy import knowing

MOST_CALLS = 100
every = pytest.mark.parametrize("kind", registry.STRATEGIES, ids=lambda kind: kind.name)


class OpenAISetup(AskSetup):
    """A workspace whose language model is served over OpenAI's protocol."""

    def chat_model(self, name: str, consent: Consent) -> ChatModel:
        assert self.url is not None
        return OpenAIChat(self.url, name or "llama3.2:3b", self.settings.ollama, consent)


@pytest.fixture(params=[LLAMA_CPP, LM_STUDIO])
def double(request: pytest.FixtureRequest) -> Iterator[OpenAIDouble]:
    """One program that does all, and one that tells no probabilities and continues nothing."""
    with OpenAIDouble(product=request.param) as running:
        running.logprobs = request.param == LLAMA_CPP
        running.otherwise = knowing(COURT)
        yield running


@pytest.fixture
def context(tmp_path: Path, double: OpenAIDouble) -> Iterator[OpenAISetup]:
    made = OpenAISetup(tmp_path, double.url)
    yield made
    made.catalog.close()


@every
def test_it_answers(context: OpenAISetup, double: OpenAIDouble, kind: type[Any]) -> None:
    if "logprobs" in kind.needs and not double.logprobs:
        pytest.skip("it needs what this program does not tell")
    answer = context.answer(strategy=kind.name)
    assert "nine justices" in answer.text
    assert answer.llm_calls <= MOST_CALLS
    assert bool(double.asked) >= ("llm" in kind.needs)


@every
def test_what_it_needs_and_does_not_get_is_told(
    context: OpenAISetup, double: OpenAIDouble, kind: type[Any]
) -> None:
    if "logprobs" not in kind.needs or double.logprobs:
        pytest.skip("it gets all that it needs")
    events = context.ask(strategy=kind.name)
    told = [event.text for event in events if isinstance(event, Notice)]
    assert isinstance(events[-1], Answer)
    assert any("how sure" in text for text in told)


@every
def test_a_server_that_only_fails_leaves_quotes(
    context: OpenAISetup, double: OpenAIDouble, kind: type[Any]
) -> None:
    double.otherwise = fail(500, "it crashed")
    answer = context.answer(strategy=kind.name)
    assert answer.mode == "extracted"
    assert "nine justices" in answer.text


def test_a_model_that_is_gone_is_told(context: OpenAISetup, double: OpenAIDouble) -> None:
    double.models = {}
    chat = context.chat_model("", Consent())
    assert chat.context_tokens == context.settings.ollama.num_ctx
    with pytest.raises(ModelUnavailable, match="has no model"):
        chat.parameters or list(chat.chat([], None, context.token))  # type: ignore[arg-type]
