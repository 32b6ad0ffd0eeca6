"""Answers that are kept part by part, while the passages change."""

from dataclasses import replace

from desktop_rag.core.events import Notice, Token
from desktop_rag.core.settings import Answering, Settings
from desktop_rag.models.protocols import Message
from desktop_rag.strategies.crag import strips_of
from testing.fake_retriever import FakeRetriever, passages
from testing.ollama_double import OllamaDouble
from testing.ollama_double.models import CHAT
from tests.strategies.conftest import MODEL, Begin, finished

QUESTION = "Where was the founder of the Lighthouse company born?"
FOUNDED, BORN = "Anna Berg founded the Lighthouse company.", "Anna Berg was born in Oslo."


def numbers(prompt: str, text: str) -> str:
    before = prompt[: prompt.index(text)]
    return before[before.rindex('number="') :].split('"')[1]


def test_a_passage_keeps_its_number_when_passages_are_replaced(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say("Anna Berg founded it [1].", " She was born in Oslo [2].")
    retriever = FakeRetriever(FOUNDED, BORN)
    research = begin(retriever, QUESTION)
    first, second = passages(FOUNDED, BORN)
    finished(research.search(QUESTION, "the question", 2))
    _, said = finished(research.go_on([first], "draft"))
    events, _ = finished(research.keep(said.text))
    _, more = finished(research.go_on([second], "draft"))
    events += finished(research.keep(f" {more.text}"))[0]
    _, outcome = finished(research.written())
    assert [numbers(double.chats[0].prompt, FOUNDED)] == ["1"]
    assert FOUNDED not in double.chats[1].prompt
    assert numbers(double.chats[1].prompt, BORN) == "2"
    assert double.chats[1].prefill == "Anna Berg founded it [1]."
    assert [source.text for source in outcome.sources] == [FOUNDED, BORN]
    assert outcome.text == "".join(event.text for event in events if isinstance(event, Token))


def test_a_draft_that_is_not_kept_is_continued_and_not_shown(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say("She was born in Oslo [1].", "So she is Norwegian.")
    research = begin(FakeRetriever(BORN), QUESTION)
    finished(research.keep("It was Anna Berg."))
    _, said = finished(research.go_on(passages(BORN), "draft"))
    events, _ = finished(research.go_on(passages(BORN), "draft", draft=f" {said.text}"))
    assert double.chats[1].prefill == "It was Anna Berg. She was born in Oslo [1]."
    assert not [event for event in events if isinstance(event, Token)]
    assert research.tally.written == "It was Anna Berg."


def test_what_a_server_says_of_every_call_is_told_once(double: OllamaDouble, begin: Begin) -> None:
    strange = "{{ range .Messages }}{{ .Role }}: {{ .Content }}{{ end }}"
    double.models[MODEL] = replace(CHAT, name=MODEL, template=strange)
    double.otherwise = "She was Norwegian."
    research = begin(FakeRetriever(BORN), QUESTION)
    events = []
    for _ in range(3):
        events += finished(research.go_on(passages(BORN), "draft", draft="It was Anna, who"))[0]
    told = [event.text for event in events if isinstance(event, Notice)]
    assert len(told) == 1
    assert "starts half-written answers over" in told[0]


def test_two_strips_of_one_chunk_have_two_numbers(double: OllamaDouble, begin: Begin) -> None:
    double.say("Anna Berg founded it [1]. She was born in Oslo [2].")
    (whole,) = passages(f"{FOUNDED} {BORN}")
    strips = [strip.as_passage() for strip in strips_of([whole], 1)]
    research = begin(FakeRetriever(FOUNDED), QUESTION)
    finished(research.search(QUESTION, "the question", 1))
    _, outcome = finished(research.answer(strips))
    assert [source.text for source in outcome.sources] == [FOUNDED, BORN]
    assert numbers(double.chats[0].prompt, BORN) == "2"


def test_what_was_written_without_evidence_is_a_refusal(begin: Begin) -> None:
    research = begin(FakeRetriever(evidence=0.0), QUESTION)
    finished(research.keep("She was born in Oslo."))
    assert finished(research.written())[1].mode == "refused"


def test_the_model_may_know_it_where_not_only_documents_count(begin: Begin) -> None:
    settings = Settings(answering=Answering(only_documents=False))
    research = begin(FakeRetriever(), QUESTION, settings=settings)
    finished(research.keep("She was born in Oslo."))
    outcome = finished(research.written())[1]
    assert (outcome.mode, outcome.text) == ("generated", "She was born in Oslo.")


def test_room_is_what_messages_leave_of_the_context(begin: Begin) -> None:
    research = begin(FakeRetriever(), QUESTION)
    empty = research.room(())
    some = research.room([Message("user", "word " * 500)])
    assert 0 < some < empty
    assert research.room([Message("user", "word " * 50_000)]) == 0


def test_rules_of_a_strategys_own_continue_a_beginning(double: OllamaDouble, begin: Begin) -> None:
    double.say(" So she is Norwegian.")
    research = begin(FakeRetriever(), QUESTION)
    _, said = finished(research.write(passages(BORN), "thought", "Think.", "She was born in Oslo."))
    (request,) = double.chats
    assert request.said("system") == "Think."
    assert request.prefill == "She was born in Oslo."
    assert said.text == "So she is Norwegian."


def test_a_strategys_own_rules_see_passages_as_given_a_draft_by_the_setting(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say("So.", "So.")
    research = begin(FakeRetriever(), QUESTION)
    finished(research.write(passages(FOUNDED, BORN), "thought", "Think."))
    finished(research.think(passages(FOUNDED, BORN), "draft"))
    given, reverse = (chat.prompt for chat in double.chats)
    assert given.index(FOUNDED) < given.index(BORN)
    assert reverse.index(BORN) < reverse.index(FOUNDED)
