"""What the ingest lane still has to do: requests in order, from the window and from watchers."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import replace
from enum import StrEnum

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import (
    FilesRequest,
    IndexRequest,
    KbRequest,
    PrepareRequest,
    RemoveRequest,
    SuggestedQuestionsRequest,
)

QueuedRequest = (
    IndexRequest
    | RemoveRequest
    | FilesRequest
    | KbRequest
    | PrepareRequest
    | SuggestedQuestionsRequest
)


class Pause(StrEnum):
    """Why files are not read now; `NONE` while they are."""

    NONE = ""
    USER = "user"
    BATTERY = "battery"


class IngestQueue:
    """A queue that any thread may put into and one lane takes from.

    During a pause what is taken looks at files and queues them, but reads none.
    """

    def __init__(self) -> None:
        self._waiting: deque[QueuedRequest] = deque()
        self._lock = threading.Lock()
        self._chore: QueuedRequest | None = None
        self._current = CancelToken()
        self._sleep = CancelToken()
        self._pause = Pause.NONE

    @property
    def pause(self) -> Pause:
        """Why nothing is read."""
        return self._pause

    def put(self, chore: QueuedRequest) -> None:
        """Add a request at the end, and wake who sleeps until one comes.

        A look at files that waits already waits once, and now at the end.
        """
        with self._lock:
            if isinstance(chore, IndexRequest) and chore in self._waiting:
                self._waiting.remove(chore)
            self._waiting.append(chore)
            sleep = self._sleep
        sleep.cancel()

    def put_back(self, chore: QueuedRequest) -> None:
        """Add a request that was begun before those that wait."""
        with self._lock:
            self._waiting.appendleft(chore)

    def take(self) -> QueuedRequest | None:
        """Return the next request, None when nothing waits."""
        with self._lock:
            chore = self._waiting.popleft() if self._waiting else None
        if self._pause and isinstance(chore, IndexRequest):
            return replace(chore, only_look=True)
        return chore

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not self._waiting

    def sleep(self) -> CancelToken:
        """Return a token that the next request cancels; already so when one waits."""
        sleep = CancelToken()
        with self._lock:
            self._sleep = sleep
            is_waiting = bool(self._waiting)
        if is_waiting:
            sleep.cancel()
        return sleep

    def begin(self, chore: QueuedRequest | None = None) -> CancelToken:
        """Return the token under which the next request is done.

        It is cancelled already where a pause came after the request was taken.
        """
        current = CancelToken()
        with self._lock:
            self._current, self._chore = current, chore
            is_late = bool(self._pause) and isinstance(chore, IndexRequest) and not chore.only_look
        if is_late:
            current.cancel()
        return current

    def stop_current(self) -> None:
        """Stop the request that is being done and forget those that wait."""
        with self._lock:
            self._waiting.clear()
            current = self._current
        current.cancel()

    def set_pause(self, pause: Pause) -> None:
        """Read nothing until `Pause.NONE`; a run that is at work ends, what waits is kept."""
        with self._lock:
            self._pause = pause
            is_looking = isinstance(self._chore, IndexRequest) and self._chore.only_look
            current = self._current
        if pause and not is_looking:
            current.cancel()

    def put_before(self, chore: QueuedRequest) -> None:
        """Let a request have its turn now; the run that it ends goes on afterwards."""
        with self._lock:
            begun = self._chore
            if isinstance(begun, IndexRequest):
                self._waiting.appendleft(begun)
            self._waiting.appendleft(chore)
            current, sleep = self._current, self._sleep
        current.cancel()
        sleep.cancel()

    def forget(self, kb: str) -> None:
        """Stop and forget what concerns a knowledge base that goes."""
        with self._lock:
            self._waiting = deque(each for each in self._waiting if kb_of(each) != kb)
            current = self._current if self._chore and kb_of(self._chore) == kb else None
        if current is not None:
            current.cancel()

    def rename(self, kb: str, new: str) -> None:
        """Let what waits for a knowledge base find it under its new name."""
        with self._lock:
            self._waiting = deque(
                replace(each, kb=new) if isinstance(each, IndexRequest) and each.kb == kb else each
                for each in self._waiting
            )


def kb_of(chore: QueuedRequest) -> str:
    """Return the knowledge base that a request is about."""
    return chore.name if isinstance(chore, KbRequest) else chore.kb
