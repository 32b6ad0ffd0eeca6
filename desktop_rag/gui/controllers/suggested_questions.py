"""Questions that can be asked with one click: what the newest documents of the library answer."""

from __future__ import annotations

import time
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import SuggestedQuestionsRequest
from desktop_rag.core.suggested_question import SuggestedQuestion
from desktop_rag.gui.controllers.chat import ChatController
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.library import LibraryController

_MOST = 6
_REST_MS = 400
_SHARE_OF_TIME = 10

Questions = tuple[SuggestedQuestion, ...]


class SuggestedQuestionsController(QObject):
    """Holds the questions of the knowledge base that is shown; `changed` says that others are.

    They are read anew when the library changed, or a question was asked; many changes become one
    reading. Of another knowledge base there are none until they are read.
    """

    changed = Signal()

    def __init__(
        self,
        jobs: Jobs,
        folder: DataFolder,
        library: LibraryController,
        chat: ChatController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._library = library
        self._kb = ""
        self._questions: Questions = ()
        self._job: Job | None = None
        self._is_stale = False
        self._asked_at = 0.0
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._catch_up)
        library.snapshot_changed.connect(self.look)
        chat.conversations_changed.connect(self.look)
        if library.snapshot.kbs:
            self.look()

    @property
    def questions(self) -> Questions:
        """Up to six, each of another document as far as they go, the newest first."""
        return self._questions

    @Slot()
    def look(self) -> None:
        """Read them, at once where it is another knowledge base, else before long."""
        kb = self._library.snapshot.current
        if kb != self._kb:
            self._kb = kb
            self._rest.stop()
            if self._job is not None:
                self._job.cancel()
                self._job = None
            self._take(())
        self._is_stale = True
        self._catch_up()

    @Slot()
    def _catch_up(self) -> None:
        if not self._is_stale or self._job is not None or self._rest.isActive():
            return
        self._is_stale = False
        self._asked_at = time.monotonic()
        reading = Operation(partial(list_questions, self._folder, self._kb))
        reading.on_end(self._end).on_success(self._take)
        self._job = reading.start(self._jobs, Lane.READ)

    @Slot()
    def _end(self) -> None:
        self._job = None
        took_ms = int((time.monotonic() - self._asked_at) * 1000)
        self._rest.start(max(_REST_MS, took_ms * _SHARE_OF_TIME))

    @Slot(object)
    def _take(self, questions: Questions) -> None:
        if questions != self._questions:
            self._questions = questions
            self.changed.emit()


def list_questions(folder: DataFolder, kb: str, token: CancelToken) -> Questions:
    """Read the questions; a knowledge base that is not there yet has none."""
    from desktop_rag.commands.dispatch import perform

    workspace = folder.get(token)
    if kb not in workspace.catalog.kbs.names():
        return ()
    events = perform(workspace, SuggestedQuestionsRequest(kb, _MOST), token)
    return tuple(each for each in events if isinstance(each, SuggestedQuestion))
