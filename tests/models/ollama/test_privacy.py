"""No proxy, no redirect and no other computer ever sees what is asked of a model on this one."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat, OllamaEmbedder, OllamaServer
from desktop_rag.models.ollama.cancellable_call import CancellableConnection
from desktop_rag.models.ollama.completion import CompletionClient
from desktop_rag.models.ollama.completion_prompt import CompletionPrompt
from desktop_rag.models.protocols import GenerationOptions, Message
from testing.ollama_double import DoubleModel, OllamaDouble
from testing.ollama_double.models import CHAT, EMBEDDING
from tests.conftest import REPOSITORY
from tests.network_guard import Listener

ASKED = [Message("user", "A secret?")]
VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


def test_a_proxy_in_the_environment_sees_not_one_byte(
    monkeypatch: pytest.MonkeyPatch, only_loopback: list[str]
) -> None:
    with Listener() as proxy, OllamaDouble(CHAT, EMBEDDING) as double:
        for name in VARIABLES:
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        double.say("No.")
        list(
            OllamaChat(double.url, CHAT.name, Ollama()).chat(
                ASKED, GenerationOptions(), CancelToken()
            )
        )
        server = OllamaServer(double.url)
        server.version()
        server.show(CHAT.name)
        list(server.pull(CHAT.name, CancelToken()))
        OllamaEmbedder(double.url, EMBEDDING.name, Ollama()).embed(["a secret"])
        assert double.chats[0].said("user") == "A secret?"
        assert (proxy.connections, proxy.heard) == (0, b"")


def test_the_listener_would_hear_a_client_that_takes_the_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import ollama

    with Listener() as proxy, OllamaDouble() as double:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        with ollama.Client(double.url) as careless, pytest.raises(Exception, match=r".+"):
            careless.chat(CHAT.name, [{"role": "user", "content": "A secret?"}])
        assert b"/api/chat" in proxy.heard


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "nonsense"])
def test_a_proxy_or_address_that_cannot_be_read_stops_nothing(proxy: str) -> None:
    """The client package makes a client while it is imported, which such a proxy breaks."""
    program = (
        "import sys\n"
        "from desktop_rag.models.ollama import OllamaServer\n"
        "print(OllamaServer(sys.argv[1]).version())\n"
    )
    with OllamaDouble() as double:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", program, double.url],
            cwd=REPOSITORY,
            env=os.environ | dict.fromkeys(VARIABLES, proxy) | {"OLLAMA_HOST": "box:port"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.stdout.strip(), done.stderr) == ("0.12.11", "")


class _Redirect(BaseHTTPRequestHandler):
    """Sends every question elsewhere."""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(307)
        self.send_header("Location", "http://192.0.2.1:9/api/chat")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *args: object) -> None:
        pass


def test_a_redirect_to_another_computer_is_not_followed(only_loopback: list[str]) -> None:
    with HTTPServer(("127.0.0.1", 0), _Redirect) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}"
        try:
            with pytest.raises(ModelUnavailable, match="is not Ollama"):
                list(OllamaChat(url, "m", Ollama()).chat(ASKED, GenerationOptions(), CancelToken()))
            prompt = CompletionPrompt(tuple(ASKED))
            exchange = CompletionClient(CancellableConnection(url), "m", Ollama())
            with pytest.raises(ModelUnavailable, match="is not Ollama"):
                list(exchange.run(prompt, GenerationOptions(), CancelToken()))
        finally:
            server.shutdown()
            thread.join()
    assert only_loopback == []


CLOUD = (
    DoubleModel("gpt-oss:120b-cloud"),
    DoubleModel("glm:cloud"),
    DoubleModel("mine:latest", remote_host="https://ollama.com:443"),
)


@pytest.mark.parametrize("model", CLOUD, ids=lambda model: model.name)
def test_a_model_that_ollama_passes_on_to_a_cloud_needs_consent(model: DoubleModel) -> None:
    with OllamaDouble(model) as double:
        chat = OllamaChat(double.url, model.name, Ollama())
        with pytest.raises(ModelUnavailable, match="not on this computer") as error:
            list(chat.chat(ASKED, GenerationOptions(), CancelToken()))
        assert "allow_remote" in error.value.remedy
        assert double.chats == []
        agreed = OllamaChat(double.url, model.name, Ollama(), Consent(everywhere=True))
        list(agreed.chat(ASKED, GenerationOptions(), CancelToken()))
        assert len(double.chats) == 1


def test_a_model_in_a_cloud_is_never_chosen_by_itself() -> None:
    with OllamaDouble(*CLOUD, CHAT) as double:
        assert OllamaServer(double.url).first_chat_model() == CHAT.name
        assert (
            OllamaServer(double.url, Consent(everywhere=True)).first_chat_model() == CLOUD[0].name
        )
        del double.models[CHAT.name]
        with pytest.raises(ModelUnavailable, match="no model that can answer"):
            OllamaServer(double.url).first_chat_model()
