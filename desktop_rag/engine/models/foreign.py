"""Embedding models that a user names, by way of sentence-transformers (an extra of ours)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.engine.models.protocols import Trust, Vectors

_AT_ONCE = 32
_PROBE = "The quick brown fox jumps over the lazy dog."  # what it becomes tells weights apart
_LONGEST = 100_000  # what tokenizers say when they know no limit is far above


class SentenceTransformerEmbedder:
    """Any sentence-transformers model that lies on this computer; nothing is downloaded."""

    def __init__(self, name: str) -> None:
        self._model = _load(name)
        probe = _encoded(self._model, [_PROBE])[0]
        self.dimensions = len(probe)
        limit = int(self._model.max_seq_length or 512)
        self.max_tokens = min(limit, _LONGEST)
        weights = hashlib.sha256(np.round(probe, 2).tobytes()).hexdigest()
        self.fingerprint = f"{name}/{weights[:12]}"

    def trust(self, text: str) -> Trust:
        """Take the user's word for it that the model reads their documents."""
        del text
        return Trust.GOOD

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return one unit vector a text, in their order: shape `(len(texts), dimensions)`."""
        out = np.zeros((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), _AT_ONCE):
            if token is not None:
                token.check()
            some = list(texts[start : start + _AT_ONCE])
            out[start : start + len(some)] = _encoded(self._model, some)
        return out

    def embed_query(self, text: str) -> Vectors:
        """Return a question's unit vector, with the model's prompt for queries if it has one."""
        prompt = "query" if "query" in (self._model.prompts or {}) else None
        vector: Vectors = _encoded(self._model, [text], prompt)[0]
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return each text's length in the model's tokens, special ones not counted."""
        encoded = self._model.tokenizer(list(texts), add_special_tokens=False)
        return [len(ids) for ids in encoded["input_ids"]]


def _load(name: str) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as problem:
        raise ModelUnavailable(
            f"The embedding model “{name}” is not built in, and sentence-transformers is missing.",
            "Install the extra with `pip install desktop-rag[sentence-transformers]`, "
            "or set models.embedder to builtin.",
        ) from problem
    try:
        return SentenceTransformer(name, device="cpu", local_files_only=True)
    except (OSError, ValueError) as problem:
        raise ModelUnavailable(
            f"There is no embedding model “{name}” on this computer.",
            "Give the folder of a sentence-transformers model, or set models.embedder to builtin.",
        ) from problem


def _encoded(model: Any, texts: list[str], prompt: str | None = None) -> Vectors:
    found: Vectors = model.encode(
        texts, prompt_name=prompt, normalize_embeddings=True, show_progress_bar=False
    )
    return found
