"""A hostile server of OpenAI's protocol: what is read of its replies has bounds."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama.reply_reading import MAX_REPLY_CHARACTERS
from desktop_rag.models.openai_compatible import OpenAIChat
from desktop_rag.models.openai_compatible.server_errors import FieldRefused, reported
from desktop_rag.models.protocols import GenerationOptions, Message, ReplyEnd, ReplyPiece
from tests.attacks.hostile_ollama import (
    NOT_THERE,
    Behaviour,
    HostileOllama,
    body,
    head,
    without_end,
)

MIB = 1 << 20
MODEL = "hostile:1b"
LONG = GenerationOptions(max_tokens=32_768)


def event(value: object) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def said(text: object) -> bytes:
    return event({"choices": [{"delta": {"content": text}}]})


def replying(*sent: bytes) -> Behaviour:
    def behave(write: Callable[[bytes], None]) -> None:
        for each in (head(), *sent):
            write(each)

    return behave


END = event({"choices": [{"delta": {}, "finish_reason": "stop"}]}) + b"data: [DONE]\n\n"


def asked(behave: Behaviour, how: GenerationOptions = LONG) -> tuple[str, ReplyEnd]:
    with HostileOllama(tags=NOT_THERE) as server:
        server.replies["/v1/models"] = body({"data": [{"id": MODEL}]})
        server.replies["/v1/chat/completions"] = behave
        chat = OpenAIChat(server.url, MODEL, Ollama())
        *pieces, end = chat.chat([Message("user", "Where?")], how, CancelToken())
    assert isinstance(end, ReplyEnd)
    return "".join(each.text for each in pieces if isinstance(each, ReplyPiece)), end


def test_an_endless_line_is_not_read_to_its_end() -> None:
    with pytest.raises(ModelUnavailable, match="answers oddly"):
        asked(replying(b"data: ", *[b"x" * MIB] * 60))


def test_an_answer_without_end_is_cut() -> None:
    text, end = asked(replying(*[said("word " * 1000)] * 1000))
    assert text == "word " * (MAX_REPLY_CHARACTERS // 5)
    assert end.reason == "length"
    assert "did not stop writing" in end.notices[0]


def test_blank_lines_and_comments_are_passed_over() -> None:
    text, _ = asked(replying(b": ping\n\n", b"event: message\n", said("Paris"), b"id: 3\n\n", END))
    assert text == "Paris"


@pytest.mark.parametrize(
    "sent",
    [
        b"data: {not json\n\n",
        b"data: [1, 2]\n\n",
        event({"choices": "none"}),
        said(["a", "list"]),
        said({"text": "x"}),
        event({"choices": [{"delta": {"content": "a"}, "logprobs": {"content": [{"token": 1}]}}]}),
    ],
)
def test_a_part_out_of_form_ends_the_answer(sent: bytes) -> None:
    how = GenerationOptions(logprobs=True)
    with pytest.raises(ModelUnavailable, match="answers oddly"):
        asked(replying(sent, END), how)


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\u0085", "\x0b"])
def test_separators_that_json_may_hold_end_no_line(sign: str) -> None:
    written = {"choices": [{"delta": {"content": f"one{sign}two"}}]}
    raw = f"data: {json.dumps(written, ensure_ascii=False)}\r\n\r\n".encode()
    halves = raw[: raw.index(b"two") - 1], raw[raw.index(b"two") - 1 :]
    text, _ = asked(replying(*halves, END))
    assert text == f"one{sign}two"


def test_a_page_is_no_answer() -> None:
    with pytest.raises(ModelUnavailable, match="neither Ollama nor"):
        asked(replying(b"<html><body>Sign in</body></html>"))


def test_an_object_in_place_of_a_stream_is_what_went_wrong() -> None:
    with pytest.raises(ModelUnavailable, match="the disk is gone"):
        asked(body({"error": "the disk is gone"}))


def test_counts_that_are_none_are_not_told() -> None:
    usage = event({"choices": [], "usage": {"prompt_tokens": "many", "completion_tokens": -1}})
    text, end = asked(replying(said("Paris"), END.partition(b"data: [DONE]")[0], usage))
    assert (text, end.prompt_tokens, end.answer_tokens) == ("Paris", None, None)


ENDED = event({"choices": [{"delta": {}, "finish_reason": "stop"}]})


def cut(*sent: bytes) -> Behaviour:
    """Send a chunk that is announced longer than it is, as a connection that breaks off does."""
    raw = b"".join(sent)

    def behave(write: Callable[[bytes], None]) -> None:
        write(b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n")
        write(b"%x\r\n%s" % (len(raw) + 10, raw))

    return behave


def test_an_answer_is_whole_where_its_end_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.models.openai_compatible.completion._COUNTS_SECONDS", 0.2)
    left_open = without_end(head() + said("Paris") + ENDED, b": ping\n\n", 0.01)
    for behave in (left_open, cut(said("Paris"), ENDED)):
        text, end = asked(behave)
        assert (text, end.reason, end.prompt_tokens) == ("Paris", "stop", None)


def test_a_full_context_is_mended_in_the_server() -> None:
    usage = event({"choices": [], "usage": {"prompt_tokens": 9000, "completion_tokens": 1}})
    _, end = asked(replying(said("Paris"), ENDED, usage))
    assert "load the model with a longer context" in end.notices[0]
    assert "settings" not in end.notices[0]


def test_a_model_that_loads_needs_no_name() -> None:
    told = reported('{"error": {"message": "Loading model"}}', 503, "http://127.0.0.1:1")
    assert told.what == "The server is still loading its model."


def test_a_refusal_behind_the_first_word_is_not_asked_about_again() -> None:
    refusal = event({"error": {"message": "'stream_options' is not supported", "code": 400}})
    with pytest.raises(ModelUnavailable, match="not supported") as caught:
        asked(replying(said("Paris"), refusal))
    assert not isinstance(caught.value, FieldRefused)


def test_surrogates_and_controls_become_text_that_can_be_kept() -> None:
    text, _ = asked(replying(b'data: {"choices":[{"delta":{"content":"a\\ud800b"}}]}\n\n', END))
    text.encode()
