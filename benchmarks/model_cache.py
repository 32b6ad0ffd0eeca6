"""The built-in models, which read nothing twice: what they gave is kept in a folder by its text.

For benchmarks that index and search the same texts many times. Vectors and scores are the models'
own: neither depends on what else is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from desktop_rag.catalog.embeddings import Float16Array
from desktop_rag.core.cancel import CancelToken
from desktop_rag.models.model_card import EvidenceWeights
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import LanguageSupport, Reranker, Vectors

_SIGNS = 24  # of a key


class RowStore:
    """Rows of numbers by the hash of what they were made from, in one file of a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        named = hashlib.sha256(name.encode()).hexdigest()[:16]
        self._file = folder / f"rows-{named}.npz"
        self._rows: dict[str, Vectors] = {}
        if self._file.is_file():
            with np.load(self._file) as kept:
                self._rows = dict(zip(kept["keys"].tolist(), kept["rows"], strict=True))
        self._saved = len(self._rows)

    def rows(self, texts: Sequence[str], make: Callable[[list[str]], Vectors]) -> Vectors:
        """Return a row a text, shape `(len(texts), …)`; `make` gives those that are not known."""
        keys = [_key(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows}
        if new:
            self._rows.update(zip(new, make(list(new.values())), strict=True))
        return np.stack([self._rows[key] for key in keys])

    def save(self) -> None:
        """Write the file, where there is something new; the old one stays until it is whole."""
        if len(self._rows) == self._saved:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        part = self._file.with_suffix(".part.npz")
        np.savez(part, keys=np.array(list(self._rows)), rows=np.stack(list(self._rows.values())))
        part.replace(self._file)
        self._saved = len(self._rows)


class RememberingEmbedder:
    """An embedder with its calibration; see `Embedder` and `CalibratedEmbedder`.

    Tokens' vectors, which late interaction compares, are remembered in memory alone, in 16 bits.
    """

    def __init__(self, model: OnnxEmbedder, folder: Path) -> None:
        self.fingerprint, self.dimensions = model.fingerprint, model.dimensions
        self.max_tokens = model.max_tokens
        self.cosine_weight: float = model.cosine_weight
        self.evidence: Mapping[str, EvidenceWeights] = model.evidence
        self._model = model
        self._passages = RowStore(folder, f"passages {model.fingerprint}")
        self._queries = RowStore(folder, f"queries {model.fingerprint}")
        self._tokens: dict[str, Float16Array] = {}

    def trust(self, text: str) -> LanguageSupport:
        """Say what a text's vector is worth."""
        return self._model.trust(text)

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return one unit vector a text, in their order: shape `(len(texts), dimensions)`."""
        return self._passages.rows(texts, lambda new: self._model.embed(new, token))

    def embed_query(self, text: str) -> Vectors:
        """Return a question's unit vector."""
        found = self._queries.rows([text], lambda _: self._model.embed_query(text)[np.newaxis])
        row: Vectors = found[0]
        return row

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return each text's length in the model's tokens."""
        return self._model.count_tokens(texts)

    def token_vectors(
        self, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[Vectors]:
        """Return, for each text, its tokens' vectors: shape `(tokens, dimensions)`."""
        new = [each for each in dict.fromkeys(texts) if each not in self._tokens]
        if new:
            made = self._model.token_vectors(new, token)
            small = (each.astype(np.float16) for each in made)
            self._tokens.update(zip(new, small, strict=True))
        return [self._tokens[each].astype(np.float32) for each in texts]

    def token_weights(self, text: str) -> Vectors:
        """Return what each row of a text's `token_vectors` counts."""
        return self._model.token_weights(text)

    def shortened(self, text: str) -> str:
        """Return a text as long as the model reads."""
        return self._model.shortened(text)

    def save(self) -> None:
        """Keep what was read."""
        self._passages.save()
        self._queries.save()


class RememberingReranker:
    """A reranker without a clock: it reads all that it is given. `version` names its weights."""

    def __init__(self, model: Reranker, version: str, folder: Path) -> None:
        self.name, self.rank_weight = model.name, model.rank_weight
        self._model = model
        self._scores = RowStore(folder, f"pairs {model.name} {version}")

    def trust(self, text: str) -> LanguageSupport:
        """Say what the scores of a query are worth."""
        return self._model.trust(text)

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        """Return one score a text."""
        if not texts:
            return []
        pairs = {f"{query}\0{text}": text for text in texts}

        def made(new: list[str]) -> Vectors:
            return np.array(self._model.score(query, [pairs[each] for each in new], token))

        found = self._scores.rows([f"{query}\0{text}" for text in texts], made)
        return [float(each) for each in found]

    def save(self) -> None:
        """Keep what was read."""
        self._scores.save()


def _key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_SIGNS]
