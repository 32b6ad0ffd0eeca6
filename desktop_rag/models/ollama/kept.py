"""The language models in use, kept from one question to the next: they learn what a token is."""

from __future__ import annotations

import threading

from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama.address import normalise_url
from desktop_rag.models.ollama.chat_model import OllamaChat
from desktop_rag.models.ollama.token_estimate import TokenEstimate

_MOST = 16  # models with options and consent; what is calibrated outlives them


class ChatModelCache:
    """One `OllamaChat` a model, its options and its consent. Any thread may ask."""

    def __init__(self) -> None:
        self._chats: dict[tuple[str, str, Ollama, Consent], OllamaChat] = {}
        self._estimates: dict[tuple[str, str], TokenEstimate] = {}
        self._lock = threading.Lock()

    def get(self, host: str, model: str, options: Ollama, consent: Consent) -> OllamaChat:
        """Return the model; what the server tells of it is asked for again."""
        url = normalise_url(host)
        key = (url, model, options, consent)
        with self._lock:
            if key not in self._chats:
                while len(self._chats) >= _MOST:
                    del self._chats[next(iter(self._chats))]
                estimate = self._estimates.setdefault((url, model), TokenEstimate())
                self._chats[key] = OllamaChat(url, model, options, consent, estimate)
            kept = self._chats[key]
        kept.ask_anew()
        return kept
