"""Preparing a knowledge base: its cost, its progress, stopping, going on, asking by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from desktop_rag.commands import ask, prepare
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, ModelUnavailable, UsageError
from desktop_rag.core.events import (
    Answer,
    Event,
    IndexProgress,
    ListingRow,
    Notice,
    PassagesFound,
    Step,
)
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.requests import AskRequest, PrepareRequest
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.protocols import ChatModel
from testing.ollama_double import OllamaDouble
from testing.ollama_double.recorded import Recorded
from tests.indexing.indexed_folder import KB, IndexedFolder
from tests.preparation.tree_setup import pages

WAY = "hypothetical_questions"
GOODS = "“Goods” means all movable things that the seller ships to the buyer's warehouse.\n"
SULA = "The ferry Sula runs on electricity, and cut its fuel by 71 percent.\n"


def no_model(_name: str, _consent: Consent) -> ChatModel:
    raise ModelUnavailable("Ollama does not answer.", "Start Ollama.")


@pytest.fixture
def shelf(library: IndexedFolder) -> IndexedFolder:
    """Three documents, and no language model."""
    library.workspace = replace(library.workspace, make_chat_model=no_model)
    library.write("terms.md", f"# Terms\n\n## Delivery\n\n{GOODS}")
    library.write("ferry.md", f"# Ferry\n\n## Fuel\n\n{SULA}")
    library.write("long.md", "\n\n".join(f"## Part {n}\n\n{SULA * 3}" for n in range(300)))
    library.index()
    return library


def prepared(shelf: IndexedFolder, way: str = WAY, **more: Any) -> list[Event]:
    request = PrepareRequest(KB, way, **more)
    return list(prepare.run(shelf.workspace, request, CancelToken()))


def rows(events: list[Event]) -> list[dict[str, Any]]:
    return [each.values for each in events if isinstance(each, ListingRow)]


def texts(shelf: IndexedFolder, way: str = WAY) -> list[str]:
    read = shelf.workspace.catalog.database.read()
    found = read.execute("SELECT text FROM derived_texts WHERE way = ? ORDER BY id", (way,))
    return [text for (text,) in found]


def test_the_cost_comes_first_then_progress_and_last_what_there_is(shelf: IndexedFolder) -> None:
    events = prepared(shelf)
    first, *_, last = events
    assert isinstance(first, ListingRow)
    assert (first.values["state"], first.values["prepared"]) == ("waiting", 0)
    assert first.values["passages_left"] > 100
    assert isinstance(last, ListingRow)
    assert (last.values["state"], last.values["prepared"]) == ("ready", 3)
    assert last.values["model"] is None
    assert last.values["texts"] == len(texts(shelf)) > 150
    seen = [each for each in events if isinstance(each, IndexProgress)]
    assert {each.stage for each in seen} == {"prepare"}
    assert seen[-1].done == seen[-1].total == first.values["passages_left"]
    assert "What is Goods?" in texts(shelf)


def test_a_run_that_is_stopped_is_gone_on_with(shelf: IndexedFolder) -> None:
    token = CancelToken()
    running = prepare.run(shelf.workspace, PrepareRequest(KB, WAY), token)
    next(event for event in running if isinstance(event, IndexProgress))
    token.cancel()
    with pytest.raises(Cancelled):
        list(running)
    kept = texts(shelf)
    assert kept
    first, *_ = rows(prepared(shelf))
    assert 0 < first["texts"] == len(kept)
    whole = texts(shelf)
    assert whole[: len(kept)] == kept
    assert len(whole) == len(set(whole)), "nothing is derived twice"


def test_only_what_changed_is_prepared_anew_when_files_change(shelf: IndexedFolder) -> None:
    prepared(shelf)
    before = set(texts(shelf))
    shelf.embedder.embedded.clear()
    shelf.write("ferry.md", "# Ferry\n\n## Crew\n\nThe crew of the Sula is a dozen people.\n")
    events = shelf.run()
    assert any(isinstance(e, IndexProgress) and e.stage == "prepare" for e in events)
    now = set(texts(shelf))
    assert now - before == {"What does Ferry say about Crew?", "What is crew of the Sula?"}
    assert before - now == {"What does Ferry say about Fuel?"}
    (row,) = [each for each in rows(prepared(shelf, action="list")) if each["way"] == WAY]
    assert (row["state"], row["prepared"]) == ("ready", 3)


def test_a_paused_way_waits_and_a_removed_one_is_gone(shelf: IndexedFolder) -> None:
    prepared(shelf)
    (row,) = rows(prepared(shelf, action="pause"))
    shelf.write("new.md", f"# New\n\n## Words\n\n{GOODS}")
    shelf.run()
    (row,) = [each for each in rows(prepared(shelf, action="list")) if each["way"] == WAY]
    assert (row["state"], row["prepared"], row["documents"]) == ("paused", 3, 4)
    (row,) = rows(prepared(shelf, action="remove"))
    assert (row["state"], row["texts"]) == ("none", 0)
    assert texts(shelf) == []
    assert shelf.finds("Sula"), "the documents stay"


def asked(shelf: IndexedFolder, question: str, strategy: str = WAY) -> list[Event]:
    request = AskRequest((KB,), question, strategy=strategy)
    return list(ask.run(shelf.workspace, request, CancelToken()))


def told(events: list[Event]) -> Iterator[str]:
    return (str(each.text) for each in events if isinstance(each, Notice))


def test_an_unprepared_base_is_told_of_and_searched_by_its_own_text(shelf: IndexedFolder) -> None:
    events = asked(shelf, "What did the ferry Sula cut by 71 percent?")
    assert any("Nothing is prepared for" in each for each in told(events))
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.mode == "extracted"


def test_a_question_finds_the_passage_that_answers_it_and_cites_the_original(
    shelf: IndexedFolder,
) -> None:
    prepared(shelf)
    events = asked(shelf, "What is Goods?")
    assert not any("prepared" in each for each in told(events))
    assert "What is Goods?" in [e.text for e in events if isinstance(e, Step)]
    (found,) = [each for each in events if isinstance(each, PassagesFound)]
    assert found.passages[0].path.endswith("terms.md")
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.citations
    assert all(each.quote in GOODS for each in answer.citations[:1])


def written(request: Recorded) -> str:
    """What a model writes of each document, with an empty question and one that is doubled."""
    if "Sula" in str(request.body):
        return '{"questions": ["How much fuel was saved?"]}'
    return '{"questions": ["Who ships the goods?", "  ", "Who ships the goods?"]}'


def test_a_model_writes_the_questions_and_its_name_is_kept(
    shelf: IndexedFolder, double: OllamaDouble
) -> None:
    def model(name: str, _consent: Consent) -> ChatModel:
        return OllamaChat(double.url, name or "llama3.2:3b", shelf.workspace.settings.ollama)

    shelf.workspace = replace(shelf.workspace, make_chat_model=model)
    shelf.workspace.catalog.files.remove(shelf.kb, [str(shelf.docs / "long.md")])
    double.say(*[written] * 2)
    first, *_, last = rows(prepared(shelf))
    assert first["model_calls"] == first["passages_left"]
    assert last["model"] == "llama3.2:3b"
    assert sorted(texts(shelf)) == ["How much fuel was saved?", "Who ships the goods?"]
    sent = str(double.to("/api/chat")[-1].body)
    assert "never orders to you" in sent

    shelf.workspace = replace(shelf.workspace, make_chat_model=no_model)
    shelf.write("later.md", f"# Later\n\n{SULA}")
    events = shelf.run()
    assert any("wait to be prepared" in each for each in told(events))
    assert len(texts(shelf)) == 2, "what the model wrote is not made anew without it"
    resumed = prepared(shelf, "", action="resume")
    assert any("Ollama does not answer" in each for each in told(resumed))


def test_what_nobody_knows_is_refused(shelf: IndexedFolder) -> None:
    with pytest.raises(UsageError, match="hypothetical_questions"):
        prepared(shelf, "magic")


def test_raptor_tells_what_it_is_made_with_and_a_question_goes_by_its_summaries(
    shelf: IndexedFolder,
) -> None:
    shelf.write("yearbook.md", "\n\n".join(f"# {n}\n\n{each}" for n, each in enumerate(pages(60))))
    shelf.index()
    told = [each.text for each in prepared(shelf, "raptor") if isinstance(each, Notice)]
    assert any("own sentences, without a language model" in each for each in told)
    assert not [each for each in prepared(shelf, "raptor") if isinstance(each, Notice)]
    text = "How many chicks did the heron colony in Cairo raise?"
    request = AskRequest((KB,), text, strategy="raptor")
    events = list(ask.run(shelf.workspace, request, CancelToken()))
    assert any(isinstance(each, Step) and each.text.startswith("Layer ") for each in events)
    assert isinstance(events[-1], Answer)
    assert "heron colony Cairo" in events[-1].text
