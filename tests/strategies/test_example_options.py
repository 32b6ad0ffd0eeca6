"""Worked examples before the passages: their form, their place, and that none is ever cited."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.core.events import Notice
from desktop_rag.core.settings import Settings
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.worked_examples import tokens_each, worked_examples
from desktop_rag.strategies import registry
from desktop_rag.strategies.ircot import Ircot
from desktop_rag.strategies.react import React
from desktop_rag.strategies.self_ask import SelfAsk
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from testing.ollama_double.quoting import passages_in
from tests.commands.ask_setup import COURT, TEA, AskSetup
from tests.strategies.conftest import Begin, finished

QUESTION = "Who supplies the lifts of the Marlow building?"
CHINESE = "马洛大厦的电梯由谁供应？"
FOUND = "The lifts of the Marlow building are supplied by Berg Lifts."
CHINESE_FOUND = "马洛大厦的电梯由恒升公司供应。"
ANSWER = "They are supplied by Berg Lifts [1]."
REPLIES: dict[type[Any], tuple[str, ...]] = {
    Ircot: ("So the answer is: Berg Lifts.", ANSWER),
    SelfAsk: ("No.\nSo the final answer is: Berg Lifts.", ANSWER),
    React: ("I look.\nAction 1: Search[lifts]", "It is there.\nAction 2: Finish[Berg]", ANSWER),
}
KINDS = pytest.mark.parametrize("kind", REPLIES, ids=lambda each: each.name)
WITH = "Worked examples"


def labels(tongue: str) -> list[str]:
    return Prompts(tongue).text("self_ask/labels").splitlines()


@pytest.mark.parametrize(("text", "found"), [(QUESTION, FOUND), (CHINESE, CHINESE_FOUND)])
@KINDS
def test_examples_stand_behind_the_rules_and_before_passages_and_question(
    double: OllamaDouble, begin: Begin, kind: type[Any], text: str, found: str
) -> None:
    sought = "电梯" if text == CHINESE else "lifts"
    double.say(*(each.replace("lifts", sought) for each in REPLIES[kind]))
    research = begin(FakeRetriever(found), text)
    _, outcome = finished(kind(examples=2, k=1).run(research.question, research))
    *calls, answer = double.chats
    first, second, third = worked_examples(kind.name, research.question.language)
    for call in calls:
        rules = call.said("system")
        assert rules.index(first) < rules.index(second)
        assert third not in call.prompt
        assert call.prompt.count(first) == 1
        assert call.prompt.index(second) < call.prompt.rindex(text)
        shown = [each for _, each in passages_in(call.prompt)]
        assert shown in ([], [found])
        if shown:
            assert call.prompt.index(second) < call.prompt.index(found)
    assert first not in answer.prompt
    assert [each.text for each in outcome.sources] == [found]


@pytest.mark.parametrize("name", ["single_pass", "single_pass_cot", *(k.name for k in REPLIES)])
def test_what_a_model_copies_from_an_example_is_no_citation(
    double: OllamaDouble, tmp_path: Path, name: str
) -> None:
    setup = AskSetup(tmp_path, double.url)
    answering = replace(setup.settings.answering, examples=2, strategy=name)
    setup.settings = replace(setup.settings, answering=answering)
    copied = "The supplier of the Kelbrook boilers is Harrow Heating [1]. It has nine justices [1]."
    double.otherwise = copied
    options = {"examples": "3"} if name in {kind.name for kind in REPLIES} else {}
    answer = setup.answer(strategy=name, options=options)
    setup.catalog.close()
    rules = double.chats[-1].said("system")
    assert "Harrow Heating [1]" in rules
    assert [each.quote for each in answer.citations]
    assert all(each.quote in answer.sources[each.n - 1].text for each in answer.citations)
    assert {source.text for source in answer.sources} <= {COURT, TEA}


@KINDS
def test_none_is_shown_by_default(double: OllamaDouble, begin: Begin, kind: type[Any]) -> None:
    double.say(*REPLIES[kind])
    research = begin(FakeRetriever(FOUND), QUESTION)
    finished(kind(k=1).run(research.question, research))
    assert not any(WITH in chat.prompt for chat in double.chats)


@KINDS
def test_they_are_left_out_where_there_is_no_room_for_them(
    double: OllamaDouble, begin: Begin, kind: type[Any]
) -> None:
    double.say(*REPLIES[kind])
    settings = Settings()
    settings = replace(settings, ollama=replace(settings.ollama, num_ctx=1024, answer_tokens=256))
    research = begin(FakeRetriever(f"{FOUND} {'It is so. ' * 100}"), QUESTION, settings=settings)
    events, _ = finished(kind(examples=3, k=1).run(research.question, research))
    notices = [event.text for event in events if isinstance(event, Notice)]
    told = [each for each in notices if "worked examples" in each]
    assert told
    assert told[0].startswith("Not everything fits the model's context: ")
    assert worked_examples(kind.name, "en")[2] not in "".join(c.prompt for c in double.chats)


@KINDS
def test_their_price_is_listed(kind: type[Any]) -> None:
    (listed,) = (e for e in registry.described(kind)["options"] if e["name"] == "examples")
    assert listed["default"] == 0
    assert listed["high"] == len(worked_examples(kind.name, "en"))
    assert listed["tokens_each"] == {each: tokens_each(kind.name, each) for each in ("en", "zh")}
    assert all(70 <= price <= 300 for price in listed["tokens_each"].values())
    others = [e for e in fields(kind) if e.name != "examples"]
    assert not any(registry.prices(each) for each in others)


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_the_examples_of_self_ask_are_in_the_form_that_is_read(tongue: str) -> None:
    needed, follow_up, intermediate, final = labels(tongue)
    for each in worked_examples("self_ask", tongue):
        _, begun, *turns, end = each.splitlines()
        assert begun.startswith(needed)
        assert all(one.startswith(follow_up) for one in turns[::2])
        assert all(one.startswith(intermediate) for one in turns[1::2])
        assert len(turns[::2]) == len(turns[1::2])
        assert end.startswith(final)


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_the_examples_of_react_are_in_the_form_that_is_read(tongue: str) -> None:
    prompts = Prompts(tongue)
    for each in worked_examples("react", tongue):
        steps = re.findall(r"(?:Action|行动) (\d)[:：] ?(Search|Lookup|Finish)\[.+\]", each)
        assert [number for number, _ in steps] == [str(n) for n in range(1, len(steps) + 1)]
        assert [name for _, name in steps].index("Finish") == len(steps) - 1
        for n in range(1, len(steps) + 1):
            assert prompts.text("react/thought", number=str(n)) in each
            seen = prompts.text("react/observation", number=str(n), seen="")
            assert (seen.strip() in each) is (n < len(steps))


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_the_examples_of_ircot_reason_from_their_paragraphs_to_an_answer(tongue: str) -> None:
    ends = {"en": "So the answer is: ", "zh": "所以答案是："}
    for each in worked_examples("ircot", tongue):
        assert len(re.findall(r"^(?:Paragraph: |段落：)", each, re.MULTILINE)) == 2
        chain = re.split(r"Reasoning: |推理：", each)[1]
        assert chain.count(ends[tongue]) == 1


def test_the_label_of_the_examples_is_no_part_of_a_thought(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say("Reasoning: The supplier is Berg Lifts.", *REPLIES[Ircot])
    retriever = FakeRetriever(FOUND)
    research = begin(retriever, QUESTION)
    finished(Ircot(k=1, examples=1).run(research.question, research))
    assert [each.text for each in retriever.queries] == [QUESTION, "The supplier is Berg Lifts."]
