"""The open data folder: opened once on the ingest lane, waited for by the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.core.cancel import CancelToken

if TYPE_CHECKING:
    from desktop_rag.engine.workspace import Workspace

_POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Opened:
    """The data folder is open."""

    workspace: Workspace


class DataFolder:
    """Gives every lane the same workspace, as soon as there is one."""

    def __init__(self, open_workspace: Callable[[], Workspace]) -> None:
        self._open = open_workspace
        self._future: Future[Workspace] = Future()

    def opening(self, token: CancelToken) -> Iterator[object]:
        """Open the folder: the first work of the ingest lane."""
        token.check()
        try:
            workspace = self._open()
        except BaseException as error:
            self._future.set_exception(error)
            raise
        self._future.set_result(workspace)
        yield Opened(workspace)

    def get(self, token: CancelToken) -> Workspace:
        """Wait for the workspace; raise what opening it raised."""
        while True:
            token.check()
            try:
                return self._future.result(timeout=_POLL_SECONDS)
            except NotYet:
                if self._future.done():
                    raise

    def close(self) -> None:
        """Close the workspace if it was ever opened."""
        if self._future.done() and self._future.exception() is None:
            self._future.result().close()
