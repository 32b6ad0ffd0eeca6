"""A store that is searched by some threads while another may replace it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from desktop_rag.core.errors import DesktopRagError

Store = TypeVar("Store")


class HandleReplaced(DesktopRagError):
    """The store was replaced: ask for the one in its place."""


class SharedHandle(Generic[Store]):
    """Holds a store open for as long as somebody uses it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._users = 0
        self._is_retired = False
        self._changed = threading.Condition()

    @contextmanager
    def using(self) -> Iterator[Store]:
        """Give the store; raise `HandleReplaced` when it was replaced."""
        with self._changed:
            if self._is_retired:
                raise HandleReplaced
            self._users += 1
        try:
            yield self._store
        finally:
            with self._changed:
                self._users -= 1
                self._changed.notify_all()

    def retire(self) -> Store:
        """Let nobody in any more, wait for those who are, and give the store to be closed."""
        with self._changed:
            self._is_retired = True
            self._changed.wait_for(self._is_unused)
        return self._store

    def _is_unused(self) -> bool:
        return self._users == 0
