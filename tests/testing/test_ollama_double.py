"""The double keeps Ollama's protocol: checked with the real client, and once byte by byte."""

from __future__ import annotations

import json
import math
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from urllib.parse import urlsplit

import httpx
import ollama
import pytest

from testing.ollama_double import DoubleModel, OllamaDouble, Recorded, Script, fail, refused_url
from testing.ollama_double.models import EMBEDDING
from testing.ollama_double.quoting import passages_in, quote_best
from testing.ollama_double.words import count, tokenize
from testing.timeouts import NEVER, SOON, eventually
from tests.conftest import REPOSITORY

MODEL = "llama3.2:3b"
ASKED = [{"role": "user", "content": "Where is Paris?"}]


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble(DoubleModel(MODEL), EMBEDDING) as running:
        yield running


@pytest.fixture
def client(double: OllamaDouble) -> Iterator[ollama.Client]:
    with ollama.Client(double.url, trust_env=False) as made:
        yield made


def texts(parts: Iterator[ollama.ChatResponse]) -> list[str]:
    return [part.message.content or "" for part in parts]


def test_it_starts_and_stops_and_leaves_nothing() -> None:
    before = threading.active_count()
    for _ in range(5):
        with OllamaDouble() as double, httpx.Client(trust_env=False) as browser:
            browser.get(f"{double.url}/api/version")  # its connection is still open at the end
    assert threading.active_count() == before


def test_it_can_come_back_on_the_same_port() -> None:
    double = OllamaDouble()
    with double:
        url = double.url
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/api/version", trust_env=False)
    with double:
        assert double.url == url
        assert httpx.get(f"{url}/api/version", trust_env=False).json() == {"version": "0.12.11"}


def test_a_stream_is_chunked_lines_of_json_with_counts_in_the_last(double: OllamaDouble) -> None:
    double.say("In France.")
    body = json.dumps({"model": MODEL, "messages": ASKED}).encode()
    with socket.create_connection(("127.0.0.1", urlsplit(double.url).port or 0)) as raw:
        head = f"POST /api/chat HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        raw.sendall(head.encode() + body)
        got = b""
        while not got.endswith(b"0\r\n\r\n"):
            got += raw.recv(65536)
    header, _, rest = got.partition(b"\r\n\r\n")
    assert b"200 OK" in header
    assert b"Content-Type: application/x-ndjson" in header
    assert b"Transfer-Encoding: chunked" in header
    lines = [json.loads(line) for line in rest.split(b"\r\n") if line.startswith(b"{")]
    assert [line["message"]["content"] for line in lines] == ["In", " France", ".", ""]
    assert [line["done"] for line in lines] == [False, False, False, True]
    assert lines[-1]["done_reason"] == "stop"
    assert lines[-1]["prompt_eval_count"] == double.chats[0].prompt_tokens
    assert lines[-1]["eval_count"] == 4, "the end of the turn is a token"


def test_without_stream_the_reply_comes_in_one_piece(
    client: ollama.Client, double: OllamaDouble
) -> None:
    double.say("In France.", "In Texas.")
    assert client.chat(MODEL, ASKED).message.content == "In France."
    assert client.generate(MODEL, "Where?").response == "In Texas."


def test_replies_are_taken_in_order_and_may_be_functions(
    client: ollama.Client, double: OllamaDouble
) -> None:
    def echo(request: Recorded) -> str:
        return request.said("user").upper()

    double.say("one", echo)
    assert client.chat(MODEL, ASKED).message.content == "one"
    assert client.chat(MODEL, ASKED).message.content == "WHERE IS PARIS?"
    assert double.unsaid == 0


def test_unscripted_it_quotes_the_passage_it_was_given(client: ollama.Client) -> None:
    fenced = '<passage_1f number="1" from="a.pdf">\nParis is in France. It rains.\n</passage_1f>'
    asked = [{"role": "user", "content": f"{fenced}\n\nQuestion: Where is Paris?"}]
    assert client.chat(MODEL, asked).message.content == "Paris is in France. [1]"


def test_quotes_come_from_the_passages_that_share_the_questions_words() -> None:
    prompt = (
        '<p number="2" from="b">\nRome is in Italy. It is old.\n</p>\n\n'
        '<p number="1" from="a">\nParis is in France.\n</p>\n\nQuestion: Is Rome in Italy?'
    )
    request = Recorded("POST", "/api/generate", {"prompt": prompt}, {}, prompt=prompt)
    assert passages_in(prompt)[0] == (2, "Rome is in Italy. It is old.")
    assert quote_best(request) == "Rome is in Italy. [2]"


def test_without_passages_the_last_line_is_echoed_without_its_label(client: ollama.Client) -> None:
    asked = [{"role": "user", "content": "Make it stand alone.\n\nFollow-up: And Rome?"}]
    assert client.chat(MODEL, asked).message.content == "And Rome?"


def test_probabilities_come_with_each_token(client: ollama.Client, double: OllamaDouble) -> None:
    double.say(Script("one two three", probabilities=(0.5, 0.25)))
    parts = list(client.chat(MODEL, ASKED, stream=True, logprobs=True, top_logprobs=3))
    found = [entry for part in parts for entry in part.logprobs or ()]
    assert [entry.token for entry in found] == ["one", " two", " three"]
    assert [round(math.exp(entry.logprob), 3) for entry in found] == [0.5, 0.25, 0.25]
    assert len(found[0].top_logprobs or ()) == 3


def test_an_old_server_ignores_the_wish_for_probabilities(
    client: ollama.Client, double: OllamaDouble
) -> None:
    double.logprobs = False
    double.say("one")
    parts = list(client.chat(MODEL, ASKED, stream=True, logprobs=True))
    assert all(part.logprobs is None for part in parts)


def test_a_long_chat_loses_its_oldest_messages_but_not_the_system_one(
    client: ollama.Client, double: OllamaDouble
) -> None:
    chat = [{"role": "system", "content": "Be brief."}]
    chat += [{"role": "user", "content": f"{n} " + "word " * 100} for n in range(5)]
    answer = client.chat(MODEL, chat, options={"num_ctx": 250})
    seen = double.chats[0].seen
    assert [message["content"][:2] for message in seen] == ["Be", "3 ", "4 "]
    assert double.chats[0].dropped == 3
    assert answer.prompt_eval_count == count(double.chats[0].prompt) <= 250


def test_a_last_message_that_is_too_long_is_cut_to_the_context(
    client: ollama.Client, double: OllamaDouble
) -> None:
    asked = [{"role": "user", "content": "word " * 900 + "the end"}]
    answer = client.chat(MODEL, asked, options={"num_ctx": 100})
    assert answer.prompt_eval_count == 100
    assert "the end" in double.chats[0].prompt


def test_no_num_ctx_means_the_servers_own_and_a_model_has_its_limit() -> None:
    asked = [{"role": "user", "content": "word " * 2600}]
    small = DoubleModel("small:latest", context_length=2048)
    with OllamaDouble(small) as double, ollama.Client(double.url, trust_env=False) as client:
        assert client.chat("small", asked).prompt_eval_count == 2048
        assert client.ps().models[0].context_length == 2048
        double.num_ctx = 1024
        assert client.chat("small", asked).prompt_eval_count == 1024
        assert client.chat("small", asked, options={"num_ctx": 8192}).prompt_eval_count == 2048


def test_a_begun_answer_stays_open_or_is_closed(
    client: ollama.Client, double: OllamaDouble
) -> None:
    begun = [*ASKED, {"role": "assistant", "content": "It is in"}]
    double.say(" France.", "It is in France.")
    client.chat(MODEL, begun)
    double.continues = False
    client.chat(MODEL, begun)
    first, second = double.chats
    assert first.prompt.endswith("<|im_start|>assistant\nIt is in")
    assert second.prompt.endswith("It is in<|im_end|>\n<|im_start|>assistant\n")
    assert first.prefill == "It is in"


def test_a_raw_prompt_reaches_the_model_as_it_is(
    client: ollama.Client, double: OllamaDouble
) -> None:
    double.say("d", "d")
    client.generate(MODEL, "a b c", raw=True)
    client.generate(MODEL, "a b c", system="s")
    assert double.requests[0].prompt == "a b c"
    assert double.requests[1].prompt.startswith("<|im_start|>system\ns<|im_end|>\n<|im_start|>user")


def test_a_reply_stops_where_asked_and_at_its_limit(
    client: ollama.Client, double: OllamaDouble
) -> None:
    double.say("one two END three", "one two three four")
    stopped = client.chat(MODEL, ASKED, options={"stop": ["END"]})
    assert (stopped.message.content, stopped.done_reason) == ("one two ", "stop")
    limited = client.chat(MODEL, ASKED, options={"num_predict": 2})
    assert (limited.message.content, limited.done_reason) == ("one two", "length")
    assert limited.eval_count == 2


def test_a_schema_is_kept_whatever_was_scripted(
    client: ollama.Client, double: OllamaDouble
) -> None:
    schema = {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
        },
    }
    double.say("Paris", '{"query": "Rome", "tags": []}')
    first = client.chat(MODEL, ASKED, format=schema).message.content or ""
    assert json.loads(first) == {"query": "Paris", "tags": ["a"]}
    second = client.chat(MODEL, ASKED, format=schema).message.content or ""
    assert json.loads(second) == {"query": "Rome", "tags": []}


def test_only_a_thinking_model_thinks_and_only_if_it_may() -> None:
    thinker = DoubleModel("qwen3:4b", ("completion", "thinking"))
    plain = DoubleModel("plain:latest", refuses_think=True)
    with (
        OllamaDouble(thinker, plain) as double,
        ollama.Client(double.url, trust_env=False) as client,
    ):
        double.otherwise = Script("Yes.", thinking="Hmm.")
        assert client.chat("qwen3:4b", ASKED, think=True).message.thinking == "Hmm."
        assert client.chat("qwen3:4b", ASKED, think=False).message.thinking is None
        with pytest.raises(ollama.ResponseError, match="does not support thinking") as refused:
            client.chat("plain", ASKED, think=False)
        assert refused.value.status_code == 400


def test_an_unknown_model_is_a_404_with_ollamas_words(client: ollama.Client) -> None:
    with pytest.raises(ollama.ResponseError, match="model 'nope' not found") as error:
        client.chat("nope", ASKED)
    assert error.value.status_code == 404


def test_faults_can_be_scripted(client: ollama.Client, double: OllamaDouble) -> None:
    double.say(fail(500, "out of memory"))
    with pytest.raises(ollama.ResponseError, match="out of memory") as error:
        client.chat(MODEL, ASKED)
    assert error.value.status_code == 500

    double.say(Script("one two three", error="it broke", error_after=2))
    got: list[str] = []
    with pytest.raises(ollama.ResponseError, match="it broke"):
        got.extend(part.message.content or "" for part in client.chat(MODEL, ASKED, stream=True))
    assert double.chats[1].sent == "one two"


def test_a_stream_can_break_off(client: ollama.Client, double: OllamaDouble) -> None:
    double.say(Script("one two three", breaks_after=1))
    got: list[str] = []

    def read() -> None:
        got.extend(part.message.content or "" for part in client.chat(MODEL, ASKED, stream=True))

    with pytest.raises(httpx.RemoteProtocolError):
        read()
    assert got == ["one"]


def test_headers_come_with_the_first_token_unless_scripted_earlier(double: OllamaDouble) -> None:
    body = {"model": MODEL, "messages": ASKED}
    with httpx.Client(base_url=double.url, trust_env=False, timeout=SOON) as browser:
        double.say(Script("one", wait=0.3))
        started = time.monotonic()
        with browser.stream("POST", "/api/chat", json=body) as response:
            assert time.monotonic() - started >= 0.3
            response.read()
        double.say(Script("one", wait=NEVER, early_headers=True))
        with browser.stream("POST", "/api/chat", json=body) as response:
            assert response.status_code == 200


def test_it_notices_when_the_client_goes_away(double: OllamaDouble) -> None:
    double.say(Script("one", wait=30.0))
    body = {"model": MODEL, "messages": ASKED}
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{double.url}/api/chat", json=body, timeout=0.2, trust_env=False)
    assert eventually(lambda: double.chats[0].abandoned)
    assert not double.chats[0].finished


def test_nothing_listens_at_the_refused_address() -> None:
    with pytest.raises(httpx.ConnectError):
        httpx.get(refused_url(), trust_env=False)


def test_it_lists_describes_and_fetches_models(client: ollama.Client, double: OllamaDouble) -> None:
    assert [model.model for model in client.list().models] == [MODEL, "all-minilm:latest"]
    shown = client.show("all-minilm")
    assert shown.capabilities == ["embedding"]
    assert (shown.modelinfo or {})["bert.context_length"] == 256
    double.pullable["new:latest"] = DoubleModel("new:latest", size=1000)
    steps = list(client.pull("new", stream=True))
    assert [step.completed for step in steps if step.total] == [0, 250, 500, 750, 1000]
    assert steps[-1].status == "success"
    assert client.show("new").capabilities == ["completion"]
    with pytest.raises(ollama.ResponseError, match="file does not exist"):
        list(client.pull("unknown", stream=True))


def test_a_download_goes_on_where_it_was_left(client: ollama.Client, double: OllamaDouble) -> None:
    double.pullable["new:latest"] = DoubleModel("new:latest", size=1000)
    double.pull_pace = 0.05
    pulling = client.pull("new", stream=True)
    assert isinstance(pulling, Generator)
    for step in pulling:
        if step.completed == 500:
            pulling.close()  # the client goes away, as a pause does
            break
    wait_until_gone(double)
    double.pull_pace = 0.0
    steps = list(client.pull("new", stream=True))
    came = [step.completed for step in steps if step.total]
    assert came[0] in (500, 750)
    assert came[-1] == 1000
    assert double.partial == {}


def wait_until_gone(double: OllamaDouble) -> None:
    until = time.monotonic() + 10
    while not double.to("/api/pull")[0].abandoned:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_request_without_a_prompt_loads_and_unloads(client: ollama.Client) -> None:
    assert client.chat(MODEL).done_reason == "load"
    assert [model.model for model in client.ps().models] == [MODEL]
    assert client.chat(MODEL, keep_alive=0).done_reason == "unload"
    assert client.ps().models == []


def test_embeddings_are_unit_vectors_that_know_their_words(client: ollama.Client) -> None:
    answer = client.embed("all-minilm", ["red apple", "red apple pie", "blue sky"])
    one, near, far = answer.embeddings
    assert len(one) == 384
    assert math.isclose(sum(x * x for x in one), 1.0, rel_tol=1e-6)
    assert dot(one, near) > dot(one, far)


def test_a_text_that_is_too_long_to_embed_is_cut_unless_forbidden(client: ollama.Client) -> None:
    assert client.embed("all-minilm", "word " * 999).prompt_eval_count == 254
    with pytest.raises(ollama.ResponseError, match="exceeds maximum context length"):
        client.embed("all-minilm", "word " * 999, truncate=False)


def test_a_path_can_be_in_trouble(client: ollama.Client, double: OllamaDouble) -> None:
    double.trouble["/api/tags"] = fail(503, "server busy")
    with pytest.raises(ollama.ResponseError, match="server busy"):
        client.list()


def test_a_bug_in_a_scripted_function_comes_to_light() -> None:
    def wrong(_request: Recorded) -> str:
        raise LookupError("a bug in the test")

    double = OllamaDouble().start()
    double.say(wrong)
    body = {"model": MODEL, "messages": ASKED}
    with pytest.raises(httpx.HTTPError):
        httpx.post(f"{double.url}/api/chat", json=body, trust_env=False)
    with pytest.raises(LookupError):
        double.stop()


def test_tokens_joined_are_the_text_and_have_sensible_sizes() -> None:
    text = "Internationalisation, in 2026 – 你好，世界!\n\n  Ende.  "
    assert "".join(tokenize(text)) == text
    assert count("你好世界") == 4
    english = "The quick brown fox jumps over the lazy dog and runs away from the hounds. " * 20
    assert 3.5 < len(english) / count(english) < 5.0


def test_it_runs_from_the_command_line() -> None:
    command = [sys.executable, "-m", "testing.ollama_double", "--port", "0", "--reply", "Hello."]
    quick = ["--pace", "0", "--wait", "0"]
    with subprocess.Popen(
        [*command, *quick], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, env=os.environ
    ) as program:
        assert program.stdout
        url = program.stdout.readline().strip().removeprefix("OLLAMA_HOST=")
        try:
            with ollama.Client(url, trust_env=False) as client:
                assert client.chat(MODEL, ASKED).message.content == "Hello."
        finally:
            program.terminate()


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
