"""Which models there are, and how one is loaded by its name in the settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from desktop_rag.core import paths
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.language import is_english
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Settings
from desktop_rag.models import reranker_speed
from desktop_rag.models.late_interaction import LateInteraction
from desktop_rag.models.model_card import ModelCard, read_model_card
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.pair_reader import PairReader
from desktop_rag.models.protocols import Embedder, LanguageSupport, Reranker, script_support

BUILT_IN_EMBEDDER = "multilingual-e5-small"
READER_NAME = "pair-reader"
OLLAMA_PREFIX = "ollama:"
_READERS = (READER_NAME,)


def is_built_in(name: str) -> bool:
    """Say whether a name in the settings is that of the built-in embedder."""
    return name in ("", "builtin", BUILT_IN_EMBEDDER)


def embedder_name(fingerprint: str) -> str:
    """Return what the settings call the embedder that has a fingerprint."""
    if fingerprint.startswith(OLLAMA_PREFIX):
        return fingerprint.rpartition(":")[0]
    first = fingerprint.partition("/")[0]
    return fingerprint.rpartition("/")[0] if _folder(first) is None else first


def load_embedder(name: str, settings: Settings) -> Embedder:
    """Return the embedder of a name: `builtin`, a built-in model's, Ollama's, or another's.

    `ollama:bge-m3` is Ollama's, on this computer unless another is allowed for this run: it sees
    the passages of every knowledge base. Else it is one of sentence-transformers: a folder, or
    the name of a model that lies in its cache already.
    """
    chosen = BUILT_IN_EMBEDDER if is_built_in(name) else name
    folder = _folder(chosen)
    if folder is not None:
        return OnnxEmbedder(folder, settings.models.threads)
    if chosen.startswith(OLLAMA_PREFIX):
        return _of_ollama(chosen.removeprefix(OLLAMA_PREFIX), settings)
    from desktop_rag.models.sentence_transformer import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(chosen)


def _folder(name: str) -> Path | None:
    """Return the folder of the model that comes with the program, if one has that name."""
    folder = paths.resources() / "models" / name
    return folder if name and "/" not in name and folder.is_dir() else None


def _of_ollama(model: str, settings: Settings) -> Embedder:
    from desktop_rag.models.ollama import OllamaEmbedder, resolve_host

    privacy = settings.privacy
    consent = Consent(everywhere=privacy.allow_remote, blocked=privacy.block_remote)
    return OllamaEmbedder(resolve_host(settings), model, settings.ollama, consent)


def load_rerankers(
    name: str, settings: Settings, embedder: Embedder, data_dir: Path | None = None
) -> tuple[Reranker, ...]:
    """Return the rerankers of a name: the first that reads a query, and does not fail, scores it.

    `auto` is the built-in reader, whatever the embedder; `none` nothing. Another name is that of
    one of them, or a cross-encoder's of sentence-transformers: a folder, or a model in the hub's
    cache. Each is loaded, and found to be missing, when it first scores. How fast a built-in one
    reads is kept in the data folder.
    """
    if name == "none" or settings.retrieval.rerank_candidates == 0:
        return ()
    if name == "auto":
        return tuple(_reader(each, settings, data_dir) for each in _READERS)
    if name in _READERS:
        return (_reader(name, settings, data_dir),)
    if name == LateInteraction.name:
        return _late_interaction(embedder)
    from desktop_rag.models.sentence_transformer import SentenceTransformerReranker

    return (SentenceTransformerReranker(name),)


def _reader(name: str, settings: Settings, data_dir: Path | None) -> Reranker:
    folder = paths.resources() / "models" / name
    speed_file = data_dir / reranker_speed.FILE_NAME.format(name) if data_dir is not None else None
    try:
        return PairReader(folder, settings.models.threads, speed_file)
    except ModelUnavailable as problem:
        return _Missing(name, problem)


class _Missing:
    """Stands for a built-in reader where its card cannot be read: says so when it should score.

    So whoever searches is told of it, as of a damaged model, and an evaluation stops.
    """

    rank_weight: float | None = None

    def __init__(self, name: str, problem: ModelUnavailable) -> None:
        self.name = name
        self._problem = problem

    def trust(self, text: str) -> LanguageSupport:
        """Say what the reader would be asked about."""
        return script_support({"latin"}, text) if is_english(text) else LanguageSupport.NONE

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        """Raise what is wrong."""
        del query, texts, token
        raise self._problem


def _late_interaction(embedder: Embedder) -> tuple[Reranker, ...]:
    return (LateInteraction(embedder),) if isinstance(embedder, OnnxEmbedder) else ()


def available_models() -> Iterator[dict[str, Any]]:
    """Yield a row for each model that can be used here: name, kind, state, and its card's facts."""
    for folder in sorted((paths.resources() / "models").glob("*/card.json")):
        yield _row(read_model_card(folder.parent))
    yield {
        "kind": "reranker",
        "name": LateInteraction.name,
        "title": "Late interaction over the embedder's token vectors",
        "there": True,
    }


def _row(card: ModelCard) -> dict[str, Any]:
    return {
        "kind": card.kind,
        "name": card.name,
        "title": f"{card.title} ({card.number_format})",
        "there": True,
        "licence": card.licence,
        "source": card.source,
        "dimensions": card.dimensions,
        "quality": card.quality,
    }
