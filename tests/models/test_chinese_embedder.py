from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.paths import resources
from desktop_rag.models.bilingual_embedder import BilingualEmbedder
from desktop_rag.models.chinese_embedder import ChineseEmbedder
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import LanguageSupport

FOLDER = resources() / "models" / "chinese-glosses"


@pytest.fixture(scope="module")
def glosses() -> ChineseEmbedder:
    return ChineseEmbedder(FOLDER)


def test_the_same_in_other_words_is_nearer_than_something_else(glosses: ChineseEmbedder) -> None:
    said, alike, other = glosses.embed(
        ["医生在医院治疗病人。", "大夫给患者看病。", "银行提高了贷款利率。"]
    )
    assert said @ alike > said @ other + 0.2


def test_traditional_and_simplified_letters_mean_the_same(glosses: ChineseEmbedder) -> None:
    simplified, traditional = glosses.embed(["图书馆星期一关闭。", "圖書館星期一關閉。"])
    assert simplified @ traditional > 0.95


def test_chinese_stands_near_its_english(bilingual: BilingualEmbedder) -> None:
    asked, right, wrong = bilingual.embed(
        ["医院里有多少位医生？", "The hospital has forty doctors.", "The bank raised its rates."]
    )
    assert asked @ right > asked @ wrong + 0.1


def test_vectors_have_length_one_and_do_not_depend_on_their_neighbours(
    glosses: ChineseEmbedder,
) -> None:
    alone = glosses.embed(["桥梁的长度"])[0]
    among = glosses.embed(["图书馆", "桥梁的长度", "医生" * 500])[1]
    assert np.linalg.norm(alone) == pytest.approx(1.0, abs=1e-5)
    assert np.array_equal(alone, among)


def test_a_text_without_a_known_word_has_no_meaning(glosses: ChineseEmbedder) -> None:
    assert not glosses.embed(["only English 123", ""]).any()


def test_each_known_word_has_a_vector_and_a_weight_once(glosses: ChineseEmbedder) -> None:
    vectors, weights = glosses.word_vectors("桥梁的长度，桥梁的宽度")
    assert vectors.shape == (4, 384)
    assert weights.shape == (4,)
    assert weights.min() == weights[1], "的 says least"


def test_texts_keep_their_order_whatever_they_are_in(
    bilingual: BilingualEmbedder, embedder: OnnxEmbedder, glosses: ChineseEmbedder
) -> None:
    texts = ["The tank holds 40 litres.", "油箱可装四十升。", "Second.", "第二句话。"]
    found = bilingual.embed(texts)
    assert np.array_equal(found[[0, 2]], embedder.embed([texts[0], texts[2]]))
    assert np.array_equal(found[[1, 3]], glosses.embed([texts[1], texts[3]]))
    assert [len(each) > 0 for each in bilingual.token_vectors(texts)] == [True] * 4
    for text, vectors in zip(texts, bilingual.token_vectors(texts), strict=True):
        assert bilingual.token_weights(text).shape == (len(vectors),)


def test_a_chinese_text_without_a_known_word_still_has_a_vector(
    bilingual: BilingualEmbedder,
) -> None:
    assert np.linalg.norm(bilingual.embed(["㐀㐁㐂"])[0]) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    ("text", "trust"),
    [
        ("How many litres has the tank?", LanguageSupport.GOOD),
        ("油箱有多少升？", LanguageSupport.ROUGH),
        ("iPhone 的电池是多少?", LanguageSupport.ROUGH),
        ("タンクは何リットルですか", LanguageSupport.NONE),
        ("Сколько литров в баке?", LanguageSupport.NONE),
    ],
)
def test_it_is_told_what_a_vector_is_worth(
    bilingual: BilingualEmbedder, text: str, trust: LanguageSupport
) -> None:
    assert bilingual.trust(text) is trust


def test_damaged_words_are_told_with_a_remedy(tmp_path: Path) -> None:
    copied = Path(shutil.copytree(FOLDER, tmp_path / "model"))
    raw = bytearray((copied / "words.npz").read_bytes())
    raw[len(raw) // 2] ^= 255
    (copied / "words.npz").write_bytes(raw)
    with pytest.raises(ModelUnavailable, match=r"words\.npz is damaged") as told:
        ChineseEmbedder(copied).embed(["词"])
    assert told.value.remedy


def test_the_words_are_read_when_the_first_chinese_text_comes(embedder: OnnxEmbedder) -> None:
    glosses = ChineseEmbedder(FOLDER)
    BilingualEmbedder(embedder, glosses).embed(["Only English."])
    assert glosses._parts is None
    BilingualEmbedder(embedder, glosses).embed(["只有中文。"])
    assert glosses._parts is not None
