"""Where Ollama is, in every form that people write it, and whether that is this computer."""

from __future__ import annotations

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.models.ollama import (
    OllamaChat,
    OllamaEmbedder,
    OllamaServer,
    is_loopback,
    resolve_host,
)
from desktop_rag.models.protocols import GenerationOptions, Message

FORMS = {
    "": "http://127.0.0.1:11434",
    "  ": "http://127.0.0.1:11434",
    "192.168.1.5": "http://192.168.1.5:11434",
    "192.168.1.5:8080": "http://192.168.1.5:8080",
    ":8080": "http://127.0.0.1:8080",
    "localhost": "http://127.0.0.1:11434",
    "localhost:1234": "http://127.0.0.1:1234",
    "http://localhost:1234/": "http://127.0.0.1:1234",
    "http://box": "http://box:80",
    "https://box": "https://box:443",
    "HTTP://Box:99": "http://box:99",
    "https://box.example:99/ollama/": "https://box.example:99/ollama",
    "http://localhost:1234/v1/": "http://127.0.0.1:1234",
    "box:99/ollama/v1": "http://box:99/ollama",
    "0.0.0.0": "http://127.0.0.1:11434",
    "0.0.0.0:9000": "http://127.0.0.1:9000",
    "http://0.0.0.0:9000": "http://127.0.0.1:9000",
    "::1": "http://[::1]:11434",
    "::": "http://[::1]:11434",
    "[::]:9000": "http://[::1]:9000",
    "[::1]:9000": "http://[::1]:9000",
    "fe80::1": "http://[fe80::1]:11434",
    '"127.0.0.1:9000"': "http://127.0.0.1:9000",
    "user:secret@box:99": "http://box:99",
}


@pytest.mark.parametrize(("written", "meant"), FORMS.items())
def test_every_form_of_an_address_is_understood(written: str, meant: str) -> None:
    assert resolve_host(Settings(), {"OLLAMA_HOST": written}) == meant


def test_the_setting_goes_before_the_environment() -> None:
    settings = Settings(ollama=Ollama(host="127.0.0.1:1"))
    assert resolve_host(settings, {"OLLAMA_HOST": "127.0.0.1:2"}) == "http://127.0.0.1:1"
    assert resolve_host(Settings(), {}) == "http://127.0.0.1:11434"


@pytest.mark.parametrize("written", ["ftp://box", "box:port", "http://[::1", "box:99999"])
def test_what_is_no_address_is_said_to_be_none(written: str) -> None:
    with pytest.raises(ModelUnavailable) as error:
        resolve_host(Settings(), {"OLLAMA_HOST": written})
    assert written in error.value.what
    assert "http://127.0.0.1:11434" in error.value.remedy


LOCAL = ["http://127.0.0.1:1", "http://127.1.2.3:1", "http://[::1]:1", "http://localhost:1"]
REMOTE = [
    "http://192.168.1.5:1",
    "http://127.0.0.1.example.com:1",
    "http://localhost.example.com:1",
    "http://127.0.0.1@example.com:1",
    "http://[fe80::1]:1",
    "http://10.0.0.1:1",
]


@pytest.mark.parametrize("url", LOCAL)
def test_loopback_is_this_computer(url: str) -> None:
    assert is_loopback(url)


@pytest.mark.parametrize("url", REMOTE)
def test_everything_else_is_another_computer(url: str) -> None:
    assert not is_loopback(url)


@pytest.mark.parametrize("url", REMOTE)
def test_another_computer_is_refused_without_consent(url: str, only_loopback: list[str]) -> None:
    chat = OllamaChat(url, "m", Ollama())
    asked = [Message("user", "A secret?")]
    with pytest.raises(ModelUnavailable) as error:
        list(chat.chat(asked, GenerationOptions(), CancelToken()))
    assert "another computer" in error.value.what
    assert "allow_remote" in error.value.remedy
    with pytest.raises(ModelUnavailable, match="another computer"):
        OllamaServer(url).models()
    with pytest.raises(ModelUnavailable, match="another computer"):
        OllamaEmbedder(url, "m", Ollama())
    assert only_loopback == []


def test_with_consent_another_computer_is_asked(only_loopback: list[str]) -> None:
    with pytest.raises(ModelUnavailable, match="does not answer"):
        OllamaServer("http://192.0.2.1:9", Consent(everywhere=True)).version()
    assert only_loopback == ["socket.connect 192.0.2.1"]
    only_loopback.clear()
