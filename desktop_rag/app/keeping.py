"""The long job of the ingest lane: does what the inbox brings, and follows the folders.

One request after the other, so that one thread writes. Files that change while the window is open
come in through the watcher as requests like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.app.folder import DataFolder
from desktop_rag.app.inbox import Chore, Inbox
from desktop_rag.app.jobs import Work
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.core.requests import IndexRequest
from desktop_rag.engine.operations.perform import perform
from desktop_rag.engine.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Begun:
    """A request is being done."""

    chore: Chore


@dataclass(frozen=True, slots=True)
class Over:
    """A request is done; `error` says why it could not be."""

    chore: Chore
    error: UserError | None = None
    stopped: bool = False


def keeping(folder: DataFolder, inbox: Inbox) -> Work:
    """Return the work: bring every knowledge base up to date, then follow inbox and folders."""

    def work(token: CancelToken) -> Iterator[object]:
        workspace = folder.get(token)
        for kb in workspace.catalog.kbs.all():
            inbox.put(IndexRequest(kb.name))
        while True:
            yield from do(workspace, inbox.next(token), inbox, token)

    return work


def do(workspace: Workspace, chore: Chore, inbox: Inbox, token: CancelToken) -> Iterator[object]:
    """Do one request; what the user can mend ends it, not the lane."""
    yield Begun(chore)
    current = inbox.begin()
    try:
        with token.waking(current.cancel):
            yield from perform(workspace, chore, current)
    except Cancelled:
        token.check()
        yield Over(chore, stopped=True)
    except UserError as error:
        yield Over(chore, error)
    else:
        yield Over(chore)
