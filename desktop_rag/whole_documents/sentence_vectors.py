"""Unit vectors of sentences: the embedder's, or by their words where it does not read them.

Each sentence is embedded once for a whole answer, however often it is compared.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.language import content_words
from desktop_rag.models.protocols import Embedder, LanguageSupport, Vectors

_MOST_KNOWN = 20_000  # sentences: some 30 MB
_BUCKETS = 2048  # words that share one are taken for the same


class RememberingEmbedder:
    """An embedder that keeps what it embedded, for as long as an answer is being made."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}
        self.fingerprint = embedder.fingerprint
        self.dimensions = embedder.dimensions
        self.max_tokens = embedder.max_tokens

    def trust(self, text: str) -> LanguageSupport:
        """Say what a text's vector is worth."""
        return self._embedder.trust(text)

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return one unit vector a text: shape `(len(texts), dimensions)`."""
        new = [each for each in dict.fromkeys(texts) if each not in self._known]
        if len(self._known) > _MOST_KNOWN:
            self._known = {each: self._known[each] for each in texts if each in self._known}
        if new:
            self._known.update(zip(new, self._embedder.embed(new, token), strict=True))
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.stack([self._known[each] for each in texts])

    def embed_query(self, text: str) -> Vectors:
        """Return a question's unit vector: shape `(dimensions,)`."""
        return self._embedder.embed_query(text)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return each text's length in the model's tokens."""
        return self._embedder.count_tokens(texts)


def embedder_for(embedder: Embedder | None, text: str) -> Embedder | None:
    """Return the embedder where it reads a text's script; None where words must do."""
    if embedder is None or embedder.trust(text) is LanguageSupport.NONE:
        return None
    return embedder


def sentence_vectors(
    texts: Sequence[str], embedder: Embedder | None, token: CancelToken
) -> Vectors:
    """Return a unit vector a text, shape `(len(texts), dimensions)`; by words without an embedder,
    or where it fails.
    """
    if embedder is not None:
        try:
            return embedder.embed(texts, token)
        except ModelUnavailable:
            pass
    return word_vectors(texts)


def word_vectors(texts: Sequence[str]) -> Vectors:
    """Return TF-IDF vectors of texts, the words hashed: shape `(len(texts), 2048)`."""
    bags = [Counter(content_words(text)) for text in texts]
    counts = Counter(word for bag in bags for word in bag)
    made = np.zeros((len(texts), _BUCKETS), dtype=np.float32)
    for row, bag in enumerate(bags):
        for word, times in bag.items():
            weight = (1.0 + math.log(times)) * math.log(1.0 + len(texts) / counts[word])
            made[row, zlib.crc32(word.encode("utf-8", "replace")) % _BUCKETS] += weight
    return unit(made)


def unit(vectors: Vectors) -> Vectors:
    """Return vectors of length 1, rows or a single one; nothing stays nothing."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)
