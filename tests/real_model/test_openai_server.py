"""llama.cpp's own server over OpenAI's protocol, with a real language model: nothing is a double.

What this model writes means little and differs from run to run: nothing here is about its words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import Answer, ModelCall
from desktop_rag.core.remote_consent import Consent
from desktop_rag.models.ollama.server_errors import ContextExceeded
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.openai_compatible import OpenAIChat, OpenAIServer
from desktop_rag.models.protocols import (
    ChatModel,
    GenerationOptions,
    Message,
    ReplyEnd,
    ReplyPiece,
)
from testing.llama_server import CONTEXT as SLOT
from testing.llama_server import LlamaServer
from testing.timeouts import eventually
from tests.real_model.conftest import CONTEXT, RealSetup, settings
from tests.real_model.test_every_strategy import (
    MOST_CALLS,
    QUESTION,
    assert_citations_hold,
    kinds,
)
from tests.real_model.test_replies import PARIS, SCHEMA, STORY

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("only_loopback")]


class LlamaSetup(RealSetup):
    """Where questions are asked of llama.cpp itself."""

    def chat_model(self, name: str, consent: Consent) -> ChatModel:
        del name
        return model_of(str(self.url), consent=consent)


@pytest.fixture
def asking(tmp_path: Path, llama: LlamaServer, embedder: OnnxEmbedder) -> Iterator[LlamaSetup]:
    made = LlamaSetup(tmp_path, llama.url, embedder)
    yield made
    made.indexed.close()


def model_of(url: str, context: int = CONTEXT, consent: Consent | None = None) -> OpenAIChat:
    chosen = OpenAIServer(url).first_chat_model()
    return OpenAIChat(url, chosen, settings(context).ollama, consent or Consent())


def reply(
    model: ChatModel, messages: list[Message], **how: object
) -> tuple[list[ReplyPiece], ReplyEnd]:
    options = replace(GenerationOptions(max_tokens=24), **how)  # type: ignore[arg-type]
    *pieces, end = model.chat(messages, options, CancelToken())
    assert isinstance(end, ReplyEnd)
    return [each for each in pieces if isinstance(each, ReplyPiece)], end


@pytest.mark.parametrize("kind", kinds())
def test_every_strategy_ends_within_its_budgets(asking: LlamaSetup, kind: type[Any]) -> None:
    events = asking.ask(QUESTION, strategy=kind.name)
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.text.strip()
    assert answer.mode in {"generated", "extracted", "refused"}
    assert_citations_hold(answer)
    assert ("llm" in kind.needs) <= answer.llm_calls <= MOST_CALLS[kind.name]
    calls = [event for event in events if isinstance(event, ModelCall)]
    assert all((call.prompt_tokens or 0) + (call.answer_tokens or 0) <= CONTEXT for call in calls)


def test_it_is_known_with_its_context(llama: LlamaServer) -> None:
    server = OpenAIServer(llama.url)
    (found,) = server.models()
    assert server.title == "llama.cpp"
    assert found.parameter_count == 134_500_000
    model = model_of(llama.url, 1_000_000)
    assert model.context_tokens == SLOT


def test_counts_and_probabilities_are_told(llama: LlamaServer) -> None:
    for raw in (False, True):
        pieces, end = reply(model_of(llama.url), PARIS, logprobs=True, alternatives=3, raw=raw)
        tokens = [token for piece in pieces for token in piece.tokens]
        assert end.prompt_tokens
        assert end.answer_tokens
        assert 0 < len(tokens) <= end.answer_tokens
        assert all(0.0 < share <= 1.0 for _, share in tokens)
        assert all(len(row) == 3 for piece in pieces for row in piece.alternatives)


def test_a_form_is_kept(llama: LlamaServer) -> None:
    pieces, _ = reply(model_of(llama.url), PARIS, schema=SCHEMA, max_tokens=128)
    Draft202012Validator(SCHEMA).validate(json.loads("".join(each.text for each in pieces)))


def test_a_beginning_is_continued_in_the_model_s_own_turn(llama: LlamaServer) -> None:
    model = model_of(llama.url)
    begun = Message("assistant", "Paris, which is the capital of")
    pieces, _ = reply(model, [*PARIS, begun])
    assert model.continuation == "prefill"
    assert pieces[0].text.startswith(" ")


def test_too_long_a_prompt_is_an_error(llama: LlamaServer) -> None:
    with pytest.raises(ContextExceeded):
        reply(model_of(llama.url), [Message("user", "word " * (SLOT + 100))])


def test_a_stop_ends_its_work(llama: LlamaServer) -> None:
    token = CancelToken()
    reply = model_of(llama.url).chat(STORY, GenerationOptions(max_tokens=4000), token)
    next(reply)
    token.cancel()
    with pytest.raises(Cancelled):
        list(reply)
    eventually(lambda: not llama.is_computing)
