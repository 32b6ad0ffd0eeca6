"""What the next question of each conversation is asked of, kept as it is chosen."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.gui.controllers import conversation_jobs
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.document_scope import DocumentScope, encode_scope
from desktop_rag.gui.controllers.draft_autosave import NEW_CONVERSATION
from desktop_rag.gui.controllers.jobs import Jobs, Lane, Operation


class ScopeMemory(QObject):
    """Keeps the scope of each conversation in the catalog, and knows those of this session."""

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._known: dict[int, DocumentScope | None] = {}
        self._unsaved: dict[int, int] = {}

    def remembered(self, chat_id: int) -> DocumentScope | None:
        """Return a conversation's scope; None where it has none, or only the catalog knows it."""
        return self._known.get(chat_id)

    def learnt(self, chat_id: int, loaded: DocumentScope | None) -> DocumentScope | None:
        """Take note of what the catalog holds; return the scope, which may be newer.

        Once what was chosen is saved, the catalog knows best: a knowledge base may have another
        name since.
        """
        if chat_id not in self._unsaved:
            self._known[chat_id] = loaded
        return self._known[chat_id]

    def choose(self, chat_id: int, scope: DocumentScope | None) -> None:
        """Keep what was chosen."""
        if chat_id in self._known and self._known[chat_id] == scope:
            return
        self._known[chat_id] = scope
        self._unsaved[chat_id] = self._unsaved.get(chat_id, 0) + 1
        work = partial(conversation_jobs.save_scope, self._folder, chat_id, encode_scope(scope))
        Operation(work).on_success(self._count).start(self._jobs, Lane.READ)

    @Slot(object)
    def _count(self, chat_id: int) -> None:
        self._unsaved[chat_id] -= 1
        if not self._unsaved[chat_id]:
            del self._unsaved[chat_id]

    def begun(self, chat_id: int) -> None:
        """Give what was chosen for a conversation's first question to that conversation."""
        scope = self.remembered(NEW_CONVERSATION)
        self.choose(NEW_CONVERSATION, None)
        self.choose(chat_id, scope)

    def close(self) -> None:
        """Keep what was chosen last: the last work of the lanes."""
        drafts = self._folder.get(CancelToken()).catalog.drafts
        for chat_id in self._unsaved:
            drafts.keep_scope(chat_id, encode_scope(self._known[chat_id]))
