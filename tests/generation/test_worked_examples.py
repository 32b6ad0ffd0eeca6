from __future__ import annotations

import re
from dataclasses import fields, replace

import pytest

from desktop_rag.core.language import language
from desktop_rag.core.settings import Answering, Settings
from desktop_rag.generation.citation_markers import numbers_in
from desktop_rag.generation.prompt_builder import PromptBuilder
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.refusal import says_not_found
from desktop_rag.generation.worked_examples import tokens_each, with_examples, worked_examples
from desktop_rag.models.ollama.token_estimate import TokenEstimate
from desktop_rag.models.protocols import Message
from testing.fake_retriever import FakeRetriever

RESEARCH, ANSWERS = ("ircot", "self_ask", "react"), ("answer", "answer_reasoned")
PASSAGE = "The lease ends on 31 March 2027. The deposit is two months' rent."
QUESTION = "When does the lease end?"
OPTION = next(each for each in fields(Answering) if each.name == "examples")


class Counted:
    def __init__(self, context_tokens: int) -> None:
        self.context_tokens = context_tokens

    def estimate_tokens(self, text: str) -> int:
        return TokenEstimate().of(text)


def builder(
    count: int = 2, context: int = 8192, *, only: bool = True, text: str = QUESTION
) -> PromptBuilder:
    settings = Settings(answering=Answering(examples=count, only_documents=only))
    settings = replace(settings, ollama=replace(settings.ollama, answer_tokens=64))
    return PromptBuilder(Counted(context), settings, text, language(text))


@pytest.mark.parametrize("tongue", ["en", "zh"])
@pytest.mark.parametrize("kind", [*RESEARCH, *ANSWERS])
def test_what_is_shipped_is_in_its_language_and_each_once(kind: str, tongue: str) -> None:
    shipped = worked_examples(kind, tongue)
    assert len(shipped) == (2 if kind in ANSWERS else 3)
    assert len(set(shipped)) == len(shipped)
    asked = [re.search(r"(?:Question: |问题：)(.+)", each) for each in shipped]
    assert all(found and language(found[1]) == tongue for found in asked)
    assert not any("<passage" in each or "---" in each for each in shipped)


@pytest.mark.parametrize("tongue", ["en", "zh"])
@pytest.mark.parametrize("kind", ANSWERS)
def test_one_answer_cites_each_passage_and_the_other_is_a_refusal(kind: str, tongue: str) -> None:
    cited, refusal = worked_examples(kind, tongue)
    passages, answer = re.split(r"Answer: |答案：", cited, maxsplit=1)
    assert set(numbers_in(answer)) == {1, 2}
    assert len(re.findall(r"^(?:Passage|段落) \d", passages, re.MULTILINE)) == 2
    assert refusal.endswith(Prompts(tongue).not_found)
    assert says_not_found(re.split(r"Answer: |答案：", refusal, maxsplit=1)[1])


@pytest.mark.parametrize("tongue", ["en", "zh"])
@pytest.mark.parametrize("kind", [*RESEARCH, *ANSWERS])
def test_the_price_is_what_the_shipped_texts_take(kind: str, tongue: str) -> None:
    shipped, prompts = worked_examples(kind, tongue), Prompts(tongue)
    whole = TokenEstimate().of(with_examples("Rules.", shipped, prompts))
    added = (whole - TokenEstimate().of("Rules.")) / len(shipped)
    assert tokens_each(kind, tongue) == pytest.approx(added, abs=11)
    if kind in ANSWERS:
        assert "about 110 tokens" in OPTION.metadata["effect"]
        assert tokens_each(kind, tongue) == pytest.approx(110, abs=10)


def test_a_language_without_examples_takes_the_english_ones() -> None:
    assert worked_examples("ircot", "ja") == worked_examples("ircot", "en")


@pytest.mark.parametrize(
    ("text", "manner", "kind"),
    [
        (QUESTION, "answer/brief", "answer"),
        (QUESTION, "answer/chain_of_thought", "answer_reasoned"),
        ("租约什么时候到期？", "answer/brief", "answer"),
    ],
)
def test_an_answer_is_asked_for_behind_examples_in_the_questions_language(
    text: str, manner: str, kind: str
) -> None:
    (passage,) = FakeRetriever(PASSAGE).passages
    prompt = builder(text=text).answer([passage], manner)
    rules, asked = (each.content for each in prompt.messages)
    shown = worked_examples(kind, language(text))
    assert all(each in rules for each in shown)
    assert rules.index(shown[0]) < rules.index(shown[1])
    assert PASSAGE in asked
    assert asked.index(PASSAGE) < asked.index(text)
    assert prompt.sources == (passage,)
    assert not any(each in asked for each in shown)


@pytest.mark.parametrize(("only", "count"), [(True, 2), (False, 1)])
def test_a_refusal_is_no_example_where_the_model_may_say_what_it_knows(
    only: bool, count: int
) -> None:
    passages = FakeRetriever(PASSAGE).passages
    rules = builder(only=only).answer(passages, "answer/brief").messages[0].content
    assert sum(each in rules for each in worked_examples("answer", "en")) == count


def test_without_passages_or_the_setting_there_are_no_examples() -> None:
    passages = FakeRetriever(PASSAGE).passages
    assert OPTION.default == 0
    for prompt in (
        builder(only=False).answer((), "answer/brief"),
        builder(0).answer(passages, "answer/brief"),
    ):
        assert "Worked examples" not in prompt.messages[0].content


def test_an_answer_that_goes_on_has_them_too() -> None:
    passages = FakeRetriever(PASSAGE).passages
    prompt = builder().go_on(passages, "answer/brief", "It ends", ())
    assert "Worked examples" in prompt.messages[0].content
    other = builder().go_on(passages, "flare_instruct/search_marks", "", ())
    assert "Worked examples" not in other.messages[0].content


def test_what_does_not_fit_is_left_out_the_last_example_first() -> None:
    passages = FakeRetriever(*(f"{PASSAGE} {'It is so. ' * 60}{n}" for n in range(3))).passages
    seen = []
    for context in range(4000, 200, -20):
        prompt = builder(2, context).answer(passages, "answer/brief")
        rules = prompt.messages[0].content
        shown = [each in rules for each in worked_examples("answer", "en")]
        told = [each for each in prompt.dropped if "worked examples" in each]
        seen.append(tuple(shown))
        assert shown != [False, True]
        assert told == ([] if all(shown) else [f"{2 - sum(shown)} of 2 worked examples"])
        if any(shown):  # what was found goes before them
            assert len(prompt.sources) == 3
            assert all(each.text in prompt.messages[1].content for each in passages)
    assert list(dict.fromkeys(seen)) == [(True, True), (True, False), (False, False)]


def test_examples_leave_the_conversation_its_share() -> None:
    history = (Message("user", "What is this?"), Message("assistant", "A lease. " * 20))
    made = replace(builder(2, 4000), history=history)
    prompt = made.answer(FakeRetriever(PASSAGE).passages, "answer/brief")
    assert [each.role for each in prompt.messages] == ["system", "user", "assistant", "user"]
