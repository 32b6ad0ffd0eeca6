from collections.abc import Sequence
from typing import cast

import pytest

from desktop_rag.models.protocols import Embedder
from desktop_rag.strategies.query_builder import clean_query, fit_to_embedder


class Words:
    """Counts words, or, where there is no space, characters; reads twenty."""

    max_tokens = 20

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) if " " in text.strip() else len(text) for text in texts]


WORDS = cast("Embedder", Words())
QUESTION = "who founded the lighthouse company"


def test_a_query_that_fits_stays_as_it_is() -> None:
    assert fit_to_embedder(f"{QUESTION} Anna did", QUESTION, WORDS) == f"{QUESTION} Anna did"
    assert fit_to_embedder("long " * 100, "", None) == "long " * 100


def test_a_long_query_loses_its_middle_and_keeps_the_question() -> None:
    thought = " ".join(f"w{n}" for n in range(200))
    cut = fit_to_embedder(f"{QUESTION} {thought}", QUESTION, WORDS)
    assert cut.startswith(f"{QUESTION} w0 w1 ")
    assert cut.endswith(" w198 w199")
    assert "w100" not in cut
    assert 18 <= len(cut.split()) <= Words.max_tokens


def test_words_are_not_cut_in_two() -> None:
    thought = " ".join(f"word{n}" for n in range(200))
    cut = fit_to_embedder(f"{QUESTION} {thought}", QUESTION, WORDS)
    assert set(cut.split()) <= set(f"{QUESTION} {thought} …".split())


def test_a_query_without_spaces_is_cut_between_characters() -> None:
    cut = fit_to_embedder("一" * 10 + "二" * 80 + "三" * 10, "", WORDS)
    assert cut.startswith("一")
    assert cut.endswith("三")


@pytest.mark.parametrize("question", [QUESTION, " ".join(["why"] * 40)])
def test_the_question_is_never_cut(question: str) -> None:
    assert fit_to_embedder(f"{question} {'x ' * 100}", question, WORDS).startswith(question)


def test_a_generated_text_becomes_one_line_without_sources_or_quotes() -> None:
    assert clean_query('"Who founded\n it [1]  then? [Source 2]"') == "Who founded it then?"
    assert clean_query("[1]\n") == ""


@pytest.mark.parametrize(
    "said",
    [
        "Question: Who led the project?",
        'Search query: "Who led the project?"',
        "Question 2: Who led the project?",
        "**Query:** Who led the project?",
    ],
)
def test_what_a_model_calls_its_query_is_no_part_of_it(said: str) -> None:
    assert clean_query(said) == "Who led the project?"


def test_a_label_alone_and_a_word_that_is_none_stay() -> None:
    assert clean_query("问题：谁负责这个项目？") == "谁负责这个项目？"
    assert clean_query("Question:") == "Question:"
    assert clean_query("Question time in the council") == "Question time in the council"
