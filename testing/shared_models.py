"""Built-in models that are loaded once, and passages that are embedded once, for all tests.

The window and the commands open their own models for each data folder, and the tests open
thousands of folders in which the same few texts lie. A vector depends on nothing but its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.paths import resources
from desktop_rag.models import onnx_model, pair_reader
from desktop_rag.models.model_card import ModelCard
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.onnx_model import OnnxParts
from desktop_rag.models.protocols import Vectors
from desktop_rag.models.reranker_speed import RerankerSpeed

_BUILT_IN = resources() / "models"
_parts: dict[tuple[Path, int, bool], OnnxParts] = {}
_vectors: dict[tuple[str, str, str, str], Vectors] = {}


class _UnlimitedSpeed(RerankerSpeed):
    """Reads all, so that what a test finds does not depend on how fast its machine is."""

    def count_in(self, seconds: float, sizes: Sequence[int]) -> int:
        """Return how many there are."""
        del seconds
        return len(sizes)


@contextmanager
def models_are_shared() -> Iterator[None]:
    """Load a built-in model once, and embed a text once, for everybody meanwhile."""
    load, embed = onnx_model._load, OnnxEmbedder._means

    def loaded(card: ModelCard, threads: int, begin: Callable[[], None] | None) -> OnnxParts:
        if card.folder.parent != _BUILT_IN:
            return load(card, threads, begin)
        key = card.folder, threads, begin is None
        if key not in _parts:
            _parts[key] = load(card, threads, begin)
        return _parts[key]

    def means(
        self: OnnxEmbedder,
        texts: Sequence[str],
        prefix: str,
        token: CancelToken | None = None,
        output: str = "",
    ) -> Vectors:
        keys = [(self.fingerprint, output, prefix, text) for text in texts]
        new = list(dict.fromkeys(key for key in keys if key not in _vectors))
        made = embed(self, [text for *_, text in new], prefix, token, output)
        _vectors.update(zip(new, made, strict=True))
        if token is not None:
            token.check()
        return np.array([_vectors[key] for key in keys], np.float32).reshape(-1, self.dimensions)

    with (
        patch.object(onnx_model, "_load", loaded),
        patch.object(OnnxEmbedder, "_means", means),
        patch.object(pair_reader, "RerankerSpeed", _UnlimitedSpeed),
    ):
        yield
