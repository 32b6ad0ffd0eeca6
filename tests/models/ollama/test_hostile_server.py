"""A hostile or broken server: what is read of it has bounds, and what it says can be kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.core.cancel import CancelToken, use_token
from desktop_rag.core.errors import Cancelled, ModelUnavailable
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat, OllamaEmbedder, OllamaServer, ServerSilent
from desktop_rag.models.ollama.reply_reading import MAX_REPLY_CHARACTERS
from desktop_rag.models.protocols import GenerationOptions, Message, ReplyEnd, ReplyPiece
from tests.attacks.hostile_ollama import (
    MODEL,
    Behaviour,
    HostileOllama,
    body,
    head,
    lines,
    packed,
    piece,
    silent,
)

ODDLY = "answers oddly"
LONG = GenerationOptions(max_tokens=32_768)
MIB = 1 << 20
END = b'{"message":{"role":"assistant"},"done":true}\n'


def replying(*sent: bytes) -> Behaviour:
    def behave(write: Callable[[bytes], None]) -> None:
        for each in sent:
            write(each)

    return behave


def asked(server: HostileOllama, how: GenerationOptions = LONG) -> tuple[str, ReplyEnd]:
    chat = OllamaChat(server.url, MODEL, Ollama())
    *pieces, end = chat.chat([Message("user", "Where?")], how, CancelToken())
    assert isinstance(end, ReplyEnd)
    return "".join(each.text for each in pieces if isinstance(each, ReplyPiece)), end


def test_one_endless_line_is_not_read_to_its_end() -> None:
    endless = replying(head() + b'{"message":{"content":"', *[b"x" * MIB] * 60)
    with HostileOllama(chat=endless) as server:
        tracemalloc.start()
        with pytest.raises(ModelUnavailable, match=ODDLY):
            asked(server)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 16 * MIB  # it took four times the line


def test_an_answer_that_does_not_end_is_cut_and_kept() -> None:
    with HostileOllama(chat=replying(head(), *[piece("word " * 1000)] * 500)) as server:
        text, end = asked(server)
    assert text == "word " * (MAX_REPLY_CHARACTERS // 5)
    assert end.reason == "length"
    assert "was cut after 400,000 characters" in end.notices[0]


def test_more_parts_than_tokens_were_asked_for_are_not_waited_for() -> None:
    with HostileOllama(chat=replying(head(), *[piece("a ") * 1000] * 100)) as server:
        text, end = asked(server, GenerationOptions(max_tokens=100))
    assert len(text) < 3000
    assert "was cut" in end.notices[0]


@pytest.mark.parametrize("mark", ["<think>", ""])
def test_thought_that_does_not_end_is_no_answer(mark: str) -> None:
    thought = json.dumps({"message": {"role": "assistant", "thinking": "hm " * 1000}}).encode()
    more = piece("hm " * 1000) if mark else thought + b"\n"
    with HostileOllama(chat=replying(head(), piece(mark), *[more] * 500)) as server:
        text, end = asked(server)
    assert text == ""
    assert "only thought" in end.notices[0]


def test_a_slow_reader_is_not_run_ahead_of() -> None:
    sent: list[int] = []

    def behave(write: Callable[[bytes], None]) -> None:
        write(head())
        for number in range(1000):
            write(piece("x" * 100_000))
            sent.append(number)

    with HostileOllama(chat=behave) as server:
        reply = OllamaChat(server.url, MODEL, Ollama()).chat([], LONG, CancelToken())
        tracemalloc.start()
        for _ in range(3):
            next(reply)
            time.sleep(0.1)  # in which the server would send more, if it were read
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        reply.close()
    assert peak < 8 * MIB


SHORT = {
    "nothing": b"",
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n",
    "half a head": b"HTTP/1.1 ",
}


@pytest.mark.parametrize("name", SHORT)
def test_who_hangs_up_without_a_word_broke_no_answer_off(name: str) -> None:
    shut = replying(SHORT[name])
    with HostileOllama(tags=shut, show=shut) as server:
        ours = OllamaServer(server.url)
        for call in (ours.models, ours.first_chat_model, lambda: ours.show(MODEL)):
            with pytest.raises(ServerSilent, match="hangs up without an answer") as error:
                call()
            assert "Ollama itself runs there" in error.value.remedy
            assert error.value.retryable
        with pytest.raises(ServerSilent, match="hangs up without an answer"):
            asked(server)


@pytest.mark.parametrize("sent", [b"", b"SSH-2.0-OpenSSH_9.6\r\n", head()])
def test_a_chat_of_which_nothing_comes_is_no_broken_answer(sent: bytes) -> None:
    with HostileOllama(chat=replying(sent)) as server:
        with pytest.raises(ServerSilent, match="hangs up without an answer"):
            asked(server)
        server.replies["/api/chat"] = replying(head(), piece("one"))
        with pytest.raises(ModelUnavailable, match="broke off in the middle"):
            asked(server)


def test_a_download_of_which_nothing_comes_broke_off() -> None:
    with HostileOllama(pull=replying()) as server:
        broken = pytest.raises(ModelUnavailable, match="The download of x broke off")
        with broken:
            list(OllamaServer(server.url).pull("x", CancelToken()))


def test_a_proxy_that_refuses_broke_no_answer_off(monkeypatch: pytest.MonkeyPatch) -> None:
    with HostileOllama() as proxy:  # it knows no CONNECT, and says so
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        away = OllamaServer("https://ollama.example", Consent(everywhere=True))
        with pytest.raises(ServerSilent, match="hangs up without an answer"):
            away.models()


BODIES: dict[str, dict[str, Behaviour]] = {
    "a list of 60 MB": {"tags": replying(head(), b'{"models":[', *[b" " * MIB] * 60, b"]}")},
    "a gigabyte, packed": {"tags": packed("gzip")},
    "a terabyte, declared": {"tags": replying(head(200, f"Content-Length: {10**12}"), b"{}")},
    "an error of 60 MB": {"chat": replying(head(500), *[b"x" * MIB] * 60)},
    "a charset that unpacks": {"chat": replying(
        head(200, "Content-Type: text/plain; charset=zlib"), b"x\n")},
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_a_body_has_a_bound(name: str) -> None:
    with HostileOllama(**BODIES[name]) as server:
        began = time.thread_time()
        with pytest.raises(ModelUnavailable, match=r"oddly|is not Ollama"):
            asked(server)
        assert time.thread_time() - began < 5  # it is not unpacked to its end


PARTS: dict[str, dict[str, Any]] = {
    "a probability of e^1,000,000": {"logprobs": [{"token": "a", "logprob": 1e6}]},
    "a probability that is no number": {"logprobs": [{"token": "a", "logprob": float("nan")}]},
    "no message": {"message": [1]},
}


@pytest.mark.parametrize("name", PARTS)
def test_an_odd_part_is_told_of_as_one(name: str) -> None:
    part = json.loads(piece("word")) | PARTS[name]
    how = GenerationOptions(logprobs="logprobs" in part)
    with HostileOllama(chat=lines(part)) as server, pytest.raises(ModelUnavailable, match=ODDLY):
        asked(server, how)


@pytest.mark.parametrize("line", [b"[" * 100_000, b"null", b'"x"', b"\n", b'{"done":1e999}'])
def test_a_line_out_of_form_is_told_of_as_one(line: bytes) -> None:
    with HostileOllama(chat=lines(line)) as server, pytest.raises(ModelUnavailable, match=ODDLY):
        asked(server)


def test_half_a_character_is_replaced() -> None:
    with HostileOllama(chat=replying(head(), piece("a\ud800b"), END)) as server:
        assert asked(server)[0] == "a?b"


@pytest.mark.parametrize("odd", ["8 thousand", [8192], True, -1, float("nan"), 1e999, 10**400])
def test_an_odd_context_length_is_an_unknown_one(odd: object) -> None:
    shown = {"capabilities": ["completion"], "model_info": {"llama.context_length": odd}}
    with HostileOllama(show=body(shown)) as server:
        assert OllamaServer(server.url).show(MODEL).context_length is None
        assert asked(server)[0] == "word "


@pytest.mark.parametrize("odd", [-5, 10**30])
def test_odd_counts_are_none(odd: int) -> None:
    last = {"message": {"role": "assistant"}, "done": True}
    with HostileOllama(chat=lines(last | {"prompt_eval_count": odd, "eval_count": odd})) as server:
        end = asked(server)[1]
    assert (end.prompt_tokens, end.answer_tokens) == (None, None)


def test_a_model_s_name_is_one_line_and_commands_no_terminal() -> None:
    names = ["good:1b", "a\nb", "\x1b[2Ja", "\u202egpj", "a\ud800", "n" * 10**6]
    with HostileOllama(tags=body({"models": [{"name": name} for name in names]})) as server:
        found = [each.name for each in OllamaServer(server.url).models()]
    assert found == ["good:1b", "a\ufffdb", "\ufffd[2Ja", "\ufffdgpj", "a?", "n" * 300]


def test_models_prints_one_line_a_model(tmp_path: Path) -> None:
    rows = [
        {"name": "a\nforged  row", "model": ""},
        {"name": "b:1b", "details": {"family": "x\ny"}},
    ]
    with HostileOllama(tags=body({"models": rows})) as server:
        printed = told("models", home=tmp_path, server=server).stdout.splitlines()
    assert [line.rstrip() for line in printed if line.startswith("language")] == [
        "language   a\ufffdforged  row",
        "language   b:1b  x\ufffdy",
    ]
    assert not any(line.startswith(("forged", "y")) for line in printed)


def test_an_answer_with_half_a_character_is_kept(tmp_path: Path) -> None:
    told("kb", "create", "default", home=tmp_path)
    with HostileOllama(chat=replying(head(), piece("a\ud800b"), END)) as server:
        words = ("ask", "Where?", "--strategy", "direct", "--chat", "new", "--json")
        free = ("--set", "answering.only_documents=false")
        done = told(*words, *free, home=tmp_path, server=server)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["text"] == "a?b"


def told(
    *words: str, home: Path, server: HostileOllama | None = None
) -> subprocess.CompletedProcess[str]:
    host = {"OLLAMA_HOST": server.url} if server else {}
    command = [sys.executable, "-m", "desktop_rag", *words, "--data-dir", str(home)]
    return subprocess.run(
        command, env=os.environ | host, capture_output=True, encoding="utf-8", check=False
    )


VECTORS: dict[str, list[list[float]]] = {
    "of another width": [[0.1, 0.2, 0.3]] * 2,
    "of one number": [[0.1]] * 2,
    "of different widths": [[0.1, 0.2], [0.1]],
    "too few": [[0.1, 0.2]],
    "infinite": [[float("inf"), 1.0]] * 2,
    "no numbers": [[float("nan"), 1.0]] * 2,
    "too large": [[1e300, 1e300]] * 2,
}


@pytest.mark.parametrize("name", VECTORS)
def test_vectors_that_do_not_fit_are_refused(name: str) -> None:
    with HostileOllama() as server:
        model = OllamaEmbedder(server.url, MODEL, Ollama())
        server.replies["/api/embed"] = body({"embeddings": VECTORS[name]})
        with pytest.raises(ModelUnavailable):
            model.embed(["one", "two"])


def test_a_vector_that_does_not_come_is_waited_for_no_longer_than_its_work() -> None:
    token = CancelToken()
    with HostileOllama() as server, use_token(token):
        model = OllamaEmbedder(server.url, MODEL, Ollama())
        server.replies["/api/embed"] = silent
        threading.Timer(0.2, token.cancel).start()
        with pytest.raises(Cancelled):
            model.embed_query("Where?")


@pytest.mark.parametrize("odd", [-1, 0, 10**30])
def test_odd_progress_of_a_download_is_none(odd: int) -> None:
    part = {"status": "pulling\x1b[2J", "total": odd, "completed": odd, "digest": "a\nb"}
    with HostileOllama(pull=lines(part, {"status": "success"})) as server:
        first, *_ = OllamaServer(server.url).pull("x", CancelToken())
    assert (first.total or 0, first.completed or 0) == (0, 0)
    assert (first.status, first.layer) == ("pulling\ufffd[2J", "a\ufffdb")
