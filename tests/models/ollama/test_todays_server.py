"""What today's Ollama answers otherwise than older ones, as the program takes and tells it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, WithoutProbabilities
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.protocols import GenerationOptions, Message, ReplyEnd, ReplyPiece
from testing.ollama_double import OllamaDouble, Script, fail
from testing.ollama_double.llama import BROKE_OFF, STOPPED
from testing.ollama_double.loading import BUSY
from testing.ollama_double.prompt import TOO_LONG

ASKED = (Message("user", "Where is Paris?"),)
NESTED = json.dumps(
    {"error": {"code": 400, "message": "failed to parse grammar", "type": "invalid_request_error"}}
)


def reply(
    model: OllamaChat, messages: Sequence[Message] = ASKED, *, logprobs: bool = False
) -> tuple[str, list[ReplyPiece], ReplyEnd]:
    how = GenerationOptions(400, logprobs=logprobs)
    *pieces, end = model.chat(messages, how, CancelToken())
    assert isinstance(end, ReplyEnd)
    found = [piece for piece in pieces if isinstance(piece, ReplyPiece)]
    return "".join(piece.text for piece in found), found, end


@pytest.mark.parametrize(
    ("status", "words", "sentence", "retryable"),
    [
        (400, TOO_LONG, "longer than .* can take in", False),
        (400, '{"error": {"message": "request (9 tokens) exceeds the available context size"}}',
         "longer than .* can take in", False),
        (500, "Context size has been exceeded.", "longer than .* can take in", False),
        (500, STOPPED, "could not go on with", True),
        (500, f"{STOPPED}: CUDA error: out of memory", "not enough memory", False),
        (500, BROKE_OFF, "could not go on with", True),
        (500, "llama-server process no longer running: 9 ", "could not go on with", True),
        (500, "llama-server reported out-of-memory during startup: x", "not enough memory", False),
        (503, BUSY, "busy with other requests", True),
        (500, "no slots available after 10 retries", "busy with other requests", True),
        (502, "upstream error", "reports an error: upstream error", True),
        (499, "request canceled", "reports an error: request canceled", True),
        (429, "you have reached your hourly limit", "no more requests for now: you have", True),
        (400, NESTED, "reports an error: failed to parse grammar", False),
    ],
)  # fmt: skip
def test_its_errors_are_told_for_what_they_are(
    double: OllamaDouble,
    model: OllamaChat,
    status: int,
    words: str,
    sentence: str,
    *,
    retryable: bool,
) -> None:
    double.say(fail(status, words))
    with pytest.raises(ModelUnavailable, match=sentence) as error:
        reply(model)
    assert error.value.retryable is retryable
    assert "{" not in error.value.sentence


def test_an_error_in_the_middle_of_a_stream_is_told_like_one_before_it(
    double: OllamaDouble, model: OllamaChat
) -> None:
    double.say(Script("one two three", error=BROKE_OFF, error_after=2))
    parts = iter(model.chat(ASKED, GenerationOptions(400), CancelToken()))
    assert [next(parts), next(parts)] == [ReplyPiece("one"), ReplyPiece(" two")]
    with pytest.raises(ModelUnavailable, match="could not go on with"):
        next(parts)


@pytest.mark.parametrize("token", [" la", "\n", "…"], ids=["word", "blank", "sign"])
def test_a_stream_that_ollama_ended_for_its_repetition_is_told_of_as_that(
    double: OllamaDouble, model: OllamaChat, token: str
) -> None:
    double.ends_repetition = True
    double.say(Script(tokens=("So", *[token] * 60)))
    text, _, end = reply(model)
    assert text.startswith("So")
    assert text.count(token) == 31
    assert (end.reason, end.prompt_tokens) == ("length", None)
    assert any("repeated itself without end" in notice for notice in end.notices)


def test_a_stream_of_other_words_that_ends_early_broke_off(
    double: OllamaDouble, model: OllamaChat
) -> None:
    double.say(Script(tokens=("So", *[" la"] * 20, " end"), ends_early=True))
    with pytest.raises(ModelUnavailable, match="broke off"):
        reply(model)


@pytest.mark.parametrize("script", [
    Script("one two three four", per_line=3, probabilities=(0.5,)),
    Script("one two three four", unrated=(0, 1), probabilities=(0.5,)),
    Script("one two three four", unrated=(1, 3), probabilities=(0.5,)),
], ids=["several", "late", "some"])  # fmt: skip
def test_probabilities_may_come_several_a_line_or_late(
    double: OllamaDouble, model: OllamaChat, script: Script
) -> None:
    double.say(script)
    text, pieces, _ = reply(model, logprobs=True)
    assert text == "one two three four"
    tokens = [token for piece in pieces for token, _ in piece.tokens]
    assert len(tokens) == 4 - len(script.unrated)


def test_a_server_without_probabilities_is_told_of_before_any_text(
    double: OllamaDouble, model: OllamaChat
) -> None:
    double.logprobs = False
    for text in ("one", "one two three four five six seven"):
        double.say(text)
        seen: list[object] = []
        how = GenerationOptions(400, logprobs=True)
        with pytest.raises(WithoutProbabilities):
            seen.extend(model.chat(ASKED, how, CancelToken()))
        assert seen == []


@pytest.mark.parametrize("version", ["0.12.11", "0.30.10", "0.33.0"])
def test_a_prompt_that_was_cut_is_told_by_any_version(double: OllamaDouble, version: str) -> None:
    double.version = version
    model = OllamaChat(double.url, "llama3.2:3b", Ollama(num_ctx=512))
    long = Message("user", "Anna Berg founded the court of nine justices in 1902. " * 60)
    _, _, end = reply(model, [long])
    assert end.prompt_tokens == (512 if version < "0.30.11" else 258)
    assert any("took in only" in notice for notice in end.notices)


def test_a_request_waits_for_the_one_before(double: OllamaDouble, model: OllamaChat) -> None:
    double.queue.slots = 1
    double.say("one", "two")
    assert [reply(model)[0], reply(model)[0]] == ["one", "two"]
    assert double.queue.waiting == 0
