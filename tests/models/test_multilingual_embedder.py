from __future__ import annotations

import numpy as np
import pytest

from desktop_rag.core import paths
from desktop_rag.core.settings import Settings
from desktop_rag.models.model_card import read_model_card
from desktop_rag.models.model_loader import embedder_name, load_embedder
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import LanguageSupport

NAME = "multilingual-e5-small"
PASSAGES = {
    "en": [
        "The board decided to raise the dividend by four percent.",
        "The clinic sees patients with diabetes every Tuesday.",
        "The bridge was finished in 1937 and is 2,700 metres long.",
    ],
    "zh": [
        "董事会决定把股息提高百分之四。",
        "诊所每周二接待糖尿病患者。",
        "这座桥于一九三七年建成，长两千七百米。",
    ],
}
QUESTIONS = {
    "en": ["How much more is paid out?", "When are diabetics treated?", "How long is the bridge?"],
    "zh": ["股息会提高多少？", "糖尿病患者什么时候就诊？", "桥有多长？"],
    "ja": [
        "配当はいくら増えますか。",
        "糖尿病の診察はいつですか。",
        "橋の長さはどのくらいですか。",
    ],
    "es": [
        "¿Cuánto sube el dividendo?",
        "¿Cuándo atienden la diabetes?",
        "¿Cuánto mide el puente?",
    ],
    "de": [
        "Wie stark steigt die Dividende?",
        "Wann kommen Zuckerkranke?",
        "Wie lang ist die Brücke?",
    ],
    "ru": ["На сколько вырастут дивиденды?", "Когда принимают диабетиков?", "Какова длина моста?"],
    "ar": ["كم ستزيد الأرباح الموزعة؟", "متى يعالج مرضى السكري؟", "كم يبلغ طول الجسر؟"],
}


@pytest.fixture(scope="module")
def multilingual() -> OnnxEmbedder:
    return OnnxEmbedder(paths.resources() / "models" / NAME)


@pytest.mark.parametrize("told", PASSAGES)
@pytest.mark.parametrize("asked", QUESTIONS)
def test_a_question_finds_the_passage_in_its_own_and_another_language(
    multilingual: OnnxEmbedder, asked: str, told: str
) -> None:
    vectors = multilingual.embed(PASSAGES[told])
    questions = [multilingual.embed_query(question) for question in QUESTIONS[asked]]
    assert (vectors @ np.array(questions).T).argmax(axis=0).tolist() == [0, 1, 2]


def test_a_prefix_reads_as_if_it_stood_before_the_text(multilingual: OnnxEmbedder) -> None:
    tokenizer = multilingual._loaded.get().tokenizer
    for text in ["Who runs the company?", "谁管理公司？", " (4.2 %)", "～"]:
        for prefix in (multilingual.card.query_prefix, multilingual.card.passage_prefix):
            (ids,) = multilingual._encoded([text], multilingual._prefix_ids(prefix))
            assert ids == tokenizer.encode(prefix + text).ids


def test_a_text_of_the_greatest_length_is_read_with_its_prefix(multilingual: OnnxEmbedder) -> None:
    fits = "word " * (multilingual.max_tokens - 2)
    assert multilingual.count_tokens([fits]) == [multilingual.max_tokens - 2]
    (vector,) = multilingual.embed([fits])
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("over", [-3, -2, -1, 0, 1, 500])
def test_a_question_of_any_length_is_read_with_its_longer_prefix(
    multilingual: OnnxEmbedder, over: int
) -> None:
    vector = multilingual.embed_query("word " * (multilingual.max_tokens + over))
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


def test_a_long_draft_is_read_to_its_end(multilingual: OnnxEmbedder) -> None:
    draft = f"Who founded the court? {'It is said that nobody knows. ' * 300}"
    one, other = (multilingual.embed_query(draft + end) for end in ("Anna Berg", "Ivo Klein"))
    assert not np.allclose(one, other, atol=1e-4)


def test_it_is_loaded_by_its_name_alone_and_for_all_its_scripts() -> None:
    embedder = load_embedder(NAME, Settings())
    assert embedder_name(embedder.fingerprint) == NAME
    for text in ("How many?", "有多少？", "Сколько?", "كم؟", "कितने?", "เท่าไร"):
        assert embedder.trust(text) is LanguageSupport.GOOD
    assert embedder_name("/home/ann/model/0123456789ab") == "/home/ann/model"


def test_its_late_interaction_weighs_words_not_signs(multilingual: OnnxEmbedder) -> None:
    question = "Where is the Taj Mahal?"
    weights = multilingual.token_weights(question)
    assert len(weights) == len(multilingual.token_vectors([question])[0])
    assert weights.max() == 1.0
    assert weights.min() == 0.0, "the question mark"
    assert len(set(weights.tolist())) == 3, "function words count little"


def test_its_card_names_source_and_prefixes() -> None:
    card = read_model_card(paths.resources() / "models" / NAME)
    card.check()
    assert card.licence == "MIT"
    assert (card.query_prefix, card.passage_prefix) == ("query: ", "passage: ")


def test_its_heads_each_see_something_else(multilingual: OnnxEmbedder) -> None:
    texts = PASSAGES["en"]
    seen = multilingual.head_vectors(texts)
    assert seen.shape == (3, multilingual.dimensions)
    assert np.linalg.norm(seen, axis=1) == pytest.approx(1.0, abs=1e-5)
    heads = seen.reshape(3, multilingual.heads, -1)
    alike = np.einsum("ahw,bhw->hab", heads, heads)
    assert len({tuple(np.argsort(-each[0])) for each in alike}) > 1, "they order texts differently"
    assert not np.allclose(seen, multilingual.embed(texts), atol=0.1)


def test_what_its_heads_see_does_not_depend_on_the_texts_beside(multilingual: OnnxEmbedder) -> None:
    together = multilingual.head_vectors(PASSAGES["zh"])
    alone = [multilingual.head_vectors([text])[0] for text in PASSAGES["zh"]]
    assert (together == np.array(alone)).all()
    long = "word " * (multilingual.max_tokens + 50)
    whole, heads = multilingual.query_with_heads(long)
    assert whole == pytest.approx(multilingual.embed_query(long), abs=1e-6)
    assert np.linalg.norm(heads) == pytest.approx(1.0, abs=1e-5)


def test_the_older_embedder_does_not_tell_what_its_heads_saw() -> None:
    older = load_embedder("all-minilm-l6-v2", Settings())
    assert isinstance(older, OnnxEmbedder)
    assert older.heads == 0
