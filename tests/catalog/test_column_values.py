"""What a column holds is a value of its kind, or damage."""

from __future__ import annotations

import pytest

from desktop_rag.catalog.column_values import enum_value, json_value, require_advance, text_list
from desktop_rag.core.errors import CatalogDamaged
from desktop_rag.core.types import FileStatus


def test_rows_that_are_read_in_order_only_ever_go_on() -> None:
    assert require_advance(7, 3) == 7
    for number in (3, 2):
        with pytest.raises(CatalogDamaged):
            require_advance(number, 3)


def test_what_is_no_value_of_its_kind_is_damage() -> None:
    assert enum_value(FileStatus, "ready") is FileStatus.READY
    assert text_list('["a", "b"]') == ("a", "b")
    for read in (
        lambda: enum_value(FileStatus, "reaDy"), lambda: text_list('["a", 1]'),
        lambda: text_list("{"), lambda: json_value("[" * 100_000),
    ):  # fmt: skip
        with pytest.raises(CatalogDamaged):
            read()
