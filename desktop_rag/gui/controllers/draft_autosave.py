"""What is typed and not yet sent, kept as it is typed: it outlives a crash."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.gui.controllers import conversation_jobs
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Jobs, Lane, Operation

_EVERY_MS = 800
NEW_CONVERSATION = 0
"""Stands for the conversation that has not begun."""


class DraftAutosave(QObject):
    """Keeps the draft of each conversation, at most every 0.8 s, and knows what it kept."""

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._kept: dict[int, str] = {}
        self._waiting: dict[int, str] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.flush)

    def remembered(self, chat_id: int) -> str | None:
        """Return a conversation's draft, None while only the catalog knows it."""
        return self._waiting.get(chat_id, self._kept.get(chat_id))

    def learnt(self, chat_id: int, loaded: str) -> str:
        """Take note of what the catalog holds; return the draft, which may be newer."""
        self._kept.setdefault(chat_id, loaded)
        return self._waiting.get(chat_id, self._kept[chat_id])

    def typed(self, chat_id: int, text: str) -> None:
        """Keep a draft soon."""
        if text == self._kept.get(chat_id, ""):
            self._waiting.pop(chat_id, None)
            return
        self._waiting[chat_id] = text
        if not self._timer.isActive():
            self._timer.start()

    def begun(self, chat_id: int) -> None:
        """Give what was typed since a conversation's first question to that conversation."""
        text = self.remembered(NEW_CONVERSATION) or ""
        self.typed(NEW_CONVERSATION, "")
        self.typed(chat_id, text)

    @Slot()
    def flush(self) -> None:
        """Keep now what waits."""
        waiting, self._waiting = self._waiting, {}
        for chat_id, text in waiting.items():
            self._kept[chat_id] = text
            work = partial(conversation_jobs.save_draft, self._folder, chat_id, text)
            Operation(work).start(self._jobs, Lane.READ)

    def close(self) -> None:
        """Keep what waits still: the last work of the lanes."""
        drafts = self._folder.get(CancelToken()).catalog.drafts
        for chat_id, text in (self._kept | self._waiting).items():
            drafts.keep(chat_id, text)
