"""Servers are found at the addresses that are named, and only those that are some."""

from __future__ import annotations

import threading

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.models import server_search
from desktop_rag.models.server_search import search_servers
from testing.ollama_double import OllamaDouble, refused_url
from testing.ollama_double.models import CHAT, EMBEDDING
from testing.openai_double import LLAMA_CPP, LM_STUDIO, OpenAIDouble
from tests.attacks.hostile_ollama import HostileOllama, body, silent

pytestmark = pytest.mark.usefixtures("only_loopback")


def test_each_is_found_in_its_place_with_the_models_that_answer() -> None:
    studio = OpenAIDouble(CHAT, EMBEDDING, product=LM_STUDIO)
    with OllamaDouble() as ollama, studio, OpenAIDouble(product=LLAMA_CPP) as llama:
        addresses = [llama.url, refused_url(), studio.url, ollama.url]
        found = search_servers(addresses, CancelToken())
    assert [each.url for each in found] == [llama.url, studio.url, ollama.url]
    assert [each.title for each in found] == ["llama.cpp", "LM Studio", "Ollama"]
    assert [each.is_ollama for each in found] == [False, False, True]
    assert {each.models for each in found} == {(CHAT.name,)}


def test_another_program_at_a_usual_port_is_none(only_loopback: list[str]) -> None:
    pages = HostileOllama()
    pages.replies = dict.fromkeys(("/api/version", "/v1/models"), body(b"<html>Jenkins</html>"))
    with pages as server:
        far = "http://192.168.1.50:1234"
        assert search_servers([server.url, far], CancelToken()) == ()
    assert only_loopback == []


def test_who_never_answers_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_search, "SECONDS", 0.3)
    with HostileOllama(version=silent) as server:
        assert search_servers([server.url], CancelToken()) == ()


def test_a_stop_ends_the_search() -> None:
    token = CancelToken()
    with HostileOllama(version=silent) as server:
        stopping = threading.Thread(target=_stop, args=(server, token))
        stopping.start()
        with pytest.raises(Cancelled):
            search_servers([server.url], token)
        stopping.join()


def test_nothing_is_asked_where_no_address_is_named() -> None:
    assert search_servers([], CancelToken()) == ()


def _stop(server: HostileOllama, token: CancelToken) -> None:
    server.asked.wait(30)
    token.cancel()
