from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from pathlib import Path

import numpy as np
import psutil
import pytest

from desktop_rag.core import paths
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, ModelUnavailable
from desktop_rag.core.thread_priority import BELOW
from desktop_rag.models.model_card import read_model_card
from desktop_rag.models.onnx_embedder import OnnxEmbedder

FOLDER = paths.resources() / "models" / "all-minilm-l6-v2"
TEXTS = [
    "The cat sat on the mat.",
    "Profit rose by 4 % in 2023. " * 20,
    "short",
    "",
    "中文句子。",
]


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    """A model without prefixes, with the library's tokenizer: bases of before have its vectors."""
    return OnnxEmbedder(FOLDER)


def test_like_texts_lie_closer_than_unlike_ones(embedder: OnnxEmbedder) -> None:
    asked = embedder.embed_query("Who runs the company?")
    near, far = embedder.embed(["The chief executive leads the firm.", "Bananas grow in bunches."])
    assert asked @ near > asked @ far + 0.3


def test_every_vector_has_length_one(embedder: OnnxEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_a_vector_does_not_depend_on_what_is_embedded_beside_it(embedder: OnnxEmbedder) -> None:
    together = embedder.embed(TEXTS * 20)
    alone = np.vstack([embedder.embed([text]) for text in TEXTS])
    np.testing.assert_allclose(together[: len(TEXTS)], alone, atol=1e-3)
    np.testing.assert_allclose(together[-len(TEXTS) :], alone, atol=1e-3)


def test_nothing_to_embed_gives_no_rows(embedder: OnnxEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_text_beyond_the_models_length_is_cut_off(embedder: OnnxEmbedder) -> None:
    first = "word " * 254
    beyond, within = embedder.embed([first + "zebra " * 300, first])
    np.testing.assert_allclose(beyond, within, atol=1e-3)


def test_a_long_query_loses_its_middle_and_keeps_both_ends(embedder: OnnxEmbedder) -> None:
    query = "Who wrote Hamlet? " + "filler " * 500 + "William Shakespeare"
    short = embedder.shortened(query)
    assert short.startswith("Who wrote Hamlet?")
    assert short.endswith("William Shakespeare")
    assert embedder.count_tokens([short])[0] <= embedder.max_tokens - 2


def test_a_query_that_fits_stays_as_it_is(embedder: OnnxEmbedder) -> None:
    assert embedder.shortened("Who wrote Hamlet?") == "Who wrote Hamlet?"


def test_tokens_are_counted_without_the_marks_at_the_ends(embedder: OnnxEmbedder) -> None:
    assert embedder.count_tokens(["hello world", "", "unbelievable"]) == [2, 0, 1]


def test_token_vectors_are_one_a_token(embedder: OnnxEmbedder) -> None:
    vectors = embedder.token_vectors(["hello world", ""])
    assert [each.shape for each in vectors] == [(2, 384), (0, 384)]
    np.testing.assert_allclose(np.linalg.norm(vectors[0], axis=1), 1.0, atol=1e-5)


def test_a_stop_ends_embedding(embedder: OnnxEmbedder) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        embedder.embed(TEXTS, token)


def test_the_files_are_those_of_the_card() -> None:
    card = read_model_card(FOLDER)
    for file in card.files:
        assert card.checked(file)
    assert card.licence == "Apache-2.0"
    assert card.fingerprint.startswith("all-minilm-l6-v2/int8/")


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "model"))


@pytest.fixture
def prefixed(copied: Path) -> OnnxEmbedder:
    place = copied / "card.json"
    card = json.loads(place.read_text("utf-8"))
    card |= {"query_prefix": "query: ", "passage_prefix": "passage: "}
    place.write_text(json.dumps(card), "utf-8")
    return OnnxEmbedder(copied)


def test_questions_and_passages_get_their_prefixes(
    prefixed: OnnxEmbedder, embedder: OnnxEmbedder
) -> None:
    text = "Who wrote Hamlet?"
    asked, told = embedder.embed([f"query: {text}"])[0], embedder.embed([f"passage: {text}"])[0]
    assert np.array_equal(prefixed.embed_query(text), asked)
    assert np.array_equal(prefixed.embed([text, *TEXTS])[0], told)
    assert not np.array_equal(asked, told)


def test_a_prefix_is_not_counted_and_takes_no_room(
    prefixed: OnnxEmbedder, embedder: OnnxEmbedder
) -> None:
    assert prefixed.max_tokens == embedder.max_tokens
    assert prefixed.count_tokens(TEXTS) == embedder.count_tokens(TEXTS)
    fits = "word " * (prefixed.max_tokens - 2)
    assert prefixed.shortened(fits) == fits
    beyond, within, shorter = prefixed.embed([fits + "zebra", fits, fits.removesuffix("word ")])
    assert np.array_equal(beyond, within)
    assert not np.array_equal(within, shorter)


def test_token_vectors_leave_the_prefix_out(prefixed: OnnxEmbedder, embedder: OnnxEmbedder) -> None:
    rows = embedder.token_vectors(["passage: hello world"])[0][2:]
    found = prefixed.token_vectors(["hello world", ""])
    assert np.array_equal(found[0], rows)
    assert found[1].shape == (0, 384)
    assert len(prefixed.token_weights("hello world")) == 2


def test_a_model_without_prefixes_reads_the_text_and_nothing_else(embedder: OnnxEmbedder) -> None:
    parts = embedder._loaded.get()
    for text in TEXTS:
        states = parts.session.run(None, parts.fed(parts.tokenizer.encode(text).ids))[0][0]
        mean = states.mean(axis=0)
        vector = mean / np.linalg.norm(mean)
        assert np.array_equal(embedder.embed([text])[0], vector)
        assert np.array_equal(embedder.embed_query(text), vector)


def test_a_damaged_model_is_told_with_a_remedy(copied: Path) -> None:
    file = copied / "model.onnx"
    raw = bytearray(file.read_bytes())
    raw[len(raw) // 2] ^= 255
    file.write_bytes(raw)
    with pytest.raises(ModelUnavailable, match=r"model\.onnx is damaged") as told:
        OnnxEmbedder(copied).embed(["text"])
    assert told.value.remedy


def test_a_missing_tokenizer_is_told(copied: Path) -> None:
    (copied / "tokenizer.json").unlink()
    with pytest.raises(ModelUnavailable, match=r"tokenizer\.json cannot be read"):
        OnnxEmbedder(copied).count_tokens(["text"])


def test_a_card_of_another_size_is_told(copied: Path) -> None:
    card = copied / "card.json"
    card.write_text(card.read_text("utf-8").replace("384", "512"), "utf-8")
    with pytest.raises(ModelUnavailable, match="384 numbers"):
        OnnxEmbedder(copied).embed(["text"])


def test_a_folder_without_a_card_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="no model"):
        OnnxEmbedder(tmp_path)


def test_a_question_does_not_wait_behind_a_file(embedder: OnnxEmbedder) -> None:
    token = CancelToken()
    texts = ["word " * 250] * 400

    def index() -> None:
        with pytest.raises(Cancelled):
            embedder.embed(texts, token)

    indexing = threading.Thread(target=index)
    indexing.start()
    try:
        for _ in range(3):
            embedder.embed_query("Who is asking?")
        assert indexing.is_alive()
    finally:
        token.cancel()
        indexing.join()


@pytest.mark.parametrize("threads", [1, 3])
def test_no_more_cores_are_taken_than_the_setting_says(threads: int) -> None:
    embedder, me = OnnxEmbedder(FOLDER, threads), psutil.Process()
    embedder.embed(TEXTS)
    before = {each.id: each.user_time for each in me.threads()}
    embedder.embed(TEXTS * 60)
    worked = [each.user_time - before.get(each.id, 0.0) for each in me.threads()]
    assert len([seconds for seconds in worked if seconds > sum(worked) / 10]) == threads


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a thread's priority")
def test_reading_a_folder_lets_the_window_go_first_and_a_question_does_not_wait() -> None:
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    before = {thread.id for thread in psutil.Process().threads()}
    embedder = OnnxEmbedder(FOLDER, threads=1)
    embedder.embed_query("Who runs the company?")
    assert {thread.id for thread in psutil.Process().threads()} <= before
    embedder.embed(TEXTS)
    (made,) = {thread.id for thread in psutil.Process().threads()} - before
    assert os.getpriority(os.PRIO_PROCESS, made) == max(mine, BELOW)
    assert os.getpriority(os.PRIO_PROCESS, 0) == mine
