"""Sets of the user's own, measured over the user's own knowledge bases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.catalog.evaluation_questions import set_source
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, UserError
from desktop_rag.core.evaluation_records import SavedQuestion
from desktop_rag.core.events import Event, ListingRow, Notice
from desktop_rag.core.requests import (
    EvalRequest,
    IndexRequest,
    RemoveRequest,
    Request,
    SearchRequest,
    SetsRequest,
)
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.core.types import KbId
from desktop_rag.evaluation import saved_question_set
from desktop_rag.workspace import Workspace
from testing.narrowing import present
from testing.ollama_double import OllamaDouble
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.server import refused_url

TEXTS = {
    "whale.md": "# Blue whale\n\nThe largest animal, which feeds on krill.\n",
    "bread.md": "# Sourdough\n\nBread that rises by wild yeast.\n",
    "motor.md": "# Electric motor\n\nIt turns current into motion.\n",
}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def space(tmp_path: Path, docs: Path) -> Iterator[Workspace]:
    made = open_workspace(tmp_path / "home", Settings(ollama=Ollama(host=refused_url())))
    do(made, IndexRequest("default", (str(docs),)))
    yield made
    made.close()


def do(space: Workspace, request: Request) -> list[Event]:
    return list(perform(space, request, CancelToken()))


def rows(events: list[Event]) -> list[dict[str, Any]]:
    return [event.as_json() for event in events if isinstance(event, ListingRow)]


def save(space: Workspace, question: str, answer: str, found_by: str) -> SavedQuestion:
    """Save a question whose passage is the best one that a search finds."""
    best = rows(do(space, SearchRequest(("default",), found_by, 1)))[0]
    stretch = best["locator"]["start"], best["locator"]["end"]
    (row,) = [r for r in space.catalog.files.under(kb_of(space)) if r.path == best["path"]]
    gold = saved_question_set.gold_of(
        space.catalog, present(row.document_id), best["path"], stretch
    )
    made = SavedQuestion(0, question, (answer,), (gold,), ("default",))
    (number,) = space.catalog.questions.save("mine", [made])
    return replace(made, id=number)


def kb_of(space: Workspace) -> KbId:
    return space.catalog.kbs.get("default").id


def test_a_set_is_measured_over_the_user_s_own_knowledge_base(space: Workspace) -> None:
    save(space, "What does the largest animal eat?", "krill", "largest animal krill")
    save(space, "How does sourdough rise?", "wild yeast", "sourdough yeast")
    events = do(space, EvalRequest("retrieval", strategies=("single_pass",), saved="mine"))
    bm25, ours = rows(events)
    assert (bm25["strategy"], ours["strategy"]) == ("bm25", "single_pass")
    assert (ours["dataset"], ours["questions"], ours["recall@5"]) == ("mine", 2, 100.0)
    assert len(space.catalog.kbs.all()) == 1
    (kept,) = space.catalog.measured.of(
        set_source(space.catalog.questions.get("mine")), "retrieval"
    )
    assert [way.name for way in kept.ways] == ["bm25", "single_pass"]
    assert set(kept.ways[1].scores.values()) == {1.0}
    assert kept.settings["retrieval.candidates"]
    assert not any(key.startswith("privacy.") for key in kept.settings)


def test_a_passage_that_is_not_found_counts_as_not_found(space: Workspace) -> None:
    question = save(space, "What does the largest animal eat?", "krill", "largest animal krill")
    (elsewhere,) = [r for r in space.catalog.files.under(kb_of(space)) if "motor" in r.path]
    gold = saved_question_set.gold_of(
        space.catalog, present(elsewhere.document_id), elsewhere.path, (0, 20)
    )
    space.catalog.questions.save("mine", [replace(question, passages=(gold,))])
    events = do(space, EvalRequest("retrieval", saved="mine", ks=(1,), strategies=("dense",)))
    assert [row["recall@1"] for row in rows(events)] == [0.0, 0.0]


def test_answers_are_marked_over_one_s_own_documents(space: Workspace) -> None:
    save(space, "What does the largest animal eat?", "krill", "largest animal krill")
    space.catalog.questions.save("mine", [SavedQuestion(0, "Who won the cup?", kbs=("default",))])
    (row,) = rows(do(space, EvalRequest("answers", saved="mine")))
    assert (row["questions"], row["refused_right"]) == (2, 100.0)
    assert row["citation_recall"] == 100.0
    assert row["f1"] > 0
    assert space.catalog.chats.all() == []


def test_a_passage_of_a_changed_document_is_known_by_its_document(
    space: Workspace, docs: Path
) -> None:
    save(space, "What does the largest animal eat?", "krill", "largest animal krill")
    (docs / "whale.md").write_text("# Whales\n\nAn introduction.\n\n" + TEXTS["whale.md"], "utf-8")
    do(space, IndexRequest("default", (str(docs),)))
    events = do(space, EvalRequest("retrieval", saved="mine"))
    (notice,) = [e.text for e in events if isinstance(e, Notice)]
    assert notice.startswith("Questions whose documents have changed since: 1.")
    assert rows(events)[1]["recall@5"] == 100.0


def test_a_question_whose_document_is_gone_is_left_out_and_told(
    space: Workspace, docs: Path
) -> None:
    save(space, "What does the largest animal eat?", "krill", "largest animal krill")
    save(space, "How does sourdough rise?", "wild yeast", "sourdough yeast")
    (docs / "bread.md").unlink()
    do(space, IndexRequest("default", (str(docs),)))
    events = do(space, EvalRequest("retrieval", saved="mine"))
    assert any("left out: 1" in e.text for e in events if isinstance(e, Notice))
    assert {row["questions"] for row in rows(events)} == {1}
    do(space, RemoveRequest("default", (str(docs / "whale.md"),), quotes="keep"))
    with pytest.raises(UserError, match="documents are gone"):
        do(space, EvalRequest("retrieval", saved="mine"))


def test_a_set_goes_into_a_file_and_comes_back_where_the_folder_has_another_name(
    space: Workspace, docs: Path, tmp_path: Path
) -> None:
    saved = save(space, "What does the largest animal eat?", "krill", "largest animal krill")
    file = tmp_path / "mine.jsonl"
    do(space, SetsRequest("export", "mine", str(file)))
    (line,) = [json.loads(each) for each in file.read_text("utf-8").splitlines()]
    assert line["gold"][0].startswith(f"{docs / 'whale.md'}#char=")
    file.write_text(json.dumps(line).replace(str(docs), "/another/computer"), "utf-8")
    (row,) = rows(do(space, SetsRequest("import", "copy", str(file), ("default",))))
    assert (row["name"], row["questions"]) == ("copy", 1)
    (copy,) = space.catalog.questions.all("copy")
    assert (copy.question, copy.answers, copy.passages) == (
        saved.question,
        saved.answers,
        saved.passages,
    )


def test_a_file_that_is_imported_twice_adds_its_questions_once(
    space: Workspace, tmp_path: Path
) -> None:
    file = tmp_path / "mine.jsonl"
    line = {"id": "1", "question": "Who eats? ", "answers": ["it"], "gold": ["/a/whale.md"]}
    file.write_text(json.dumps(line), "utf-8")
    do(space, SetsRequest("import", "", str(file), ("default",)))
    file.write_text(f"{json.dumps(line)}\n{json.dumps(line | {'answers': ['he']})}\n", "utf-8")
    notice, row = do(space, SetsRequest("import", "", str(file), ("default",)))
    assert isinstance(notice, Notice)
    assert notice.text == "Questions that were in the set already: 1."
    assert rows([row])[0]["questions"] == 2


def test_a_file_about_other_documents_is_refused_whole(space: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "others.jsonl"
    known = {"id": "1", "question": "a?", "answers": [], "gold": []}
    file.write_text(
        "\n".join(json.dumps(each) for each in (known, known | {"gold": ["/x/none.pdf"]})), "utf-8"
    )
    with pytest.raises(UserError, match=r"none\.pdf"):
        do(space, SetsRequest("import", "", str(file), ("default",)))
    assert space.catalog.questions.sets() == []


def test_an_export_leaves_a_file_that_is_there_as_it_is(space: Workspace, tmp_path: Path) -> None:
    save(space, "What does the largest animal eat?", "krill", "largest animal krill")
    file = tmp_path / "mine.jsonl"
    file.write_text("mine", "utf-8")
    with pytest.raises(UserError, match="could not be written"):
        do(space, SetsRequest("export", "mine", str(file)))
    assert file.read_text("utf-8") == "mine"


def test_the_model_judges_where_it_is_to(tmp_path: Path, docs: Path) -> None:
    verdicts = {
        "right": True,
        "statements": ["It eats krill."],
        "supported": [True],
        "questions": ["What does the whale eat?"] * 3,
        "noncommittal": False,
        "fact_1": "True",
    }

    def reply(request: Recorded) -> str:
        form = request.body.get("format")
        if not form:
            return "It eats krill [1]."
        wanted = {name: verdicts.get(name, [True]) for name in form["properties"]}
        for name, each in form["properties"].items():
            if each.get("minItems", 0) > 1 and name in ("supported", "useful"):
                wanted[name] = [True] * each["minItems"]
        return json.dumps(wanted)

    with OllamaDouble() as ollama:
        ollama.otherwise = reply
        space = open_workspace(tmp_path / "home2", Settings(ollama=Ollama(host=ollama.url)))
        do(space, IndexRequest("default", (str(docs),)))
        save(space, "What does the largest animal eat?", "krill", "largest animal krill")
        (row,) = rows(do(space, EvalRequest("answers", saved="mine", judge=True)))
        space.close()
    assert (row["judged_right"], row["judged_faithful"], row["judged_facts"]) == (100.0,) * 3
    assert (row["judged_asked"], row["judged_unsaid"], row["judge"]) == (1, 0, "llama3.2:3b")
    assert 0 < row["judged_relevance"] <= 100


def test_nothing_is_judged_without_a_model(space: Workspace) -> None:
    save(space, "What does the largest animal eat?", "krill", "largest animal krill")
    with pytest.raises(ModelUnavailable):
        do(space, EvalRequest("answers", saved="mine", judge=True))
