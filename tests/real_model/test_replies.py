"""Counts, probabilities, forms, ends and faults of replies, as a real language model has them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from desktop_rag.commands import continue_answer
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import Answer, Notice, NoticeCode
from desktop_rag.core.language import language
from desktop_rag.core.requests import ContinueRequest
from desktop_rag.core.types import ChatId, KbId
from desktop_rag.generation.answer_continuation import AnswerContinuation
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import GenerationOptions, Message, ReplyEnd, ReplyPiece
from desktop_rag.strategies import registry
from desktop_rag.strategies.base import Question
from desktop_rag.strategies.research_context import ResearchContext
from desktop_rag.strategies.research_tools import ResearchTools
from testing.fake_retriever import FakeRetriever
from testing.llama_server import LlamaServer
from testing.ollama_double import OllamaDouble
from testing.ollama_double.llama import LlamaGenerator
from testing.ollama_double.models import SMALL
from testing.timeouts import eventually
from tests.real_model.conftest import RealSetup, settings
from tests.strategies.conftest import finished

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("only_loopback")]

PARIS = [Message("user", "Where is Paris? Answer in one sentence.")]
STORY = [Message("user", "Write a very long story about a court of nine justices.")]
ENGLISH = "The court of nine justices was founded by Anna Berg in the year 1902, in Lund. "
CHINESE = "最高法院有九名大法官，由安娜于一九零二年在隆德创立。"
SCHEMA = {
    "type": "object",
    "properties": {
        "reason": {"type": "string", "maxLength": 60},
        "choice": {"enum": ["search", "answer"]},
    },
    "required": ["reason", "choice"],
    "additionalProperties": False,
}


def chat(ollama: OllamaDouble, context: int = 2048) -> OllamaChat:
    return OllamaChat(ollama.url, SMALL.name, settings(context).ollama)


def reply(
    model: OllamaChat, messages: Sequence[Message], **how: object
) -> tuple[list[ReplyPiece], ReplyEnd]:
    options = GenerationOptions(**{"max_tokens": 24, **how})  # type: ignore[arg-type]
    *pieces, end = model.chat(messages, options, CancelToken())
    assert isinstance(end, ReplyEnd)
    return [piece for piece in pieces if isinstance(piece, ReplyPiece)], end


def test_counts_are_the_models_own(ollama: OllamaDouble) -> None:
    model = chat(ollama)
    pieces, end = reply(model, PARIS)
    tokens = ollama.generator.tokenize(ollama.chats[0].prompt)
    assert end.prompt_tokens == len(tokens)
    assert 0 < (end.answer_tokens or 0) <= 24
    assert "".join(piece.text for piece in pieces) == ollama.chats[0].sent
    _, again = reply(model, PARIS)
    assert again.prompt_tokens == end.prompt_tokens  # although all of it was cached


@pytest.mark.parametrize("text", [ENGLISH * 8, CHINESE * 8], ids=["english", "chinese"])
def test_a_budget_holds_before_and_after_the_first_count(ollama: OllamaDouble, text: str) -> None:
    model = chat(ollama)
    true = len(ollama.generator.tokenize(text))
    assert model.estimate_tokens(text) >= 0.95 * true
    reply(model, [Message("user", text)], max_tokens=1)
    assert model.estimate_tokens(text) == pytest.approx(true, rel=0.2)


@pytest.mark.parametrize("version", ["0.12.11", "0.33.0"])
def test_a_prompt_that_was_cut_is_told(ollama: OllamaDouble, version: str) -> None:
    ollama.version = version
    _, fits = reply(chat(ollama, 1024), [Message("user", ENGLISH * 20)], max_tokens=1)
    assert fits.notices == ()
    _, cut = reply(chat(ollama, 512), [Message("user", ENGLISH * 30)], max_tokens=1)
    assert (cut.prompt_tokens or 0) <= 512
    assert any("context" in notice for notice in cut.notices)


def test_an_answer_that_is_too_long_ends_by_its_length(ollama: OllamaDouble) -> None:
    _, end = reply(chat(ollama), STORY, max_tokens=8)
    assert (end.reason, end.answer_tokens) == ("length", 8)


def test_probabilities_belong_to_the_tokens_of_the_text(ollama: OllamaDouble) -> None:
    pieces, end = reply(chat(ollama), PARIS, logprobs=True)
    tokens = [token for piece in pieces for token in piece.tokens]
    assert "".join(token for token, _ in tokens) == "".join(piece.text for piece in pieces)
    assert all(0.0 < chance <= 1.0 for _, chance in tokens)
    assert abs(len(tokens) - (end.answer_tokens or 0)) <= 1  # the end of the turn is a token, too


def test_a_character_of_several_tokens_costs_no_text(ollama: OllamaDouble) -> None:
    begun = [
        Message("user", "Copy: 最高法院有九名大法官"),
        Message("assistant", "最高法院有九名大"),
    ]
    pieces, _ = reply(chat(ollama), begun, logprobs=True, max_tokens=16)
    assert "".join(piece.text for piece in pieces) in ollama.chats[0].sent
    assert all(0.0 < chance <= 1.0 for piece in pieces for _, chance in piece.tokens)


def test_a_begun_answer_is_continued_in_its_own_turn(ollama: OllamaDouble) -> None:
    model = chat(ollama)
    pieces, _ = reply(model, [*PARIS, Message("assistant", "Paris is in the north of")])
    assert ollama.chats[0].prompt.endswith("<|im_start|>assistant\nParis is in the north of")
    assert model.continuation in {"prefill", "repeated"}
    assert pieces


def test_a_cut_answer_is_written_on_as_one_answer(asking: RealSetup) -> None:
    """What the model says means little: what was there stays, but for the word it was cut in."""
    asking.settings = settings(longest=30)
    events = asking.ask(new_chat=True)
    first = events[-1]
    assert isinstance(first, Answer)
    cut = [each for each in events if isinstance(each, Notice) and each.says(NoticeCode.CUT)]
    if not cut:
        pytest.skip("the model's answer was shorter than its limit")
    request = ContinueRequest(first.chat_id or 0)
    *_, whole = continue_answer.run(asking.workspace, request, CancelToken())
    assert isinstance(whole, Answer)
    kept = AnswerContinuation(first.text).kept
    assert whole.text.startswith(kept.removesuffix(" [1]"))
    assert whole.llm_calls == first.llm_calls + 1
    assert whole.sources == first.sources
    assert all(each.quote in whole.sources[each.n - 1].text for each in whole.citations)
    stored = asking.catalog.chats.messages(ChatId(first.chat_id or 0))[-1]
    assert stored.text == whole.text


def test_what_stops_a_reply_is_not_in_it(ollama: OllamaDouble) -> None:
    pieces, end = reply(chat(ollama), STORY, stop=("the", "."), max_tokens=200)
    text = "".join(piece.text for piece in pieces)
    assert "the" not in text
    assert "." not in text
    assert end.reason == "stop"


def test_a_form_is_kept(ollama: OllamaDouble) -> None:
    pieces, end = reply(chat(ollama), STORY, schema=SCHEMA, max_tokens=200)
    assert end.reason == "stop"
    Draft202012Validator(SCHEMA).validate(json.loads("".join(piece.text for piece in pieces)))


@pytest.mark.parametrize(
    "most",
    [pytest.param(60, id="bounded"), pytest.param(6000, id="endless", marks=pytest.mark.slow)],
)
def test_a_choice_is_an_object_of_its_form_or_told_to_be_none(
    ollama: OllamaDouble, most: int
) -> None:
    """Where a reply's length breaks the form, it is asked for again, and then there is none."""
    string = {"type": "string", "minLength": most - 40, "maxLength": most}
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"], "reason": string}}  # type: ignore[dict-item]
    chosen = settings()
    context = ResearchContext(
        FakeRetriever(), None, chat(ollama), chosen, strategy=registry.make_default
    )
    question = Question("Which?", "Which?", language("Which?"), (KbId(1),))
    tools = ResearchTools(context, question, CancelToken())
    events, found = finished(tools.decide(STORY, "choosing", schema))
    if found is None:
        told = [event.text for event in events if isinstance(event, Notice)]
        assert "The model did not decide in the form that was asked for." in told
    else:
        Draft202012Validator(schema).validate(found)
    assert (found is None) == (most == 6000)


# ---- stops and faults


def stopped(asking: RealSetup, is_time: Callable[[], object]) -> None:
    """Ask, and stop from another thread when it is time."""

    def stop() -> None:
        eventually(is_time)
        asking.token.cancel()

    watching = threading.Thread(target=stop)
    watching.start()
    try:
        with pytest.raises(Cancelled):
            asking.ask(strategy="single_pass")
    finally:
        asking.token.cancel()
        watching.join()


@pytest.fixture
def endless(asking: RealSetup, ollama: OllamaDouble, llama: LlamaServer) -> RealSetup:
    """Ask for what takes minutes."""
    ollama.generator = LlamaGenerator(llama.url, is_endless=True)
    asking.settings = settings(8192, longest=6000)
    return asking


def test_a_stop_ends_the_generation(
    endless: RealSetup, ollama: OllamaDouble, llama: LlamaServer
) -> None:
    stopped(endless, lambda: any(each.sent for each in ollama.chats))
    assert eventually(lambda: ollama.chats[0].abandoned)
    assert eventually(lambda: not llama.is_computing)
    assert len(ollama.chats) == 1


def test_a_stop_ends_the_reading_of_a_prompt(ollama: OllamaDouble, llama: LlamaServer) -> None:
    token = CancelToken()
    failed: list[BaseException] = []

    def ask() -> None:
        long = [Message("user", ENGLISH * 300)]
        try:
            list(chat(ollama, 8192).chat(long, GenerationOptions(8), token))
        except Cancelled as error:
            failed.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        assert eventually(lambda: llama.is_computing)
    finally:
        token.cancel()
        asking.join()
    assert failed
    assert eventually(lambda: not llama.is_computing)
    assert ollama.chats[0].sent == ""


@pytest.fixture
def mortal(
    tmp_path: Path, embedder: OnnxEmbedder, llama: LlamaServer
) -> Iterator[tuple[RealSetup, OllamaDouble, LlamaServer]]:
    """A model of one's own, to be killed."""
    del llama  # without the packages there is none
    with LlamaServer() as own, OllamaDouble(SMALL) as double:
        double.generator = LlamaGenerator(own.url, is_endless=True)
        made = RealSetup(tmp_path, double.url, embedder)
        made.settings = settings(8192, longest=6000)
        yield made, double, own
        made.indexed.close()


def test_a_server_that_dies_leaves_no_answer_that_looks_whole(
    mortal: tuple[RealSetup, OllamaDouble, LlamaServer],
) -> None:
    asking, double, own = mortal

    def kill() -> None:
        eventually(lambda: any(len(each.sent) > 20 for each in double.chats))
        own.kill()

    killing = threading.Thread(target=kill)
    killing.start()
    events = asking.ask(strategy="single_pass")
    killing.join()
    told = [event for event in events if isinstance(event, Notice)]
    # What it wrote is kept, and told as broken off; of a word or two, or a copied tag, nothing is.
    is_kept = any(notice.says(NoticeCode.BROKEN_OFF) for notice in told)
    assert is_kept or any(notice.says(NoticeCode.QUOTES_ONLY) for notice in told)
    assert any("could not go on" in notice.text for notice in told)
    assert isinstance(events[-1], Answer)

    again = asking.ask(strategy="single_pass")
    assert isinstance(again[-1], Answer)
    assert again[-1].mode == "extracted"
    assert any("could not go on" in event.text for event in again if isinstance(event, Notice))
