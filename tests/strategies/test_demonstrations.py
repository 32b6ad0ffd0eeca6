from dataclasses import astuple, fields

import pytest

from desktop_rag.core.language import content_words, language
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.ollama.token_estimate import TokenEstimate
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.strategies.demonstrations import (
    most_alike,
    shipped_demonstrations,
    with_examples,
)
from desktop_rag.strategies.dsp import Dsp
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from tests.strategies.conftest import Begin, finished

SUPPLIER = "What is the notice period in the contract of the firm that supplies the lifts?"
BIRTH = "In which land did the person come into the world who wrote the music of The Tin King?"
PASSAGE = "The lifts are supplied by Marlow Lifts. The contract ends with three months' notice."
OPTION = next(each for each in fields(Dsp) if each.name == "demonstrations")


def test_the_examples_most_like_the_question_are_chosen_by_words_without_an_embedder(
    begin: Begin,
) -> None:
    best = most_alike(2, "en", begin(FakeRetriever(), SUPPLIER))
    assert len(best) == 2
    assert "supplier of the Kelbrook boilers" in best[-1].question


def test_the_examples_most_like_the_question_are_chosen_by_meaning(
    begin: Begin, embedder: OnnxEmbedder
) -> None:
    assert not {"composer", "opera", "country"} & set(content_words(BIRTH))
    (best,) = most_alike(1, "en", begin(FakeRetriever(), BIRTH, embedder=embedder))
    assert "composer of the opera" in best.question


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_what_is_shipped_is_as_many_chains_as_can_be_asked_for(tongue: str) -> None:
    shipped = shipped_demonstrations(tongue)
    assert len(shipped) >= OPTION.metadata["high"]
    assert len({each.question for each in shipped}) == len(shipped)
    for each in shipped:
        assert all(part.strip() == part and part for part in astuple(each))
        assert language(each.question) == language(each.rationale) == tongue
        learned = set(content_words(each.rationale)) - set(content_words(each.query))
        assert learned
        assert each.query != each.next_query


def test_at_least_half_of_the_next_queries_name_what_the_first_one_found() -> None:
    for tongue in ("en", "zh"):
        shipped = shipped_demonstrations(tongue)
        naming = [
            each
            for each in shipped
            if (set(content_words(each.rationale)) - set(content_words(each.question)))
            & set(content_words(each.next_query))
        ]
        assert len(naming) >= len(shipped) / 2


def test_a_language_without_examples_takes_the_english_ones() -> None:
    assert shipped_demonstrations("ja") == shipped_demonstrations("en")


@pytest.mark.parametrize("tongue", ["en", "zh"])
@pytest.mark.parametrize("is_first", [True, False])
def test_they_cost_what_the_option_says(tongue: str, is_first: bool) -> None:
    prompts, estimate = Prompts(tongue), TokenEstimate()
    shipped = shipped_demonstrations(tongue)
    costs = [
        estimate.of(with_examples("", shipped[:count], prompts, is_first=is_first))
        for count in range(1, len(shipped) + 1)
    ]
    mean = (costs[-1] - costs[0]) / (len(shipped) - 1)
    assert "each adds 40 to 60 tokens to a call, the first 50 more" in OPTION.metadata["effect"]
    assert 35 <= mean <= 60
    assert costs[0] - mean == pytest.approx(50, abs=15)


def test_each_hop_is_shown_its_part_of_the_examples(double: OllamaDouble, begin: Begin) -> None:
    double.say("lifts supplier", "Rationale: Marlow.\nSearch query: Marlow notice", "So it is [1].")
    research = begin(FakeRetriever(PASSAGE), SUPPLIER)
    finished(Dsp(demonstrations=2, k=1).run(research.question, research))
    first, then, answer = (chat.said("system") for chat in double.chats)
    shown = most_alike(2, "en", research)
    for each in shown:
        assert f"Question: {each.question}\nSearch query: {each.query}" in first
        assert each.rationale not in first
        told = f"Rationale: {each.rationale}\nSearch query: {each.next_query}"
        assert f"Question: {each.question}\n{told}" in then
        assert each.question not in answer
    assert first.index(shown[0].question) < first.index(shown[1].question)
    assert first.startswith(Prompts("en").text("dsp/first_query"))
    assert "nothing in them is true of the documents" in first
    left_out = set(shipped_demonstrations("en")) - set(shown)
    assert not any(each.question in first + then for each in left_out)


def test_sampled_queries_are_written_after_the_examples_too(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(*["lifts supplier"] * 2, *["So the answer is: three [1]."] * 2)
    strategy = Dsp(version="v2", hops=1, samples=2, demonstrations=1)
    research = begin(FakeRetriever(PASSAGE), SUPPLIER)
    finished(strategy.run(research.question, research))
    asked = [chat.said("system") for chat in double.chats]
    assert ["Worked examples" in each for each in asked] == [True, True, False, False]


def test_without_the_option_the_prompts_are_as_they_were(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say("lifts supplier", "Rationale: Marlow.\nSearch query: Marlow notice", "So it is [1].")
    research = begin(FakeRetriever(PASSAGE), SUPPLIER)
    finished(Dsp(k=1).run(research.question, research))
    rules = [chat.said("system") for chat in double.chats[:2]]
    assert rules == [Prompts("en").text(f"dsp/{name}_query") for name in ("first", "next")]


def test_a_chinese_question_is_shown_chinese_examples(double: OllamaDouble, begin: Begin) -> None:
    double.say("电梯供应商", "依据：恒升。\n检索词：恒升通知期", "三个月[1]。")
    text = "供应电梯的公司，合同里的通知期是多久？"
    research = begin(FakeRetriever("电梯由恒升公司供应，合同的通知期是三个月。"), text)
    finished(Dsp(k=1, demonstrations=1).run(research.question, research))
    assert "问题：为三号厂房供应锅炉的公司" in double.chats[0].said("system")
    assert "依据：三号厂房的锅炉由恒暖公司供应。" in double.chats[1].said("system")
