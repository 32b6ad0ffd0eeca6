"""Steps without the tokens of their answer: what is written is not to be shown as it comes."""

from __future__ import annotations

from contextlib import closing
from typing import TypeVar, cast

from desktop_rag.core.events import Token
from desktop_rag.strategies.base import Steps

T = TypeVar("T")


def drop_tokens(steps: Steps[T]) -> Steps[T]:
    """Run steps to their end; every other event passes."""
    with closing(steps):
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                return cast("T", end.value)
            if not isinstance(event, Token):
                yield event
