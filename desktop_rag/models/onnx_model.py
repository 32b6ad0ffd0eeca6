"""A built-in model in ONNX Runtime: read, and checked against its card, when first used."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from desktop_rag.core.thread_priority import give_way
from desktop_rag.models.embedding_table import EmbeddingTable, open_table
from desktop_rag.models.model_card import TABLE, ModelCard, read_model_card
from desktop_rag.models.unigram_tokenizer import BEGIN, END, UnigramTokenizer

PIECES = "pieces.npz"
"""The vocabulary of a `UnigramTokenizer`, which a model has in place of a `tokenizer.json`."""


@dataclass(frozen=True, slots=True)
class OnnxParts:
    """The parts that cost time and memory; `table` is of a model that is fed embeddings."""

    session: Any
    tokenizer: Any
    pool: ThreadPoolExecutor
    table: EmbeddingTable | None

    @property
    def states(self) -> str:
        """The name of what the model is for: its first output."""
        name: str = self.session.get_outputs()[0].name
        return name

    @property
    def marks(self) -> tuple[int, int]:
        """The numbers of the tokens at a text's beginning and end."""
        if isinstance(self.tokenizer, UnigramTokenizer):
            return BEGIN, END
        return self.tokenizer.token_to_id("[CLS]"), self.tokenizer.token_to_id("[SEP]")

    def fed(self, ids: Sequence[int]) -> dict[str, Any]:
        """Return what a session is given of one text: its token numbers, or their embeddings."""
        mask = np.ones((1, len(ids)), np.int64)
        if self.table is None:
            return {"input_ids": np.array([ids], np.int64), "attention_mask": mask}
        return {"embeddings": self.table.embeddings(ids)[None], "attention_mask": mask}


class OnnxModel:
    """A model's parts. Each input runs in one thread, as many at a time as there are threads.

    `modest` threads let the window go first: those of a model that reads whole folders. Safe to
    use from several threads.
    """

    def __init__(self, card: ModelCard, threads: int = 0, *, modest: bool = False) -> None:
        self.threads = threads or available_cores()
        self._card = card
        self._begin = give_way if modest else None
        self._lock = threading.Lock()
        self._parts: OnnxParts | None = None

    def get(self) -> OnnxParts:
        """Return the parts; `ModelUnavailable` if a file is missing or damaged."""
        with self._lock:
            if self._parts is None:
                self._parts = _load(self._card, self.threads, self._begin)
            return self._parts


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _load(card: ModelCard, threads: int, begin: Callable[[], None] | None) -> OnnxParts:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        str(card.checked_path("model.onnx")),  # from bytes it would hold them, too
        options,
        providers=["CPUExecutionProvider"],
        disabled_optimizers=["SkipLayerNormFusion"],  # apart they are faster, in one thread
    )
    pool = ThreadPoolExecutor(threads, card.kind, begin)
    whose = read_model_card(card.folder.parent / card.table_of) if card.table_of else card
    table = open_table(whose.checked_path(TABLE)) if TABLE in whose.files else None
    return OnnxParts(session, _tokenizer(whose), pool, table)


def _tokenizer(card: ModelCard) -> Any:
    if PIECES in card.files:
        return UnigramTokenizer(card.checked(PIECES))
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(card.checked("tokenizer.json").decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
