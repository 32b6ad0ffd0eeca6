"""Documents that are taken out leave the answers over whole documents, too."""

from __future__ import annotations

import pytest

from desktop_rag.catalog.stored_answer import read_answer
from desktop_rag.core.catalog_records import REMOVED_TITLE
from desktop_rag.core.events import Answer
from desktop_rag.core.sentences import sentences
from testing.ollama_double import OllamaDouble
from tests.whole_documents.documents_setup import DocumentsSetup


def test_a_table_loses_the_row_and_keeps_the_others(bare: DocumentsSetup) -> None:
    names = ("first.md", "second.md", "garden.md")
    made = bare.answer("each", *names, question="How high is the monthly rent?", new_chat=True)
    bare.remove("first.md")
    asked, text, payload = bare.kept(made.chat_id)
    kept = read_answer(payload)
    assert text.splitlines()[2] == f"| {REMOVED_TITLE} | – |"
    assert text.splitlines()[3:] == made.text.splitlines()[3:]
    assert "first.md" not in asked + payload
    assert "1,200" not in text + payload
    (citation,) = kept.citations
    assert citation.path == bare.path("second.md")
    assert "1,350" in sentences(text)[citation.sentence].of(text)


@pytest.mark.parametrize(("action", "names"), [("summarise", ()), ("compare", ("second.md",))])
def test_quotes_of_a_removed_document_go(
    bare: DocumentsSetup, action: str, names: tuple[str, ...]
) -> None:
    made = bare.answer(action, "first.md", *names, new_chat=True)
    bare.remove("first.md")
    asked, text, payload = bare.kept(made.chat_id)
    for gone in ("1,200", "Pets", "first.md"):
        assert gone not in asked + text + payload


@pytest.mark.parametrize("action", ["summarise", "each"])
def test_a_document_that_goes_meanwhile_does_no_harm(bare: DocumentsSetup, action: str) -> None:
    steps = bare.start(action, "first.md", "second.md", question="How high is the monthly rent?")
    next(steps)
    bare.remove("second.md")
    *_, last = steps
    assert isinstance(last, Answer)
    assert "1,350" not in last.text
    assert last.citations


def test_what_a_model_wrote_stays_without_names_and_quotes(
    modelled: DocumentsSetup, double: OllamaDouble
) -> None:
    double.say("The monthly rent is 1,200 EUR. [1]", "The moon is a cheese of green honey. [1]")
    made = modelled.answer("summarise", "first.md", "second.md", new_chat=True)
    assert made.mode == "generated"
    assert "“" in made.text.partition("## second.md")[2]
    modelled.remove("second.md")
    _, text, payload = modelled.kept(made.chat_id)
    assert "The monthly rent is 1,200 EUR. [1]" in text
    assert f"## {REMOVED_TITLE}" in text
    assert "1,350" not in text + payload
    assert "second.md" not in text + payload
