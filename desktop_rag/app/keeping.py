"""The long job of the ingest lane: does what the inbox brings, and follows the folders.

One request after the other. Files that change while the window is open come in through the watcher
as requests like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.app.folder import DataFolder
from desktop_rag.app.inbox import Chore, Inbox
from desktop_rag.app.jobs import Work
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.requests import IndexRequest
from desktop_rag.engine.operations.perform import perform

if TYPE_CHECKING:
    from desktop_rag.app.following import Following
    from desktop_rag.engine.workspace import Workspace

DEFAULT_KB = "default"


@dataclass(frozen=True, slots=True)
class Begun:
    """A request is being done."""

    chore: Chore


@dataclass(frozen=True, slots=True)
class Over:
    """A request is done; `error` says why it could not be: a `UserError`, or a bug of ours."""

    chore: Chore
    error: Exception | None = None
    stopped: bool = False


def keeping(folder: DataFolder, inbox: Inbox) -> Work:
    """Return the work: bring every knowledge base up to date, then follow inbox and folders."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.app.following import Following

        workspace = folder.get(token)
        if not workspace.catalog.kbs.all():
            workspace.catalog.kbs.create(DEFAULT_KB)
        for kb in workspace.catalog.kbs.all():
            inbox.put(IndexRequest(kb.name))
        with closing(Following(workspace)) as following:
            while True:
                following.use(folder.get(token))
                chore = _next(inbox, following, token)
                yield from do(folder.for_indexing(token), chore, inbox, token)

    return work


def do(workspace: Workspace, chore: Chore, inbox: Inbox, token: CancelToken) -> Iterator[object]:
    """Do one request; an error ends it, not the lane."""
    yield Begun(chore)
    current = inbox.begin()
    try:
        with token.waking(current.cancel):
            yield from perform(workspace, chore, current)
    except Cancelled:
        token.check()
        yield Over(chore, stopped=True)
    except Exception as error:  # noqa: BLE001 - the controller shows it, or raises it there
        token.check()
        yield Over(chore, error)
    else:
        yield Over(chore)


def _next(inbox: Inbox, following: Following, token: CancelToken) -> Chore:
    """Wait for the next request, from the inbox or from the folders."""
    while True:
        token.check()
        chore = inbox.take()
        if chore is not None:
            return chore
        following.refresh()  # a command may have added or removed folders through this process
        sleep = inbox.sleep()
        with token.waking(sleep.cancel):
            for found in following.changes(sleep):
                inbox.put(found)
