"""A data folder that a test owns, without the lock and the service."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event
from desktop_rag.core.settings import Settings
from desktop_rag.workspace import Workspace


@dataclass(frozen=True)
class OwnedFolder:
    """Stands for a folder that is owned: it has a workspace, under the same settings for ever."""

    workspace: Workspace
    closes: bool = True
    """Whether the workspace ends with it; somebody else ends it otherwise."""

    def use(self, settings: Settings) -> Workspace:
        assert settings == self.workspace.settings
        return self.workspace

    def release_retired(self, kept: Workspace) -> None:
        """Do nothing: there is one workspace."""

    def recover(self, token: CancelToken) -> Iterator[Event]:
        raise NotImplementedError

    def doubt(self) -> None:
        raise NotImplementedError

    def close(self) -> bool:
        if self.closes:
            self.workspace.close()
        return True
