"""Whether the embedding model reads what a knowledge base holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.commands.language_support import has_unsupported_languages
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Models, Settings
from desktop_rag.workspace import Workspace

ENGLISH = "The ferry to the islands runs on electricity, and it leaves at seven in the morning."
CHINESE = "前往群岛的渡轮由电力驱动，每天早上七点准时从码头出发，晚上九点返回，周日停航。学生半价。"
SPANISH = "El transbordador a las islas funciona con electricidad y sale a las siete de la mañana."
RUSSIAN = "Паром на острова работает на электричестве и отправляется каждый день в семь утра."
GEORGIAN = "კუნძულებზე ბორანი ელექტროენერგიით მუშაობს და ყოველდღე დილის შვიდ საათზე გადის."
TAMIL = "தீவுகளுக்கான படகு மின்சாரத்தில் இயங்குகிறது, தினமும் காலை ஏழு மணிக்குப் புறப்படுகிறது."


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = open_workspace(tmp_path / "home", Settings())
    yield made
    made.close()


def unread(workspace: Workspace, folder: Path, *texts: str) -> bool:
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    list(perform(workspace, IndexRequest("default", (str(folder),)), CancelToken()))
    return has_unsupported_languages(
        workspace, workspace.catalog.kbs.names()["default"], CancelToken()
    )


def test_many_languages_fit_the_built_in_model(workspace: Workspace, tmp_path: Path) -> None:
    assert not unread(workspace, tmp_path / "docs", ENGLISH, CHINESE, SPANISH, RUSSIAN)


@pytest.mark.parametrize("text", [GEORGIAN, TAMIL])
def test_other_languages_do_not(workspace: Workspace, tmp_path: Path, text: str) -> None:
    assert unread(workspace, tmp_path / "docs", text, ENGLISH)


def test_one_document_among_many_is_not_much(workspace: Workspace, tmp_path: Path) -> None:
    others = [f"{ENGLISH} Trip {number}." for number in range(9)]
    assert not unread(workspace, tmp_path / "docs", GEORGIAN, *others)


def test_who_chose_another_model_is_not_told_of_the_built_in_one(tmp_path: Path) -> None:
    settings = Settings(models=Models(embedder="ollama:bge-m3"))
    made = open_workspace(tmp_path / "home", settings)
    kb = made.catalog.kbs.create("default").id
    assert not has_unsupported_languages(made, kb, CancelToken())
    made.close()


def test_numbers_say_nothing_and_nothing_says_nothing(workspace: Workspace, tmp_path: Path) -> None:
    assert not unread(workspace, tmp_path / "docs", "71 % 2023 1,240.00 88")
