"""Every connection is seen, whoever makes it; with the switch on, none leaves this computer."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request
from collections.abc import Iterator

import httpx
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.connection_audit import (
    ConnectionMonitor,
    Contact,
    Purpose,
    about,
    is_this_computer,
)
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat, OllamaServer
from desktop_rag.models.protocols import GenerationOptions, Message
from testing.ollama_double import OllamaDouble

AWAY = "203.0.113.7"


@pytest.fixture
def seen() -> Iterator[list[Contact]]:
    contacts: list[Contact] = []
    watch = ConnectionMonitor(contacts.append, blocked=True)
    yield contacts
    watch.close()


def test_a_library_that_calls_home_is_refused_and_noted(seen: list[Contact]) -> None:
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://{AWAY}:8080/telemetry", trust_env=False)
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen("http://telemetry.example.org/")
    assert [(each.host, each.port, each.allowed) for each in seen] == [
        (AWAY, 8080, False),
        ("telemetry.example.org", 0, False),
    ]
    assert all(each.purpose is Purpose.UNKNOWN and each.when > 0 for each in seen)


def test_a_datagram_is_a_connection_too(seen: list[Contact]) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as sender, pytest.raises(PermissionError):
        sender.sendto(b"hello", (AWAY, 53))
    assert [(each.host, each.port) for each in seen] == [(AWAY, 53)]


def test_what_ollama_is_asked_for_is_noted_as_such(seen: list[Contact]) -> None:
    with OllamaDouble() as ollama:
        OllamaServer(ollama.url).models()
        chat = OllamaChat(ollama.url, "llama3.2:3b", Ollama())
        list(chat.chat([Message("user", "a secret")], GenerationOptions(), CancelToken()))
        port = int(ollama.url.rpartition(":")[2])
    assert {each.purpose for each in seen} == {Purpose.MODELS, Purpose.ANSWER}
    assert {(each.host, each.port, each.allowed) for each in seen} == {("127.0.0.1", port, True)}
    assert "secret" not in repr(seen)


def test_consent_does_not_help_while_others_are_blocked(seen: list[Contact]) -> None:
    with pytest.raises(ModelUnavailable, match="are blocked"):
        OllamaServer(f"http://{AWAY}:11434", Consent(everywhere=True)).version()
    with pytest.raises(ModelUnavailable, match="are blocked"):
        OllamaServer("http://somewhere.example.org:11434", Consent(everywhere=True)).version()
    assert {each.allowed for each in seen} == {False}
    assert {each.purpose for each in seen} == {Purpose.MODELS}


def test_the_purpose_is_that_of_the_body_alone(seen: list[Contact]) -> None:
    with about(Purpose.VECTORS), pytest.raises(OSError, match="another computer"):
        socket.create_connection((AWAY, 1), 1)
    with pytest.raises(OSError, match="another computer"):
        socket.create_connection((AWAY, 2), 1)
    assert [each.purpose for each in seen] == [Purpose.VECTORS, Purpose.UNKNOWN]


def test_a_watch_that_is_closed_sees_and_stops_nothing(only_loopback: list[str]) -> None:
    contacts: list[Contact] = []
    ConnectionMonitor(contacts.append, blocked=True).close()
    with pytest.raises(OSError):
        socket.create_connection((AWAY, 1), 1)
    assert contacts == []
    assert only_loopback == [f"socket.connect {AWAY}"]
    only_loopback.clear()


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", True),
        ("192.168.1.5", False),
        ("fe80::1%eth0", False),
        ("localhost.example.org", False),
    ],
)
def test_this_computer_is_told_by_its_number(host: str, here: bool) -> None:
    assert is_this_computer(host) is here
