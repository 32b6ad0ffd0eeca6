"""What the ingest lane still has to do: requests in order, from the window and from watchers."""

from __future__ import annotations

import queue

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import IndexRequest, KbRequest, RemoveRequest

Chore = IndexRequest | RemoveRequest | KbRequest


class Inbox:
    """A queue that any thread may put into and one lane takes from."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Chore] = queue.SimpleQueue()
        self._current = CancelToken()
        self._sleep = CancelToken()

    def put(self, chore: Chore) -> None:
        """Add a request at the end, and wake who sleeps until one comes."""
        self._queue.put(chore)
        self._sleep.cancel()

    def take(self) -> Chore | None:
        """Return the next request, None when nothing waits."""
        try:
            return self._queue.get_nowait()
        except queue.Empty:
            return None

    def sleep(self) -> CancelToken:
        """Return a token that the next request cancels; already so when one waits."""
        self._sleep = CancelToken()
        if not self._queue.empty():
            self._sleep.cancel()
        return self._sleep

    def begin(self) -> CancelToken:
        """Return the token under which the next request is done."""
        self._current = CancelToken()
        return self._current

    def stop_current(self) -> None:
        """Stop the request that is being done and forget those that wait."""
        while self.take() is not None:
            continue
        self._current.cancel()
