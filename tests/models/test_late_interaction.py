from __future__ import annotations

import pytest

from desktop_rag.models.late_interaction import LateInteraction
from desktop_rag.models.onnx_embedder import OnnxEmbedder

QUERY = "Which mountain is the highest in Africa?"
GOOD = "Kilimanjaro, in Tanzania, is the highest mountain of Africa."
FAIR = "Mountains are high places."
POOR = "The recipe asks for two eggs and some flour."


def test_the_passage_that_answers_scores_best(embedder: OnnxEmbedder) -> None:
    poor, good, fair = LateInteraction(embedder).score(QUERY, [POOR, GOOD, FAIR])
    assert good > fair > poor


def test_a_score_does_not_depend_on_the_other_passages(embedder: OnnxEmbedder) -> None:
    reranker = LateInteraction(embedder)
    together = reranker.score(QUERY, [POOR, GOOD, FAIR])
    assert together[1] == pytest.approx(reranker.score(QUERY, [GOOD])[0], abs=1e-3)


def test_a_query_without_words_and_an_empty_passage_score_nothing(embedder: OnnxEmbedder) -> None:
    reranker = LateInteraction(embedder)
    assert reranker.score("?!", [GOOD]) == [0.0]
    assert reranker.score(QUERY, [""]) == [0.0]
    assert reranker.score(QUERY, []) == []
