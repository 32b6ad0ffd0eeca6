"""The embedding models of before: what their vectors answer until there are new ones."""

from __future__ import annotations

import logging
import threading

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.settings import Settings
from desktop_rag.models.model_loader import embedder_name, load_embedder
from desktop_rag.models.protocols import Embedder

_log = logging.getLogger(__name__)

_WITH_GLOSSES = "+chinese-glosses/"
"""What followed in fingerprints while vectors of Chinese words stood beside MiniLM's: its own
vectors are the same, and answer what is not Chinese.
"""


class PreviousEmbedders:
    """Embedders by the fingerprints of the vectors that they made, each loaded once.

    Safe to use from several threads.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._loaded: dict[str, Embedder] = {}

    def get(self, fingerprint: str) -> Embedder:
        """Return the embedder of a fingerprint; `ModelUnavailable` if it is not there any more."""
        with self._lock:
            if fingerprint not in self._loaded:
                self._loaded[fingerprint] = self._load(fingerprint)
            return self._loaded[fingerprint]

    def has(self, fingerprint: str) -> bool:
        """Say whether a question can be embedded by a model; what is in the way is logged alone."""
        try:
            self.get(fingerprint)
        except Exception as problem:  # noqa: BLE001 - a folder that went away fails in many ways
            _log.warning("The embedding model before cannot be used: %s", problem)
            return False
        return True

    def _load(self, fingerprint: str) -> Embedder:
        name = embedder_name(fingerprint)
        embedder = load_embedder(name, self._settings)
        if embedder.fingerprint != fingerprint.partition(_WITH_GLOSSES)[0]:
            raise ModelUnavailable(
                Phrase("The model {0} is not the one any more that embedded your documents.", name),
                "Index again: every passage is embedded anew.",
            )
        return embedder
