"""The folders of every knowledge base, listened to at once.

Imported when the first folder is followed: what it stands on is not needed to show a window.
"""

from __future__ import annotations

import os
from dataclasses import replace

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FollowedPath
from desktop_rag.core.filesystem import is_at_or_below
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.types import KbId
from desktop_rag.gui.controllers.ingest_queue import IngestQueue, QueuedRequest
from desktop_rag.indexing.file_watcher import Debounce, Watcher
from desktop_rag.indexing.scan import Scope
from desktop_rag.workspace import Workspace

_LOOK_AGAIN = 3.0


class FolderWatch:
    """Watches the folders of every knowledge base; `ingest_queue` says whether reading pauses."""

    def __init__(self, workspace: Workspace, ingest_queue: IngestQueue) -> None:
        self._workspace = workspace
        self._inbox = ingest_queue
        self._watcher = self._listening()
        self._sources: dict[str, tuple[FollowedPath, ...]] = {}
        self._excluded: dict[str, list[str]] = {}
        self._followed: tuple[tuple[FollowedPath, ...], str] | None = None
        self._heard: set[tuple[KbId, str]] = set()

    def use(self, workspace: Workspace) -> None:
        """Go on under the settings of a workspace."""
        before, self._workspace = self._workspace, workspace
        if workspace.settings.ingest.poll_seconds != before.settings.ingest.poll_seconds:
            self._watcher.close()
            self._watcher, self._followed, self._heard = self._listening(), None, set()

    def refresh(self, begun: QueuedRequest | None = None) -> list[IndexRequest]:
        """Follow what the knowledge bases follow now.

        Returns looks at what is listened to from now on, as what changed there before was not
        heard; not at what a request that has `begun`, and looked at nothing yet, looks at itself.
        """
        kbs, choices = self._workspace.catalog.kbs, self._workspace.catalog.choices
        names = kbs.names()
        self._sources = {name: tuple(kbs.sources(kb)) for name, kb in names.items()}
        self._excluded = {name: choices.excluded(kb) for name, kb in names.items()}
        every = tuple(source for sources in self._sources.values() for source in sources)
        exclude = self._workspace.settings.ingest.exclude
        if (every, exclude) != self._followed:
            self._followed = (every, exclude)
            self._watcher.follow(Scope(every, exclude.split(","), self._workspace.data_dir))
        before = self._heard
        self._heard = {(kb, s.path) for name, kb in names.items() for s in self._sources[name]}
        looks = []
        for name, kb in names.items():
            new = (s.path for s in self._sources[name] if (kb, s.path) not in before)
            unseen = tuple(path for path in new if not _looks_at(begun, name, path))
            if unseen:
                looks.append(IndexRequest(name, unseen, only_known=True))
        return looks

    def changes(self, token: CancelToken, seconds: float = _LOOK_AGAIN) -> list[IndexRequest]:
        """Wait so long for changes; return what they mean, by knowledge base.

        Where something came goes before where things only went: a file that was moved from one to
        the other is known by its content as long as it is known there.
        """
        changed = self._watcher.wait(token, seconds)
        found = []
        for name, sources in self._sources.items():
            out = self._excluded[name]
            mine = tuple(path for path in changed if _concerns(path, sources, out))
            if mine:
                found.append(IndexRequest(name, mine, only_known=True))
        return sorted(found, key=_only_lost)

    def close(self) -> None:
        """Listen no more."""
        self._watcher.close()

    def _listening(self) -> Watcher:
        poll = self._workspace.settings.ingest.poll_seconds
        pace = replace(Debounce(), poll=poll) if poll else Debounce()
        return Watcher(pace, poll_all=bool(poll), stirred=self._get_ready)

    def _get_ready(self) -> None:
        """Start a parser while what changed comes to rest, if it is to be read then."""
        if not self._inbox.pause:
            self._workspace.parsers.get_ready()


def _looks_at(begun: QueuedRequest | None, kb: str, source: str) -> bool:
    if not isinstance(begun, IndexRequest) or begun.kb != kb:
        return False
    return not begun.paths or any(is_at_or_below(source, path) for path in begun.paths)


def _only_lost(request: IndexRequest) -> bool:
    return not any(os.path.exists(path) for path in request.paths)  # noqa: PTH110 - never raises


def _concerns(path: str, sources: tuple[FollowedPath, ...], excluded: list[str]) -> bool:
    if not any(is_at_or_below(path, source.path) for source in sources):
        return False
    return not any(is_at_or_below(path, each) for each in excluded)
