"""The built-in embedder with Chinese: what MiniLM cannot read, its words' explanations tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.language import language
from desktop_rag.models.chinese_embedder import ChineseEmbedder
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import LanguageSupport, Vectors


class BilingualEmbedder:
    """MiniLM for what is in Latin letters, `ChineseEmbedder` for Chinese, in one space; see
    `Embedder`.
    """

    def __init__(self, embedder: OnnxEmbedder, glosses: ChineseEmbedder) -> None:
        self._embedder = embedder
        self._glosses = glosses
        self.fingerprint = f"{embedder.fingerprint}+{glosses.fingerprint}"
        self.dimensions = embedder.dimensions
        self.max_tokens = embedder.max_tokens

    def trust(self, text: str) -> LanguageSupport:
        """Chinese is known by its words alone: their order says nothing."""
        return LanguageSupport.ROUGH if language(text) == "zh" else self._embedder.trust(text)

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return one unit vector a text, in their order: shape `(len(texts), dimensions)`."""
        out = np.zeros((len(texts), self.dimensions), np.float32)
        chinese = [at for at, text in enumerate(texts) if language(text) == "zh"]
        if chinese:
            out[chinese] = self._glosses.embed([texts[at] for at in chinese], token)
        others = np.flatnonzero(~out.any(axis=1)).tolist()  # also Chinese without a known word
        out[others] = self._embedder.embed([texts[at] for at in others], token)
        return out

    def embed_query(self, text: str) -> Vectors:
        """Return a question's unit vector; one that is too long is cut from its middle."""
        vector: Vectors = self.embed([self.shortened(text)])[0]
        return vector

    def shortened(self, text: str) -> str:
        """Return a text that fits MiniLM, whatever it is in."""
        return self._embedder.shortened(text)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return each text's length in MiniLM's tokens: Chinese ones are cut like the others."""
        return self._embedder.count_tokens(texts)

    def token_vectors(
        self, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[Vectors]:
        """Return, for each text, its tokens' or its Chinese words' unit vectors."""
        found: dict[int, Vectors] = {
            at: self._glosses.word_vectors(text)[0]
            for at, text in enumerate(texts)
            if language(text) == "zh"
        }
        others = [at for at in range(len(texts)) if at not in found]
        read = self._embedder.token_vectors([texts[at] for at in others], token)
        found.update(zip(others, read, strict=True))
        return [found[at] for at in range(len(texts))]

    def token_weights(self, text: str) -> Vectors:
        """Return what each row of a text's `token_vectors` counts."""
        if language(text) == "zh":
            return self._glosses.word_vectors(text)[1]
        return self._embedder.token_weights(text)
