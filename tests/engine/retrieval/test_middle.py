import numpy as np
import pytest

from desktop_rag.engine.models.bilingual import Bilingual
from desktop_rag.engine.models.protocols import Trust
from desktop_rag.engine.retrieval.middle import middle

QUESTION = "Which animal is the biggest on earth?"
MADE = ("The elephant is the largest land animal.", "The whale is the largest animal of all.")


def test_the_vector_is_the_unit_mean_of_the_querys_and_of_each_text(bilingual: Bilingual) -> None:
    found = middle(bilingual, QUESTION, MADE)
    mean = (bilingual.embed_query(QUESTION) + bilingual.embed(MADE).sum(axis=0)) / 3
    assert found.shape == (bilingual.dimensions,)
    assert np.allclose(found, mean / np.linalg.norm(mean), atol=1e-6)
    assert float(np.linalg.norm(found)) == pytest.approx(1.0, abs=1e-6)


def test_without_texts_it_is_the_querys_own(bilingual: Bilingual) -> None:
    assert np.array_equal(middle(bilingual, QUESTION, ()), bilingual.embed_query(QUESTION))


def test_a_text_that_the_model_cannot_read_is_left_out(bilingual: Bilingual) -> None:
    unread = "고래는 가장 큰 동물이다."
    assert bilingual.trust(unread) is Trust.NONE
    assert np.array_equal(
        middle(bilingual, QUESTION, (unread, MADE[0])), middle(bilingual, QUESTION, MADE[:1])
    )
