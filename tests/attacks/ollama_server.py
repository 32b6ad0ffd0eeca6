"""A hostile or broken Ollama: odd values, replies without end, and Ctrl-C in the middle of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat, OllamaEmbedder, OllamaServer
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
    talk,
    without_end,
)
from tests.attacks.memory import measured
from tests.attacks.report import Attack, Report, Task

Replies = dict[str, Behaviour]

_MOST_MIB = 400.0  # of a command that asks; one that asks a sound Ollama takes 170
_STOPS_WITHIN = 2.0  # half a second on a quiet machine
_RUNS_SECONDS = 40.0
_BUG = "itself went wrong"
_DEEP = b"[" * 100_000 + b"]" * 100_000
_ODD: tuple[Any, ...] = (
    "\ud800", "a\nb", "\x1b[2J\x1b]0;x\x07", "\u202egpj.exe", "x" * 1_000_000, "", "8192", [], [1],
    {}, {"a": None}, True, -1, 0, 1.5, 10**400, float("nan"), float("inf"), -float("inf"), 1e308,
    None, [[]], "\x00",
)  # fmt: skip
_NAMES = ("a\nb", "a\r\x1b[31mb", "\u202ea", "\ud800", "n" * 1_000_000, "\u2028", "\x00", "")


def values(report: Report, task: Task) -> None:
    """Put odd values wherever a reply has one: each ends in a sentence, or is kept and shown."""
    tries = [*_chats(), *_listings(), *_embeddings(), *_pulls(), *_mutated(task)]
    if task.is_quick:
        tries = Random(task.seed).sample(tries, 80)
    for name, replies, call in tries:
        with report.attempt(name), HostileOllama(**replies) as server:
            began = time.monotonic()
            try:
                call(server.url, report)
            except ModelUnavailable as problem:
                report.expect(_is_sound(str(problem)), f"the sentence holds {problem!r:.100}")
            report.expect(time.monotonic() - began < 30, "it took its time")


def _raw(sent: bytes) -> Behaviour:
    def behave(write: Callable[[bytes], None]) -> None:
        write(sent)

    return behave


_LINES = (
    b"",
    b"null",
    b"[]",
    b"7",
    b'"x"',
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b'{"done":true,"done":false}',
    b'{"error":{"error":[1]}}',
    _DEEP,
    b'{"message":' + _DEEP + b"}",
    b"9" * 5000,
    b'{"a":1e999}',
)
_ERRORS = (
    body(_DEEP, 500),
    body({"error": "x" * 10_000_000}, 500),
    body({"error": _ODD[2]}, 500),
    body({"error": _ODD[0]}, 400),
    body({"error": [1]}, 500),
    body(b"<html>", 502),
    body(b"", 204),
)
_HEADS = (
    b"",
    b"\x00" * 100,
    b"HTTP/9.9 200\r\n\r\n",
    head(999),
    head(199),
    head(301, "Location: http://127.0.0.1:9/"),
    head(200, "Content-Length: -1"),
    head(200, "Transfer-Encoding: chunked") + b"FFFFFFFFFFFFFFFFFF\r\n",
    head(200, f"Content-Length: {10**12}"),
    b"A" * 1_000_000,
)
_FACTS = (
    "context_length",
    "block_count",
    "embedding_length",
    "attention.head_count",
    "attention.head_count_kv",
    "attention.key_length",
)
_PLAIN = GenerationOptions()
Call = Callable[[str, Report], None]
Try = tuple[str, Replies, Call]


def _chats() -> Iterator[Try]:
    for at, odd in enumerate(_ODD):
        for field in ("prompt_eval_count", "eval_count", "done_reason", "error", "message", "done",
                      "thinking", "created_at", "model"):  # fmt: skip
            yield f"chat: {field}, {at}", {"chat": talk(**{field: odd})}, _chat
        for field in ("content", "thinking", "role", "tool_calls", "images"):
            message = {"role": "assistant", "content": "word", field: odd}
            yield f"chat: message.{field}, {at}", {"chat": talk(message=message)}, _chat
        for logprobs in (
            odd,
            [odd],
            [{"token": odd, "logprob": -1}],
            [{"token": "a", "logprob": odd}],
        ):
            yield f"chat: logprobs, {at}", {"chat": talk(logprobs=logprobs)}, _chat_probably
    yield (
        "chat: logprob 1e6",
        {"chat": talk(logprobs=[{"token": "a", "logprob": 1e6}])},
        _chat_probably,
    )
    for at, line in enumerate(_LINES):
        yield f"chat: line {at}", {"chat": lines(line)}, _chat
        yield f"chat: line {at} after a word", {"chat": lines(json.loads(piece("a")), line)}, _chat
    for at, reply in enumerate(_ERRORS):
        yield f"chat: error {at}", {"chat": reply}, _chat
    for kind in ("zlib", "rot13", "base64", "utf-7", "utf-16", "idna", "nonsense", "undefined"):
        start = head(200, f"Content-Type: text/plain; charset={kind}")
        yield f"chat: charset {kind}", {"chat": _raw(start + piece("word"))}, _chat
    for kind in ("gzip", "deflate", "br", "zstd", "identity, gzip"):
        start = head(200, f"Content-Encoding: {kind}")
        yield f"chat: encoding {kind}", {"chat": _raw(start + piece("word"))}, _chat
    for at, start in enumerate(_HEADS):
        yield f"chat: head {at}", {"chat": _raw(start)}, _chat


def _listings() -> Iterator[Try]:
    row: dict[str, Any] = {"name": MODEL, "model": MODEL, "size": 1, "digest": "0" * 64}
    for at, odd in enumerate(_ODD):
        for field in ("name", "model", "size", "digest", "details", "remote_host"):
            yield f"tags: {field}, {at}", {"tags": body({"models": [row | {field: odd}]})}, _list
        details = {"family": odd, "parameter_size": odd, "quantization_level": odd}
        yield (
            f"tags: details, {at}",
            {"tags": body({"models": [row | {"details": details}]})},
            _list,
        )
        for field in ("size", "context_length", "model", "name"):
            yield f"ps: {field}, {at}", {"ps": body({"models": [row | {field: odd}]})}, _list
        for name in ("tags", "ps", "version", "show"):
            yield f"{name}: {at}", {name: body(odd)}, _list
            yield f"{name}: models, {at}", {name: body({"models": odd, "version": odd})}, _list
        for field in ("capabilities", "template", "model_info", "details", "modified_at"):
            yield f"show: {field}, {at}", {"show": body({field: odd})}, _list
        info = {f"llama.{name}": odd for name in _FACTS}
        yield f"show: facts, {at}", {"show": body({"model_info": info})}, _list
        yield f"show: facts, {at}, asked", {"show": body({"model_info": info})}, _chat
    for at, name in enumerate(_NAMES):
        yield f"name {at}", {"tags": body({"models": [{"name": name}]})}, _list
    many = body({"models": [row] * 40_000})
    yield "tags: 40,000 models", {"tags": many}, _list_many


def _embeddings() -> Iterator[Try]:
    for at, odd in enumerate(_ODD):
        for made in (odd, [odd], [[odd]], [[0.1, odd]] * 2):
            yield f"embed: {at}", {"embed": body({"embeddings": made})}, _embed
    for at, made in enumerate(([], [[]], [[1, 2], [1]], [[1, 2]] * 3, [[1e300, 1e300]] * 2)):
        yield f"embed: shape {at}", {"embed": body({"embeddings": made})}, _embed


def _pulls() -> Iterator[Try]:
    for at, odd in enumerate(_ODD):
        for field in ("status", "total", "completed", "digest", "error"):
            part = {
                "status": "pulling",
                "total": 10,
                "completed": 5,
                "digest": "sha256:1",
                field: odd,
            }
            yield f"pull: {field}, {at}", {"pull": lines(part, {"status": "success"})}, _pull


def _mutated(task: Task) -> Iterator[Try]:
    """Yield sound replies with some bytes changed."""
    random = Random(task.seed)
    sound = json.dumps(
        {"message": {"role": "assistant", "content": "word é"}, "done": True}
    ).encode()
    for at in range(200):
        raw = bytearray(sound)
        for _ in range(random.randint(1, 6)):
            raw[random.randrange(len(raw))] = random.randrange(256)
        yield f"mutated {at}", {"chat": lines(bytes(raw))}, _chat


def _chat(url: str, report: Report, how: GenerationOptions = _PLAIN) -> None:
    model = OllamaChat(url, MODEL, Ollama())
    report.expect(0 < model.context_tokens <= 2**20, "the context has an odd length")
    for each in model.chat([Message("user", "Where?")], how, CancelToken()):
        if isinstance(each, ReplyEnd):
            for number in (each.prompt_tokens, each.answer_tokens):
                report.expect(number is None or 0 <= number < 2**63, f"{number} tokens")
        elif isinstance(each, ReplyPiece):
            report.expect(_is_storable(each.text), "a text that cannot be kept")
            for token, probability in each.tokens:
                report.expect(_is_storable(token), "a token that cannot be kept")
                report.expect(0 <= probability <= 1, f"a probability of {probability}")


def _chat_probably(url: str, report: Report) -> None:
    _chat(url, report, GenerationOptions(logprobs=True))


def _list(url: str, report: Report) -> None:
    server = OllamaServer(url)
    try:
        found = server.detailed_models()
    except ModelUnavailable as problem:
        report.expect(_is_sound(str(problem)), "the sentence is no line")
        found = ()
    for model in found:
        for text in (model.name, model.family, model.parameters, model.quantization, model.digest):
            report.expect(_is_sound(text), f"shown as {text!r:.80}")
            report.expect(len(text) <= 1000, f"shown with {len(text)} letters")
        report.expect(0 <= model.size < 2**63, f"a size of {model.size}")
        for number in (model.context_length, model.token_bytes):
            report.expect(number is None or 0 <= number < 2**63, f"a fact of {number}")
    report.expect(len(found) <= 1000, f"{len(found)} models")
    for each in server.running():
        report.expect(_is_sound(each.name) and 0 <= each.size < 2**63, "an odd row of what runs")
    report.expect(_is_sound(server.version()), "an odd version")


def _list_many(url: str, report: Report) -> None:
    found = len(OllamaServer(url).models())
    report.expect(found <= 1000, f"{found} models")


def _embed(url: str, report: Report) -> None:
    model = OllamaEmbedder(url, MODEL, Ollama())
    made = model.embed(["one", "two"])
    report.expect(made.shape == (2, model.dimensions), f"vectors of {made.shape}")
    report.expect(bool((abs(made) <= 1.001).all()), "vectors that are none")


def _pull(url: str, report: Report) -> None:
    for part in OllamaServer(url).pull("x", CancelToken()):
        report.expect(_is_sound(part.status) and _is_sound(part.layer), "an odd status")
        for number in (part.completed, part.total):
            report.expect(number is None or 0 <= number < 2**63, f"{number} bytes")


def _is_storable(text: str) -> bool:
    return text.isascii() or text == text.encode("utf-8", "replace").decode()


def _is_sound(text: str) -> bool:
    return _is_storable(text) and sanitize_name(text) == text


_FIELD = b"A: " + b"x" * 999 + b"\r\n"
_TOKENS = (
    piece("x")[:-2]
    + b', "logprobs": '
    + b'[{"token":"x","logprob":-1}'
    + (b',{"token":"x","logprob":-1}' * 9000 + b"]}\n")
)
_ENDLESS: dict[str, Replies] = {
    "one endless line": {"chat": without_end(head() + b'{"message":{"content":"', b"x" * 65536)},
    "a flood of lines": {"chat": without_end(head(), piece("word ") * 500)},
    "a flood of letters": {"chat": without_end(head(), piece("x" * 30_000))},
    "a flood of blank parts": {"chat": without_end(head(), piece("") * 500)},
    "a flood of thought": {"chat": without_end(head(), piece("<think>") + piece("hm ") * 500)},
    "a list without end": {"tags": without_end(head() + b'{"models":[', b"{}," * 20_000)},
    "a model without end": {"show": without_end(head() + b'{"template":"', b"x" * 65536)},
    "an error without end": {"chat": without_end(head(500), b"x" * 65536)},
    "a gigabyte, packed": {"tags": packed("gzip")},
    "a head without end": {"chat": without_end(b"HTTP/1.1 200 X\r\n", _FIELD)},
    "a terabyte declared": {"tags": _raw(head(200, f"Content-Length: {10**12}") + b"{")},
    "thousands of tokens a line": {"chat": without_end(head(), _TOKENS)},
}
_QUICK_ENDLESS = ("one endless line", "a flood of lines")
_STOPPED: dict[str, Replies] = {
    "silent": {"chat": silent},
    "silent from the start": {"tags": silent},
    "a byte a second": {"chat": without_end(head(), b" ", 1.0)},
    "a byte of the head a second": {"chat": without_end(b"HTTP/1.1 200 X\r\nA: ", b"x", 1.0)},
    "a word now and then": {"chat": without_end(head(), piece("word "), 0.02)},
    "a flood": {"chat": without_end(head(), piece("word ") * 500)},
}
_QUICK_STOPPED = ("a byte a second",)


def floods(report: Report, task: Task) -> None:
    """Ask a server whose replies do not end: the command ends by itself, and in little memory."""
    _made_base(task.folder)
    for name in _QUICK_ENDLESS if task.is_quick else _ENDLESS:
        with report.attempt(name), HostileOllama(**_ENDLESS[name]) as server:
            done = measured(_asking(task.folder), _RUNS_SECONDS, environment=_at(server))
            report.note_peaks(done.peaks)
            report.expect(done.status in (0, 1), f"it ended with {done.status}")
            report.expect(_BUG not in done.errors, "something in Desktop RAG itself went wrong")
            report.expect(done.errors.strip(), "it said nothing")
            report.expect(done.peaks.get("main", 0) < _MOST_MIB, f"it took {done.peaks} MiB")


def stops(report: Report, task: Task) -> None:
    """Press Ctrl-C while a server keeps a command waiting, or busy: it ends within a second."""
    _made_base(task.folder)
    for name in _QUICK_STOPPED if task.is_quick else _STOPPED:
        with report.attempt(name), HostileOllama(**_STOPPED[name]) as server:
            asking = subprocess.Popen(
                _asking(task.folder),
                env=_at(server),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            report.expect(server.asked.wait(_RUNS_SECONDS), "it never asked")
            time.sleep(0.5)
            began = time.monotonic()
            asking.send_signal(signal.SIGINT)
            try:
                asking.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                asking.kill()
                asking.communicate()
            took = time.monotonic() - began
            report.expect(took < _STOPS_WITHIN, f"Ctrl-C took {took:.1f} s")
            wanted = (130,) if name != "a flood" else (0, 1, 130)  # that one ends by itself
            report.expect(asking.returncode in wanted, f"it ended with {asking.returncode}")


def _made_base(folder: Path) -> None:
    command = [sys.executable, "-m", "desktop_rag", "kb", "create", "default"]
    subprocess.run([*command, "--data-dir", str(folder / "home")], check=False, capture_output=True)


def _asking(folder: Path) -> list[str]:
    words = ("ask", "Where?", "--strategy", "direct", "--set", "answering.only_documents=false")
    return [sys.executable, "-m", "desktop_rag", *words, "--data-dir", str(folder / "home")]


def _at(server: HostileOllama) -> dict[str, str]:
    return os.environ | {"OLLAMA_HOST": server.url}


ATTACKS = (
    Attack("ollama: odd values", values),
    Attack("ollama: replies without end", floods),
    Attack("ollama: Ctrl-C", stops),
)
