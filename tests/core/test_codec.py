"""What JSON gave as values of a kind: converted, or refused with one error."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_rag.core import codec
from desktop_rag.core.events import ModelCall
from desktop_rag.core.types import Box, LocatorKind


def test_an_object_becomes_a_frozen_value_and_a_name_from_elsewhere_is_passed_over() -> None:
    raw = {
        "event": "call", "model": "m", "purpose": "answer", "prompt_tokens": None,
        "answer_tokens": 3, "dropped": ["a\udce9"], "seconds": 1, "at": 0.5, "later": [1],
    }  # fmt: skip
    made = codec.decode(raw, ModelCall)
    assert made == ModelCall("m", "answer", None, 3, ("a\udce9",), 1.0)
    assert made.at == 0.5


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (True, int),
        ("12", int),
        (1.0, int),
        ("page\udce9", LocatorKind),
        ("planet", LocatorKind),
        ({"\udce9": 1}, Box),
        ({"x0": 1}, Box),
        ([1], tuple[int, int]),
        (None, str),
        (10**400, float),
    ],
)
def test_what_is_of_another_kind_is_refused(raw: Any, kind: Any) -> None:
    with pytest.raises(codec.DecodeError):
        codec.decode(raw, kind)


def test_only_numbers_may_be_written_as_text_where_that_is_said() -> None:
    assert codec.decode("12", int, strict=False) == 12
    with pytest.raises(codec.DecodeError):
        codec.decode(12, str, strict=False)
