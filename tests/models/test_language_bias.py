from __future__ import annotations

import io
import shutil
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.core import paths
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.models.language_bias import LanguageBias
from desktop_rag.models.model_card import BIAS, read_model_card
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from tests.models.test_multilingual_embedder import PASSAGES, QUESTIONS

FOLDER = paths.resources() / "models" / "multilingual-e5-small"


@pytest.fixture(scope="module")
def multilingual() -> OnnxEmbedder:
    return OnnxEmbedder(FOLDER)


def test_the_mean_and_the_directions_are_taken_out_of_unit_vectors() -> None:
    mean = np.array([0.5, 0.0, 0.0], np.float32)
    bias = LanguageBias(mean, -mean, np.array([[0.0, 1.0, 0.0]], np.float32))
    vectors = np.array([[0.6, 0.8, 0.0], [0.6, 0.0, 0.8]], np.float32)
    rest = bias.without(vectors, bias.query)
    assert rest == pytest.approx(np.array([[1.0, 0.0, 0.0], [0.1, 0.0, 0.8]]) / [[1], [0.65**0.5]])
    other = bias.without(vectors, bias.passage)
    assert other[1] == pytest.approx(np.array([1.1, 0.0, 0.8]) / 1.85**0.5)
    assert vectors[0].tolist() == pytest.approx([0.6, 0.8, 0.0])


def test_what_the_model_ships_are_means_and_orthonormal_directions(
    multilingual: OnnxEmbedder,
) -> None:
    bias = multilingual.bias
    assert bias is not None
    size = (multilingual.dimensions,)
    assert (bias.query.shape, bias.passage.shape) == (size, size)
    count = len(bias.directions)
    assert bias.directions @ bias.directions.T == pytest.approx(np.eye(count), abs=1e-4)
    assert bias.without(np.ones((1, 384), np.float32), bias.query).dtype == np.float32


def test_an_english_answer_goes_before_other_things_in_a_question_s_own_chinese(
    multilingual: OnnxEmbedder,
) -> None:
    for at, question in enumerate(QUESTIONS["zh"]):
        others = [text for number, text in enumerate(PASSAGES["zh"]) if number != at]
        vectors = multilingual.embed([PASSAGES["en"][at], *others])
        assert (vectors @ multilingual.embed_query(question)).argmax() == 0


def test_texts_that_have_nothing_to_do_with_each_other_are_far_apart(
    multilingual: OnnxEmbedder,
) -> None:
    vectors = multilingual.embed(PASSAGES["en"] + PASSAGES["zh"])
    cosines = vectors @ vectors.T
    unlike = [cosines[i, j] for i in range(6) for j in range(6) if i % 3 != j % 3]
    assert np.mean(unlike) < 0.35
    assert min(cosines[i, i + 3] for i in range(3)) > 0.6  # the same in the other language


def test_vectors_without_the_bias_have_another_fingerprint() -> None:
    card = read_model_card(FOLDER)
    assert card.files[BIAS][:6] in card.fingerprint


def test_a_bias_that_was_changed_is_told(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "model")
    held = io.BytesIO()
    np.savez(held, query=np.zeros(384), passage=np.zeros(384), directions=np.zeros((1, 384)))
    (tmp_path / "model" / BIAS).write_bytes(held.getvalue())
    with pytest.raises(ModelUnavailable, match="damaged"):
        OnnxEmbedder(tmp_path / "model").embed(["A text."])
