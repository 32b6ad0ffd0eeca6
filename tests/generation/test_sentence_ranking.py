from collections.abc import Sequence

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.generation.sentence_ranking import SentenceRanking
from desktop_rag.models.protocols import LanguageSupport, Vectors, script_support

SENTENCES = [
    "The court sits in Washington.",
    "The court is currently filled with nine justices.",
    "Tea is grown in the hills.",
]


class Axes:
    """An embedder of two meanings: what speaks of judges, and everything else."""

    fingerprint = "axes"
    dimensions = 2
    max_tokens = 256

    def trust(self, text: str) -> LanguageSupport:
        return script_support({"latin"}, text)

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:  # noqa: ARG002
        return np.asarray([[1, 0] if "judge" in t or "justice" in t else [0, 1] for t in texts])

    def embed_query(self, text: str) -> Vectors:
        return self.embed([text])[0]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


def test_the_sentence_with_the_rare_words_comes_first() -> None:
    scores = SentenceRanking(SENTENCES, None).scores("How many justices are there?")
    assert int(np.argmax(scores.order)) == 1


def test_another_word_for_it_is_found_by_the_embedder() -> None:
    question = "How many judges?"
    without = SentenceRanking(SENTENCES, None).scores(question)
    assert float(without.order.max()) == 0.0
    found = SentenceRanking(SENTENCES, Axes()).scores(question)
    assert int(np.argmax(found.order)) == 1


def test_an_embedder_is_not_asked_about_a_script_it_does_not_know() -> None:
    chinese = ["法院有九名大法官。", "茶树长在山上。"]
    scores = SentenceRanking(chinese, Axes()).scores("大法官有多少名？")
    assert int(np.argmax(scores.order)) == 0
    assert np.array_equal(scores.strength, scores.coverage)


def test_strength_is_full_for_the_same_words_and_none_for_others() -> None:
    scores = SentenceRanking(SENTENCES, None).scores("Tea is grown in the hills")
    assert scores.strength[2] == 1.0
    assert scores.strength[0] == 0.0


def test_a_word_that_no_sentence_has_is_missing_from_the_strength() -> None:
    ranking = SentenceRanking(SENTENCES, None)
    assert ranking.scores("tea grown in Ceylon").strength[2] < ranking.scores("tea").strength[2]


def test_one_sentence_alone_can_be_ranked() -> None:
    assert SentenceRanking(SENTENCES[:1], None).scores("court").order[0] > 0
    assert len(SentenceRanking([], None).scores("court").order) == 0
