"""What happens when another embedding model is chosen, and when the chosen one fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer, Event, FileDone, ListingRow, Notice
from desktop_rag.core.requests import AskRequest, DescribeRequest, IndexRequest, SearchRequest
from desktop_rag.core.settings import Models, Ollama, Retrieval, Settings
from desktop_rag.workspace import Workspace
from testing.ollama_double import OllamaDouble
from testing.ollama_double.models import CHAT, EMBEDDING

FERRY = "The ferry Sula runs on electricity, and cut its fuel by 71 percent.\n"
IN_OTHER_WORDS = "boat with batteries"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder with one document, read by the built-in model."""
    text = tmp_path / "ferry.txt"
    text.write_text(FERRY * 3)
    made = tmp_path / "home"
    space = open_workspace(made, Settings())
    list(perform(space, IndexRequest("default", (str(text),)), CancelToken()))
    space.close()
    return made


def of_ollama(ollama: OllamaDouble) -> Settings:
    return Settings(models=Models(embedder="ollama:all-minilm"), ollama=Ollama(host=ollama.url))


def searched(space: Workspace, query: str) -> list[Event]:
    return list(perform(space, SearchRequest(("default",), query), CancelToken()))


def checked(space: Workspace) -> tuple[str, bool]:
    """What the doctor says of the indexes, and whether it names the way to embed."""
    rows = perform(space, DescribeRequest("doctor"), CancelToken())
    every = [row.values for row in rows if isinstance(row, ListingRow)]
    (row,) = [each for each in every if each["name"] == "indexes of default"]
    return row["status"], "desktop-rag kb rebuild" in row["remedy"]


def found(space: Workspace, query: str) -> list[tuple[int | None, int | None]]:
    rows = [event for event in searched(space, query) if isinstance(event, ListingRow)]
    return [(row.values["dense_rank"], row.values["lexical_rank"]) for row in rows]


def test_the_old_model_answers_by_meaning_until_all_is_embedded_anew(
    home: Path, tmp_path: Path
) -> None:
    with OllamaDouble(CHAT, EMBEDDING) as ollama:
        space = open_workspace(home, of_ollama(ollama))
        assert found(space, "ferry") == [(1, 1)]
        assert found(space, IN_OTHER_WORDS) == [(1, None)]
        sent = [str(each.body["input"]) for each in ollama.to("/api/embed")]
        assert not any(IN_OTHER_WORDS in each for each in sent), "the built-in one was asked"

        assert checked(space) == ("warning", True)
        events = list(perform(space, IndexRequest("default"), CancelToken()))
        assert checked(space) == ("ok", False)
        states = [event.status for event in events if isinstance(event, FileDone)]
        assert "ready" not in states, "nothing was read again"
        assert found(space, "ferry") == [(1, 1)]
        sent = [str(each.body["input"]) for each in ollama.to("/api/embed")]
        assert any("71 percent" in each for each in sent)
        assert any("ferry" in each and "71" not in each for each in sent), "Ollama's was asked"
        rows = perform(space, DescribeRequest("models"), CancelToken())
        named = [row.values.get("setting") for row in rows if isinstance(row, ListingRow)]
        assert "ollama:all-minilm:latest" in named
        space.close()


def test_the_way_back_is_open_at_once(home: Path) -> None:
    with OllamaDouble(CHAT, EMBEDDING) as ollama:
        space = open_workspace(home, of_ollama(ollama))
        list(perform(space, IndexRequest("default"), CancelToken()))
        space.close()
    space = open_workspace(home, Settings())
    assert found(space, IN_OTHER_WORDS) == [(1, None)]
    space.close()


def test_of_an_old_model_that_is_gone_words_are_left(home: Path) -> None:
    with OllamaDouble(CHAT, EMBEDDING) as ollama:
        space = open_workspace(home, of_ollama(ollama))
        list(perform(space, IndexRequest("default"), CancelToken()))
        (home.parent / "barge.txt").write_text("A barge carries gravel along the canal.\n")
        list(perform(space, IndexRequest("default", (str(home.parent),)), CancelToken()))
        space.close()
    space = open_workspace(home, Settings())
    assert found(space, "barge")[0] == (None, 1)
    list(perform(space, IndexRequest("default"), CancelToken()))
    assert found(space, "barge")[0] == (1, 1)
    space.close()


def test_a_model_that_fails_under_a_search_costs_its_part_and_is_told_of(home: Path) -> None:
    with OllamaDouble(CHAT, EMBEDDING) as ollama:
        space = open_workspace(home, of_ollama(ollama))
        list(perform(space, IndexRequest("default"), CancelToken()))
        assert found(space, "ferry") == [(1, 1)]
    assert found(space, "ferry") == [(1, 1)], "the vector of the last questions is known"
    events = searched(space, "ferry Sula")
    (notice,) = [event.text for event in events if isinstance(event, Notice)]
    assert "Ollama" in notice
    assert notice.endswith("Passages are found by their words alone.")
    assert found(space, "ferry Sula") == [(None, 1)]
    space.close()


def test_a_question_is_answered_without_the_model_that_failed(home: Path) -> None:
    with OllamaDouble(CHAT, EMBEDDING) as ollama:
        space = open_workspace(home, of_ollama(ollama))
        list(perform(space, IndexRequest("default"), CancelToken()))
        assert found(space, "ferry") == [(1, 1)]
    asked = AskRequest(("default",), "How much fuel did the ferry Sula cut?")
    events = list(perform(space, asked, CancelToken()))
    last = events[-1]
    assert isinstance(last, Answer)
    assert last.mode == "extracted"
    assert "71 percent" in last.text
    told = [event.text for event in events if isinstance(event, Notice)]
    assert sum("found by their words alone" in each for each in told) == 1
    space.close()


def test_a_reranker_that_is_not_there_costs_its_stage_and_is_told_of(home: Path) -> None:
    space = open_workspace(home, Settings(retrieval=Retrieval(reranker="monoT5")))
    events = searched(space, "ferry")
    (notice,) = [event.text for event in events if isinstance(event, Notice)]
    assert "monoT5" in notice
    assert notice.endswith("Passages stay as the first searches order them.")
    assert found(space, "ferry") == [(1, 1)]
    space.close()
