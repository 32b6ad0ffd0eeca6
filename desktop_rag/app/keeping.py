"""The long job of the ingest lane: does what the inbox brings, and follows the folders.

One request after the other. Files that change while the window is open come in through the watcher
as requests like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from desktop_rag.app.folder import DataFolder
from desktop_rag.app.inbox import Chore, Inbox
from desktop_rag.app.jobs import Work
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.core.requests import IndexRequest
from desktop_rag.engine.ingest.scan import Scope, is_below
from desktop_rag.engine.ingest.watch import Pace, Watcher
from desktop_rag.engine.operations.perform import perform
from desktop_rag.engine.workspace import Workspace
from desktop_rag.store.records import Source

DEFAULT_KB = "default"
_LOOK_AGAIN = 3.0


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
        if not workspace.catalog.kbs.all():
            workspace.catalog.kbs.create(DEFAULT_KB)
        for kb in workspace.catalog.kbs.all():
            inbox.put(IndexRequest(kb.name))
        with closing(Following(workspace)) as following:
            while True:
                chore = _next(inbox, following, token)
                yield from do(workspace, chore, inbox, token)
                following.refresh()

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


def _next(inbox: Inbox, following: Following, token: CancelToken) -> Chore:
    """Wait for the next request, from the inbox or from the folders."""
    while True:
        token.check()
        chore = inbox.take()
        if chore is not None:
            return chore
        sleep = inbox.sleep()
        with token.waking(sleep.cancel):
            for found in following.changes(sleep):
                inbox.put(found)


class Following:
    """Listens to the folders of every knowledge base."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        poll = workspace.settings.ingest.poll_seconds
        pace = replace(Pace(), poll=poll) if poll else Pace()
        self._watcher = Watcher(pace, poll_all=bool(poll))
        self._sources: dict[str, tuple[Source, ...]] = {}

    def refresh(self) -> None:
        """Follow what the knowledge bases follow now."""
        kbs = self._workspace.catalog.kbs
        self._sources = {kb.name: tuple(kbs.sources(kb.id)) for kb in kbs.all()}
        every = tuple(source for sources in self._sources.values() for source in sources)
        exclude = self._workspace.settings.ingest.exclude.split(",")
        self._watcher.follow(Scope(every, exclude, self._workspace.data_dir))

    def changes(self, token: CancelToken) -> list[IndexRequest]:
        """Wait a while for changes; return what they mean, by knowledge base."""
        changed = self._watcher.wait(token, _LOOK_AGAIN)
        found = []
        for name, sources in self._sources.items():
            mine = tuple(path for path in changed if _concerns(path, sources))
            if mine:
                found.append(IndexRequest(name, mine))
        return found

    def close(self) -> None:
        """Listen no more."""
        self._watcher.close()


def _concerns(path: str, sources: tuple[Source, ...]) -> bool:
    return any(is_below(path, source.path) for source in sources)
