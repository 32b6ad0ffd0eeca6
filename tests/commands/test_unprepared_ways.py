"""A way whose documents are not prepared is a single pass: it is measured under no other name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Event, Notice, NoticeCode
from desktop_rag.core.requests import AskRequest, EvalRequest, IndexRequest, PrepareRequest
from desktop_rag.workspace import Workspace
from tests.commands.test_evaluate import request as file_request
from tests.commands.test_question_sets import do, docs, rows, save, space

__all__ = ["docs", "space"]

BOTH = ("single_pass", "propositions")


@pytest.fixture
def own(space: Workspace) -> Workspace:
    save(space, "What does the largest animal eat?", "krill", "largest animal krill")
    return space


def measured(events: list[Event]) -> list[str]:
    return [row["strategy"] for row in rows(events)]


def codes(events: list[Event]) -> list[Any]:
    return [each.as_json()["code"] for each in events if isinstance(each, Notice)]


@pytest.mark.parametrize("task", ["retrieval", "answers"])
def test_an_unprepared_way_is_left_out_and_told(own: Workspace, task: str) -> None:
    events = do(own, EvalRequest(task, strategies=BOTH, saved="mine"))
    assert measured(events) == (["bm25"] if task == "retrieval" else []) + ["single_pass"]
    told = next(each for each in events if isinstance(each, Notice))
    assert told.says(NoticeCode.NOT_MEASURED)
    assert told.text == "“Propositions” is not measured: nothing is prepared for it in “default”."


@pytest.mark.parametrize("task", ["retrieval", "answers"])
def test_a_prepared_way_stands_beside_the_others(own: Workspace, task: str) -> None:
    do(own, PrepareRequest("default", "propositions", model=""))
    events = do(own, EvalRequest(task, strategies=BOTH, saved="mine"))
    assert measured(events)[-2:] == list(BOTH)
    assert NoticeCode.NOT_MEASURED not in codes(events)
    assert rows(events)[-1]["ms_p50" if task == "retrieval" else "seconds_p50"] >= 0


def test_one_that_is_prepared_in_part_is_measured_and_that_is_told(
    own: Workspace, docs: Path
) -> None:
    do(own, PrepareRequest("default", "propositions", model=""))
    do(own, PrepareRequest("default", "propositions", "pause"))
    (docs / "new.md").write_text("# Kelp\n\nA large brown seaweed.\n", "utf-8")
    do(own, IndexRequest("default", (str(docs),)))
    events = do(own, EvalRequest("retrieval", strategies=("propositions",), saved="mine"))
    assert measured(events) == ["bm25", "propositions"]
    assert codes(events) == [NoticeCode.PARTLY_PREPARED]


def test_nothing_is_measured_where_no_way_is_left(own: Workspace, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing is prepared for it in “default”") as raised:
        do(own, EvalRequest("retrieval", strategies=("raptor",), saved="mine"))
    assert raised.value.remedy
    for sizes in ((), (4,)):
        corpus = file_request(tmp_path, "entity_graph")
        asked = EvalRequest(
            "retrieval", corpus.corpus, corpus.questions, corpus.strategies, sizes=sizes
        )
        with pytest.raises(UserError, match="these documents are not prepared"):
            do(own, asked)


def test_documents_that_come_with_the_program_are_not_prepared(space: Workspace) -> None:
    asked = EvalRequest(
        "answers", strategies=("quotes", "raptor"), builtin=True, limit=1, so_far=True
    )
    assert codes(do(space, asked))[0] == NoticeCode.NOT_MEASURED


def test_tasks_made_of_documents_are_not_done_in_an_unprepared_way(space: Workspace) -> None:
    with pytest.raises(UserError, match="nothing is prepared for it in “default”"):
        do(space, EvalRequest("crud", strategies=("raptor",), kbs=("default",), limit=1))


def test_an_answer_of_an_unprepared_way_says_so_with_a_code(own: Workspace) -> None:
    events = do(own, AskRequest(("default",), "What eats krill?", "propositions"))
    assert NoticeCode.UNPREPARED in codes(events)
