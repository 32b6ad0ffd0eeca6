"""The open data folder: opened once on the ingest lane, waited for by the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import Event
from desktop_rag.core.gc_freeze import freeze_after
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.settings import Settings

if TYPE_CHECKING:
    from desktop_rag.workspace import Workspace

_POLL_SECONDS = 0.1

_ENGINE = (
    "ollama",
    "desktop_rag.catalog.facade",
    "desktop_rag.index.indexes",
    "desktop_rag.models.ollama",
    "desktop_rag.models.model_loader",
    "desktop_rag.retrieval.two_stage",
    "desktop_rag.commands.ask",
    "desktop_rag.commands.index_files",
    "desktop_rag.parsing.page_renderer",
    "desktop_rag.gui.controllers.folder_watch",
)


class FolderOwner(Protocol):
    """A data folder that this process owns."""

    @property
    def workspace(self) -> Workspace:
        """The workspace, opened when first asked for."""
        ...

    def use(self, settings: Settings) -> Workspace:
        """Return the workspace under changed settings."""
        ...

    def release_retired(self, kept: Workspace) -> None:
        """End what workspaces under former settings still run, apart from `kept`."""
        ...

    def recover(self, token: CancelToken) -> Iterator[Event]:
        """Bring a damaged catalog back, which could not be opened."""
        ...

    def doubt(self) -> None:
        """Have the catalog looked through before it is opened again."""
        ...

    def close(self) -> bool:
        """Close it; say whether everything ended."""
        ...


BeforeAsking = Callable[["Workspace", AskRequest, CancelToken], None]


def _ask_nobody(workspace: Workspace, request: AskRequest, token: CancelToken) -> None:
    """Let a question go on; a window asks for consent here first."""


@dataclass(frozen=True, slots=True)
class FolderOpened:
    """The data folder is open."""


@dataclass(frozen=True, slots=True)
class HandedOver:
    """Another window has the data folder; it was given what this one was to add."""


class DataFolder:
    """Gives every lane the same workspace, as soon as there is one.

    `move_in` takes the folder, which may need a moment; None says that another window has it.
    """

    def __init__(self, move_in: Callable[[], FolderOwner | None]) -> None:
        self._move_in = move_in
        self._home: FolderOwner | None = None
        self._workspace: Future[Workspace] = Future()
        self._changed: Workspace | None = None
        self.before_asking: BeforeAsking = _ask_nobody

    def open(self, token: CancelToken) -> FolderOpened | HandedOver:
        """Open the folder: the first work of the ingest lane."""
        token.check()
        with freeze_after():
            load_engine()
        try:
            if self._home is None:  # else it was taken, and its catalog is recovered now
                self._home = self._move_in()
            workspace = self._home.workspace if self._home is not None else None
        except BaseException as error:
            self._workspace.set_exception(error)
            raise
        if workspace is None:
            self._workspace.set_exception(Cancelled())
            return HandedOver()
        self._workspace.set_result(workspace)
        return FolderOpened()

    def recovering(self, token: CancelToken) -> Iterator[Event]:
        """Bring a damaged catalog back; `open` may be tried again then."""
        if self._home is None:
            return
        yield from self._home.recover(token)
        self._workspace = Future()

    def doubt(self) -> None:
        """Have the catalog looked through at the next start: it was found damaged."""
        if self._home is not None:
            self._home.doubt()

    def get(self, token: CancelToken) -> Workspace:
        """Wait for the workspace, under today's settings; raise what opening it raised."""
        if self._changed is not None:
            token.check()
            return self._changed
        while True:
            token.check()
            try:
                return self._workspace.result(timeout=_POLL_SECONDS)
            except NotYet:
                if self._workspace.done():
                    raise

    def use(self, settings: Settings, token: CancelToken) -> None:
        """Give out the workspace under these settings from now on."""
        self.get(token)
        if self._home is not None:
            self._changed = self._home.use(settings)

    def for_indexing(self, token: CancelToken) -> Workspace:
        """Return the workspace for the next request of the ingest lane, the only one to index."""
        workspace = self.get(token)
        if self._changed is not None and self._home is not None:
            self._home.release_retired(workspace)
        return workspace

    def close(self) -> bool:
        """Give the folder back if it was taken, and let go of it; say whether everything ended.

        With it go the models: who still holds this does not hold them.
        """
        home, self._home = self._home, None
        self._workspace, self._changed = Future(), None
        self._workspace.set_exception(Cancelled())
        return home.close() if home is not None else True


def load_engine() -> None:
    """Import what the lanes and the service will need, before any of them runs.

    Two threads that import packages in a circle (pydantic, under Chroma and Ollama's client) may be
    handed half a module: Python breaks their deadlock so. One thread imports them all.
    """
    for name in _ENGINE:
        import_module(name)
