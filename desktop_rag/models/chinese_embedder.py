"""What Chinese words mean, by their English explanations: vectors beside the built-in embedder's.

MiniLM was hardly shown any Chinese. Each word of CC-CEDICT therefore stands where that model puts
the word's English explanation, and a text where its words stand together: the weighted mean of
Arora et al. (2017, without its last step). A Chinese text meets others that say the same in other
words, and English ones.
"""

from __future__ import annotations

import io
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.core.cancel import CancelToken
from desktop_rag.models.chinese_segmenter import Segmenter
from desktop_rag.models.model_card import ModelCard, read_model_card
from desktop_rag.models.protocols import Vectors

_LEAST = 1e-9


@dataclass(frozen=True, slots=True)
class _Loaded:
    """`rows` leads from a word to its explanation's row in `numbers`; `weights` are the words'."""

    segmenter: Segmenter
    rows: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float32]
    numbers: npt.NDArray[np.int8]
    spread: Vectors


class ChineseEmbedder:
    """Vectors of Chinese texts in the space of the embedder that read the explanations.

    The files are checked against the card at once, so that no text is ever embedded in part, and
    read when something is first embedded. Safe to use from several threads. Raises
    `ModelUnavailable` where a file is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.card: ModelCard = read_model_card(folder)
        self.card.check()
        self.fingerprint = self.card.fingerprint
        self._lock = threading.Lock()
        self._parts: _Loaded | None = None

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return one unit vector a text, zeros where no word is known: `(len(texts), 384)`."""
        parts = self._loaded()
        out = np.zeros((len(texts), parts.spread.shape[1]), np.float32)
        for place, text in enumerate(texts):
            if token is not None:
                token.check()
            out[place] = _mean(parts, parts.segmenter.cut(text))
        out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), _LEAST)
        return out

    def word_vectors(self, text: str) -> tuple[Vectors, Vectors]:
        """Return the unit vectors of a text's known words, and each one's weight.

        Shapes `(words, 384)` and `(words,)`; a word that comes again is there once.
        """
        parts = self._loaded()
        words = np.array(list(dict.fromkeys(parts.segmenter.cut(text))), np.int64)
        vectors = parts.numbers[parts.rows[words]].astype(np.float32) @ parts.spread
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.maximum(lengths, _LEAST), parts.weights[words]

    def _loaded(self) -> _Loaded:
        with self._lock:
            if self._parts is None:
                self._parts = _load(self.card)
            return self._parts


def _mean(parts: _Loaded, found: Sequence[int]) -> Vectors:
    counts = Counter(found)
    words = np.fromiter(counts, np.int64, len(counts))
    often = np.fromiter(counts.values(), np.float32, len(counts))
    weights: Vectors = (np.float32(1) + np.log(often)) * parts.weights[words]
    mean: Vectors = (weights @ parts.numbers[parts.rows[words]].astype(np.float32)) @ parts.spread
    return mean


def _load(card: ModelCard) -> _Loaded:
    with np.load(io.BytesIO(card.checked("words.npz")), allow_pickle=False) as held:
        segmenter = Segmenter(held["keys"], held["scores"])
        return _Loaded(segmenter, held["rows"], held["weights"], held["numbers"], held["spread"])
