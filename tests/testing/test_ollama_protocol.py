"""What the double has of Ollama's protocol that differs by version, or that a switch sets."""

from __future__ import annotations

import json
import math
import socket
from collections.abc import Generator, Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import ollama
import pytest

from testing.ollama_double import DoubleModel, OllamaDouble, Script, fail
from testing.ollama_double.generator import FittedPrompt, Part
from testing.ollama_double.loading import seconds
from testing.ollama_double.models import EMBEDDING
from testing.ollama_double.prompt import TOO_LONG
from testing.ollama_double.scripted import ScriptedGenerator
from testing.ollama_double.words import count
from testing.timeouts import NEVER, eventually

MODEL = "llama3.2:3b"
THINKER = DoubleModel("qwen3:4b", ("completion", "thinking"), has_parser=True)
ASKED = [{"role": "user", "content": "Where is Paris?"}]
LONG = [{"role": "user", "content": "word " * 900 + "the end"}]
BEGUN = [*ASKED, {"role": "assistant", "content": "It is in France."}]
SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}}


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble(DoubleModel(MODEL), THINKER, EMBEDDING) as running:
        yield running


@pytest.fixture
def client(double: OllamaDouble) -> Iterator[ollama.Client]:
    with ollama.Client(double.url, trust_env=False) as made:
        yield made


def post(double: OllamaDouble, path: str = "/api/chat", **body: Any) -> tuple[int, Any]:
    """Post what the client would not."""
    asked = {"model": MODEL, "messages": ASKED, "stream": False} | body
    answer = httpx.post(f"{double.url}{path}", json=asked, trust_env=False)
    return answer.status_code, answer.json()


# ---- prompts that are too long


@pytest.mark.parametrize(
    ("version", "left"),
    [("0.12.11", 100), ("0.30.10", 100), ("0.30.11", 52), ("0.33.0", 52)],
)
def test_a_prompt_that_is_too_long_is_cut_as_the_version_does(
    client: ollama.Client, double: OllamaDouble, version: str, left: int
) -> None:
    double.version = version
    answer = client.chat(MODEL, LONG, options={"num_ctx": 100})
    assert answer.prompt_eval_count == left == count(double.chats[0].prompt)
    assert double.chats[0].prompt.startswith("<|im_start|>user\nword")
    assert "the end" in double.chats[0].prompt


@pytest.mark.parametrize(("version", "most"), [("0.12.11", 100), ("0.33.0", 99)])
def test_one_token_of_room_is_kept_since_prompts_are_halved(
    double: OllamaDouble, version: str, most: int
) -> None:
    double.version = version
    raw: dict[str, Any] = {"path": "/api/generate", "raw": True, "options": {"num_ctx": 100}}
    for tokens in (most, most + 1):
        _, told = post(double, prompt=" a" * tokens, **raw)
        assert (told["prompt_eval_count"] == tokens) == (tokens == most)


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.12.11", "the input length exceeds the context length"),
        ("0.33.0", "exceeds the available context size (100 tokens)"),
    ],
)
def test_a_prompt_that_may_not_be_cut_is_refused(
    double: OllamaDouble, version: str, words: str
) -> None:
    double.version = version
    status, told = post(double, messages=LONG, truncate=False, options={"num_ctx": 100})
    assert status == 400
    assert words in told["error"]
    assert post(double, truncate=False)[0] == 200


@pytest.mark.parametrize(("version", "refused"), [("0.12.11", False), ("0.30.9", True)])
def test_without_a_shift_a_prompt_that_is_too_long_is_an_error_since_0_30_9(
    double: OllamaDouble, version: str, *, refused: bool
) -> None:
    double.version = version
    double.models["deep:latest"] = DoubleModel("deep:latest", family="deepseek2")
    for body in ({"shift": False}, {"model": "deep"}):
        status, told = post(double, messages=LONG, options={"num_ctx": 100}, **body)
        assert (status == 400) is refused
        assert not refused or told["error"] == TOO_LONG


def test_without_a_shift_a_reply_ends_with_the_context(double: OllamaDouble) -> None:
    double.otherwise = "one two three four five six seven eight"
    room = {
        "num_ctx": count("<|im_start|>user\nWhere is Paris?<|im_end|>\n<|im_start|>assistant\n")
    }
    room["num_ctx"] += 3
    _, told = post(double, shift=False, options=room)
    assert (told["message"]["content"], told["done_reason"]) == ("one two three", "length")
    assert post(double, options=room)[1]["done_reason"] == "stop"


def test_what_was_cached_is_counted_but_by_an_old_server(double: OllamaDouble) -> None:
    double.otherwise = Script("one", cached=5)
    _, now = post(double)
    double.counts_cached = False
    _, before = post(double)
    assert now["prompt_eval_count"] - before["prompt_eval_count"] == 5


# ---- lines of a reply


def test_a_line_holds_several_log_probabilities_or_none(
    client: ollama.Client, double: OllamaDouble
) -> None:
    double.say(Script("a b c d e", per_line=2, unrated=(2, 3)))
    parts = list(client.chat(MODEL, ASKED, stream=True, logprobs=True))
    assert [part.message.content for part in parts] == ["a b", " c d", " e", ""]
    assert [len(part.logprobs or ()) for part in parts] == [2, 0, 1, 0]


def test_a_thought_has_no_log_probabilities(client: ollama.Client, double: OllamaDouble) -> None:
    double.say(Script("Yes.", thinking="Hmm so"))
    parts = list(client.chat(THINKER.name, ASKED, stream=True, logprobs=True, think=True))
    assert [bool(part.logprobs) for part in parts] == [False, False, True, True, False]


def test_thirty_equal_tokens_end_a_stream_without_its_last_line(
    client: ollama.Client, double: OllamaDouble
) -> None:
    double.ends_repetition = True
    double.say(Script(tokens=("So", *["\n"] * 60)), Script(tokens=("So", *["\n"] * 30, "End")))
    parts = list(client.chat(MODEL, ASKED, stream=True))
    assert len(parts) == 32
    assert not any(part.done for part in parts)
    assert list(client.chat(MODEL, ASKED, stream=True))[-1].done


def test_a_whole_sentence_as_its_own_turn_ends_it_where_switched_so(
    client: ollama.Client, double: OllamaDouble
) -> None:
    double.otherwise = " It is big."
    assert client.chat(MODEL, BEGUN).message.content == " It is big."
    double.ends_whole_sentences = True
    ended = client.chat(MODEL, BEGUN)
    assert (ended.message.content, ended.done_reason, ended.eval_count) == ("", "stop", 1)
    half = [*ASKED, {"role": "assistant", "content": "It is in"}]
    assert client.chat(MODEL, half).message.content == " It is big."


@pytest.mark.parametrize("level", ["low", "medium", "high"])
def test_a_model_may_be_told_how_hard_to_think(
    client: ollama.Client, double: OllamaDouble, level: Any
) -> None:
    double.otherwise = Script("Yes.", thinking="Hmm.")
    assert client.chat(THINKER.name, ASKED, think=level).message.thinking == "Hmm."
    assert post(double, think=level)[1] == {"error": f'"{MODEL}" does not support thinking'}


def test_what_is_no_level_of_thinking_is_refused(double: OllamaDouble) -> None:
    status, told = post(double, model=THINKER.name, think="hard")
    assert status == 400
    assert told["error"].startswith('invalid think value: "hard" (must be "high"')
    assert post(double, think=3)[0] == 400


def test_a_thinking_model_may_refuse_a_begun_turn(double: OllamaDouble) -> None:
    double.refuses_prefill = True
    status, told = post(double, model=THINKER.name, messages=BEGUN)
    assert (status, "prefill is incompatible" in told["error"]) == (400, True)
    assert post(double, model=THINKER.name, messages=BEGUN, think=False)[0] == 200
    assert post(double, messages=BEGUN)[0] == 200


# ---- forms


@pytest.mark.parametrize(("version", "held"), [("0.31.1", False), ("0.31.2", True)])
def test_a_thinking_model_that_may_not_think_keeps_no_form_before_0_31_2(
    client: ollama.Client, double: OllamaDouble, version: str, *, held: bool
) -> None:
    double.version = version
    double.otherwise = "Paris"
    free = client.chat(THINKER.name, ASKED, format=SCHEMA, think=False).message.content or ""
    assert free == (json.dumps({"query": "Paris"}) if held else "Paris")
    for model, think in ((THINKER.name, True), (MODEL, False)):
        kept = client.chat(model, ASKED, format=SCHEMA, think=think).message.content or ""
        assert json.loads(kept) == {"query": "Paris"}


@pytest.mark.parametrize("form", ["xml", 3, ["a"]])
def test_what_is_no_form_is_an_error(double: OllamaDouble, form: object) -> None:
    """The server finds it out when the model runs, and so with status 500."""
    status, told = post(double, format=form)
    assert status == 500
    assert told["error"].startswith(f"invalid format: {json.dumps(json.dumps(form))}; expected")


# ---- requests that are refused


def test_requests_out_of_form_are_refused_in_ollamas_words(double: OllamaDouble) -> None:
    assert post(double, model="") == (400, {"error": "model is required"})
    assert post(double, "/api/generate", model="")[0] == 404
    for top in (-1, 21):
        told = {"error": "top_logprobs must be between 0 and 20"}
        assert post(double, top_logprobs=top) == (400, told)
    assert post(double, logprobs=True, top_logprobs=20)[0] == 200
    assert post(double, keep_alive="300") == (
        400, {"error": 'time: missing unit in duration "300"'}
    )  # fmt: skip
    empty = httpx.post(f"{double.url}/api/chat", trust_env=False)
    assert (empty.status_code, empty.json()) == (400, {"error": "missing request body"})
    assert post(double, "/api/generate", model=EMBEDDING.name)[1] == {
        "error": f'"{EMBEDDING.name}" does not support generate'
    }


@pytest.mark.parametrize("status", [429, 502, 503])
def test_any_status_can_be_scripted(double: OllamaDouble, status: int) -> None:
    double.say(fail(status, "not now"))
    assert post(double) == (status, {"error": "not now"})


def test_behind_the_first_line_an_error_is_a_line_and_the_status_stays_200(
    double: OllamaDouble,
) -> None:
    script = Script("one two", error="it broke", error_after=1)
    double.say(script, script)
    body = {"model": MODEL, "messages": ASKED}
    answer = httpx.post(f"{double.url}/api/chat", json=body, trust_env=False)
    assert answer.status_code == 200
    assert json.loads(answer.text.splitlines()[-1]) == {"error": "it broke"}
    assert post(double) == (500, {"error": "it broke"})


# ---- what is listed and loaded


# ---- counts, contexts and vectors

VERSIONS = ("0.12.11", "0.13.3", "0.30.0", "0.32.15")


@pytest.mark.parametrize("version", VERSIONS)
def test_the_token_that_ends_the_turn_is_counted(double: OllamaDouble, version: str) -> None:
    double.version = version
    double.otherwise = "one two three four"
    assert post(double)[1]["eval_count"] == 5
    cut = post(double, options={"num_predict": 3})[1]
    assert (cut["eval_count"], cut["done_reason"]) == (3, "length")
    double.otherwise = Script("Yes.", thinking="Hmm so")
    thought, silent = (
        post(double, model=THINKER.name, think=thinks)[1]["eval_count"] for thinks in (True, False)
    )
    assert (thought, silent) == (5, 3)


@pytest.mark.parametrize("version", VERSIONS)
def test_generate_gives_the_tokens_of_all_that_was_said(double: OllamaDouble, version: str) -> None:
    double.version = version
    double.otherwise = "one two"
    _, told = post(double, "/api/generate", prompt="Where?")
    assert len(told["context"]) == told["prompt_eval_count"] + 2
    assert all(isinstance(each, int) for each in told["context"])
    assert "context" not in post(double, "/api/generate", prompt="Where?", raw=True)[1]
    assert "context" not in post(double)[1]


@pytest.mark.parametrize("version", ["0.12.11", "0.32.15"])
def test_lists_begin_with_the_model_that_was_changed_last(
    client: ollama.Client, double: OllamaDouble, version: str
) -> None:
    double.version = version
    newer = DoubleModel("newer:1b", modified="2026-11-03T10:00:00Z")
    older = DoubleModel("older:1b", modified="2026-10-03T10:00:00Z")
    double.models = {each.name: each for each in (older, DoubleModel(MODEL), THINKER, newer)}
    names = [each.model for each in client.list().models]
    assert names == [newer.name, MODEL, THINKER.name, older.name]


@pytest.mark.parametrize(
    ("version", "penalty"),
    [
        ("0.12.11", 1.1), ("0.17.4", 1.1), ("0.17.5", 1.0), ("0.17.7", 1.0), ("0.18.0", 1.1),
        ("0.30.0", 1.1), ("0.32.9", 1.1), ("0.32.10", 1.0),
    ],
)  # fmt: skip
def test_repetition_is_punished_by_the_version_s_own_measure(
    double: OllamaDouble, version: str, penalty: float
) -> None:
    seen: list[FittedPrompt] = []

    class Noting(ScriptedGenerator):
        def reply(self, prompt: FittedPrompt) -> Generator[Part, None, None]:
            seen.append(prompt)
            return super().reply(prompt)

    double.version, double.generator = version, Noting()
    assert post(double)[0] == 200
    assert [each.repeat_penalty for each in seen] == [penalty]


def embed(double: OllamaDouble, given: Any, **body: Any) -> tuple[int, Any]:
    return post(double, "/api/embed", **({"model": EMBEDDING.name, "input": given} | body))


@pytest.mark.parametrize("version", VERSIONS)
def test_no_input_gives_no_vectors_and_an_empty_one_among_others_does(
    double: OllamaDouble, version: str
) -> None:
    double.version = version
    empty: tuple[Any, ...] = ("", [], None)
    for nothing in empty:
        status, told = embed(double, nothing)
        assert (status, told) == (200, {"model": EMBEDDING.name, "embeddings": []})
    assert len(embed(double, ["", "a"])[1]["embeddings"]) == 2
    for odd in (7, {"text": "a"}, ["a", 7]):
        assert embed(double, odd) == (400, {"error": "invalid input type"})


@pytest.mark.parametrize("version", VERSIONS)
def test_a_vector_is_cut_to_fewer_dimensions_and_never_made_longer(
    double: OllamaDouble, version: str
) -> None:
    double.version = version
    ((whole,), (short,), (long,)) = (
        embed(double, "red apple pie", dimensions=size)[1]["embeddings"] for size in (0, 300, 999)
    )
    assert long == whole
    assert len(short) == 300
    length = math.sqrt(sum(each * each for each in whole[:300]))
    assert short == pytest.approx([each / length for each in whole[:300]])
    assert sum(each * each for each in short) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("version", "words", "room"),
    [
        ("0.12.11", "input exceeds maximum context length", 256),
        ("0.13.3", "the input length exceeds the context length", 254),
        ("0.32.15", "the input length exceeds the context length", 254),
    ],
)
def test_a_text_too_long_to_embed_is_refused_in_the_version_s_words(
    double: OllamaDouble, version: str, words: str, room: int
) -> None:
    double.version = version
    assert embed(double, " a" * room, truncate=False)[0] == 200
    assert embed(double, " a" * (room + 1), truncate=False) == (400, {"error": words})
    marks = 2 if room == 254 else 0
    assert embed(double, " a" * 999)[1]["prompt_eval_count"] == 254 + marks
    assert embed(double, " a b c", options={"num_ctx": 2}) == (
        400,
        {"error": "input after truncation exceeds maximum context length"},
    )


@pytest.mark.parametrize(("version", "status"), [("0.12.11", 500), ("0.13.3", 501)])
def test_a_model_without_vectors_says_so(double: OllamaDouble, version: str, status: int) -> None:
    double.version = version
    told = embed(double, "a", model=MODEL)
    assert told == (status, {"error": "this model does not support embeddings"})


@pytest.mark.parametrize(("version", "told"), [("0.12.11", False), ("0.30.0", True)])
def test_lists_tell_what_models_can_since_0_30(
    double: OllamaDouble, version: str, *, told: bool
) -> None:
    double.version = version
    rows = httpx.get(f"{double.url}/api/tags", trust_env=False).json()["models"]
    assert ("capabilities" in rows[1]) is told
    assert rows[1].get("capabilities", ["completion", "thinking"]) == ["completion", "thinking"]
    assert rows[2]["details"].get("context_length", 256) == 256
    assert ("context_length" in rows[2]["details"]) is told


@pytest.mark.parametrize(
    ("keep", "lasts"),
    [(None, 300), (5, 5), ("5m", 300), ("1h30m", 5400), ("1.5s", 1.5), (0, 0), ("0", 0),
     (-1, float("inf")), ("-1m", float("inf")), ("250ms", 0.25)],
)  # fmt: skip
def test_how_long_a_model_is_kept_is_read_as_go_does(keep: object, lasts: float) -> None:
    assert seconds(keep) == pytest.approx(lasts)


def test_a_model_is_kept_for_as_long_as_was_asked(
    client: ollama.Client, double: OllamaDouble
) -> None:
    client.chat(MODEL, ASKED)
    assert [row.model for row in client.ps().models] == [MODEL]
    client.chat(MODEL, ASKED, keep_alive=0.05)
    assert eventually(lambda: client.ps().models == [])
    client.chat(MODEL, ASKED, keep_alive=0)
    assert client.ps().models == []


def test_another_context_loads_a_model_anew(client: ollama.Client, double: OllamaDouble) -> None:
    for context in (2048, 2048, 4096):
        client.chat(MODEL, ASKED, options={"num_ctx": context})
    assert double.loaded.loads == 2


def test_requests_wait_for_each_other_where_one_runs_at_a_time(double: OllamaDouble) -> None:
    double.queue.slots, double.queue.most = 1, 1
    double.otherwise = Script("one", wait=NEVER)
    with asking(double) as first:
        assert eventually(lambda: len(double.chats) == 1)
        with asking(double):
            assert eventually(lambda: double.queue.waiting == 1)
            status, told = post(double)
            assert (status, told["error"][:11]) == (503, "server busy")
        assert eventually(lambda: double.queue.waiting == 0)  # whoever leaves waits no more
        double.otherwise = "two"
        with asking(double) as third:
            assert eventually(lambda: double.queue.waiting == 1)
            first.close()
            assert third.recv(15) == b"HTTP/1.1 200 OK"


def asking(double: OllamaDouble) -> socket.socket:
    """Send a request, and leave its answer to whoever closes the connection."""
    body = json.dumps({"model": MODEL, "messages": ASKED}).encode()
    made = socket.create_connection(("127.0.0.1", urlsplit(double.url).port or 0))
    made.sendall(b"POST /api/chat HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    return made
