import numpy as np
import pytest

from desktop_rag.models.bilingual_embedder import BilingualEmbedder
from desktop_rag.models.protocols import LanguageSupport
from desktop_rag.retrieval.dense import query_centroid

QUESTION = "Which animal is the biggest on earth?"
MADE = ("The elephant is the largest land animal.", "The whale is the largest animal of all.")


def test_the_vector_is_the_unit_mean_of_the_querys_and_of_each_text(
    bilingual: BilingualEmbedder,
) -> None:
    found = query_centroid(bilingual, QUESTION, MADE)
    mean = (bilingual.embed_query(QUESTION) + bilingual.embed(MADE).sum(axis=0)) / 3
    assert found.shape == (bilingual.dimensions,)
    assert np.allclose(found, mean / np.linalg.norm(mean), atol=1e-6)
    assert float(np.linalg.norm(found)) == pytest.approx(1.0, abs=1e-6)


def test_without_texts_it_is_the_querys_own(bilingual: BilingualEmbedder) -> None:
    assert np.array_equal(query_centroid(bilingual, QUESTION, ()), bilingual.embed_query(QUESTION))


def test_a_text_that_the_model_cannot_read_is_left_out(bilingual: BilingualEmbedder) -> None:
    unread = "고래는 가장 큰 동물이다."
    assert bilingual.trust(unread) is LanguageSupport.NONE
    assert np.array_equal(
        query_centroid(bilingual, QUESTION, (unread, MADE[0])),
        query_centroid(bilingual, QUESTION, MADE[:1]),
    )
