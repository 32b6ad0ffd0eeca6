from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files, search
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError, UserError
from desktop_rag.core.requests import IndexRequest, SearchRequest
from desktop_rag.core.settings import Settings
from desktop_rag.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = open_workspace(tmp_path / "home", Settings())
    yield made
    made.close()


def test_a_search_gives_a_row_a_passage_as_the_contract_says(
    workspace: Workspace, tmp_path: Path
) -> None:
    file = tmp_path / "note.txt"
    file.write_text("The blue whale is the largest animal that has ever lived.", "utf-8")
    list(index_files.run(workspace, IndexRequest("default", (str(file),)), CancelToken()))
    asked = SearchRequest(("default",), "largest animal")
    (row,) = [event.as_json() for event in search.run(workspace, asked, CancelToken())]
    assert row["path"] == str(file)
    assert row["rank"] == row["dense_rank"] == row["lexical_rank"] == 1
    assert row["chunk_id"].isdigit()
    assert row["locator"]["kind"] == "line"
    assert "event" not in row


def test_a_file_whose_name_is_no_text_has_a_title_and_keeps_its_path(
    workspace: Workspace, tmp_path: Path
) -> None:
    file = tmp_path / os.fsdecode(b"note \xff\xfe.txt")
    file.write_text("The blue whale is the largest animal that has ever lived.", "utf-8")
    list(index_files.run(workspace, IndexRequest("default", (str(file),)), CancelToken()))
    asked = SearchRequest(("default",), "largest animal")
    (row,) = [event.as_json() for event in search.run(workspace, asked, CancelToken())]
    assert row["path"] == str(file)
    assert row["title"] == "note ??", "models are given the title, and take nothing but text"


def test_an_empty_query_is_told(workspace: Workspace) -> None:
    with pytest.raises(UsageError):
        list(search.run(workspace, SearchRequest(("default",), "  "), CancelToken()))


def test_an_unknown_knowledge_base_is_told(workspace: Workspace) -> None:
    with pytest.raises(UserError, match="nowhere"):
        list(search.run(workspace, SearchRequest(("nowhere",), "whale"), CancelToken()))
