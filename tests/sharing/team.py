"""Members of a team: data folders that share a knowledge base on a real Chroma server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event, Notice
from desktop_rag.core.requests import IndexRequest, KbRequest, RemoveRequest
from desktop_rag.core.settings import Privacy, Settings
from desktop_rag.index.chroma_server import ChromaServer, ServerAddress
from desktop_rag.sharing.shared_store import Records, SharedStore
from desktop_rag.workspace import Workspace

TEAM = "the team's 手册"


@contextmanager
def member(home: Path, url: str, **privacy: Any) -> Iterator[Workspace]:
    """Open a data folder whose settings name a server."""
    settings = replace(Settings(), privacy=Privacy(chroma_url=url, **privacy))
    workspace = open_workspace(home, settings)
    try:
        yield workspace
    finally:
        workspace.close()


def done(workspace: Workspace, request: Any) -> list[Event]:
    return list(perform(workspace, request, CancelToken()))


def act(workspace: Workspace, action: str, name: str = "", **more: Any) -> dict[str, Any]:
    """Act on a knowledge base; return the last line that is said."""
    return done(workspace, KbRequest(action, name, **more))[-1].as_json()


def indexed(workspace: Workspace, folder: Path, kb: str = "default") -> list[Event]:
    return done(workspace, IndexRequest(kb, (str(folder),)))


def removed(workspace: Workspace, path: Path, kb: str = "default") -> None:
    done(workspace, RemoveRequest(kb, (str(path),)))


def notices(events: list[Event]) -> list[str]:
    return [each.text for each in events if isinstance(each, Notice)]


def paths(workspace: Workspace, kb: str = "default") -> list[str]:
    """Return the paths of the files that are ready."""
    number = workspace.catalog.kbs.get(kb).id
    return [each.path for each in workspace.catalog.files.under(number) if each.document_id]


def on_server(url: str, name: str = TEAM) -> Records:
    """Return what the server says of a shared knowledge base."""
    with closing(ChromaServer(ServerAddress(url))) as server:
        return SharedStore.opened(server, name).records()


def rows_on_server(url: str) -> dict[str, int]:
    """Return how many rows each kind of collection has there."""
    with closing(ChromaServer(ServerAddress(url))) as server:
        return {
            each.name.rpartition("-")[2]: server.count(each.id) for each in server.collections()
        }
