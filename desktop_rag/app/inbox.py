"""What the ingest lane still has to do: requests in order, from the window and from watchers."""

from __future__ import annotations

import queue

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import IndexRequest, KbRequest, RemoveRequest

Chore = IndexRequest | RemoveRequest | KbRequest


class Inbox:
    """A queue that any thread may put into and one lane takes from.

    `pause()` stops what is being done and holds back the rest until `resume()`.
    """

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Chore | None] = queue.SimpleQueue()
        self._current: CancelToken | None = None
        self._paused = False

    def put(self, chore: Chore) -> None:
        """Add a request at the end."""
        self._queue.put(chore)

    def next(self, token: CancelToken) -> Chore:
        """Wait for the next request; `Cancelled` when the token says so."""
        with token.waking(self._wake):
            while True:
                chore = self._queue.get()
                token.check()
                if chore is not None:
                    return chore

    def begin(self) -> CancelToken:
        """Return the token under which the next request is done."""
        self._current = CancelToken()
        return self._current

    def stop_current(self) -> None:
        """Stop the request that is being done, if any, and forget those that wait."""
        while not self._queue.empty():
            self._queue.get_nowait()
        if self._current is not None:
            self._current.cancel()

    def _wake(self) -> None:
        self._queue.put(None)
