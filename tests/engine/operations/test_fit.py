"""Whether the embedding model reads what a knowledge base holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.engine.operations.fit import MUCH, unread_share
from desktop_rag.engine.operations.perform import perform
from desktop_rag.engine.workspace import Workspace

ENGLISH = "The ferry to the islands runs on electricity, and it leaves at seven in the morning."
CHINESE = "前往群岛的渡轮由电力驱动，每天早上七点准时从码头出发，晚上九点返回，周日停航。学生半价。"
SPANISH = "El transbordador a las islas funciona con electricidad y sale a las siete de la mañana."
RUSSIAN = "Паром на острова работает на электричестве и отправляется каждый день в семь утра."


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = open_workspace(tmp_path / "home", Settings())
    yield made
    made.close()


def share(workspace: Workspace, folder: Path, *texts: str) -> float:
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    list(perform(workspace, IndexRequest("default", (str(folder),)), CancelToken()))
    return unread_share(workspace, workspace.catalog.kbs.names()["default"])


def test_english_and_chinese_fit_the_built_in_model(workspace: Workspace, tmp_path: Path) -> None:
    assert share(workspace, tmp_path / "docs", ENGLISH, CHINESE) == 0


@pytest.mark.parametrize("text", [SPANISH, RUSSIAN])
def test_other_languages_do_not(workspace: Workspace, tmp_path: Path, text: str) -> None:
    assert share(workspace, tmp_path / "docs", text, ENGLISH) == 0.5 >= MUCH


def test_numbers_say_nothing_and_nothing_says_nothing(workspace: Workspace, tmp_path: Path) -> None:
    assert share(workspace, tmp_path / "docs", "71 % 2023 1,240.00 88") == 0
