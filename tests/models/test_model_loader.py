from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace

import pytest

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.models.late_interaction import LateInteraction
from desktop_rag.models.model_loader import (
    READER_NAME,
    available_models,
    load_embedder,
    load_rerankers,
)
from desktop_rag.models.ollama import OllamaEmbedder
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import LanguageSupport
from testing.ollama_double import OllamaDouble
from testing.ollama_double.models import CHAT, EMBEDDING


def test_the_built_in_embedder_has_two_names() -> None:
    settings = Settings()
    one, other = (load_embedder(name, settings) for name in ("builtin", "multilingual-e5-small"))
    assert one.fingerprint == other.fingerprint
    assert one.trust("How many?") is LanguageSupport.GOOD
    assert one.trust("有多少？") is LanguageSupport.GOOD


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None,
    reason="the extra is installed here",
)
@pytest.mark.parametrize(
    ("is_built", "way"), [(False, "Install the extra"), (True, "a model of Ollama's")]
)
def test_another_model_without_the_extra_names_a_way_that_can_be_gone(
    monkeypatch: pytest.MonkeyPatch, is_built: bool, way: str
) -> None:
    monkeypatch.setattr(sys, "frozen", is_built, raising=False)
    with pytest.raises(ModelUnavailable) as told:
        load_embedder("intfloat/e5-base", Settings())
    assert way in told.value.remedy


def test_the_reranker_follows_the_settings(embedder: OnnxEmbedder) -> None:
    settings = Settings()
    (reader,) = load_rerankers("auto", settings, embedder)
    assert reader.name == READER_NAME
    (late,) = load_rerankers("late-interaction", settings, embedder)
    assert isinstance(late, LateInteraction)
    assert load_rerankers("none", settings, embedder) == ()
    without = replace(settings, retrieval=replace(settings.retrieval, rerank_candidates=0))
    assert load_rerankers("auto", without, embedder) == ()


def test_an_unknown_reranker_is_told(embedder: OnnxEmbedder) -> None:
    (reranker,) = load_rerankers("monoT5", Settings(), embedder)
    with pytest.raises(ModelUnavailable, match="monoT5"):
        reranker.score("a question", ["a passage"])


def test_every_built_in_model_is_listed_with_source_and_licence() -> None:
    rows = {row["name"]: row for row in available_models()}
    assert rows["all-minilm-l6-v2"]["licence"] == "Apache-2.0"
    assert rows["all-minilm-l6-v2"]["quality"]["recall@5"]
    assert rows["multilingual-e5-small"]["licence"] == "MIT"
    assert rows["line-reader"]["kind"] == "text recognition"
    assert rows["late-interaction"]["kind"] == "reranker"


def test_an_embedder_of_ollama_is_loaded_by_its_name() -> None:
    with OllamaDouble(CHAT, EMBEDDING) as ollama:
        settings = Settings(ollama=Ollama(host=ollama.url))
        found = load_embedder("ollama:all-minilm", settings)
        assert isinstance(found, OllamaEmbedder)
        assert found.dimensions == EMBEDDING.dimensions
        with pytest.raises(ModelUnavailable, match="not installed"):
            load_embedder("ollama:bge-m3", settings)
        with pytest.raises(ModelUnavailable):
            load_embedder(f"ollama:{CHAT.name}", settings)


def test_an_embedder_on_another_computer_would_see_everything(only_loopback: list[str]) -> None:
    settings = Settings(ollama=Ollama(host="http://203.0.113.7:11434"))
    with pytest.raises(ModelUnavailable, match="another computer"):
        load_embedder("ollama:bge-m3", settings)
    assert only_loopback == []
