"""Options of ways that the settings keep: what a question uses of them, and what it leaves out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from desktop_rag.catalog.stored_answer import read_answer
from desktop_rag.commands import list_strategies
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Answer, Event, ListingRow, Notice
from desktop_rag.core.requests import DescribeRequest
from desktop_rag.core.settings import Answering
from desktop_rag.core.types import ChatId
from testing.narrowing import narrow, present
from testing.ollama_double import OllamaDouble
from tests.commands.ask_setup import AskSetup

WAY = "iter_retgen"


def keep(context: AskSetup, options: str, strategy: str = WAY) -> None:
    answering = Answering(strategy=strategy, options=options)
    context.settings = replace(context.settings, answering=answering)


def told(events: Iterable[Event]) -> list[str]:
    return [str(each.text) for each in events if isinstance(each, Notice) and "kept" in each.text]


def test_a_kept_option_holds_where_the_request_names_none(context: AskSetup) -> None:
    assert context.answer(strategy=WAY).searches == 3
    keep(context, "iter_retgen.rounds=2")
    answer = context.answer(strategy=WAY)
    assert (answer.searches, answer.llm_calls, answer.options) == (2, 2, ("rounds=2",))
    assert context.answer().searches == 2, "the settings' own way as well"
    assert context.answer(strategy="single_pass").options == ()


def test_what_the_request_names_comes_first(context: AskSetup) -> None:
    keep(context, "iter_retgen.rounds=2, iter_retgen.k=1")
    answer = context.answer(strategy=WAY, options={"rounds": "4"})
    assert (answer.searches, set(answer.options)) == (4, {"rounds=4", "k=1"})
    assert context.retriever.queries[-1].k == 1


def test_a_request_may_bring_newer_ones_or_none(context: AskSetup) -> None:
    keep(context, "iter_retgen.rounds=2")
    assert context.answer(strategy=WAY, kept_options="iter_retgen.rounds=1").searches == 1
    assert context.answer(strategy=WAY, kept_options="").searches == 3


def test_kept_transforms_are_put_around_the_way(context: AskSetup, double: OllamaDouble) -> None:
    keep(context, "single_pass.transforms=hyde, single_pass.hyde.passages=2")
    double.say("Nine justices sit there.", "The court has nine.", "There are nine justices [1].")
    answer = context.answer(strategy="single_pass")
    assert (answer.llm_calls, answer.transforms) == (3, ("hyde",))
    double.say("Nine justices?", "There are nine justices [1].")
    others = context.answer(strategy="single_pass", transforms=("rewrite",))
    assert (others.llm_calls, others.transforms, others.options) == (2, ("rewrite",), ())


def test_a_presets_own_parts_have_kept_options(context: AskSetup) -> None:
    keep(context, "fast.k=2", "fast")
    answer = context.answer()
    assert (answer.preset, answer.options) == ("fast", ("k=2",))
    assert context.retriever.queries[-1].k == 2
    assert context.answer(preset="fast").options == ("k=2",)


def test_a_composition_of_ones_own_has_nothing_kept(context: AskSetup) -> None:
    keep(context, "fast.k=2, iter_retgen.rounds=2")
    assert context.answer(preset="fast", strategy=WAY).searches == 3


@pytest.mark.parametrize(
    "broken", ["rounds=99", "rounds=many", "gone=1", "hyde.passages=2", "transforms=gone"]
)
def test_what_is_not_possible_is_left_out_and_told_once(context: AskSetup, broken: str) -> None:
    keep(context, f"iter_retgen.{broken}, iter_retgen.k=1")
    events = context.ask(strategy=WAY)
    told_of = f"These kept options are not possible, and left out: iter_retgen.{broken}."
    assert told(events) == [told_of]
    answer = narrow(events[-1], Answer)
    assert (answer.mode, answer.options) == ("generated", ("k=1",))


def test_what_is_kept_of_a_way_that_is_gone_disturbs_nobody(context: AskSetup) -> None:
    keep(context, "vanished.rounds=2")
    assert told(context.ask(strategy=WAY)) == []


def test_a_wrong_option_of_the_request_itself_is_an_error(context: AskSetup) -> None:
    keep(context, "iter_retgen.rounds=2")
    with pytest.raises(UsageError):
        context.ask(strategy=WAY, options={"rounds": "99"})


def test_an_answer_is_kept_with_the_options_that_it_had(context: AskSetup) -> None:
    keep(context, "iter_retgen.rounds=2, iter_retgen.transforms=rewrite")
    answer = context.answer(strategy=WAY, new_chat=True)
    message = context.catalog.chats.messages(ChatId(present(answer.chat_id)))[-1]
    stored = read_answer(message.payload)
    assert (stored.options, stored.transforms) == (("rounds=2",), ("rewrite",))


def test_strategies_are_listed_with_what_is_kept_of_them(context: AskSetup) -> None:
    keep(context, "iter_retgen.rounds=2, iter_retgen.transforms=hyde+verify, react.k=999")
    rows = {
        event.values["name"]: event.values.get("kept")
        for event in list_strategies.run(
            context.workspace, DescribeRequest("strategies"), context.token
        )
        if isinstance(event, ListingRow)
    }
    assert rows[WAY] == {"transforms": "hyde+verify", "rounds": "2"}
    assert {name for name, kept in rows.items() if kept} == {WAY}
