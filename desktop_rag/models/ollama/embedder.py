"""An embedding model of Ollama's."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop_rag.core.cancel import CancelToken, current_token
from desktop_rag.core.connection_audit import Purpose
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.remote_consent import NOWHERE, Consent
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama.address import normalise_url, require_consent
from desktop_rag.models.ollama.cancellable_call import CancellableConnection
from desktop_rag.models.ollama.http_client import keep_alive
from desktop_rag.models.ollama.model_info import local_name, require_model_consent
from desktop_rag.models.ollama.server import OllamaServer
from desktop_rag.models.ollama.server_errors import ContextExceeded
from desktop_rag.models.ollama.token_estimate import TokenEstimate
from desktop_rag.models.protocols import LanguageSupport, Vectors, script_support

if TYPE_CHECKING:
    from ollama import AsyncClient

_log = logging.getLogger(__name__)
_BATCH = 32
_SECONDS = 600.0  # a batch on a slow computer, loading the model included
_SHORTENED = 0.75

# What a family was trained to see before a passage and before a question, by a part of its name.
_PREFIXES = (
    ("nomic-embed", "search_document: ", "search_query: "),
    ("e5-", "passage: ", "query: "),
    ("arctic-embed2", "", "query: "),
    ("arctic-embed", "", "Represent this sentence for searching relevant passages: "),
    ("mxbai-embed", "", "Represent this sentence for searching relevant passages: "),
    ("embeddinggemma", "title: none | text: ", "task: search result | query: "),
    (
        "qwen3-embedding",
        "",
        "Instruct: Given a question, retrieve passages that answer it\nQuery: ",
    ),
)
_LATIN = frozenset({"latin"})
_MULTILINGUAL = ("bge-m3", "multilingual", "arctic-embed2", "qwen3", "gemma", "embed-text-v2")


class OllamaEmbedder:
    """Embeds through a server; made only when the server and the model are there.

    A text that is too long for the model is embedded by as much of its beginning as fits, which
    is logged: the server would cut it without a word.
    """

    def __init__(
        self,
        host: str,
        model: str,
        options: Ollama,
        consent: Consent = NOWHERE,
    ) -> None:
        url = normalise_url(host)
        require_consent(url, consent)
        server = OllamaServer(url, consent)
        shown = server.show(model, current_token())
        require_model_consent(shown, consent)
        self._model = model
        self._asked = local_name(shown, server.version(current_token()))
        self._options = options
        self._link = CancellableConnection(url, model, Purpose.EMBED)
        self._estimate = TokenEstimate()
        self._passage, self._question = _prefixes(model)
        self.fingerprint = f"ollama:{shown.name}:{shown.digest[:16]}"
        self.max_tokens = shown.context_length or 512
        self._knows_many = any(name in model.lower() for name in _MULTILINGUAL)
        self.dimensions = 0  # until the first vector has come
        self.dimensions = self._batch(["a"], current_token()).shape[1]

    def trust(self, text: str) -> LanguageSupport:
        """Say what a text's vector is worth."""
        return LanguageSupport.GOOD if self._knows_many else script_support(_LATIN, text)

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return one unit vector a text; see `Embedder.embed`."""
        stop = token or current_token()
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        made = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for places in _groups(order):
            made[places] = self._batch([self._passage + texts[at] for at in places], stop)
        return made

    def embed_query(self, text: str) -> Vectors:
        """Return a question's unit vector."""
        vector: Vectors = self._batch([self._question + text], current_token())[0]
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return about how many tokens each text takes: the server has no call to count them."""
        return [self._estimate.of(text) for text in texts]

    def _batch(self, texts: list[str], token: CancelToken) -> Vectors:
        try:
            return self._call(texts, token)
        except ContextExceeded:
            if len(texts) > 1:
                return np.concatenate([self._batch([text], token) for text in texts])
            _log.warning("a text of %d characters is too long for its model", len(texts[0]))
            shorter = texts[0][: int(len(texts[0]) * _SHORTENED)]
            if not shorter:
                raise
            return self._batch([shorter], token)

    def _call(self, texts: list[str], token: CancelToken) -> Vectors:
        async def call(client: AsyncClient) -> Any:
            return await client.embed(
                self._asked, texts, truncate=False, keep_alive=keep_alive(self._options)
            )

        rows = self._link.ask(call, token, _SECONDS).embeddings
        widths = {len(row) for row in rows}
        wanted = {self.dimensions} if self.dimensions else widths
        if len(rows) != len(texts) or widths != wanted or len(widths) != 1 or 0 in widths:
            raise self._unusable()
        vectors = np.asarray(rows, dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
        if not np.isfinite(lengths).all():
            raise self._unusable()
        unit: Vectors = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
        return unit

    def _unusable(self) -> ModelUnavailable:
        return ModelUnavailable(
            Phrase("The model {0} gave no usable vectors.", self._model),
            "Choose another model.",
        )


def _groups(order: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(order), _BATCH):
        yield order[start : start + _BATCH]


def _prefixes(model: str) -> tuple[str, str]:
    found = [(passage, query) for name, passage, query in _PREFIXES if name in model.lower()]
    return found[0] if found else ("", "")
