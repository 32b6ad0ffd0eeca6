"""What is sent to a model, and what comes back."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.ollama.http_client import make_client
from desktop_rag.models.protocols import ChatModel, GenerationOptions, Message, ReplyEnd, ReplyPiece
from testing.ollama_double import DoubleModel, OllamaDouble, Script, fail, refused_url

ASKED = (Message("system", "Be brief."), Message("user", "Where is Paris?"))


def replied(
    model: ChatModel, messages: Sequence[Message] = ASKED, how: GenerationOptions | None = None
) -> tuple[str, ReplyEnd]:
    parts = list(model.chat(messages, how or GenerationOptions(), CancelToken()))
    pieces = [part for part in parts if isinstance(part, ReplyPiece)]
    end = parts[-1]
    assert isinstance(end, ReplyEnd)
    assert len(pieces) == len(parts) - 1, "Finished comes once, and last"
    return "".join(piece.text for piece in pieces), end


def problem(model: ChatModel, how: GenerationOptions | None = None) -> ModelUnavailable:
    with pytest.raises(ModelUnavailable) as error:
        list(model.chat(ASKED, how or GenerationOptions(), CancelToken()))
    assert error.value.what.endswith(".")
    assert error.value.remedy.endswith(".")
    return error.value


def test_a_reply_comes_in_pieces_with_its_counts(double: OllamaDouble, model: OllamaChat) -> None:
    double.say("In France.")
    parts = list(model.chat(ASKED, GenerationOptions(), CancelToken()))
    assert parts[:3] == [ReplyPiece("In"), ReplyPiece(" France"), ReplyPiece(".")]
    end = parts[3]
    assert isinstance(end, ReplyEnd)
    assert (end.answer_tokens, end.reason, end.notices) == (4, "stop", ())
    assert end.prompt_tokens == double.chats[0].prompt_tokens
    assert end.seconds > 0


def test_every_call_says_how_it_wants_to_be_answered(double: OllamaDouble) -> None:
    model = OllamaChat(
        double.url, "llama3.2:3b", Ollama(num_ctx=2048, keep_alive="30m", temperature=0.7)
    )
    double.say("a", "b", "{}")
    schema: dict[str, object] = {"type": "object"}
    replied(model)
    replied(model, how=GenerationOptions(max_tokens=50, temperature=0.7, stop=("END",)))
    replied(model, how=GenerationOptions(schema=schema))
    first, second, third = double.chats
    assert first.messages == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Where is Paris?"},
    ]
    assert [chat.options["num_ctx"] for chat in double.chats] == [2048] * 3
    assert [chat.body["keep_alive"] for chat in double.chats] == ["30m"] * 3
    assert [chat.body["think"] for chat in double.chats] == [False] * 3
    assert first.options == {
        "num_ctx": 2048,
        "num_predict": 1024,
        "temperature": 0.0,
        "repeat_penalty": 1.1,
    }
    assert second.options["num_predict"] == 50
    assert second.options["temperature"] == 0.7
    assert second.options["stop"] == ["END"]
    assert third.body["format"] == schema


@pytest.mark.parametrize(("written", "sent"), [("5m", "5m"), ("-1", -1.0), ("300", 300.0)])
def test_a_keep_alive_in_seconds_is_sent_as_a_number(
    double: OllamaDouble, written: str, sent: object
) -> None:
    replied(OllamaChat(double.url, "llama3.2:3b", Ollama(keep_alive=written)))
    assert double.chats[0].body["keep_alive"] == sent


def test_a_reply_that_reached_its_limit_says_so(double: OllamaDouble, model: OllamaChat) -> None:
    double.say("one two three")
    text, end = replied(model, how=GenerationOptions(max_tokens=2))
    assert (text, end.reason, end.answer_tokens) == ("one two", "length", 2)


def test_a_schema_gives_json(double: OllamaDouble, model: OllamaChat) -> None:
    schema: dict[str, object] = {"type": "object", "properties": {"q": {"type": "string"}}}
    double.say("Paris")
    text, _ = replied(model, how=GenerationOptions(schema=schema))
    assert json.loads(text) == {"q": "Paris"}


# ---- probabilities


def test_each_token_has_its_probability(double: OllamaDouble, model: OllamaChat) -> None:
    double.say(Script("one two three", probabilities=(0.9, 0.25, 0.5)))
    parts = list(model.chat(ASKED, GenerationOptions(logprobs=True), CancelToken()))
    tokens = [token for part in parts if isinstance(part, ReplyPiece) for token in part.tokens]
    assert [text for text, _ in tokens] == ["one", " two", " three"]
    assert [probability for _, probability in tokens] == pytest.approx([0.9, 0.25, 0.5])


def test_probabilities_are_not_asked_for_without_need(
    double: OllamaDouble, model: OllamaChat
) -> None:
    replied(model)
    assert "logprobs" not in double.chats[0].body


def test_each_token_has_what_could_stand_in_its_place(
    double: OllamaDouble, model: OllamaChat
) -> None:
    rivals = {"one": {"two": 0.25, "ten": 0.125}}
    double.say(Script("one more", probabilities=(0.5,), rivals=rivals))
    how = GenerationOptions(logprobs=True, alternatives=3)
    parts = list(model.chat(ASKED, how, CancelToken()))
    pieces = [part for part in parts if isinstance(part, ReplyPiece)]
    tokens = [token for piece in pieces for token, _ in piece.tokens]
    found = [each for piece in pieces for each in piece.alternatives]
    assert double.chats[0].body["top_logprobs"] == 3
    assert tokens == ["one", " more"]
    assert [text for text, _ in found[0]] == ["one", "two", "ten"]
    assert [p for _, p in found[0]] == pytest.approx([0.5, 0.25, 0.125])
    assert [text for text, _ in found[1]] == [" more", "other1", "other2"]


def test_alternatives_are_not_asked_for_without_need(
    double: OllamaDouble, model: OllamaChat
) -> None:
    double.say("one more")
    parts = list(model.chat(ASKED, GenerationOptions(logprobs=True), CancelToken()))
    assert "top_logprobs" not in double.chats[0].body
    assert [part.alternatives for part in parts if isinstance(part, ReplyPiece)] == [(), ()]


@pytest.mark.parametrize("begin", ["", "\n", "<"])
def test_alternatives_stay_with_their_tokens_behind_what_was_thought(
    double: OllamaDouble, model: OllamaChat, begin: str
) -> None:
    thought = ("<think>", "yes", "</think>") if not begin else (begin,)
    said = Script(
        tokens=(*thought, "one", " more"),
        probabilities=(0.5,),
        rivals={"one": {"two": 0.25}, " more": {" less": 0.25}, "yes": {"no": 0.25}},
    )
    double.say(said)
    how = GenerationOptions(logprobs=True, alternatives=2)
    parts = list(model.chat(ASKED, how, CancelToken()))
    pieces = [part for part in parts if isinstance(part, ReplyPiece)]
    tokens = [token for piece in pieces for token, _ in piece.tokens]
    found = [tuple(text for text, _ in each) for piece in pieces for each in piece.alternatives]
    assert len(tokens) == len(found)
    assert dict(zip(tokens, found, strict=True)) | {
        "one": ("one", "two"),
        " more": (" more", " less"),
    } == dict(zip(tokens, found, strict=True))


def test_a_server_without_probabilities_is_an_error_and_no_answer(
    double: OllamaDouble, model: OllamaChat
) -> None:
    double.logprobs = False
    double.say("one two three")
    error = problem(model, GenerationOptions(logprobs=True))
    assert "how sure the model is" in error.what
    assert "0.12.11" in error.remedy


# ---- thinking


def test_a_model_that_does_not_know_think_is_asked_without(double: OllamaDouble) -> None:
    double.models["old:latest"] = DoubleModel("old:latest", refuses_think=True)
    model = OllamaChat(double.url, "old", Ollama())
    double.say("In France.", "In Texas.")
    assert replied(model)[0] == "In France."
    assert replied(model)[0] == "In Texas."
    assert ["think" in chat.body for chat in double.chats] == [True, False, False]


def test_thinking_wished_of_a_model_that_cannot_is_left_out(
    double: OllamaDouble, model: OllamaChat
) -> None:
    double.say("In France.")
    assert replied(model, how=GenerationOptions(think=True))[0] == "In France."


def test_what_a_model_thinks_is_no_part_of_its_answer(double: OllamaDouble) -> None:
    double.models["qwen3:4b"] = DoubleModel("qwen3:4b", ("completion", "thinking"))
    model = OllamaChat(double.url, "qwen3:4b", Ollama())
    double.otherwise = Script("In France.", thinking="Paris, hmm.")
    assert replied(model, how=GenerationOptions(think=True))[0] == "In France."
    assert double.chats[0].body["think"] is True


@pytest.mark.parametrize(
    "reply", ["<think>Paris, hmm.</think>\n\nIn France.", "\n<think>\n\n</think>\nIn France."]
)
def test_thinking_between_tags_is_no_part_of_the_answer(
    double: OllamaDouble, model: OllamaChat, reply: str
) -> None:
    double.say(reply)
    assert replied(model)[0] == "In France."


@pytest.mark.parametrize("reply", ["<thin ice>", "< 5 %", "  In France.", "<", "a <think> b", " "])
def test_an_answer_that_only_looks_like_thinking_is_kept(
    double: OllamaDouble, model: OllamaChat, reply: str
) -> None:
    double.say(reply)
    assert replied(model)[0] == reply


def test_a_model_that_only_thought_says_so(double: OllamaDouble, model: OllamaChat) -> None:
    double.say("<think>Well, well, well, well")
    text, end = replied(model, how=GenerationOptions(max_tokens=4))
    assert text == ""
    assert "only thought" in end.notices[0]


# ---- faults


def test_a_server_that_is_not_there_is_to_be_started() -> None:
    error = problem(OllamaChat(refused_url(), "m", Ollama()))
    assert "does not answer" in error.what
    assert "Start Ollama" in error.remedy
    assert error.retryable


def test_a_model_that_is_not_there_is_to_be_pulled(double: OllamaDouble) -> None:
    error = problem(OllamaChat(double.url, "nope:1b", Ollama()))
    assert error.what == "The model nope:1b is not installed in Ollama."
    assert "`ollama pull nope:1b`" in error.remedy
    assert not error.retryable


@pytest.mark.parametrize(
    ("status", "text", "says", "retryable"),
    [
        (500, "model requires more system memory (9 GiB) than is available", "memory", False),
        (500, "CUDA error: out of memory", "memory", False),
        (500, "llama runner process has terminated: exit status 2", "could not go on", True),
        (503, "server busy, please try again.  maximum pending requests exceeded", "busy", True),
        (400, "the input length exceeds the context length", "longer than", False),
        (500, "something new", "something new", True),
        (400, "something wrong", "something wrong", False),
        (403, "Forbidden", "not Ollama", False),
    ],
)
def test_an_error_of_the_servers_becomes_a_sentence(  # noqa: PLR0917 (a table)
    double: OllamaDouble, model: OllamaChat, status: int, text: str, says: str, retryable: bool
) -> None:
    double.say(fail(status, text), Script("one two", error=text, error_after=1))
    error = problem(model)
    assert says in error.what
    assert error.retryable is retryable


def test_an_answer_may_take_as_long_as_it_takes() -> None:
    limits = make_client("http://127.0.0.1:11434")._client.timeout
    assert limits.connect is not None
    assert (limits.read, limits.write, limits.pool) == (None, None, None)


def test_an_error_in_mid_stream_comes_after_what_was_said(
    double: OllamaDouble, model: OllamaChat
) -> None:
    double.say(Script("one two three", error="CUDA error: out of memory", error_after=2))
    got: list[object] = []
    with pytest.raises(ModelUnavailable, match="not enough memory"):
        got.extend(model.chat(ASKED, GenerationOptions(), CancelToken()))
    assert got == [ReplyPiece("one"), ReplyPiece(" two")]


def test_a_stream_that_breaks_off_is_noticed(double: OllamaDouble, model: OllamaChat) -> None:
    double.say(Script("one two", breaks_after=1))
    error = problem(model)
    assert "broke off" in error.what
    assert error.retryable


def test_a_stream_that_ends_without_its_end_broke_off_too(
    double: OllamaDouble, model: OllamaChat
) -> None:
    double.say(Script("one two", ends_early=True))
    assert "broke off" in problem(model).what


def test_an_embedding_model_cannot_chat(double: OllamaDouble) -> None:
    double.models["e:latest"] = DoubleModel("e:latest", ("embedding",))
    assert "cannot do this" in problem(OllamaChat(double.url, "e", Ollama())).what


def test_something_else_on_the_port_is_not_ollama(double: OllamaDouble, model: OllamaChat) -> None:
    double.trouble["/api/chat"] = Script(status=404, error="404 page not found")
    assert "not Ollama" in problem(model).what


def test_after_a_fault_the_next_call_works(double: OllamaDouble, model: OllamaChat) -> None:
    double.say(Script("one", breaks_after=0), "In France.")
    problem(model)
    assert replied(model)[0] == "In France."
