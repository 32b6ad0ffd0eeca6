"""What a test takes for granted of a value, told to the type checker and checked when it runs."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None) -> T:
    """Return a value that is there."""
    assert value is not None
    return value


def narrow(value: object, kind: type[T]) -> T:
    """Return a value that is of a kind."""
    assert isinstance(value, kind), f"{value!r} is no {kind.__name__}"
    return value
