"""Quotes in conversations, of documents that are taken out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.catalog import citation_redaction
from desktop_rag.catalog.citation_redaction import RemovedDocuments
from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import REMOVED_TITLE
from desktop_rag.core.phrases import Phrase, PhraseList, SourceName, dump, load
from desktop_rag.core.types import (
    ChatId,
    ChunkId,
    Citation,
    DocumentId,
    KbId,
    Locator,
    LocatorKind,
    Passage,
)
from testing.sample_answers import passage
from tests.catalog.stored_documents import bytes_hold, document, put

SECRET = "xylophonequartz"
PATH = f"/d/{SECRET}.txt"


SEVENTH = DocumentId(7)


def secret_passage(number: int, document_id: DocumentId = SEVENTH) -> Passage:
    where = Locator(LocatorKind.SHEET, f"sheet {SECRET}")
    made = passage(number, PATH, f"the {SECRET} is hidden here")
    return replace(
        made, document_id=document_id, locator=where, title=f"{SECRET}", section=f"on {SECRET}"
    )


def told(
    catalog: Catalog,
    mode: str,
    text: str,
    *sources: Passage,
    retrieved: Sequence[Passage] = (),
    trace: Sequence[dict[str, Any]] = (),
    notices: Sequence[str] = (),
) -> ChatId:
    """A conversation with one answer, all of whose sources are cited."""
    chat = catalog.chats.create("talk", ())
    catalog.chats.append(chat, "user", "Where?")
    cited = [
        Citation(n, ChunkId(each.chunk_id), each.path, each.locator, each.text, n - 1).as_json()
        for n, each in enumerate(sources, 1)
    ]
    payload = {
        "mode": mode,
        "citations": cited,
        "sources": [asdict(each) for each in sources],
        "retrieved": [asdict(each) for each in retrieved],
        "trace": [{"event": "passages", "query": "Where?", "passages": [[1, 1, True]]}, *trace],
        "notices": list(notices),
        "from_model": [1],
        "text": text,
    }
    catalog.chats.append(chat, "assistant", text, json.dumps(payload, ensure_ascii=False))
    return chat


def answer_of(catalog: Catalog, chat: ChatId) -> tuple[str, dict[str, Any]]:
    message = catalog.chats.messages(chat)[-1]
    return message.text, json.loads(message.payload)


def test_who_quotes_a_document_is_found_by_its_path_and_by_its_number(catalog: Catalog) -> None:
    quoting = told(catalog, "generated", "It is [1].", secret_passage(1))
    beside = told(catalog, "generated", "It is [1].", passage(2), retrieved=(secret_passage(1),))
    told(catalog, "generated", "It is [1].", passage(3))
    for taken in (RemovedDocuments.of([PATH]), RemovedDocuments.of([], [7])):
        assert [each.id for each in catalog.quotes.quoting(taken)] == [beside, quoting]
    assert catalog.quotes.quoting(RemovedDocuments.of(["/d/other.txt"], [99])) == []


def test_a_model_keeps_its_words_and_loses_the_quotes(catalog: Catalog, home: Path) -> None:
    chat = told(
        catalog, "generated", "It is there [1], and here [2].", secret_passage(1), passage(2)
    )
    assert bytes_hold(home, SECRET)
    assert catalog.quotes.forget([PATH]) == 1
    assert bytes_hold(home, SECRET) == []
    text, payload = answer_of(catalog, chat)
    assert text == "It is there [1], and here [2]."
    assert [source["title"] for source in payload["sources"]] == [REMOVED_TITLE, "Report 2"]
    assert [each["n"] for each in payload["citations"]] == [2]
    assert "taken out" in payload["notices"][0]


def test_the_steps_name_no_document_that_was_taken_out(catalog: Catalog, home: Path) -> None:
    """What linked hops tell of a passage: the search that follows it, and what follows on it."""
    query, why = f"Where? {SECRET}", f"what “{SECRET}” leads to"
    follow = {"chunk_id": "1", "by": "name", "name": f"the {SECRET}", "score": 0.8}
    other = {"chunk_id": "3", "by": "words", "name": "", "score": 0.2}
    trace = (
        {"event": "search", "query": "Where?", "why": "the question"},
        {"event": "search", "query": query, "why": why, "at": 0.5},
        {"event": "passages", "query": query, "passages": [[3, 1, True]]},
        {"event": "chain", "chunk_id": "1", "score": 0.6, "follows": [other]},
        {"event": "chain", "chunk_id": "2", "score": 0.4, "follows": [follow, other]},
        {"event": "step", "name": "chain", "text": f"{SECRET} → Report 2 (82%)"},
    )
    sources = (secret_passage(1), passage(2), passage(3))
    chat = told(catalog, "generated", "It is there [2].", *sources, trace=trace)
    catalog.quotes.forget([PATH])
    assert bytes_hold(home, SECRET) == []
    _, plain, search, found, chain, step = answer_of(catalog, chat)[1]["trace"]
    assert plain["query"] == "Where?"
    assert (search["query"], search["why"]) == (
        f"Where? {REMOVED_TITLE}",
        f"what “{REMOVED_TITLE}” leads to",
    )
    assert (search["at"], found["query"]) == (0.5, f"Where? {REMOVED_TITLE}")
    assert chain["follows"] == [other]
    assert step["text"] == f"{REMOVED_TITLE} → Report 2 (82%)"


def test_a_query_made_of_a_document_that_was_taken_out_goes_whole(
    catalog: Catalog, home: Path
) -> None:
    """EfficientRAG's next queries are titles and words of what the rounds before found."""
    made = f"{SECRET} is hidden"
    trace = (
        {"event": "search", "query": "Where?", "why": "round 1"},
        {"event": "search", "query": made, "why": "round 2"},
        {"event": "passages", "query": made, "passages": [[2, 1, True]]},
    )
    chat = told(catalog, "generated", "There [2].", secret_passage(1), passage(2), trace=trace)
    catalog.quotes.forget([PATH])
    assert bytes_hold(home, SECRET) == []
    queries = [line["query"] for line in answer_of(catalog, chat)[1]["trace"]]
    assert queries == ["Where?", "Where?", REMOVED_TITLE, REMOVED_TITLE]


def test_a_query_from_before_a_document_was_found_is_left(catalog: Catalog) -> None:
    trace = (
        {"event": "search", "query": "in other words", "why": "another wording"},
        {"event": "passages", "query": "in other words", "passages": [[1, 1, True]]},
    )
    chat = told(catalog, "generated", "There [1].", passage(1), secret_passage(2), trace=trace)
    catalog.quotes.forget([PATH])
    assert answer_of(catalog, chat)[1]["trace"][1]["query"] == "in other words"


def test_what_did_not_fit_is_named_no_more(catalog: Catalog, home: Path) -> None:
    names = "a.pdf, Project (Nightfall), page 1"
    origin = SourceName(f"{SECRET}.txt, {SECRET}, on {SECRET}, sheet sheet {SECRET}", 1)
    lost = Phrase("part of passage {0} ({1})", 1, origin)
    kept = Phrase("passage {0} ({1})", 2, SourceName(names, 2))
    dropped = ["2 earlier messages of the conversation", lost, kept]
    text = Phrase("Not everything fits the model's context: {0}.", PhraseList(dropped, "; "))
    listed = PhraseList([SourceName("Report 2", 2), SourceName(SECRET, 1)], ", ")
    widened = Phrase("From your knowledge base “{0}”: {1}.", "home", listed)
    trace = (
        {"event": "notice", "text": dump(text)},
        {"event": "call", "dropped": [dump(each) for each in dropped]},
        {"event": "notice", "text": dump(widened)},
        {"event": "step", "name": "summary", "text": f"Source 1: A {SECRET}."},
    )
    both = (secret_passage(1), passage(2))
    notices = (dump(text), dump(widened))
    chat = told(catalog, "generated", "Here [2].", *both, trace=trace, notices=notices)
    catalog.quotes.forget([PATH])
    assert bytes_hold(home, SECRET) == []
    payload = answer_of(catalog, chat)[1]
    left = [dropped[0], f"part of passage 1 ({REMOVED_TITLE})", dropped[2]]
    _, notice, call, other = payload["trace"]
    assert [load(each) for each in call["dropped"]] == left
    said = load(notice["text"])
    assert said == f"Not everything fits the model's context: {'; '.join(left)}."
    assert load(other["text"]) == f"From your knowledge base “home”: Report 2, {REMOVED_TITLE}."
    assert payload["notices"][:2] == [notice["text"], other["text"]]


def test_what_did_not_fit_is_named_no_more_in_conversations_of_version_0_1(
    catalog: Catalog, home: Path
) -> None:
    names = "a.pdf, Project (Nightfall), page 1"
    lost = f"part of passage 1 ({SECRET}.txt, {SECRET}, on {SECRET}, sheet sheet {SECRET})"
    dropped = ["2 earlier messages of the conversation", lost, f"passage 2 ({names})"]
    text = f"Not everything fits the model's context: {'; '.join(dropped)}."
    widened = f"From your knowledge base “home”: Report 2, {SECRET}."
    trace = (
        {"event": "notice", "text": text},
        {"event": "call", "dropped": dropped},
        {"event": "notice", "text": widened},
    )
    both = (secret_passage(1), passage(2))
    other = "The passages that were found match the question only weakly."
    chat = told(catalog, "generated", "Hi [2].", *both, trace=trace, notices=(text, widened, other))
    catalog.quotes.forget([PATH])
    assert bytes_hold(home, SECRET) == []
    payload = answer_of(catalog, chat)[1]
    _, _, call, _ = payload["trace"]
    assert call["dropped"] == [dropped[0], f"part of passage 1 ({REMOVED_TITLE})", dropped[2]]
    assert payload["notices"][0] == other


def test_an_answer_made_of_quotes_loses_its_text(catalog: Catalog, home: Path) -> None:
    quotes = f"“the {SECRET} is hidden here” [1]"
    chat = told(catalog, "extracted", quotes, secret_passage(1), passage(2))
    catalog.quotes.forget([], [7])
    assert bytes_hold(home, SECRET) == []
    text, payload = answer_of(catalog, chat)
    assert "made of quotes" in text
    assert payload["citations"] == []


def test_an_answer_from_other_documents_is_left_as_it_is(catalog: Catalog) -> None:
    chat = told(catalog, "extracted", "“Passage 2” [1]", passage(2), retrieved=(secret_passage(1),))
    before = answer_of(catalog, chat)
    assert catalog.quotes.forget([PATH]) == 1
    text, payload = answer_of(catalog, chat)
    assert text == before[0]
    assert payload["citations"] == before[1]["citations"]
    assert payload["retrieved"] == []


def test_the_path_of_a_copy_goes_too(catalog: Catalog, home: Path) -> None:
    there = replace(passage(2), other_paths=(PATH, "/d/copy.txt"))
    chat = told(catalog, "generated", "It is [1].", there)
    catalog.quotes.forget([PATH])
    assert bytes_hold(home, SECRET) == []
    assert answer_of(catalog, chat)[1]["sources"][0]["other_paths"] == ["/d/copy.txt"]
    assert len(answer_of(catalog, chat)[1]["citations"]) == 1


@pytest.mark.parametrize("by_number", [False, True])
def test_what_another_knowledge_base_still_has_is_kept(
    catalog: Catalog, kb: KbId, by_number: bool
) -> None:
    number = put(catalog, kb, PATH, document(f"the {SECRET} is hidden here"))
    chat = told(catalog, "generated", "It is [1].", secret_passage(1, number))
    before = answer_of(catalog, chat)
    assert catalog.quotes.forget(*(([], [number]) if by_number else ([PATH], []))) == 0
    assert answer_of(catalog, chat) == before


def test_an_answer_whose_rest_cannot_be_read_is_passed_over(catalog: Catalog) -> None:
    chat = told(catalog, "generated", "It is [1].", secret_passage(1))
    catalog.chats.append(chat, "assistant", "damaged", '{"sources": [')
    assert catalog.quotes.forget([PATH]) == 1


def test_an_answer_that_is_written_meanwhile_is_not_written_over(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = told(catalog, "running", "It is", secret_passage(1))
    whole = json.dumps({"mode": "generated", "sources": [], "citations": []})
    found = citation_redaction._holds

    def meanwhile(payload: dict[str, Any], taken: Any) -> bool:
        held = found(payload, taken)
        if payload["mode"] == "running":
            answer_id = catalog.chats.messages(chat)[-1].id
            catalog.chats.revise(answer_id, "It is there, whole.", whole)
        return held

    monkeypatch.setattr(citation_redaction, "_holds", meanwhile)
    assert catalog.quotes.forget([PATH]) == 0
    assert answer_of(catalog, chat)[0] == "It is there, whole."


def test_headings_that_a_step_names_go_with_their_document(catalog: Catalog, home: Path) -> None:
    """They go although no passage of the document is in the answer."""
    mine = SourceName(f"A heading on {SECRET} (Plans)", 700, SEVENTH)
    other = SourceName("Weather (Diary)", 800, 8)
    text = dump(Phrase("The model picks: {0}", PhraseList((mine, other), "; ")))
    chat = told(catalog, "refused", "No.", trace=[{"event": "step", "name": "d", "text": text}])
    assert bytes_hold(home, SECRET)
    assert [each.id for each in catalog.quotes.quoting(RemovedDocuments.of([], [SEVENTH]))] == [
        chat
    ]
    assert catalog.quotes.forget([PATH], [SEVENTH]) == 1
    kept = load(answer_of(catalog, chat)[1]["trace"][-1]["text"])
    assert kept == f"The model picks: {REMOVED_TITLE}; Weather (Diary)"
    assert not bytes_hold(home, SECRET)
    assert catalog.quotes.forget([PATH], [SEVENTH]) == 0
