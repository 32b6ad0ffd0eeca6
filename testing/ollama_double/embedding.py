"""`/api/embed`: unit vectors that are a function of the text's words alone."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from testing.ollama_double import cloud
from testing.ollama_double.generator import GenerationFailed
from testing.ollama_double.models import DoubleModel
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.versions import Behaviour
from testing.ollama_double.words import tokenize

if TYPE_CHECKING:
    from testing.ollama_double.routes import Conversation
    from testing.ollama_double.server import OllamaDouble

_MARKS = 2  # tokens that an embedding model puts around a text
_NO_ROOM = "input after truncation exceeds maximum context length"


def embed(connection: Conversation, record: Recorded) -> None:
    """Answer `/api/embed`: cuts over-long texts silently unless `truncate` is false."""
    double = connection.double
    model = cloud.find(double, record)
    texts = _texts(record.body.get("input"))
    if model is None:
        connection.fail(404, f"model '{record.model}' not found")
        return
    read = [_read(double, record, model, text) for text in texts]
    size = int(record.body.get("dimensions") or 0)
    answer: dict[str, Any] = {"model": record.model, "embeddings": []}
    if read:
        whole = [vector("".join(tokens), model.dimensions) for tokens in read]
        answer["embeddings"] = [_shortened(each, size) for each in whole]
        answer |= {
            "total_duration": 1,
            "load_duration": 1,
            "prompt_eval_count": sum(len(tokens) + _marks_counted(double) for tokens in read),
        }
    connection.reply(answer)


def _texts(given: Any) -> list[str]:
    """Return what is to be embedded: nothing, for an empty text that stands alone."""
    texts = [given] if isinstance(given, str) and given else given or []
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise GenerationFailed(400, "invalid input type")
    return texts


def _read(double: OllamaDouble, record: Recorded, model: DoubleModel, text: str) -> Sequence[str]:
    """Return what is left of a text's tokens, or refuse it."""
    behaviour = Behaviour(double.version)
    # The words of the runner; since 0.30 it is llama.cpp's server, which has words of its own.
    if "embedding" not in model.capabilities:
        status = 501 if behaviour.tells_runner_s_refusal else 500
        raise GenerationFailed(status, "this model does not support embeddings")
    tokens = tokenize(text)
    most = min(int(record.options.get("num_ctx") or double.num_ctx), model.context_length)
    is_cut = record.body.get("truncate") is not False
    if not behaviour.tells_runner_s_refusal:
        if len(tokens) <= most:  # the marks are counted only where something is cut
            return tokens
        if not is_cut:
            raise GenerationFailed(400, "input exceeds maximum context length")
    room = most - _MARKS
    if len(tokens) <= room:
        return tokens
    if room <= 0 and (is_cut or behaviour.runs_llama_server):
        raise GenerationFailed(400, _NO_ROOM)
    if not is_cut:
        raise GenerationFailed(400, "the input length exceeds the context length")
    return tokens[:room]


def _marks_counted(double: OllamaDouble) -> int:
    """Return how many tokens around a text are counted: those of the runner, which counts them."""
    return _MARKS if Behaviour(double.version).tells_runner_s_refusal else 0


def _shortened(whole: list[float], dimensions: int) -> list[float]:
    """Return the first numbers of a vector, as long as 1 again; all, where more are asked for."""
    return _unit(whole[:dimensions]) if 0 < dimensions < len(whole) else whole


def vector(text: str, dimensions: int) -> list[float]:
    """Return a unit vector: texts that share words lie near each other."""
    sums = [0.0] * dimensions
    for word in text.lower().split() or [""]:
        seed = hashlib.sha256(word.encode()).digest()
        for at in range(0, 16, 2):
            place = int.from_bytes(seed[at : at + 2], "big") % dimensions
            sums[place] += 1.0 if seed[16 + at // 2] % 2 else -1.0
    return _unit(sums)


def _unit(numbers: Sequence[float]) -> list[float]:
    length = math.sqrt(sum(each * each for each in numbers)) or 1.0
    return [each / length for each in numbers]
