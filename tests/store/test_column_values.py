"""What a column holds is a value of its kind, or damage."""

from __future__ import annotations

import pytest

from desktop_rag.core.errors import CatalogDamaged
from desktop_rag.core.types import FileStatus
from desktop_rag.store.column_values import later, parsed, texts, word


def test_rows_that_are_read_in_order_only_ever_go_on() -> None:
    assert later(7, 3) == 7
    for number in (3, 2):
        with pytest.raises(CatalogDamaged):
            later(number, 3)


def test_what_is_no_value_of_its_kind_is_damage() -> None:
    assert word(FileStatus, "ready") is FileStatus.READY
    assert texts('["a", "b"]') == ("a", "b")
    for read in (
        lambda: word(FileStatus, "reaDy"), lambda: texts('["a", 1]'), lambda: texts("{"),
        lambda: parsed("[" * 100_000),
    ):  # fmt: skip
        with pytest.raises(CatalogDamaged):
            read()
