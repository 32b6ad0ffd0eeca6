"""What a server has, and fetching more."""

from __future__ import annotations

import socket
from dataclasses import replace

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat, OllamaServer, server
from desktop_rag.models.protocols import GenerationOptions, Message
from testing.ollama_double import DoubleModel, OllamaDouble, Script, fail, refused_url
from testing.ollama_double.models import CHAT, EMBEDDING


def test_it_tells_its_version(double: OllamaDouble) -> None:
    assert OllamaServer(double.url).version() == "0.12.11"
    assert len(double.requests) == 1


def test_it_lists_its_models(double: OllamaDouble) -> None:
    (only,) = OllamaServer(double.url).models()
    assert (only.name, only.family, only.parameters) == ("llama3.2:3b", "llama", "3.2B")
    assert (only.quantization, only.size) == ("Q4_K_M", 2_019_393_189)
    assert only.digest == CHAT.digest


@pytest.mark.parametrize(
    ("told", "count"),
    [
        ("3.2B", 3_200_000_000),
        ("134.52M", 134_520_000),
        ("22.7 m", 22_700_000),
        ("1T", 10**12),
        ("", None),
        ("large", None),
        ("8x7B", None),
    ],
)
def test_how_many_parameters_a_model_has_is_a_number_where_it_is_told(
    double: OllamaDouble, told: str, count: int | None
) -> None:
    double.models[CHAT.name] = replace(CHAT, parameters=told)
    (only,) = OllamaServer(double.url).models()
    assert only.parameter_count == count
    assert OllamaChat(double.url, CHAT.name, Ollama()).parameters == count


def test_a_models_size_is_unknown_while_the_server_is_away() -> None:
    assert OllamaChat(refused_url(), CHAT.name, Ollama()).parameters is None


@pytest.mark.parametrize("name", ["all-minilm", "all-minilm:latest", "All-MiniLM"])
def test_it_shows_one_model_by_any_of_its_names(double: OllamaDouble, name: str) -> None:
    double.models[EMBEDDING.name] = EMBEDDING
    shown = OllamaServer(double.url).show(name)
    assert shown.name == "all-minilm:latest"
    assert shown.capabilities == {"embedding"}
    assert shown.context_length == 256
    assert not shown.can_chat


def test_a_model_that_is_not_there_is_to_be_pulled(double: OllamaDouble) -> None:
    with pytest.raises(ModelUnavailable, match="ollama pull nope"):
        OllamaServer(double.url).show("nope")


def test_the_first_model_that_can_chat_is_no_embedding_model() -> None:
    with OllamaDouble(EMBEDDING, CHAT) as double:
        assert OllamaServer(double.url).first_chat_model() == "llama3.2:3b"


def test_a_server_without_a_model_that_can_chat_says_what_to_pull() -> None:
    refused = pytest.raises(ModelUnavailable, match="ollama pull")
    with OllamaDouble(EMBEDDING) as double, refused:
        OllamaServer(double.url).first_chat_model()


def test_an_old_server_that_tells_no_capabilities_is_judged_by_the_family() -> None:
    old = DoubleModel("bge:latest", (), family="bert")
    with OllamaDouble(old, DoubleModel("old:latest", ())) as double:
        assert OllamaServer(double.url).first_chat_model() == "old:latest"


def test_it_tells_what_is_loaded_with_the_context_in_force(double: OllamaDouble) -> None:
    listed = OllamaServer(double.url)
    assert listed.running() == ()
    model = OllamaChat(double.url, CHAT.name, Ollama(num_ctx=2048))
    list(model.chat([Message("user", "Hello?")], GenerationOptions(), CancelToken()))
    (loaded,) = listed.running()
    assert (loaded.name, loaded.context_length) == (CHAT.name, 2048)


def test_a_model_is_fetched_with_its_progress(double: OllamaDouble) -> None:
    double.pullable["new:1b"] = DoubleModel("new:1b", size=1000)
    steps = list(OllamaServer(double.url).pull("new:1b", CancelToken()))
    assert [step.completed for step in steps if step.total == 1000] == [0, 250, 500, 750, 1000]
    assert (steps[0].status, steps[-1].status) == ("pulling manifest", "success")
    assert OllamaServer(double.url).show("new:1b").can_chat


def test_a_model_that_nobody_has_cannot_be_fetched(double: OllamaDouble) -> None:
    with pytest.raises(ModelUnavailable) as error:
        list(OllamaServer(double.url).pull("nonsense", CancelToken()))
    assert "library has no model nonsense" in error.value.what


@pytest.mark.parametrize(
    ("error", "said", "remedy"),
    [
        ("", "The download of new:1b broke off", "goes on where it stopped"),
        ("write /m/blobs: no space left on device", "no room on the disk", "Make room"),
        ("Get https://registry: dial tcp: no such host", "does not reach its library", "internet"),
    ],
)
def test_a_download_that_fails_half_way_says_what_to_do(
    double: OllamaDouble, error: str, said: str, remedy: str
) -> None:
    double.pullable["new:1b"] = DoubleModel("new:1b", size=1000)
    double.pull_error = error
    with pytest.raises(ModelUnavailable, match=said) as failed:
        list(OllamaServer(double.url).pull("new:1b", CancelToken()))
    assert remedy in failed.value.remedy


def test_a_library_that_is_not_reached_is_no_wrong_name(double: OllamaDouble) -> None:
    text = 'pull model manifest: Get "https://registry.ollama.ai/v2": dial tcp: i/o timeout'
    double.trouble["/api/pull"] = fail(500, text)
    with pytest.raises(ModelUnavailable, match="does not reach its library"):
        list(OllamaServer(double.url).pull("new:1b", CancelToken()))


def test_every_call_says_that_the_server_is_not_there() -> None:
    away = OllamaServer(refused_url())
    for call in (away.version, away.models, away.running, away.first_chat_model):
        with pytest.raises(ModelUnavailable, match="Start Ollama") as error:
            call()
        assert error.value.retryable
    with pytest.raises(ModelUnavailable, match="Start Ollama"):
        list(away.pull("m", CancelToken()))


def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        asked = OllamaServer(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(ModelUnavailable, match="takes too long"):
            asked.version()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html>",
        '{"models": [3]}',
        '{"models": [{}]}',
        "[]",
        "{}",
        '{"models": 3}',
        '"text"',
        "null",
    ],
)
def test_what_is_not_ollama_is_told_so(double: OllamaDouble, text: str) -> None:
    for path in ("/api/version", "/api/tags", "/api/ps"):
        double.verbatim[path] = text
    listed = OllamaServer(double.url)
    for call in (listed.version, listed.models, listed.running):
        with pytest.raises(ModelUnavailable, match="is not Ollama"):
            call()


def test_errors_of_the_listings_are_sentences(double: OllamaDouble) -> None:
    double.trouble["/api/tags"] = fail(503, "server busy, please try again.")
    with pytest.raises(ModelUnavailable, match="busy"):
        OllamaServer(double.url).models()
    double.trouble["/api/tags"] = Script(status=404, error="404 page not found")
    with pytest.raises(ModelUnavailable, match="is not Ollama"):
        OllamaServer(double.url).models()


def test_ipv6_works_where_there_is_any() -> None:
    try:
        with OllamaDouble(host="::1") as double:
            assert OllamaServer(double.url).version() == "0.12.11"
    except OSError:
        pytest.skip("this system has no IPv6 loopback")
