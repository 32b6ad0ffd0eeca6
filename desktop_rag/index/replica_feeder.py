"""Feeds Chroma in a thread of its own, and lets its process end when there is nothing to do."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial

from desktop_rag.core.errors import DesktopRagError
from desktop_rag.core.safe_traceback import format_error
from desktop_rag.core.types import KbId

_log = logging.getLogger(__name__)
_PAUSE_SECONDS = 1.0  # before it begins: a command that ends sooner leaves it to the next run
_IDLE_SECONDS = 30.0


class FeedingEndedError(DesktopRagError):
    """The program ends: what Chroma lacks it is told another time."""


class ReplicaFeeder:
    """A thread that calls `feed` for each knowledge base that was named, one after the other.

    After half a minute without work it calls `rest`, and ends until there is some.
    """

    def __init__(
        self, feed: Callable[[KbId, Callable[[], None]], None], rest: Callable[[], None]
    ) -> None:
        self._feed = feed
        self._rest = rest
        self._changed = threading.Condition()
        self._waiting: dict[KbId, None] = {}  # in order
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()

    def wake(self, kb: KbId) -> None:
        """Have a knowledge base's copy fed soon."""
        with self._changed:
            if self._ending.is_set():
                return
            self._waiting[kb] = None
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="chroma-feed", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # there are too many, or the program ends
                    return
                self._thread = thread
            self._changed.notify()

    def close(self) -> None:
        """End the thread; what it is at ends after the step."""
        with self._changed:
            self._ending.set()
            self._changed.notify()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(self._has_to_act, _IDLE_SECONDS)
            if self._ending.is_set():
                return
            if not self._waiting:
                self._attempt(self._rest)
                with self._changed:
                    if not self._waiting:
                        self._thread = None
                        return
            if self._ending.wait(_PAUSE_SECONDS):
                return
            with self._changed:
                kb = next(iter(self._waiting))
                del self._waiting[kb]
            self._attempt(partial(self._feed, kb, self._check))

    @staticmethod
    def _attempt(act: Callable[[], None]) -> None:
        """Do something; what goes wrong is logged, and the thread lives on."""
        try:
            act()
        except FeedingEndedError:
            return
        except DesktopRagError as error:
            _log.warning("Chroma: %s", error)
        except Exception as error:  # noqa: BLE001 - nobody else would hear of it
            _log.error("Chroma:\n%s", format_error(error))

    def _has_to_act(self) -> bool:
        return bool(self._waiting) or self._ending.is_set()

    def _check(self) -> None:
        if self._ending.is_set():
            raise FeedingEndedError
