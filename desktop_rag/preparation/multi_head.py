"""What each attention head of the embedder saw in a chunk: one vector a head.

Besta et al. 2024, "Multi-Head RAG", arXiv 2406.05085: heads attend to different aspects of a text,
so that a question of several aspects finds chunks of each. In the paper, a head's vector is its
output in the last attention block for the last token of a decoder; the built-in embedder reads both
ways and means over tokens, and so do its heads here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.phrases import Phrase
from desktop_rag.models.protocols import Embedder, MultiHeadEmbedder, Vectors
from desktop_rag.preparation.base import PreparationTools, Preparing, SourceDocument, by_chunks

_BATCH = 64  # chunks
_SHOWN = 60  # characters of a chunk that its derived text is known by


@dataclass(frozen=True, slots=True)
class MultiHeadPreparer:
    """Makes a derived text a chunk: its place and beginning, by the vectors of the heads."""

    name: ClassVar[str] = "multi_head"
    title: ClassVar[str] = "Attention heads (Multi-Head RAG)"
    effect: ClassVar[str] = "Each attention head of the embedder votes for passages of its own."
    paper: ClassVar[str] = "Multi-Head RAG: Besta et al. 2024, arXiv 2406.05085"
    version: ClassVar[int] = 1
    calls_per_chunk: ClassVar[float] = 0.0

    def steps(self, document: SourceDocument, begin: int, tools: PreparationTools) -> Preparing:
        """Name each chunk; `vectors` makes what it is found by."""
        require_heads(tools.embedder)
        return by_chunks(document, begin, _BATCH, lambda chunk: [_label(chunk)])

    def vectors(self, texts: Sequence[str], embedder: Embedder, token: CancelToken) -> Vectors:
        """Return what the heads saw in each chunk; see `MultiHeadEmbedder`."""
        return require_heads(embedder).head_vectors(texts, token)


def require_heads(embedder: Embedder) -> MultiHeadEmbedder:
    """Return an embedder that tells what its heads saw; `ModelUnavailable` if it does not."""
    if isinstance(embedder, MultiHeadEmbedder) and embedder.heads:
        return embedder
    raise ModelUnavailable(
        Phrase(
            "The embedder {0} does not tell what its attention heads saw.", embedder.fingerprint
        ),
        "Choose the built-in one in the settings.",
    )


def _label(chunk: StoredChunk) -> str:
    return f"{chunk.ordinal + 1}. {' '.join(chunk.text.split())[:_SHOWN]}"
