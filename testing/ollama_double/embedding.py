"""`/api/embed`: unit vectors that are a function of the text's words alone."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING

from testing.ollama_double import cloud
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.words import tokenize

if TYPE_CHECKING:
    from testing.ollama_double.routes import Conversation


def embed(connection: Conversation, record: Recorded) -> None:
    """Answer `/api/embed`: cuts over-long texts silently unless `truncate` is false."""
    model = cloud.find(connection.double, record)
    if model is None:
        connection.fail(404, f"model '{record.model}' not found")
        return
    if "embedding" not in model.capabilities:
        connection.fail(400, f'"{record.model}" does not support embeddings')
        return
    given = record.body.get("input", [])
    texts = [given] if isinstance(given, str) else list(given)
    tokens = [tokenize(text) for text in texts]
    too_long = any(len(each) > model.context_length for each in tokens)
    if too_long and record.body.get("truncate") is False:
        connection.fail(400, "the input length exceeds the context length")
        return
    kept = [each[: model.context_length] for each in tokens]
    size = int(record.body.get("dimensions") or model.dimensions)
    connection.reply(
        {
            "model": record.model,
            "embeddings": [vector("".join(each), size) for each in kept],
            "total_duration": 1,
            "load_duration": 1,
            "prompt_eval_count": sum(map(len, kept)),
        }
    )


def vector(text: str, dimensions: int) -> list[float]:
    """Return a unit vector: texts that share words lie near each other."""
    sums = [0.0] * dimensions
    for word in text.lower().split() or [""]:
        seed = hashlib.sha256(word.encode()).digest()
        for at in range(0, 16, 2):
            place = int.from_bytes(seed[at : at + 2], "big") % dimensions
            sums[place] += 1.0 if seed[16 + at // 2] % 2 else -1.0
    length = math.sqrt(sum(each * each for each in sums)) or 1.0
    return [each / length for each in sums]
