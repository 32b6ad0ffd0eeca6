"""What this program may contact: consent asked for and kept, and the log of connections."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.catalog.consents import ConsentRecord
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.connection_audit import Contact, is_this_computer
from desktop_rag.core.connection_log import ConnectionLog
from desktop_rag.core.requests import AskRequest
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Jobs, Lane, Operation

if TYPE_CHECKING:
    from desktop_rag.catalog.facade import Catalog
    from desktop_rag.workspace import Workspace

__all__ = [
    "ConnectionGroup",
    "ConsentRecord",
    "ConsentRequest",
    "Contact",
    "PrivacyController",
    "RemoteAccess",
    "is_this_computer",
]

_TOGETHER = 600.0  # seconds within which the same connection, made again, is one row


class ConsentAnswer:
    """The user's answer, waited for by the lane that asked."""

    def __init__(self) -> None:
        self._made = threading.Event()
        self._allowed = False

    def make(self, *, allowed: bool) -> None:
        """Answer; later answers change nothing."""
        if not self._made.is_set():
            self._allowed = allowed
            self._made.set()

    def wait(self, token: CancelToken) -> bool:
        """Wait for the answer; a stop ends the wait with `Cancelled`."""
        with token.waking(self._made.set):
            self._made.wait()
        token.check()
        return self._allowed


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """A question waits for consent: passages of these knowledge bases would go to `place`."""

    place: str
    kbs: tuple[str, ...]
    decision: ConsentAnswer


@dataclass(frozen=True, slots=True)
class RemoteAccess:
    """Where texts may go as things stand: addresses are empty where nothing is set.

    `wrong` says why Ollama's address is none. `served` are the knowledge bases that other programs
    may ask. `server` is what answers in place of Ollama.
    """

    ollama: str
    chroma: str
    kbs: tuple[str, ...]
    consents: tuple[ConsentRecord, ...]
    wrong: str = ""
    served: tuple[str, ...] = ()
    server: str = ""


@dataclass(frozen=True, slots=True)
class ConnectionGroup:
    """The same connection, made so many times: the last of them, and when the first was."""

    last: Contact
    first: float
    times: int


class PrivacyController(QObject):
    """Asks for consent, keeps it and takes it back; reads the log of connections.

    `wanted` carries a `ConsentRequest`, `outlook_changed` a `RemoteAccess`, `log_changed` a tuple
    of `ConnectionGroup`, newest first.
    """

    wanted = Signal(object)
    outlook_changed = Signal(object)
    log_changed = Signal(object)

    def __init__(
        self, data_dir: Path, jobs: Jobs, folder: DataFolder, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._log = ConnectionLog(data_dir)
        self._jobs = jobs
        self._folder = folder
        self._declined: set[tuple[str, str]] = set()

    def seek(self, workspace: Workspace, request: AskRequest, token: CancelToken) -> None:
        """Ask the user for the consent that a question lacks, and wait; in the lane that asks.

        Who said no is not asked again while the window is open.
        """
        from desktop_rag.commands.consent_check import missing_consent

        lacking = missing_consent(workspace, request, token)
        if lacking is None or any((kb, lacking.place) in self._declined for kb in lacking.kbs):
            return
        decision = ConsentAnswer()
        self.wanted.emit(ConsentRequest(lacking.place, lacking.kbs, decision))
        if not decision.wait(token):
            self._declined.update((kb, lacking.place) for kb in lacking.kbs)
            return
        for kb in lacking.kbs:
            workspace.catalog.consents.give(workspace.catalog.kbs.get(kb).id, lacking.place)
        self.outlook_changed.emit(load_remote_access(workspace))

    @Slot()
    def refresh(self) -> None:
        """Read where texts may go."""
        self._after(_change_nothing)

    def give(self, kb: str, place: str) -> None:
        """Let a knowledge base's passages be sent to an address."""
        self._declined.discard((kb, place))
        self._after(lambda catalog: catalog.consents.give(catalog.kbs.get(kb).id, place))

    def revoke(self, kb: str, place: str) -> None:
        """Take a consent back."""
        self._after(lambda catalog: catalog.consents.revoke(catalog.kbs.get(kb).id, place))

    @Slot()
    def read_log(self) -> None:
        """Read the log of connections."""
        Operation(self._read_log).on_success(self.log_changed).start(self._jobs, Lane.READ)

    @Slot()
    def clear_log(self) -> None:
        """Forget the log of connections."""
        Operation(self._clear_log).on_success(self.log_changed).start(self._jobs, Lane.READ)

    def _after(self, change: Callable[[Catalog], object]) -> None:
        """Read where texts may go after a change of it."""
        work = partial(self._change, change)
        Operation(work).on_success(self.outlook_changed).start(self._jobs, Lane.READ)

    def _change(self, change: Callable[[Catalog], object], token: CancelToken) -> RemoteAccess:
        workspace = self._folder.get(token)
        change(workspace.catalog)
        return load_remote_access(workspace)

    def _read_log(self, token: CancelToken) -> tuple[ConnectionGroup, ...]:
        token.check()
        return group_connections(self._log.all())

    def _clear_log(self, token: CancelToken) -> tuple[ConnectionGroup, ...]:
        token.check()
        self._log.clear()
        return ()


def _change_nothing(catalog: Catalog) -> None:
    """Only read."""


def load_remote_access(workspace: Workspace) -> RemoteAccess:
    """Read where texts may go under a workspace's settings."""
    from desktop_rag.core.errors import ModelUnavailable
    from desktop_rag.models.model_server import title_at
    from desktop_rag.models.ollama import resolve_host

    catalog = workspace.catalog
    every = catalog.kbs.all()
    kbs = tuple(kb.name for kb in every)
    served = tuple(kb.name for kb in every if kb.is_served)
    given, chroma = tuple(catalog.consents.all()), workspace.settings.privacy.chroma_url
    try:
        place = resolve_host(workspace.settings)
        return RemoteAccess(place, chroma, kbs, given, served=served, server=title_at(place))
    except ModelUnavailable as error:
        return RemoteAccess("", chroma, kbs, given, error.what, served)


def group_connections(contacts: list[Contact]) -> tuple[ConnectionGroup, ...]:
    """Fold the same connection made again within minutes into one row; newest first."""
    rows: list[ConnectionGroup] = []
    newest: dict[tuple[str, int, str, bool], int] = {}
    for each in contacts:
        key = (each.host, each.port, each.purpose, each.allowed)
        at = newest.get(key)
        if at is not None and 0 <= each.when - rows[at].last.when < _TOGETHER:
            rows[at] = ConnectionGroup(each, rows[at].first, rows[at].times + 1)
        else:
            newest[key] = len(rows)
            rows.append(ConnectionGroup(each, each.when, 1))
    return tuple(sorted(rows, key=_when, reverse=True))


def _when(row: ConnectionGroup) -> float:
    return row.last.when
