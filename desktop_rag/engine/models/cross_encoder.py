"""The trained second stage: a small encoder that reads the query and a passage together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.engine.models.card import Card, read_card
from desktop_rag.engine.models.onnx import Loaded

_CLS, _SEP = "[CLS]", "[SEP]"


class CrossEncoder:
    """Scores a pair by reading both texts at once (Nogueira & Cho 2019).

    It was trained with the first stage's opinion beside it: `rank_weight` is what the natural
    logarithm of a passage's fused rank takes from its score. Each pair runs by itself, so that a
    score cannot depend on the passages beside it.
    """

    def __init__(self, folder: Path, threads: int = 0) -> None:
        self.card: Card = read_card(folder)
        self.name = self.card.name
        self.rank_weight: float | None = self.card.rank_weight
        self._loaded = Loaded(self.card, threads)

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        """Return one score a text.

        A query is cut to half of what the model reads, a text to the rest.
        """
        parts = self._loaded.get()
        most = self.card.max_tokens
        asked = parts.tokenizer.encode(query, add_special_tokens=False).ids[: most // 2]
        encoded = parts.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        cut = [each.ids[: most - len(asked) - 3] for each in encoded]
        waiting = [parts.pool.submit(self._run, asked, ids, token) for ids in cut]
        return [each.result() for each in waiting]

    def _run(self, asked: list[int], told: list[int], token: CancelToken | None) -> float:
        if token is not None:
            token.check()
        parts = self._loaded.get()
        begin, end = parts.tokenizer.token_to_id(_CLS), parts.tokenizer.token_to_id(_SEP)
        ids = np.array([[begin, *asked, end, *told, end]], np.int64)
        of_passage = np.zeros_like(ids)
        of_passage[0, len(asked) + 2 :] = 1
        fed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": of_passage,
        }
        return float(parts.session.run(None, fed)[0][0])
