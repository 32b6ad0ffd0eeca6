"""Models that a user names, by way of sentence-transformers (an extra of ours).

They lie on this computer: nothing is downloaded here, and no code that comes with a model is run.
"""

from __future__ import annotations

import copy
import hashlib
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.phrases import Phrase
from desktop_rag.models.hugging_face import install_hint, model_folder
from desktop_rag.models.protocols import LanguageSupport, Vectors

_AT_ONCE = 32
_PROBE = "The quick brown fox jumps over the lazy dog."  # what it becomes tells weights apart
_LONGEST = 100_000  # what tokenizers say when they know no limit is far above
_OPTIONS: dict[str, Any] = {
    "device": "cpu",
    "local_files_only": True,
    "trust_remote_code": False,
    "model_kwargs": {"use_safetensors": True},
}


class SentenceTransformerEmbedder:
    """Any bi-encoder that sentence-transformers loads, by its folder or its name.

    Safe to use from several threads: a tokenizer keeps in itself how it was last asked to cut, so
    one thread at a time encodes, and what counts has a tokenizer of its own.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock, self._counting = threading.Lock(), threading.Lock()
        self._model = _loaded("SentenceTransformer", name, "embedder to builtin")
        self._tokenizer = copy.deepcopy(self._model.tokenizer)
        probe = self._encoded([_PROBE])[0]
        self.dimensions = len(probe)
        limit = int(self._model.max_seq_length or 512)
        self.max_tokens = min(limit, _LONGEST)
        weights = hashlib.sha256(np.round(probe, 2).tobytes()).hexdigest()
        self.fingerprint = f"{name}/{weights[:12]}"

    def trust(self, text: str) -> LanguageSupport:
        """Take the user's word for it that the model reads their documents."""
        del text
        return LanguageSupport.GOOD

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return one unit vector a text, in their order: shape `(len(texts), dimensions)`."""
        out = np.zeros((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), _AT_ONCE):
            if token is not None:
                token.check()
            some = list(texts[start : start + _AT_ONCE])
            out[start : start + len(some)] = self._encoded(some)
        return out

    def embed_query(self, text: str) -> Vectors:
        """Return a question's unit vector, with the model's prompt for queries if it has one."""
        prompt = "query" if "query" in (self._model.prompts or {}) else None
        vector: Vectors = self._encoded([text], prompt)[0]
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return each text's length in the model's tokens, special ones not counted."""
        with self._counting, _failing(self._name):
            encoded = self._tokenizer(list(texts), add_special_tokens=False)
        return [len(ids) for ids in encoded["input_ids"]]

    def _encoded(self, texts: list[str], prompt: str | None = None) -> Vectors:
        with self._lock, _failing(self._name):
            found: Vectors = self._model.encode(
                texts, prompt_name=prompt, normalize_embeddings=True, show_progress_bar=False
            )
        return found


class SentenceTransformerReranker:
    """Any cross-encoder with one score that sentence-transformers loads, when first needed.

    Its folder or its name is `name`. Safe to use from several threads.
    """

    rank_weight: float | None = None

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._model: Any = None

    def trust(self, text: str) -> LanguageSupport:
        """Take the user's word for it that the model reads their documents."""
        del text
        return LanguageSupport.GOOD

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        """Return one score a text; raises `ModelUnavailable` where the model cannot be loaded."""
        model = self._get()
        found: list[float] = []
        for start in range(0, len(texts), _AT_ONCE):
            if token is not None:
                token.check()
            pairs = [(query, text) for text in texts[start : start + _AT_ONCE]]
            with self._lock, _failing(self.name):
                found += map(float, model.predict(pairs, show_progress_bar=False))
        return found

    def _get(self) -> Any:
        with self._lock:
            if self._model is None:
                model = _loaded("CrossEncoder", self.name, "reranker to auto")
                if model.num_labels != 1:
                    raise ModelUnavailable(
                        Phrase(
                            "The model “{0}” gives {1} scores, not one.",
                            self.name,
                            model.num_labels,
                        ),
                        "Choose a cross-encoder that was trained to rank passages.",
                    )
                self._model = model
            return self._model


def _loaded(kind: str, name: str, otherwise: str) -> Any:
    """Return a model of sentence-transformers' class `kind`."""
    try:
        import sentence_transformers
    except ImportError as problem:
        raise ModelUnavailable(
            Phrase("The model “{0}” is not built in, and sentence-transformers is missing.", name),
            install_hint(),
        ) from problem
    folder = model_folder(name)
    _require_known_parts(name, folder)
    try:
        return getattr(sentence_transformers, kind)(str(folder), **_OPTIONS)
    except Exception as problem:  # a folder can hold anything, and the library's errors differ
        raise _unreadable(name, folder, problem, otherwise) from problem


def _require_known_parts(name: str, folder: Path) -> None:
    """Refuse a model with parts that are not the library's: older versions would run their code."""
    try:
        parts = json.loads((folder / "modules.json").read_text("utf-8"))
        types = [str(part["type"]) for part in parts]
    except FileNotFoundError:
        return
    except (OSError, ValueError, TypeError, KeyError) as problem:
        raise _unreadable(name, folder, problem, "another one") from problem
    if not all(each.startswith("sentence_transformers.") for each in types):
        raise ModelUnavailable(
            Phrase("The model “{0}” brings code of its own, which is not run.", name),
            "Choose a model that is made of sentence-transformers' own parts.",
        )


def _unreadable(name: str, folder: Path, problem: Exception, otherwise: str) -> ModelUnavailable:
    return ModelUnavailable(
        Phrase("The model “{0}” in {1} cannot be loaded: {2}.", name, folder, _said(problem)),
        Phrase("Choose another model, or set {0}.", otherwise),
    )


@contextmanager
def _failing(name: str) -> Iterator[None]:
    """Take what a model raises in its work for a model that cannot be used."""
    try:
        yield
    except Exception as problem:  # a tokenizer without a padding token, a text it cannot take
        raise ModelUnavailable(
            Phrase("The model “{0}” failed: {1}.", name, _said(problem)),
            "Choose another model.",
        ) from problem


def _said(problem: Exception) -> str:
    return (str(problem).strip().splitlines() or [type(problem).__name__])[0].rstrip(".")
