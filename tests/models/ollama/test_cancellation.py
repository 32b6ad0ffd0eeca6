"""A call ends within half a second of its token's cancel, wherever it is, and leaves nothing."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat, OllamaServer
from desktop_rag.models.protocols import GenerationOptions, Message, ReplyPiece
from testing.ollama_double import DoubleModel, OllamaDouble, Script
from testing.timeouts import NEVER, eventually

ASKED = [Message("user", "Where is Paris?")]
BREAKING = """
import gc, sys
from contextlib import suppress
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.models.protocols import Message

for _ in range(5):
    with suppress(ModelUnavailable):
        list(OllamaChat(sys.argv[1], "llama3.2:3b", Ollama()).chat(
            [Message("user", "x")], GenerationOptions(), CancelToken()))
    gc.collect()
"""

MOMENTS = {
    "before the headers": Script("one two", wait=NEVER),
    "before the first token": Script("one two", wait=NEVER, early_headers=True),
    "in mid-stream": Script("one two", pace=NEVER),
}


class Stop:
    """Cancels a token a moment later, in another thread."""

    def __init__(self, after: float = 0.2) -> None:
        self.token = CancelToken()
        self._timer = threading.Timer(after, self.token.cancel)

    def ends(self, work: Callable[[CancelToken], object]) -> None:
        """Do what would not end by itself, and see it cancelled."""
        self._timer.start()
        try:
            with pytest.raises(Cancelled):
                work(self.token)
        finally:
            self._timer.join()


@pytest.mark.parametrize("moment", MOMENTS)
def test_stop_ends_a_chat_at_any_moment(
    double: OllamaDouble, model: OllamaChat, moment: str
) -> None:
    double.say(MOMENTS[moment])
    got: list[ReplyPiece] = []
    threads = threading.active_count()

    def ask(token: CancelToken) -> None:
        for each in model.chat(ASKED, GenerationOptions(), token):
            assert isinstance(each, ReplyPiece)
            got.append(each)

    Stop().ends(ask)
    assert [piece.text for piece in got] == (["one"] if moment == "in mid-stream" else [])
    assert eventually(lambda: double.chats[0].abandoned), "the server must see that we left"
    assert eventually(lambda: threading.active_count() <= threads)


def test_stop_ends_a_server_that_accepts_and_says_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=1) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        chat = OllamaChat(url, "m", Ollama())
        Stop().ends(lambda token: list(chat.chat(ASKED, GenerationOptions(), token)))
        Stop().ends(lambda token: OllamaServer(url).models(token))


def test_stop_ends_a_connection_that_does_not_come_about() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(address)  # fills the queue, so that the next one hangs
        chat = OllamaChat(f"http://127.0.0.1:{address[1]}", "m", Ollama())
        Stop().ends(lambda token: list(chat.chat(ASKED, GenerationOptions(), token)))
        for each in waiting:
            each.close()


def test_stop_ends_a_download() -> None:
    with OllamaDouble() as double:
        double.pullable["big:latest"] = DoubleModel("big:latest")
        double.pull_pace = NEVER
        server = OllamaServer(double.url)
        Stop().ends(lambda token: list(server.pull("big", token)))
        assert eventually(lambda: double.to("/api/pull")[0].abandoned)
        assert "big:latest" not in double.models


def test_a_token_that_is_cancelled_already_sends_nothing(
    double: OllamaDouble, model: OllamaChat
) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        list(model.chat(ASKED, GenerationOptions(), token))
    assert double.requests == []


def test_after_stop_nothing_more_is_delivered(double: OllamaDouble, model: OllamaChat) -> None:
    double.say("one two three four")
    token = CancelToken()
    got: list[object] = []

    def read() -> None:
        for each in model.chat(ASKED, GenerationOptions(), token):
            got.append(each)
            token.cancel()

    with pytest.raises(Cancelled):
        read()
    assert got == [ReplyPiece("one")]


def test_a_reader_that_leaves_early_closes_the_connection(
    double: OllamaDouble, model: OllamaChat
) -> None:
    double.say(Script("one two three", pace=NEVER))
    reply = model.chat(ASKED, GenerationOptions(), CancelToken())
    assert next(iter(reply)) == ReplyPiece("one")
    reply.close()
    assert eventually(lambda: double.chats[0].abandoned)


def test_a_slow_reader_loses_nothing(double: OllamaDouble, model: OllamaChat) -> None:
    text = "word " * 300
    double.say(text)
    got = ""
    for each in model.chat(ASKED, GenerationOptions(), CancelToken()):
        got += each.text if isinstance(each, ReplyPiece) else ""
        time.sleep(0.0005)
    assert got == text


def test_many_cancels_at_random_moments_leave_no_thread(
    double: OllamaDouble, model: OllamaChat
) -> None:
    threads = threading.active_count()
    double.otherwise = Script("word " * 40, pace=0.002, wait=0.01)
    for step in range(25):
        stop = Stop(after=0.004 * step)
        try:
            stop.ends(lambda token: list(model.chat(ASKED, GenerationOptions(), token)))
        except pytest.fail.Exception:
            continue  # it was done before the cancel came
    assert eventually(lambda: threading.active_count() <= threads)


def test_a_server_s_error_in_mid_stream_leaves_nothing_to_complain_of() -> None:
    with OllamaDouble() as double:
        for _ in range(5):
            double.say(Script("one two three four five six seven", error="boom", error_after=5))
        words = [sys.executable, "-c", BREAKING, double.url]
        root = Path(__file__).parents[3]
        done = subprocess.run(words, cwd=root, capture_output=True, check=False)
        asked = len(double.chats)
    assert (done.returncode, done.stderr) == (0, b"")
    assert asked >= 5
