"""CRUD-RAG's tasks measured: with a model and without one, stopped, and after documents changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.catalog.evaluation_runs import tasks_source
from desktop_rag.commands import index_files
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.crud_table import crud_table
from desktop_rag.core.errors import ModelUnavailable, UserError
from desktop_rag.core.events import Event, ListingRow, Notice
from desktop_rag.core.requests import EvalRequest, IndexRequest
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.evaluation.crud_benchmark import TASKS, UPDATE, CrudSource, crud_cases
from desktop_rag.workspace import Workspace
from testing.ollama_double import OllamaDouble
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.server import refused_url

TEXTS = {
    "harbour.md": """# The harbour of Narvik

## Quays

The harbour of Narvik was dug in 1902 for the ore of Kiruna. It freezes in no winter of any year.
It ships 21 million tonnes of ore each year. Two railways end at its quays, and both are electric.
The north quay was built in 1911 and has 310 metres. The south quay is older and much shorter.
""",
    "railway.md": """# The railway to Narvik

## Line

The railway from Kiruna to the harbour of Narvik is 170 kilometres long. It was opened in 1903 by
the king himself. Its trains carry ore, and have 68 wagons each. The line climbs to 523 metres.
In its tunnels the wind of the fjord is heard. Nobody lives beside it but in the three stations.
""",
}


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.fixture
def space(tmp_path: Path, ollama: OllamaDouble) -> Iterator[Workspace]:
    made = filled(tmp_path, ollama.url)
    yield made
    made.close()


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Workspace]:
    made = filled(tmp_path, refused_url())
    yield made
    made.close()


def filled(tmp_path: Path, host: str) -> Workspace:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, "utf-8")
    made = open_workspace(tmp_path / "home", Settings(ollama=Ollama(host=host)))
    index(made, folder)
    return made


def index(space: Workspace, folder: Path) -> None:
    for _ in index_files.run(space, IndexRequest("default", (str(folder),)), CancelToken()):
        pass


def run(space: Workspace, *strategies: str, **more: Any) -> list[Event]:
    request = EvalRequest("crud", strategies=strategies, kbs=("default",), **more)
    return list(perform(space, request, CancelToken()))


def rows(events: list[Event]) -> list[dict[str, Any]]:
    return [dict(event.values) for event in events if isinstance(event, ListingRow)]


def test_without_a_model_quotes_are_measured_and_it_is_said(alone: Workspace) -> None:
    events = run(alone)
    found = rows(events)
    assert [(row["task"], row["strategy"]) for row in found] == [(t, "quotes") for t in TASKS]
    assert any("quotes, is measured" in e.text for e in events if isinstance(e, Notice))
    by_task = {row["task"]: row for row in found}
    assert by_task[UPDATE]["corrected"] > 0
    assert by_task["read"]["corrected"] is None
    for row in found:
        assert row["model"] is None
        assert row["llm_calls"] == 0.0
        assert 0 < row["rouge_l"] <= 100
        assert row["interval"][0] <= row["rouge_l"] <= row["interval"][1]
    with pytest.raises(ModelUnavailable, match=r"\w") as problem:
        run(alone, "single_pass")
    assert "--strategy quotes" in problem.value.remedy


def test_who_answers_as_the_documents_do_is_right(space: Workspace, ollama: OllamaDouble) -> None:
    kbs = (space.catalog.kbs.get("default").id,)
    known = crud_cases(CrudSource(space.catalog, kbs, 0, CancelToken()), 10)

    def answer(request: Recorded) -> str:
        told = request.messages[-1]["content"]
        case = next(each for each in known if each.item.question in told)
        return f"{case.item.answers[0]} [1]"

    ollama.otherwise = answer
    found = rows(run(space))
    assert {row["strategy"] for row in found} == {"quotes", "single_pass"}
    for row in found:
        if row["strategy"] == "single_pass":
            assert row["rouge_l"] == row["f1"] == 100.0, row
            assert row["corrected"] == (100.0 if row["task"] == UPDATE else None)
            assert row["model"]


def test_what_is_measured_is_kept_without_a_word_of_the_documents(
    space: Workspace, ollama: OllamaDouble, tmp_path: Path
) -> None:
    ollama.otherwise = lambda _: "The harbour of Narvik was dug in 1902 [1]."
    first = rows(run(space, "single_pass"))
    asked = len(ollama.chats)
    assert asked > 0
    kept = list((tmp_path / "home" / "evaluation" / "answers").iterdir())
    assert kept
    assert not any(word in file.read_text() for file in kept for word in ("Narvik", "harbour"))
    again = run(space, "single_pass")
    assert rows(again) == first
    assert len(ollama.chats) == asked
    assert any("answered before" in e.text for e in again if isinstance(e, Notice))
    assert rows(run(space, "single_pass", so_far=True)) == first
    run(space, "single_pass", fresh=True)
    assert len(ollama.chats) == 2 * asked
    (tmp_path / "documents" / "new.md").write_text("# New\n\nA new document.", "utf-8")
    index(space, tmp_path / "documents")
    run(space, "single_pass")
    assert len(ollama.chats) >= 3 * asked


def test_a_table_is_written_and_never_over_another_file(alone: Workspace, tmp_path: Path) -> None:
    out = tmp_path / "crud.md"
    found = rows(run(alone, "quotes", out=str(out)))
    assert out.read_text("utf-8") == crud_table(found)
    assert "| update | quotes, without a model | " in out.read_text("utf-8")
    assert "model: none" in out.read_text("utf-8")
    with pytest.raises(UserError, match="is there already"):
        run(alone, "quotes", out=str(out))
    assert crud_table([]) == ""


def test_of_an_empty_knowledge_base_no_task_is_made(tmp_path: Path) -> None:
    space = open_workspace(tmp_path / "home", Settings(ollama=Ollama(host=refused_url())))
    space.catalog.kbs.ensure("default")
    with pytest.raises(UserError, match="No task can be made"):
        run(space, "quotes")
    space.close()


def test_a_task_that_no_document_gives_is_named(alone: Workspace, tmp_path: Path) -> None:
    (tmp_path / "documents" / "railway.md").unlink()
    index(alone, tmp_path / "documents")
    events = run(alone, "quotes")
    assert {row["task"] for row in rows(events)} == {"create", "read", "update"}
    (notice,) = [e.text for e in events if isinstance(e, Notice)]
    assert notice.startswith("No documents to summarise are there")


def test_a_run_is_of_the_seed_and_of_so_many_cases(alone: Workspace) -> None:
    for row in rows(run(alone, "quotes", limit=1, seed=7)):
        assert (row["questions"], row["seed"]) == (1, 7)
    assert replace(EvalRequest("crud"), seed=7) != EvalRequest("crud")


def test_a_run_is_kept_with_its_figures_and_what_was_so_far_is_not(alone: Workspace) -> None:
    source = tasks_source([alone.catalog.kbs.get("default").id])
    found = rows(run(alone))
    (kept,) = alone.catalog.measured.of(source, "crud")
    assert [dict(each.figures) | {"interval": None} for each in kept.ways] == [
        row | {"interval": None} for row in found
    ]
    assert {name for each in kept.ways for name in each.scores}.isdisjoint(TEXTS)
    run(alone, so_far=True)
    assert len(alone.catalog.measured.of(source, "crud")) == 1
