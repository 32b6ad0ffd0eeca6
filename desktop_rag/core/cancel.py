"""Stopping work: a token that loops check, and wakers that end a blocking call."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from desktop_rag.core.errors import Cancelled


class CancelToken:
    """A flag that is set once, from any thread.

    Loops call `check()`. A blocking call is wrapped in `waking(wake)`: `wake` is called, once, in
    the cancelling thread, and must make the blocked call return.
    """

    def __init__(self) -> None:
        self._flag = threading.Event()
        self._lock = threading.Lock()
        self._wakers: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked to stop."""
        return self._flag.is_set()

    def cancel(self) -> None:
        """Ask to stop. Harmless when called again."""
        with self._lock:
            if self._flag.is_set():
                return
            self._flag.set()
            wakers, self._wakers = self._wakers, []
        for wake in wakers:
            wake()

    def check(self) -> None:
        """Raise `Cancelled` if somebody asked to stop."""
        if self._flag.is_set():
            raise Cancelled

    def wait(self, seconds: float) -> bool:
        """Sleep up to `seconds`; return at once, and True, when cancelled."""
        return self._flag.wait(seconds)

    @contextmanager
    def waking(self, wake: Callable[[], None]) -> Iterator[None]:
        """Call `wake` if the token is cancelled while the body runs (or was already)."""
        with self._lock:
            if self._flag.is_set():
                raise Cancelled
            self._wakers.append(wake)
        try:
            yield
        finally:
            with self._lock:
                if wake in self._wakers:
                    self._wakers.remove(wake)


_CURRENT: ContextVar[CancelToken | None] = ContextVar("current", default=None)


@contextmanager
def use_token(token: CancelToken) -> Iterator[None]:
    """Make a token the `current_token` one of this thread while the body runs."""
    before = _CURRENT.set(token)
    try:
        yield
    finally:
        _CURRENT.reset(before)


def current_token() -> CancelToken:
    """Return the token of the work that this thread does, a new one where it does none.

    For what may block and is reached through what knows no token: a model that is made when it is
    first asked for, a vector of a query.
    """
    return _CURRENT.get() or CancelToken()
