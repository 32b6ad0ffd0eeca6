"""Conversations in a real catalog, behind a data folder whose jobs run in the test's own thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.catalog.facade import Catalog
from desktop_rag.commands.conversation_recorder import ConversationLog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import ChatId
from desktop_rag.gui.controllers.chat import ChatController
from desktop_rag.gui.controllers.conversations import ConversationsController
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import InlineRunner
from testing.sample_answers import answer


@dataclass
class Shop:
    """Stands for a workspace: conversations need its catalog, where it lies, and the settings."""

    catalog: Catalog
    data_dir: Path
    settings: Settings = field(default_factory=Settings)


class Home:
    """An opened data folder."""

    def __init__(self, catalog: Catalog, folder: Path) -> None:
        self.workspace = Shop(catalog, folder)

    def close(self) -> bool:
        return True


class Talks:
    """Controllers over a catalog; `settle` runs what waits."""

    def __init__(self, folder: Path) -> None:
        self.home = folder
        self.catalog = Catalog.open(folder)
        self.jobs = InlineRunner()
        data = DataFolder(lambda: Home(self.catalog, folder))  # type: ignore[arg-type, return-value]
        data.open(CancelToken())
        self.folder = data
        self.chat = ChatController(self.jobs, data)
        self.conversations = ConversationsController(self.jobs, data, self.chat)

    def tell(self, question: str, said: str = "So it is [1].", days: float = 0.0) -> ChatId:
        """Keep a conversation with one answer, last changed so many days ago."""
        chat = self.catalog.chats.create(question, ("default",))
        ConversationLog(self.catalog, chat).asked(question).answered(answer(said, 1))
        with self.catalog.database.write() as tx:
            tx.execute("UPDATE chats SET changed = changed - ? WHERE id = ?", (days * 86400, chat))
        return chat

    def settle(self) -> None:
        """Run every job that waits."""
        self.jobs.drain()

    def close(self) -> None:
        """Close the catalog and let the controllers be freed."""
        self.catalog.close()
        for each in (self.conversations, self.chat, self.jobs):
            each.deleteLater()
