"""RGB's four abilities, on questions of the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.catalog.evaluation_questions import set_source
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, UsageError, UserError
from desktop_rag.core.evaluation_records import EvaluationRun, GoldPassage, SavedQuestion
from desktop_rag.core.events import ListingRow, Notice
from desktop_rag.core.requests import EvalRequest, IndexRequest
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.evaluation.rgb_benchmark import ABILITIES
from desktop_rag.evaluation.saved_question_set import gold_of
from desktop_rag.workspace import Workspace
from testing.narrowing import present
from testing.ollama_double import OllamaDouble, Script
from testing.ollama_double.models import CHAT
from testing.ollama_double.recorded import Recorded

FACTS = {
    "ferry.md": (
        "What colour is the ferry?",
        "white",
        "The ferry Sula is white from bow to stern.",
    ),
    "rent.md": ("How high is the rent?", "1,450 francs", "The rent is 1,450 francs a month."),
    "whale.md": ("What does the whale eat?", "krill", "The whale eats krill in the cold sea."),
}


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.fixture
def space(tmp_path: Path, ollama: OllamaDouble) -> Iterator[Workspace]:
    docs = tmp_path / "docs"
    docs.mkdir()
    made = open_workspace(tmp_path / "home", Settings(ollama=Ollama(host=ollama.url)))
    for name, (_, _, text) in FACTS.items():
        (docs / name).write_text(text, "utf-8")
    list(perform(made, IndexRequest("default", (str(docs),)), CancelToken()))
    kb = made.catalog.kbs.get("default").id
    for row in made.catalog.files.under(kb):
        question, answer, text = FACTS[Path(row.path).name]
        gold = gold_of(made.catalog, present(row.document_id), row.path, (0, len(text)))
        saved = SavedQuestion(0, question, (answer,), (gold,), ("default",))
        made.catalog.questions.save("mine", [saved])
    yield made
    made.close()


def measured(space: Workspace) -> dict[str, tuple[int, float]]:
    events = perform(space, EvalRequest("rgb", saved="mine"), CancelToken())
    rows = [event.values for event in events if isinstance(event, ListingRow)]
    return {row["ability"]: (row["questions"], row["right"]) for row in rows}


def reading(request: Recorded) -> str:
    """Say what the passages say of what is asked, the last passage's word where they differ."""
    told = request.messages[-1]["content"]
    asked = told.rpartition("Question:")[2]
    said = [a for q, a, text in FACTS.values() if q in asked and text in told]
    return f"{' and '.join(said)} [1]." if said else "This is not found in your documents."


def test_a_model_that_reads_well_has_all_four_abilities(
    space: Workspace, ollama: OllamaDouble
) -> None:
    ollama.otherwise = reading
    assert measured(space) == {
        "noise_robustness": (3, 100.0),
        "negative_rejection": (3, 100.0),
        "information_integration": (3, 100.0),
        "counterfactual_robustness": (3, 100.0),
    }
    altered = [chat.messages[-1]["content"] for chat in ollama.chats]
    assert any("The rent is white a month." in told for told in altered)


def test_a_model_that_makes_things_up_has_none_of_the_last_three(
    space: Workspace, ollama: OllamaDouble
) -> None:
    ollama.otherwise = "It is krill [1]."
    found = measured(space)
    assert found["noise_robustness"] == (3, 33.3)
    assert found["negative_rejection"] == (3, 0.0)
    assert found["information_integration"] == (3, 0.0)
    assert found["counterfactual_robustness"] == (3, 33.3)


def test_too_few_questions_are_told(space: Workspace) -> None:
    first, *_ = space.catalog.questions.all("mine")
    space.catalog.questions.drop([first.id])
    with pytest.raises(UserError, match="has 2 questions"):
        measured(space)


def test_a_limit_below_what_is_needed_is_told_as_well(space: Workspace) -> None:
    with pytest.raises(UserError, match="3 are needed"):
        list(perform(space, EvalRequest("rgb", saved="mine", limit=2), CancelToken()))


def runs(space: Workspace) -> list[EvaluationRun]:
    return space.catalog.measured.of(set_source(space.catalog.questions.get("mine")), "rgb")


def test_a_run_is_kept_with_each_question_s_outcome_in_each_ability(
    space: Workspace, ollama: OllamaDouble
) -> None:
    ollama.otherwise = "It is krill [1]."
    measured(space)
    (run,) = runs(space)
    assert [way.name for way in run.ways] == list(ABILITIES)
    whale = next(e for e in space.catalog.questions.all("mine") if "whale" in e.question)
    noise, rejection, *_ = run.ways
    assert {n for n, score in noise.scores.items() if score} == {str(whale.id)}
    assert len(rejection.scores) == 3
    assert not any(rejection.scores.values())
    assert noise.figures["model"] == ollama.chats[0].model


def test_a_model_that_breaks_off_has_no_figures(space: Workspace, ollama: OllamaDouble) -> None:
    ollama.say("It is krill [1].", Script("It is krill, said at length.", breaks_after=3))
    with pytest.raises(ModelUnavailable, match="broke off"):
        measured(space)
    assert runs(space) == []


def test_what_cannot_be_tried_is_told(space: Workspace, ollama: OllamaDouble) -> None:
    ollama.otherwise = reading
    for each in space.catalog.questions.all("mine"):  # none stands word for word in its passage
        said = replace(each, answers=(f"about {each.answers[0]}",))
        space.catalog.questions.save("mine", [said])
    gone = SavedQuestion(0, "Who?", ("x",), (GoldPassage("/gone.md"),), ("default",))
    space.catalog.questions.save("mine", [gone])
    events = list(perform(space, EvalRequest("rgb", saved="mine"), CancelToken()))
    notices = [event.text for event in events if isinstance(event, Notice)]
    assert any(text.startswith("No contradiction could be made") for text in notices)
    assert any(text.startswith("Questions left out: 1.") for text in notices)
    rows = [event.values["ability"] for event in events if isinstance(event, ListingRow)]
    assert rows == list(ABILITIES[:3])


def test_passages_that_the_model_s_context_does_not_hold_are_told(
    space: Workspace, ollama: OllamaDouble
) -> None:
    ollama.otherwise = reading
    ollama.models = {CHAT.name: replace(CHAT, context_length=512)}
    events = perform(space, EvalRequest("rgb", saved="mine"), CancelToken())
    assert any("fitted the model's context" in e.text for e in events if isinstance(e, Notice))


def test_only_questions_of_one_s_own_are_asked_so(space: Workspace) -> None:
    request = EvalRequest("rgb", corpus="/c.jsonl", questions="/q.jsonl")
    with pytest.raises(UsageError, match="questions of your own"):
        list(perform(space, request, CancelToken()))
