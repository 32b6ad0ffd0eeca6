from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import evaluate
from desktop_rag.commands.evaluate_sizes import corpus_subset
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, UsageError, UserError
from desktop_rag.core.events import Event, IndexProgress, ListingRow, Notice
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.requests import EvalRequest
from desktop_rag.core.settings import Ollama, Privacy, Retrieval, Settings
from desktop_rag.evaluation.datasets import CorpusPassage, EvalQuestion
from desktop_rag.models.protocols import ChatModel
from desktop_rag.workspace import Workspace
from testing.ollama_double import OllamaDouble
from testing.ollama_double.server import refused_url

CORPUS = [
    {"id": "1", "title": "Blue whale", "text": "The largest animal, which feeds on krill."},
    {"id": "2", "title": "Sourdough", "text": "Bread that rises by wild yeast."},
    {"id": "3", "title": "Electric motor", "text": "It turns current into motion."},
    {"id": "4", "title": "Krill", "text": "Small crustaceans of the cold seas."},
]
QUESTIONS = [
    {"id": "a", "question": "What does the largest animal eat?", "answers": [], "gold": ["1"]},
    {"id": "b", "question": "How does sourdough bread rise?", "answers": [], "gold": ["2"]},
    {"id": "c", "question": "No gold is known for this.", "answers": [], "gold": []},
]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    settings = Settings(ollama=Ollama(host=refused_url()))
    made = open_workspace(tmp_path / "home", settings)
    yield made
    made.close()


def request(folder: Path, *strategies: str, task: str = "retrieval") -> EvalRequest:
    (folder / "set").mkdir(exist_ok=True)
    files: dict[str, list[Any]] = {"corpus.jsonl": CORPUS, "dev.jsonl": QUESTIONS}
    for name, rows in files.items():
        (folder / "set" / name).write_text("\n".join(map(json.dumps, rows)), "utf-8")
    corpus, questions = (str(folder / "set" / name) for name in files)
    return EvalRequest(task, corpus, questions, strategies, (1, 2))


def test_a_strategy_is_measured_with_bm25_beside_it(workspace: Workspace, tmp_path: Path) -> None:
    events = list(evaluate.run(workspace, request(tmp_path, "single_pass"), CancelToken()))
    rows = [event.as_json() for event in events if isinstance(event, ListingRow)]
    assert [row["strategy"] for row in rows] == ["bm25", "single_pass"]
    ours = rows[1]
    assert (ours["dataset"], ours["questions"]) == ("set/dev", 2)
    assert ours["recall@1"] == ours["recall@2"] == 100.0
    assert ours["mrr@10"] == 100.0
    assert ours["llm_calls"] == 0.0
    assert ours["ms_p95"] >= ours["ms_p50"] > 0
    assert ours["interval"] == [100.0, 100.0]


def test_answers_are_marked_also_without_a_language_model(
    workspace: Workspace, tmp_path: Path
) -> None:
    asked = request(tmp_path, "single_pass", task="answers")
    (row,) = [
        event.as_json()
        for event in evaluate.run(workspace, asked, CancelToken())
        if isinstance(event, ListingRow)
    ]
    assert (row["strategy"], row["questions"], row["llm_calls"]) == ("single_pass", 3, 0.0)
    assert row["citation_recall"] >= 50.0
    assert row["refused_right"] == 100.0
    assert workspace.catalog.chats.all() == []


def test_answers_of_a_way_that_needs_a_model_are_not_measured_without_one(
    workspace: Workspace, tmp_path: Path
) -> None:
    asked = request(tmp_path, "single_pass", "ircot", task="answers")
    with pytest.raises(ModelUnavailable):
        list(evaluate.run(workspace, asked, CancelToken()))
    assert workspace.catalog.measured.of(evaluate.run_source(workspace, asked), "answers") == []


@pytest.mark.parametrize("strategy", ["single_pass", "ircot"])
def test_answers_are_not_measured_with_a_model_that_is_not_there(
    tmp_path: Path, strategy: str
) -> None:
    with OllamaDouble() as ollama:
        space = open_workspace(tmp_path / "home", Settings(ollama=Ollama(host=ollama.url)))
        asked = replace(request(tmp_path, strategy, task="answers"), model="nosuch")
        with pytest.raises(ModelUnavailable, match="nosuch"):
            list(evaluate.run(space, asked, CancelToken()))
        space.close()


def test_what_quotes_are_marked_for_is_told_once(workspace: Workspace, tmp_path: Path) -> None:
    asked = request(tmp_path, "single_pass", "linked_hops", "balanced", task="answers")
    events = list(evaluate.run(workspace, asked, CancelToken()))
    (notice,) = [event.text for event in events if isinstance(event, Notice)]
    assert "only quotes" in notice
    assert sum(isinstance(event, ListingRow) for event in events) == 3


def stages(events: list[Event]) -> list[str]:
    return [event.stage for event in events if isinstance(event, IndexProgress)]


def test_a_second_run_indexes_nothing_again(workspace: Workspace, tmp_path: Path) -> None:
    asked = request(tmp_path, "dense")
    first = list(evaluate.run(workspace, asked, CancelToken()))
    second = list(evaluate.run(workspace, asked, CancelToken()))
    assert "embed" in stages(first)
    assert stages(second) == ["ask"] * 4
    assert sum(isinstance(event, ListingRow) for event in second) == 2


def test_an_evaluation_leaves_the_knowledge_bases_alone(
    workspace: Workspace, tmp_path: Path
) -> None:
    list(evaluate.run(workspace, request(tmp_path, "single_pass"), CancelToken()))
    assert workspace.catalog.kbs.all() == []


def test_an_unknown_strategy_is_told_before_anything_is_indexed(
    workspace: Workspace, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="telepathy"):
        list(evaluate.run(workspace, request(tmp_path, "telepathy"), CancelToken()))


@pytest.mark.parametrize("task", ["retrieval", "answers"])
def test_a_model_that_cannot_be_used_gives_no_figures(tmp_path: Path, task: str) -> None:
    space = open_workspace(tmp_path / "home", Settings(retrieval=Retrieval(reranker="monoT5")))
    with pytest.raises(ModelUnavailable, match="monoT5"):
        list(evaluate.run(space, request(tmp_path, "single_pass", task=task), CancelToken()))
    space.close()


def test_a_corpus_that_is_missing_is_told(workspace: Workspace, tmp_path: Path) -> None:
    asked = EvalRequest("retrieval", str(tmp_path / "none"), str(tmp_path / "none"))
    with pytest.raises(UserError, match="cannot be read"):
        list(evaluate.run(workspace, asked, CancelToken()))


def test_recall_is_measured_against_the_size_of_the_knowledge_base(
    workspace: Workspace, tmp_path: Path
) -> None:
    asked = replace(request(tmp_path, "single_pass"), sizes=(4, 2))
    events = list(evaluate.run(workspace, asked, CancelToken()))
    rows = [event.as_json() for event in events if isinstance(event, ListingRow)]
    assert [(row["strategy"], row["size"], row["second_stage"]) for row in rows] == [
        ("single_pass", 2, True),
        ("bm25", 2, False),
        ("single_pass", 2, False),
        ("single_pass", 4, True),
        ("bm25", 4, False),
        ("single_pass", 4, False),
    ]
    assert all(row["recall@2"] == 100.0 for row in rows if row["size"] == 2)
    with pytest.raises(UsageError, match="fewer than the 2"):
        list(evaluate.run(workspace, replace(asked, sizes=(1,)), CancelToken()))
    some = list(evaluate.run(workspace, replace(asked, sizes=(1, 9)), CancelToken()))
    assert {event.values["size"] for event in some if isinstance(event, ListingRow)} == {4}
    assert any(isinstance(event, Notice) for event in some)


def test_a_consent_for_this_run_holds_for_sizes_too(workspace: Workspace, tmp_path: Path) -> None:
    given: list[Consent] = []

    def model(name: str, consent: Consent) -> ChatModel:
        given.append(consent)
        raise ModelUnavailable(name)

    allowed = replace(workspace.settings, privacy=Privacy(allow_remote=True))
    space = replace(workspace, settings=allowed, make_chat_model=model)
    with pytest.raises(ModelUnavailable):
        list(evaluate.run(space, replace(request(tmp_path, "self_ask"), sizes=(4,)), CancelToken()))
    assert [each.everywhere for each in given] == [True]


def test_figures_named_after_five_or_ten_passages_are_made_of_so_many(
    workspace: Workspace, tmp_path: Path
) -> None:
    for sizes in ((), (4,)):
        asked = replace(request(tmp_path), ks=(1,), sizes=sizes)
        events = evaluate.run(workspace, asked, CancelToken())
        (row,) = [event.as_json() for event in events if isinstance(event, ListingRow)]
        assert row["passages"] == 1.5


def test_a_larger_part_of_a_corpus_holds_the_smaller_one() -> None:
    corpus = [CorpusPassage(str(number), "", "text") for number in range(50)]
    items = [EvalQuestion("q", "?", (), frozenset({"40"}))]
    small, large = corpus_subset(corpus, items, 10), corpus_subset(corpus, items, 20)
    assert (len(small), len(large)) == (10, 20)
    assert small == large[:10]
    assert small[0].id == "40"
