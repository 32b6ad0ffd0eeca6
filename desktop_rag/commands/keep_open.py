"""Keeps the data folder open for what is asked next."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event, ListingRow
from desktop_rag.core.requests import KeepOpenRequest
from desktop_rag.workspace import Workspace

_SECONDS = 0.5


def run(_workspace: Workspace, _request: KeepOpenRequest, token: CancelToken) -> Iterator[Event]:
    """Yield a row every half second, until somebody stops it."""
    while True:
        yield ListingRow({"is_open": True})
        if token.wait(_SECONDS):
            token.check()
