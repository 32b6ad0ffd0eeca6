"""Embedding through Ollama: order, length one, nothing cut without a word."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, ModelUnavailable
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaEmbedder
from desktop_rag.models.protocols import Embedder, LanguageSupport
from testing.ollama_double import DoubleModel, OllamaDouble
from testing.ollama_double.models import CHAT, EMBEDDING


@pytest.fixture
def server() -> Iterator[OllamaDouble]:
    with OllamaDouble(EMBEDDING, CHAT) as running:
        yield running


@pytest.fixture
def embedder(server: OllamaDouble) -> Embedder:
    return OllamaEmbedder(server.url, "all-minilm", Ollama())


def test_it_knows_itself(server: OllamaDouble, embedder: Embedder) -> None:
    assert embedder.dimensions == 384
    assert embedder.max_tokens == 256
    assert embedder.fingerprint == f"ollama:all-minilm:latest:{EMBEDDING.digest[:16]}"
    assert (embedder.trust("How many?"), embedder.trust("有多少？")) == (
        LanguageSupport.GOOD,
        LanguageSupport.NONE,
    )


def test_a_text_keeps_its_place_whatever_is_batched_with_it(embedder: Embedder) -> None:
    texts = [f"word{n} " * (1 + n % 7) for n in range(70)]
    together = embedder.embed(texts)
    assert together.shape == (70, 384)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-5)
    for place in (0, 33, 69):
        assert np.allclose(together[place], embedder.embed([texts[place]])[0], atol=1e-6)


def test_no_text_gives_no_vector(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_a_question_is_one_vector(embedder: Embedder) -> None:
    assert embedder.embed_query("red apple").shape == (384,)
    assert np.allclose(embedder.embed_query("red apple"), embedder.embed(["red apple"])[0])


def test_texts_are_never_cut_by_the_server(server: OllamaDouble, embedder: Embedder) -> None:
    embedder.embed(["a", "b"])
    sent = server.to("/api/embed")
    assert all(request.body["truncate"] is False for request in sent)
    assert sent[-1].body["keep_alive"] == "5m"


def test_a_text_that_is_too_long_is_cut_with_a_word_and_the_others_are_not(
    embedder: Embedder, caplog: pytest.LogCaptureFixture
) -> None:
    long = "secretword " * 400
    with caplog.at_level(logging.WARNING):
        vectors = embedder.embed(["short one", long])
    assert np.allclose(vectors[0], embedder.embed(["short one"])[0])
    assert "too long" in caplog.text
    assert "secretword" not in caplog.text


def test_a_family_that_wants_prefixes_gets_them(server: OllamaDouble) -> None:
    name = "nomic-embed-text:latest"
    server.models[name] = DoubleModel(name, ("embedding",), 2048, "nomic-bert")
    embedder = OllamaEmbedder(server.url, name, Ollama())
    embedder.embed(["a text"])
    embedder.embed_query("a question")
    sent = [request.body["input"] for request in server.to("/api/embed")]
    assert sent[-2:] == [["search_document: a text"], ["search_query: a question"]]


def test_it_stops_between_and_in_batches(server: OllamaDouble, embedder: Embedder) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        embedder.embed(["a"], token)


def test_a_model_that_is_missing_or_cannot_embed_is_an_error(server: OllamaDouble) -> None:
    with pytest.raises(ModelUnavailable, match="ollama pull nope"):
        OllamaEmbedder(server.url, "nope", Ollama())
    with pytest.raises(ModelUnavailable, match="cannot do this"):
        OllamaEmbedder(server.url, CHAT.name, Ollama())


def test_counts_are_estimates_above_nothing(embedder: Embedder) -> None:
    assert embedder.count_tokens(["", "four words are here"]) == [0, 5]
