"""Keeps the data folder open for what is asked next."""

from __future__ import annotations

import time
from collections.abc import Iterator

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event, ListingRow
from desktop_rag.core.requests import KeepOpenRequest
from desktop_rag.workspace import Workspace


def run(_workspace: Workspace, request: KeepOpenRequest, token: CancelToken) -> Iterator[Event]:
    """Yield one row at once, and end when the time is over."""
    give_up = time.monotonic() + request.seconds
    yield ListingRow({"is_open": True})
    if token.wait(max(0.0, give_up - time.monotonic())):
        token.check()
