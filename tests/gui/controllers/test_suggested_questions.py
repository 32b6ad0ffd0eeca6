"""Suggested questions in a real window: made in idle time, and renewed by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.suggested_questions import has_waiting
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import IndexRequest, KbRequest, SuggestedQuestionsRequest
from desktop_rag.core.settings import Settings
from desktop_rag.gui.controllers.folder_watch import FolderWatch
from desktop_rag.gui.controllers.ingest_queue import IngestQueue
from desktop_rag.gui.controllers.ingest_worker import run_request
from desktop_rag.gui.controllers.library import Idle
from desktop_rag.workspace import Workspace
from testing.sample_folder import copied
from testing.window_driver import SAMPLES, Driver, wait_for

MAKE = SuggestedQuestionsRequest("default", action="make")


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path / "data", ingest__suggest_questions="true")
    made.open()
    yield made
    made.close()


def questions(driver: Driver) -> list[str]:
    return [each.question for each in driver.context.suggestions.questions]


def read(driver: Driver, *names: str) -> None:
    driver.drop(*(SAMPLES / name for name in names))
    driver.wait_until_read(len(names))


def test_they_come_after_the_reading_and_nothing_is_shown_of_their_making(driver: Driver) -> None:
    told: list[int] = []
    driver.context.suggestions.changed.connect(lambda: told.append(1))
    read(driver, "Lease agreement.docx", "差旅报销制度.md")
    busy: list[object] = []
    driver.context.library.activity_changed.connect(busy.append)
    wait_for(lambda: len(questions(driver)) >= 4)
    assert told
    assert {"What is the monthly rent?", "《差旅报销制度》从什么时候起施行？"} <= set(
        questions(driver)
    )
    assert busy == [], "it is no work that anybody waits for"
    assert driver.context.library.activity == Idle()


def test_one_that_was_asked_goes(driver: Driver) -> None:
    read(driver, "Lease agreement.docx")
    wait_for(lambda: "What is the monthly rent?" in questions(driver))
    driver.ask("What is the monthly rent?")
    turn = driver.wait_for_answer()
    assert "1,140 euros" in turn.text
    wait_for(lambda: "What is the monthly rent?" not in questions(driver))
    assert questions(driver), "others are left"


def test_they_go_with_their_document_and_with_the_knowledge_base(driver: Driver) -> None:
    read(driver, "Lease agreement.docx")
    wait_for(lambda: questions(driver))
    driver.context.library.change_base(KbRequest("create", "empty"))
    wait_for(lambda: driver.context.library.snapshot.current == "empty")
    assert questions(driver) == []
    driver.context.library.switch("default")
    wait_for(lambda: questions(driver))
    driver.context.library.remove((str(SAMPLES / "Lease agreement.docx"),))
    wait_for(lambda: not questions(driver))


@pytest.fixture
def workspace(tmp_path: Path, read_samples: Path) -> Iterator[Workspace]:
    """The samples, read by the command line, or by a version that suggested nothing."""
    with closing(open_workspace(copied(read_samples, tmp_path / "home"), Settings())) as made:
        yield made


def waits(workspace: Workspace) -> bool:
    return has_waiting(workspace, workspace.catalog.kbs.get("default").id)


def test_a_window_makes_them_of_documents_that_were_read_before(
    qapp: QApplication, tmp_path: Path, read_samples: Path
) -> None:
    home = copied(read_samples, tmp_path / "home")
    driver = Driver(qapp, home, ingest__suggest_questions="true")
    driver.open()
    wait_for(lambda: len(questions(driver)) == 6)
    driver.close()


def test_the_making_ends_as_soon_as_something_else_is_to_be_done(workspace: Workspace) -> None:
    ingest_queue = IngestQueue()
    with closing(FolderWatch(workspace, ingest_queue)) as following:
        ingest_queue.put(IndexRequest("default"))
        assert not list(run_request(workspace, MAKE, ingest_queue, CancelToken(), following))
        assert waits(workspace)
        ingest_queue.take()
        assert not list(run_request(workspace, MAKE, ingest_queue, CancelToken(), following))
        assert not waits(workspace)


def test_a_knowledge_base_that_went_meanwhile_is_no_error(workspace: Workspace) -> None:
    gone = SuggestedQuestionsRequest("nowhere", action="make")
    assert not list(run_request(workspace, gone, IngestQueue(), CancelToken()))
