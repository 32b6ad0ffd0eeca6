"""The server of language models at an address: Ollama, or one that speaks OpenAI's protocol.

Nobody has to say which: it is asked. Ollama is asked for its version first, because it answers
OpenAI's protocol as well, with less to tell: nothing of where a model runs. So what may be an
Ollama in trouble is none of the others; only who surely is no Ollama is asked for more.
"""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urlsplit

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Settings
from desktop_rag.core.usual_servers import OTHER_PORTS
from desktop_rag.models.ollama import OllamaChat, OllamaServer, ServerSilent, resolve_host
from desktop_rag.models.ollama.server_errors import NotOllama
from desktop_rag.models.openai_compatible import OpenAIChat, OpenAIServer
from desktop_rag.models.openai_compatible.server_errors import (
    NotCompatible,
    OllamaAnswers,
    OtherServerSilent,
    server_silent,
)

ModelServer = OllamaServer | OpenAIServer
ServedChat = OllamaChat | OpenAIChat

_others: dict[str, str] = {}  # addresses at which another server than Ollama answered, and which


def find_server(settings: Settings, consent: Consent, token: CancelToken) -> ModelServer:
    """Return the server at the address of the settings; see `server_at`."""
    return server_at(resolve_host(settings), consent, token)


def server_at(url: str, consent: Consent, token: CancelToken) -> ModelServer:
    """Return the server at an address, which was asked what it is.

    Raises `ModelUnavailable` where none answers, and where it is none that is known.
    """
    ollama = OllamaServer(url, consent)
    if ollama.url in _others:  # most likely it still is
        with suppress(NotCompatible, OllamaAnswers):
            return _other(ollama.url, consent, token)
    try:
        ollama.version(token)
    except ServerSilent as error:
        raise _silence(ollama.url, error) from error
    except NotOllama:
        return _other(ollama.url, consent, token)
    _others.pop(ollama.url, None)
    return ollama


def _other(url: str, consent: Consent, token: CancelToken) -> OpenAIServer:
    server = OpenAIServer(url, consent)
    server.served(token)
    _others[url] = server.title
    return server


def title_at(url: str) -> str:
    """Return what answered last at an address; empty where that was Ollama, or nothing yet."""
    return _others.get(url, "")


def _silence(url: str, of_ollama: ServerSilent) -> ServerSilent:
    """Return the error of a silent server, which names Ollama only where it may have been that."""
    is_other = url in _others or urlsplit(url).port in OTHER_PORTS
    return server_silent(url) if is_other and type(of_ollama) is ServerSilent else of_ollama


__all__ = ["ModelServer", "OtherServerSilent", "ServedChat", "find_server", "server_at", "title_at"]
