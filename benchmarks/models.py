"""The built-in models: how long they take to load, and to read thirty pairs of 200 tokens.

A pair is the question, a passage and the three marks around them.

Beside them the bare parts: ONNX Runtime and the tokenizer given the same files, unchecked; and the
model run alone over as many tokens, already numbers, in as many threads.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import synthetic_bases
from benchmarks.result_table import Measurement
from desktop_rag.core.paths import resources
from desktop_rag.core.settings import Settings
from desktop_rag.models.model_loader import (
    BUILT_IN_EMBEDDER,
    READER_NAME,
    load_embedder,
    load_rerankers,
)
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.onnx_model import available_cores
from desktop_rag.models.protocols import Embedder

_PAIRS, _TOKENS, _ROUNDS, _STARTS = 30, 200, 15, 5
_MARKS = 3  # around question and passage
_QUESTION = "How much did the harbour pay for the repair of the northern quay?"
_OURS = """
import json, time
import onnxruntime, tokenizers, numpy
from desktop_rag.core.settings import Settings
from desktop_rag.models.model_loader import load_embedder
from desktop_rag.models.model_loader import load_rerankers
begun = time.perf_counter()
embedder = load_embedder("builtin", Settings())
embedder.embed_query("a"), embedder.embed_query("港口")
for reranker in load_rerankers("auto", Settings(), embedder):
    reranker.score("a", ["b"])
print(json.dumps(time.perf_counter() - begun))
"""
_BARE = """
import json, os, sys, time
import onnxruntime, tokenizers, numpy
begun = time.perf_counter()
for folder in sys.argv[1:]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    onnxruntime.InferenceSession(f"{folder}/model.onnx", options)
    if os.path.exists(f"{folder}/tokenizer.json"):
        tokenizers.Tokenizer.from_file(f"{folder}/tokenizer.json")
print(json.dumps(time.perf_counter() - begun))
"""


def measure(passages: Path | None) -> list[Measurement]:
    """Return the rows of loading, and of a second stage, with their floors."""
    return [_loading(), *_second_stage(passages)]


def _loading() -> Measurement:
    """Load all built-in models in fresh processes, whose libraries are imported already."""
    whole = [str(resources() / "models" / name) for name in (BUILT_IN_EMBEDDER, READER_NAME)]
    ours, bare = [], []
    for _ in range(_STARTS):
        ours.append(_started(_OURS))
        bare.append(_started(_BARE, *whole))
    name = "ONNX Runtime and tokenizers alone, files unchecked"
    return Measurement(
        "all built-in models loaded, p50",
        1000 * float(np.median(ours)),
        "ms",
        1000 * float(np.median(bare)),
        name,
        "500 ms",
    )


def _started(code: str, *words: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    return float(json.loads(done.stdout))


def _second_stage(passages: Path | None) -> list[Measurement]:
    """Rerank thirty passages, in turn with the bare model."""
    embedder = load_embedder("builtin", Settings())
    reranker, *_ = load_rerankers("auto", Settings(), embedder)
    texts = _texts(embedder, passages)
    bare = _Bare(embedder, texts)
    ours, floor = [], []
    for _ in range(_ROUNDS):
        ours.append(_timed(lambda: reranker.score(_QUESTION, texts)))
        floor.append(_timed(bare.run))
    name = f"the model alone, {available_cores()} threads"
    at_once = f"{_PAIRS} pairs of {_TOKENS} tokens"
    return [
        Measurement(
            f"{reranker.name}, {at_once}, p50", _ms(ours), "ms", _ms(floor), name, "300 ms"
        ),
        Measurement(f"{reranker.name}, {at_once}, least", 1000 * min(ours), "ms"),
    ]


class _Bare:
    """The model's own runs over tokens of the same number."""

    def __init__(self, embedder: Embedder, texts: list[str]) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        model = resources() / "models" / "all-minilm-l6-v2"
        self._session = onnxruntime.InferenceSession(str(model / "model.onnx"), options)
        self._pool = ThreadPoolExecutor(available_cores())
        longest = OnnxEmbedder(model).max_tokens
        asked = embedder.count_tokens([_QUESTION])[0] + _MARKS
        counts = [min(count + asked, longest) for count in embedder.count_tokens(texts)]
        chance = np.random.default_rng(1)
        self._fed: list[dict[str, Any]] = [
            {
                "input_ids": chance.integers(1000, 20000, (1, count)),
                "attention_mask": np.ones((1, count), np.int64),
            }
            for count in counts
        ]

    def run(self) -> None:
        """Run the model once over each."""
        list(self._pool.map(lambda each: self._session.run(None, each), self._fed))


def _texts(embedder: Embedder, passages: Path | None) -> list[str]:
    """Return passages that make pairs of so many tokens with the question."""
    chance, sentences = random.Random(5), synthetic_bases.sentences_of(passages)
    wanted = _TOKENS - embedder.count_tokens([_QUESTION])[0] - _MARKS
    made = []
    for _ in range(_PAIRS):
        words = synthetic_bases.made_text(chance, sentences, 2 * _TOKENS).split()
        while (count := embedder.count_tokens([" ".join(words)])[0]) > wanted:
            words.pop()
        made.append(" ".join([*words, *["a"] * (wanted - count)]))
    return made


def _timed(work: Any) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _ms(seconds: list[float]) -> float:
    return 1000 * float(np.median(seconds))
