"""Adding files and folders: counted first, asked about when there are many."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.catalog.file_rules import BYTES_PER_SECOND
from desktop_rag.core.errors import UserError
from desktop_rag.core.requests import IndexRequest
from desktop_rag.gui.controllers.add_sources import AddSourcesController
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.folder_survey import FolderSurvey
from desktop_rag.gui.controllers.jobs import InlineRunner, Lane
from tests.gui.controllers.folder_owner import OwnedFolder
from tests.gui.controllers.test_library import home

__all__ = ["home"]


class Desk:
    """An `AddSourcesController` that hears what it says."""

    def __init__(self, home: OwnedFolder) -> None:
        self.runner = InlineRunner()
        folder = DataFolder(lambda: home)
        self.adding = AddSourcesController(self.runner, folder)
        self.agreed: list[IndexRequest] = []
        self.asked: list[FolderSurvey] = []
        self.counted: list[FolderSurvey] = []
        self.complaints: list[UserError] = []
        self.adding.agreed.connect(self.agreed.extend)
        self.adding.asked.connect(self.asked.append)
        self.adding.counted.connect(self.counted.append)
        self.adding.complained.connect(self.complaints.append)
        self.runner.start(Lane.INGEST, folder.open)
        self.runner.drain()

    @property
    def survey(self) -> FolderSurvey:
        """What is asked about, when all is counted: a slow count asks before that."""
        (first,) = self.asked
        return [first, *self.counted][-1]

    def add(self, *paths: Path) -> None:
        self.adding.add("default", tuple(map(str, paths)))
        self.runner.drain()


@pytest.fixture
def context(home: OwnedFolder, qapp: QApplication) -> Desk:
    return Desk(home)


@pytest.fixture
def big(tmp_path: Path) -> Path:
    """A folder of 620 files, most of them in one place."""
    folder = tmp_path / "big"
    for name, number, ending in (
        ("letters", 400, "txt"),
        ("[odd] 照片", 200, "mp4"),
        ("", 20, "md"),
    ):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for n in range(number):
            (folder / name / f"{n}.{ending}").write_text("word " * 10)
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "ignored.md").write_text("never")
    return folder


def test_a_small_folder_and_files_are_added_without_a_question(
    context: Desk, tmp_path: Path
) -> None:
    folder, file = tmp_path / "few", tmp_path / "one.txt"
    folder.mkdir()
    file.write_text("text")
    context.add(folder, file)
    assert context.asked == []
    assert context.agreed == [
        IndexRequest("default", (str(folder),)),
        IndexRequest("default", (str(file),)),
    ]


def test_a_big_folder_is_told_before_it_is_added(
    context: Desk, big: Path, home: OwnedFolder
) -> None:
    home.workspace.catalog.choices.note(BYTES_PER_SECOND, 105.0)
    context.add(big)
    survey = context.survey
    assert context.agreed == []
    assert (survey.count, survey.size, survey.unsupported) == (620, 31_000, 200)
    assert survey.formats == ((".txt", 400), (".md", 20))
    assert [Path(part.path).name for part in survey.parts] == ["letters", "[odd] 照片"]
    assert survey.seconds == pytest.approx(200.0)
    context.adding.confirm(survey.parts[1:])
    assert context.agreed == [IndexRequest("default", (str(big),), exclude=("/[[]odd] 照片",))]


def test_what_was_left_out_is_not_there_afterwards(
    context: Desk, big: Path, home: OwnedFolder
) -> None:
    context.add(big)
    context.adding.confirm(context.survey.parts[1:])
    from tests.gui.controllers.test_library import done

    done(home, IndexRequest("default", context.agreed[0].paths, exclude=context.agreed[0].exclude))
    kb = home.workspace.catalog.kbs.get("default").id
    names = {Path(row.path).parent.name for row in home.workspace.catalog.files.under(kb)}
    assert names == {"big", "letters"}


def test_patterns_are_counted_anew(context: Desk, big: Path) -> None:
    context.add(big)
    context.adding.count_again(("letters", "*.mp4"))
    context.runner.drain()
    assert (context.counted[-1].count, context.counted[-1].unsupported) == (20, 0)
    context.adding.confirm()
    assert context.agreed == [IndexRequest("default", (str(big),), exclude=("letters", "*.mp4"))]


def test_what_is_dismissed_is_not_added_and_the_next_one_is_counted(
    context: Desk, big: Path, tmp_path: Path
) -> None:
    file = tmp_path / "one.txt"
    file.write_text("text")
    context.add(big)
    context.add(file)
    assert context.agreed == []
    context.adding.dismiss()
    context.runner.drain()
    assert context.agreed == [IndexRequest("default", (str(file),))]


def test_a_path_that_is_not_there_is_said_in_a_sentence(context: Desk, tmp_path: Path) -> None:
    file = tmp_path / "one.txt"
    file.write_text("text")
    context.add(tmp_path / "nope.pdf", file)
    assert "There is no file or folder" in context.complaints[0].what
    assert "nope.pdf" in context.complaints[0].what
    assert context.agreed == [IndexRequest("default", (str(file),))]
    context.add(tmp_path / "a", tmp_path / "b")
    assert context.complaints[1].what.startswith("2 of the files and folders are not there")
    assert len(context.agreed) == 1


def test_a_folder_that_is_followed_already_is_no_question(
    context: Desk, big: Path, home: OwnedFolder
) -> None:
    kb = home.workspace.catalog.kbs.ensure("default").id
    home.workspace.catalog.kbs.add_source(kb, str(big), is_folder=True)
    context.add(big / "letters")
    assert context.asked == []
    assert context.agreed == [IndexRequest("default", (str(big / "letters"),))]
