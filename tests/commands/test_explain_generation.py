"""Why an answer does not rest on a passage: the prompt had no room for it, or the model its way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from desktop_rag.bootstrap import with_settings
from desktop_rag.commands import ask
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer
from desktop_rag.core.explain_events import StageName, StageState
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import ChatId
from desktop_rag.workspace import Workspace
from testing.ollama_double import OllamaDouble
from tests.commands.explain_setup import library, path_of, way
from tests.indexing.indexed_folder import KB, IndexedFolder

__all__ = ["library"]

ASKED = "Which ferry of Aldbury was delayed by fog?"


@pytest.fixture
def talking(library: IndexedFolder) -> Iterator[tuple[OllamaDouble, IndexedFolder]]:
    before = library.workspace
    with OllamaDouble() as double:
        yield double, library
    library.workspace = before


def with_model(library: IndexedFolder, double: OllamaDouble, **ollama: Any) -> Workspace:
    options = replace(Settings().ollama, host=double.url, **ollama)
    return with_settings(library.workspace, replace(library.workspace.settings, ollama=options))


def test_a_passage_that_the_context_has_no_room_for_is_named(
    talking: tuple[OllamaDouble, IndexedFolder],
) -> None:
    double, library = talking
    long = " ".join(f"Clause {n}: the lighthouse of Tolland keeps its lamp lit." for n in range(40))
    library.index(library.write("lamp.txt", long))
    space = with_model(library, double, num_ctx=512, answer_tokens=64)
    numbers = [chunk.chunk_id for chunk in library.chunks(library.docs / "lamp.txt")]
    query = "What does the lighthouse of Tolland keep?"
    ways = [way(space, query, passage=each) for each in (numbers[0], numbers[-1])]
    lost = [verdict for _, verdict in ways if verdict.fell_at is StageName.PROMPT]
    assert lost
    assert "512 tokens" in lost[0].what
    key, _, tokens = lost[0].tried.partition("=")
    assert key == "ollama.num_ctx"
    wider = with_model(library, double, num_ctx=int(tokens), answer_tokens=64)
    stages, verdict = way(wider, query, passage=lost[0].chunk_id)
    assert verdict.found
    assert stages[StageName.PROMPT].state is StageState.PASSED


def shortened(space: Workspace, **answering: Any) -> Workspace:
    rules = replace(Settings().answering, **answering)
    return replace(space, settings=replace(space.settings, answering=rules))


def test_it_is_told_how_much_of_a_passage_the_model_is_told(
    talking: tuple[OllamaDouble, IndexedFolder],
) -> None:
    double, library = talking
    tale = "The beacon of Yarrow was lit by Edda Holm. Her dog was brown. It slept all day long."
    path = str(library.write("beacon.txt", tale))
    library.index(path)
    whole, query = with_model(library, double), "Who lit the beacon of Yarrow?"
    stages, _ = way(whole, query, path=path)
    assert stages[StageName.PROMPT].text.endswith("tokens, as source 1.")
    few = shortened(whole, compression="extractive", compression_share=0.1)
    stages, verdict = way(few, query, path=path)
    kept = 100 * len("The beacon of Yarrow was lit by Edda Holm.") / len(tale)
    assert stages[StageName.PROMPT].state is StageState.PASSED
    assert f"Of its text {kept:.0f}% is told: the best sentences." in stages[StageName.PROMPT].text
    assert verdict.found
    summed = shortened(whole, compression="abstractive")
    stages, _ = way(summed, query, path=path)
    assert stages[StageName.PROMPT].state is StageState.OFF
    assert "a summary of its passage" in stages[StageName.PROMPT].text
    assert double.chats == []


def test_a_piece_of_which_no_sentence_is_kept_is_said_not_to_be_told(
    talking: tuple[OllamaDouble, IndexedFolder],
) -> None:
    double, library = talking
    day = "the harbour of Quell was quiet and grey from the early morning to the late evening"
    filler = " ".join(f"On day {n} {day}." for n in range(13))
    path = library.write("quell.txt", f"{filler} The bell of Quell was cast by Ivo Brandt.")
    library.index(path)
    chunks = library.chunks(path)
    first = next(each for each in chunks if each.big == chunks[-1].big)
    few = shortened(with_model(library, double), compression="extractive", compression_share=0.1)
    query = "Who cast the bell of Quell?"
    ways = [way(few, query, passage=each.chunk_id) for each in (first, chunks[-1])]
    (stages, verdict), (_, kept) = ways
    assert first != chunks[-1]
    assert kept.found
    assert stages[StageName.PASSAGES].state is StageState.PASSED
    assert verdict.fell_at is StageName.PROMPT
    assert verdict.what.startswith("None of its sentences is among those")
    assert verdict.remedy.startswith("Ask again, naming what it says")


def answered(space: Workspace) -> tuple[Answer, int]:
    """Ask in a new conversation; return the answer, and a source that it did not use."""
    asked = AskRequest((KB,), ASKED, new_chat=True)
    *_, answer = ask.run(space, asked, CancelToken())
    assert isinstance(answer, Answer)
    cited = {each.chunk_id for each in answer.citations}
    return answer, int(next(e.chunk_id for e in answer.sources if e.chunk_id not in cited))


def test_an_answer_from_shortened_passages_does_not_say_that_the_model_had_all_of_them(
    talking: tuple[OllamaDouble, IndexedFolder],
) -> None:
    double, library = talking
    space = shortened(with_model(library, double), compression="extractive")
    double.say("The ferry of Aldbury was delayed by fog [1].")
    answer, unused = answered(space)
    _, verdict = way(space, ASKED, chat_id=answer.chat_id, passage=unused)
    assert verdict.fell_at is StageName.ANSWER
    assert "was told its passage in short" in verdict.what


def test_an_answer_tells_which_of_its_sources_it_did_not_use(
    talking: tuple[OllamaDouble, IndexedFolder],
) -> None:
    double, library = talking
    space = with_model(library, double)
    double.say("The ferry of Aldbury was delayed by fog [1].")
    answer, unused = answered(space)
    stages, verdict = way(space, ASKED, chat_id=answer.chat_id, passage=unused)
    assert stages[StageName.PROMPT].state is StageState.PASSED
    assert verdict.fell_at is StageName.ANSWER
    assert verdict.what == "The model had it, but no sentence of the answer rests on it."
    cited = int(answer.citations[0].chunk_id)
    _, used = way(space, ASKED, chat_id=answer.chat_id, passage=cited)
    assert used.found
    assert used.what == "The answer rests on it, and cites it."


def test_an_answer_that_says_there_is_none_is_not_blamed_on_the_search(
    talking: tuple[OllamaDouble, IndexedFolder],
) -> None:
    double, library = talking
    space = with_model(library, double)
    double.say("Not found in your documents.")
    asked = AskRequest((KB,), ASKED, new_chat=True)
    *_, answer = ask.run(space, asked, CancelToken())
    assert isinstance(answer, Answer)
    assert (answer.mode, answer.sources) == ("refused", ())
    path = path_of(library, "Aldbury.txt")
    stages, verdict = way(space, ASKED, chat_id=answer.chat_id, path=path)
    assert stages[StageName.PROMPT].text == "A search for this answer found it, as passage 1."
    assert verdict.what == "The answer says that your documents do not hold what was asked for."


def test_a_source_is_known_by_its_place_however_that_was_kept(
    talking: tuple[OllamaDouble, IndexedFolder],
) -> None:
    double, library = talking
    space = with_model(library, double)
    double.say("The ferry of Aldbury was delayed by fog [1].")
    answer, unused = answered(space)
    assert answer.chat_id is not None
    message = space.catalog.chats.messages(ChatId(answer.chat_id))[-1]
    kept = json.loads(message.payload)
    for row in kept["sources"]:
        named = dict(zip(("kind", "value", "start", "end"), row["locator"], strict=False))
        row |= {"chunk_id": row["chunk_id"] + 1000, "locator": named}
    space.catalog.chats.revise(message.id, message.text, json.dumps(kept))
    stages, _ = way(space, ASKED, chat_id=answer.chat_id, passage=unused)
    assert stages[StageName.PROMPT].state is StageState.PASSED
