"""The language models in use, kept from one question to the next.

With each is kept the estimate of how many tokens a text takes.
"""

from __future__ import annotations

import threading

from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Ollama
from desktop_rag.models.model_server import ModelServer, ServedChat
from desktop_rag.models.ollama import OllamaChat, OllamaServer
from desktop_rag.models.ollama.token_estimate import TokenEstimate
from desktop_rag.models.openai_compatible import OpenAIChat, OpenAIServer

_MOST = 16  # models with options and consent; what is calibrated outlives them


class ChatModelCache:
    """One model a server, its options and its consent. Any thread may ask."""

    def __init__(self) -> None:
        self._chats: dict[tuple[type[ServedChat], str, str, Ollama, Consent], ServedChat] = {}
        self._estimates: dict[tuple[str, str], TokenEstimate] = {}
        self._lock = threading.Lock()

    def get(self, server: ModelServer, model: str, options: Ollama, consent: Consent) -> ServedChat:
        """Return the model; what the server tells of it is asked for again, unless it just was."""
        url = server.url
        kind = OllamaChat if isinstance(server, OllamaServer) else OpenAIChat
        key = (kind, url, model, options, consent)
        with self._lock:
            if key not in self._chats:
                while len(self._chats) >= _MOST:
                    del self._chats[next(iter(self._chats))]
                estimate = self._estimates.setdefault((url, model), TokenEstimate())
                self._chats[key] = kind(url, model, options, consent, estimate)
            kept = self._chats[key]
        if isinstance(kept, OpenAIChat) and isinstance(server, OpenAIServer):
            kept.heed(server)
        else:
            kept.ask_anew()
        return kept
