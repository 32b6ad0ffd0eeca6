"""A data folder that stays open between the calls of one client, and is left when it rests."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from desktop_rag import runtime
from desktop_rag.core.cancel import CancelToken, use_token
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.core.requests import KeepOpenRequest
from desktop_rag.ipc.call_routing import BugError, StuckError
from desktop_rag.ipc.running_call import FAILED
from desktop_rag.ipc.wire import Call

log = logging.getLogger(__name__)

REST_SECONDS = 300.0
"""Seconds without a call after which memory is given back."""
_OPENING_SECONDS = 60.0
_LEAVING_SECONDS = 5.0


def end_stuck_process() -> None:
    """End this process, whose work did not stop: else it would hold the folder without serving it.

    A kill at any moment does no harm.
    """
    log.error("stopped work did not end; the process ends without it")
    os._exit(FAILED)


class OpenFolder:
    """Keeps a data folder open, so that models and indexes are loaded once for many calls.

    Whoever owns the folder already, a window say, has it open anyway. It is kept for a while, then
    left as any command leaves it (what others are doing in it is finished first, or goes on with
    the next owner), and kept again where it was used meanwhile. `overrides` are the settings of the
    calls, so that they find the workspace as they need it.
    """

    def __init__(
        self, data_dir: Path, overrides: dict[str, str], rest_seconds: float = REST_SECONDS
    ) -> None:
        self._data_dir = data_dir
        self._call = Call(KeepOpenRequest(rest_seconds), overrides)
        self._rest_seconds = rest_seconds
        self._lock = threading.Lock()
        self._using = 0
        self._last_use = 0.0
        self._is_open = threading.Event()
        self._end = CancelToken()
        self._thread: threading.Thread | None = None

    @property
    def is_kept(self) -> bool:
        """Whether the folder is kept open now."""
        return self._thread is not None

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Have the folder open, and keep it so for a while after the body."""
        with self._lock:
            self._using += 1
            if self._thread is None and not self._end.cancelled:
                self._is_open.clear()
                self._thread = threading.Thread(target=self._keep, name="open-folder", daemon=True)
                self._thread.start()
        self._is_open.wait(_OPENING_SECONDS)
        try:
            yield
        finally:
            with self._lock:
                self._using -= 1
                self._last_use = time.monotonic()

    def close(self) -> None:
        """Keep it open no longer; what takes too long is left to the end of the process."""
        self._end.cancel()
        thread = self._thread
        if thread is not None:
            thread.join(_LEAVING_SECONDS)

    def _keep(self) -> None:
        try:
            with use_token(self._end):
                self._keep_once()
                while not self._rests():
                    self._keep_once()
        except StuckError:
            end_stuck_process()
        except (UserError, Cancelled, BugError, OSError):
            log.info("the data folder is not kept open", exc_info=True)  # the calls tell why
            with self._lock:
                self._thread = None
        finally:
            self._is_open.set()

    def _keep_once(self) -> None:
        with closing(runtime.run_call(self._data_dir, self._call)) as rows:
            for _ in rows:
                self._is_open.set()

    def _rests(self) -> bool:
        """Say whether it was not used for long; then this thread is no more the one that keeps."""
        with self._lock:
            has_rested = time.monotonic() - self._last_use >= self._rest_seconds
            is_over = not self._using and has_rested
            if is_over:
                self._thread = None
            return is_over
