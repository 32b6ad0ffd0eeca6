"""Which server answers at an address is asked, and told where none is known."""

from __future__ import annotations

import threading
from urllib.parse import urlsplit

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, ModelUnavailable, NotAllowed
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.models import model_server
from desktop_rag.models.chat_model_cache import ChatModelCache
from desktop_rag.models.model_server import ModelServer, find_server
from desktop_rag.models.ollama import OllamaChat, OllamaServer, ServerSilent
from desktop_rag.models.ollama.server_errors import NotOllama
from desktop_rag.models.openai_compatible import OpenAIChat, OpenAIServer
from desktop_rag.models.openai_compatible.server_errors import OllamaAnswers
from desktop_rag.models.protocols import GenerationOptions, Message
from testing.ollama_double import DoubleModel, OllamaDouble, Script, fail, refused_url
from testing.ollama_double.models import CHAT
from testing.openai_double import LLAMA_CPP, LM_STUDIO, OTHER, VLLM, OpenAIDouble
from testing.timeouts import NEVER
from tests.attacks.hostile_ollama import HostileOllama, body, silent

pytestmark = pytest.mark.usefixtures("only_loopback")


def found(url: str, consent: Consent | None = None) -> ModelServer:
    return find_server(Settings(ollama=Ollama(host=url)), consent or Consent(), CancelToken())


def test_ollama_is_asked_for_its_version_and_for_nothing_else() -> None:
    with OllamaDouble() as double:
        assert isinstance(found(double.url), OllamaServer)
        assert [each.path for each in double.requests] == ["/api/version"]


@pytest.mark.parametrize("product", [LLAMA_CPP, LM_STUDIO, VLLM, OTHER])
def test_any_other_is_known_by_its_models(product: str) -> None:
    with OpenAIDouble(product=product) as double:
        for url in (double.url, f"{double.url}/v1"):
            assert isinstance(found(url), OpenAIServer)


@pytest.mark.parametrize("end", ["/v1", "/v1/", "/v1/v1", "//v1"])
def test_an_address_with_its_paths_beginning_is_ollama_s_all_the_same(end: str) -> None:
    with OllamaDouble() as double:
        server = found(f"{double.url}{end}")
        assert isinstance(server, OllamaServer)
        assert server.url == double.url


TROUBLE = {
    "an error": fail(500, "it is out of order"),
    "busy": fail(503, "server busy"),
    "limited": fail(429, "too many requests"),
    "forbidden": fail(403, ""),
    "a gateway's page": fail(502, "<html>Bad gateway</html>"),
}


@pytest.mark.parametrize("kind", TROUBLE)
def test_an_ollama_in_trouble_is_still_ollama(kind: str) -> None:
    with OllamaDouble(DoubleModel("gpt-oss:120b-cloud")) as double:
        double.trouble["/api/version"] = TROUBLE[kind]
        with pytest.raises(ModelUnavailable, match="Ollama") as caught:
            found(double.url)
        assert not isinstance(caught.value, NotOllama)
        assert [each.path for each in double.requests] == ["/api/version"]


@pytest.mark.parametrize("told", ["", "{", "[]", "null", '"0.12"', "Ollama is running"])
def test_an_answer_out_of_form_may_be_ollama_s(told: str) -> None:
    with OllamaDouble() as double:
        double.verbatim["/api/version"] = told
        with pytest.raises(ModelUnavailable):
            found(double.url)
        assert [each.path for each in double.requests] == ["/api/version"]


def test_a_slow_ollama_is_still_ollama(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.models.ollama.server._SECONDS", 0.2)
    with OllamaDouble() as double:
        double.trouble["/api/version"] = Script("", wait=NEVER)
        with pytest.raises(ModelUnavailable, match="takes too long"):
            found(double.url)
        assert [each.path for each in double.requests] == ["/api/version"]


@pytest.mark.parametrize("status", [401, 404, 405])
def test_an_ollama_behind_a_wrong_path_is_known_by_its_models(status: int) -> None:
    with OllamaDouble(DoubleModel("gpt-oss:120b-cloud")) as double:
        double.trouble["/api/version"] = fail(status, "not here")
        with pytest.raises(OllamaAnswers, match="did not say what it is"):
            found(double.url)
        assert all(each.method == "GET" for each in double.requests)


def test_what_is_neither_says_where_each_listens() -> None:
    page = body(b"<html>Jenkins</html>")
    refused = pytest.raises(ModelUnavailable, match="neither Ollama nor")
    with HostileOllama(version=page) as server, refused as caught:
        found(server.url)
    assert "127.0.0.1:1234" in caught.value.remedy


def test_a_server_that_wants_a_key_says_so() -> None:
    with OpenAIDouble() as double:
        double.key = "sk-secret"
        with pytest.raises(ModelUnavailable, match="wants a key"):
            found(double.url)


@pytest.mark.parametrize("product", [LLAMA_CPP, LM_STUDIO, VLLM, OTHER])
def test_a_server_that_is_known_is_asked_for_little_before_a_question(product: str) -> None:
    cache = ChatModelCache()
    with OpenAIDouble(product=product) as double:
        for _ in range(2):
            double.requests.clear()
            chat = cache.get(found(double.url), CHAT.name, Ollama(), Consent())
            list(chat.chat([Message("user", "Where?")], GenerationOptions(), CancelToken()))
        own = {LLAMA_CPP: ["/props"], VLLM: []}.get(product, ["/api/v0/models"])
        paths = [each.path for each in double.requests]
        assert paths == ["/v1/models", "/api/tags", *own, "/v1/chat/completions"]


def test_an_ollama_in_another_server_s_place_is_ollama() -> None:
    with OpenAIDouble() as before:
        port = urlsplit(before.url).port or 0
        assert isinstance(found(before.url), OpenAIServer)
    with OllamaDouble(DoubleModel("vllm/secret:1b"), port=port) as double:
        assert isinstance(found(double.url), OllamaServer)
        double.requests.clear()
        assert isinstance(found(double.url), OllamaServer)
        assert [each.path for each in double.requests] == ["/api/version"]


def test_nobody_there_may_have_been_ollama(monkeypatch: pytest.MonkeyPatch) -> None:
    url = refused_url()
    with pytest.raises(ServerSilent, match="Ollama does not answer"):
        found(url)
    monkeypatch.setattr(model_server, "OTHER_PORTS", (urlsplit(url).port,))
    with pytest.raises(ServerSilent, match="No language model server answers"):
        found(url)


def test_a_server_that_is_gone_is_not_called_ollama() -> None:
    with OpenAIDouble() as double:
        found(double.url)
    with pytest.raises(ServerSilent, match="No language model server answers"):
        found(double.url)


def test_another_computer_is_not_asked_what_it_is(only_loopback: list[str]) -> None:
    for consent in (Consent(), Consent(everywhere=True, blocked=True)):
        with pytest.raises(NotAllowed):
            found("http://192.168.1.50:1234", consent)
    assert only_loopback == []


def test_a_stop_ends_the_asking() -> None:
    token = CancelToken()
    with HostileOllama(version=silent) as server:
        settings = Settings(ollama=Ollama(host=server.url))
        stopping = threading.Thread(target=_stop, args=(server, token))
        stopping.start()
        with pytest.raises(Cancelled):
            find_server(settings, Consent(), token)
        stopping.join()


def test_models_are_kept_by_the_server_that_answers() -> None:
    cache, options = ChatModelCache(), Ollama()
    with OllamaDouble() as one, OpenAIDouble() as other:
        mine = cache.get(found(one.url), "m", options, Consent())
        theirs = cache.get(found(other.url), "m", options, Consent())
        assert isinstance(mine, OllamaChat)
        assert isinstance(theirs, OpenAIChat)
        assert cache.get(found(other.url), "m", options, Consent()) is theirs


def _stop(server: HostileOllama, token: CancelToken) -> None:
    server.asked.wait(30)
    token.cancel()
