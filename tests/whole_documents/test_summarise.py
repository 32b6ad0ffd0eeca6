"""Summaries of whole documents, with a language model and without."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.catalog.stored_answer import read_answer
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.core.events import Answer, ModelCall, Notice, NoticeCode, Step
from testing.ollama_double import OllamaDouble
from testing.ollama_double.quoting import passages_in
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.script import Script
from tests.whole_documents.documents_setup import HEAD, DocumentsSetup, assert_cited


def told_of_each(request: Recorded) -> str:
    """Say the first sentence of every passage, with its number."""
    told = ((n, text.partition(".")[0].split("\n")[-1]) for n, text in passages_in(request.prompt))
    return "\n".join(f"{text}. [{n}]" for n, text in told)


@pytest.mark.parametrize("names", [("first.md",), ("long.md",), ("合同.md",), ()])
def test_without_a_model_every_sentence_is_a_quote_with_its_place(
    bare: DocumentsSetup, names: tuple[str, ...]
) -> None:
    answer = bare.answer("summarise", *names)
    assert (answer.mode, answer.model, answer.strategy) == ("extracted", None, "summarise")
    assert_cited(answer, bare.workspace)
    for each in answer.citations:
        assert " ".join(each.quote.split()) in answer.text


def test_all_parts_of_a_long_document_are_covered_and_its_page_heads_are_not_quoted(
    bare: DocumentsSetup,
) -> None:
    answer = bare.answer("summarise", "long.md")
    places = [each.locator.start or 0 for each in answer.citations]
    length = bare.workspace.catalog.document_queries.length(answer.sources[0].document_id) or 1
    assert {4 * each // length for each in places} == {0, 1, 2, 3}
    assert HEAD not in answer.text
    assert 8 <= len(answer.citations) <= 30


def test_a_longer_document_has_a_longer_summary(bare: DocumentsSetup) -> None:
    short = bare.answer("summarise", "garden.md")
    long = bare.answer("summarise", "long.md")
    assert len(short.citations) < len(long.citations)
    assert short.passages < long.passages


def test_several_documents_have_a_heading_each(bare: DocumentsSetup) -> None:
    answer = bare.answer("summarise", "first.md", "garden.md")
    assert answer.text.startswith("## first.md\n")
    assert "\n## garden.md\n" in answer.text
    assert_cited(answer, bare.workspace)


def test_the_model_reads_every_passage_and_the_cost_is_said_before(
    modelled: DocumentsSetup, double: OllamaDouble
) -> None:
    double.otherwise = told_of_each
    events = modelled.events("summarise", "long.md")
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.mode == "generated"
    assert_cited(answer, modelled.workspace)
    first = next(each for each in events if isinstance(each, Notice))
    assert str(answer.passages) in first.text
    calls = [each for each in events if isinstance(each, ModelCall)]
    assert [each.purpose for each in calls][-1] == "summarise"
    windows = [each for each in events if isinstance(each, Step) and each.name == "reading"]
    assert len(windows) > 1
    notes = [each.purpose for each in calls].count("take notes")
    assert notes >= len(windows)
    told = " ".join(each.prompt for each in double.chats)
    whole = modelled.workspace.catalog.documents
    number = answer.sources[0].document_id
    for chunk in whole.chunks(number):
        assert chunk.text.splitlines()[-1] in told


def test_notes_are_joined_under_the_passages_that_they_rest_on(
    modelled: DocumentsSetup, double: OllamaDouble
) -> None:
    double.otherwise = told_of_each
    answer = modelled.answer("summarise", "long.md")
    last = double.chats[-1].prompt
    assert "notes on them" in last
    assert len(answer.sources) > 1
    assert all("number" not in each.text[:8] for each in answer.sources)
    assert all(each.text in _text_of(modelled, each.path) for each in answer.sources)


def _text_of(made: DocumentsSetup, path: str) -> str:
    files = made.workspace.catalog.files.under(made.workspace.catalog.kbs.get("default").id, path)
    assert files[0].document_id is not None
    return made.workspace.catalog.documents.text(files[0].document_id)


def test_what_no_passage_supports_is_left_out_and_said(
    modelled: DocumentsSetup, double: OllamaDouble
) -> None:
    double.say(
        "The monthly rent is 1,200 EUR. [1]\nThe moon is made of green cheese and honey. [1]\n"
        "The rent is 9,999 EUR, due on the 3rd day of each month. [1]"
    )
    events = modelled.events("summarise", "first.md")
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.text == "The monthly rent is 1,200 EUR. [1]"
    assert any("were left out: 2." in e.text for e in events if isinstance(e, Notice))


def test_where_nothing_is_supported_quotes_stand_instead(
    modelled: DocumentsSetup, double: OllamaDouble
) -> None:
    double.otherwise = "The moon is made of green cheese and honey. [1]"
    answer = modelled.answer("summarise", "first.md")
    assert answer.mode == "extracted"
    assert "cheese" not in answer.text
    assert_cited(answer, modelled.workspace)


def test_numbers_of_a_second_document_are_its_own(
    modelled: DocumentsSetup, double: OllamaDouble
) -> None:
    double.otherwise = told_of_each
    answer = modelled.answer("summarise", "first.md", "garden.md")
    assert_cited(answer, modelled.workspace)
    garden = answer.text.partition("## garden.md")[2]
    names = {
        Path(answer.sources[each.n - 1].path).name
        for each in answer.citations
        if " ".join(each.quote.split())[:20] in garden
    }
    assert names == {"garden.md"}


def test_a_model_that_breaks_off_leaves_its_notes(
    modelled: DocumentsSetup, double: OllamaDouble
) -> None:
    calls = 0

    def fails_at_the_third(request: Recorded) -> str | Script:
        nonlocal calls
        calls += 1
        return told_of_each(request) if calls < 3 else Script(status=500, error="out of memory")

    double.otherwise = fails_at_the_third
    events = modelled.events("summarise", "long.md")
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.mode == "generated"
    assert any(e.says(NoticeCode.BROKEN_OFF) for e in events if isinstance(e, Notice))
    assert_cited(answer, modelled.workspace)


def test_a_model_that_fails_at_once_leaves_quotes(
    modelled: DocumentsSetup, double: OllamaDouble
) -> None:
    double.otherwise = Script(status=500, error="out of memory")
    answer = modelled.answer("summarise", "first.md", "garden.md")
    assert answer.mode == "extracted"
    assert_cited(answer, modelled.workspace)


def test_stop_keeps_the_notes_that_had_come(modelled: DocumentsSetup, double: OllamaDouble) -> None:
    double.otherwise = told_of_each
    request = modelled.request("summarise", "long.md", new_chat=True)
    token = CancelToken()
    steps = perform(modelled.workspace, request, token)
    while "Window 2 " not in str(getattr(next(steps), "text", "")):
        pass
    token.cancel()
    with pytest.raises(Cancelled):
        list(steps)
    chats = modelled.workspace.catalog.chats.all()
    _, text, payload = modelled.kept(chats[0].id)
    kept = read_answer(payload)
    assert kept.mode == "stopped"
    assert "[1]" in text
    assert kept.sources
    assert kept.task is not None
    assert kept.task.paths == (modelled.path("long.md"),)


def test_it_is_kept_in_a_conversation_with_what_was_asked(bare: DocumentsSetup) -> None:
    answer = bare.answer("summarise", "first.md", new_chat=True)
    asked, text, payload = bare.kept(answer.chat_id)
    kept = read_answer(payload)
    assert (asked, text) == ("Summarise first.md", answer.text)
    assert (kept.citations, kept.strategy) == (answer.citations, "summarise")
    assert kept.task is not None
    assert [Path(path).name for path, _ in kept.task.documents] == ["first.md"]


def test_a_conversation_goes_on_asking_what_it_asked(bare: DocumentsSetup) -> None:
    chats = bare.workspace.catalog.chats
    bare.workspace.catalog.kbs.ensure("other")
    chat = chats.create("talk", ("default", "other"))
    bare.answer("summarise", "first.md", chat_id=int(chat))
    assert chats.get(chat).kbs == ("default", "other")
    assert bare.kept(int(chat))[0] == "Summarise first.md"


def test_a_path_that_is_not_known_or_holds_no_text_is_said(bare: DocumentsSetup) -> None:
    with pytest.raises(UserError, match=r"is not indexed\. Add it with `index` first"):
        bare.answer("summarise", "nowhere.md")
