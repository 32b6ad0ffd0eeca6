"""The order in which waiting files are taken up."""

from __future__ import annotations

import pytest

from desktop_rag.indexing.pipeline import FileQueue


def test_every_path_is_given_once_and_wanted_ones_first() -> None:
    assert list(FileQueue(["a", "b", "c"], lambda: ["c", "new"])) == ["c", "new", "a", "b"]


def test_a_wish_in_the_middle_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.indexing.pipeline._ASK_AGAIN", 0.0)
    wanted: list[str] = []
    waiting = iter(FileQueue(["a", "b", "c", "d"], lambda: list(wanted)))
    assert next(waiting) == "a"
    wanted.append("d")
    assert list(waiting) == ["d", "b", "c"]
