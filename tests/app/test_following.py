"""Which knowledge base's changes are looked at first."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.app import following
from desktop_rag.core.requests import IndexRequest


def test_where_something_came_is_looked_at_before_where_things_only_went(tmp_path: Path) -> None:
    (tmp_path / "here.txt").touch()
    came = IndexRequest("z", (str(tmp_path / "gone.txt"), str(tmp_path / "here.txt")))
    went = IndexRequest("a", (str(tmp_path / "gone.txt"),))
    assert sorted([went, came], key=following._only_lost) == [came, went]


def test_a_path_that_no_system_can_look_at_counts_as_gone(tmp_path: Path) -> None:
    assert following._only_lost(IndexRequest("a", (str(tmp_path / ("x" * 300)),)))
