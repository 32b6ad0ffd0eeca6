"""The list of conversations: renames, pins, deletes with a way back, searches, exports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.requests import KbRequest, RemoveRequest
from desktop_rag.gui.controllers import conversation_jobs
from desktop_rag.gui.controllers.answer_decoder import INTERRUPTED
from desktop_rag.gui.controllers.chat import ChatController
from desktop_rag.gui.controllers.conversation_export import ConversationExport, exporting
from desktop_rag.gui.controllers.conversation_groups import ConversationRow, conversations_of
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Work
from desktop_rag.gui.controllers.library_commands import CommandDone
from desktop_rag.gui.controllers.transcript import Transcript

if TYPE_CHECKING:
    from desktop_rag.core.records import MessageHit

UNDO_MS = 10_000
"""How long a deletion may be undone."""

_DAY = 86_400


@dataclass(frozen=True, slots=True)
class ConversationHits:
    """What a search over all conversations gave."""

    query: str
    places: tuple[MessageHit, ...]


class ConversationsController(QObject):
    """Holds the list and what may be undone; `chat` shows the one that is opened.

    `listed` carries a tuple of `ConversationRow`, `pointed` the number of the turn that was asked
    for, `found` a `ConversationHits` or None when there is no search, `undoable` how many deleted
    conversations may be brought back, `exported` the file that was written, `complained` a
    `UserError`.
    """

    listed = Signal(object)
    pointed = Signal(object)
    found = Signal(object)
    undoable = Signal(object)
    exported = Signal(object)
    complained = Signal(object)

    def __init__(
        self, jobs: Jobs, folder: DataFolder, chat: ChatController, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.chat = chat
        self._jobs = jobs
        self._folder = folder
        self.rows: tuple[ConversationRow, ...] = ()
        self._away: tuple[int, ...] = ()
        self._pending: dict[QObject, Work] = {}
        self._shown_before: int | None = None
        self._reopening: int | None = None
        self._listing: Job | None = None
        self._searching: Job | None = None
        self._stale = False
        self._known_chat: int | None = None
        self._wanted = 0
        self._burying = _timer(self, UNDO_MS)
        self._burying.timeout.connect(self.bury)
        self._midnight = _timer(self, _DAY * 1000)
        self._midnight.timeout.connect(self.refresh)
        chat.conversations_changed.connect(self.refresh)
        chat.transcript_changed.connect(self._notice_new)

    @Slot()
    def refresh(self) -> None:
        """Read the list again; what is the same stays as it is."""
        if self._listing is not None:
            self._stale = True
            return
        self._stale = False
        self._listing = self._start(conversation_jobs.listing(self._folder, self.rows))
        self._listing.yielded.connect(self._show)
        self._listing.finished.connect(self._listing_over)
        self._midnight.start(_until_midnight())

    @Slot()
    def catch_up(self) -> None:
        """Read again what a command may have changed: the list, and what is shown."""
        self.refresh()
        turns = self.chat.transcript.turns
        if turns and turns[-1].question_id and not self.chat.transcript.running:
            end = turns[-1]  # one without a number failed before it was kept: it stays in sight
            is_whole = end.outcome != INTERRUPTED
            self._reload((end.answer_id or end.question_id) if is_whole else 0)

    @Slot(object)
    def heed(self, done: CommandDone) -> None:
        """Show the conversation without the quotes that were taken out of it.

        Read in the lane of answers: one that is being written comes to its end first.
        """
        shown, decision = self.chat.transcript.chat_id, done.decision
        if not isinstance(decision, (RemoveRequest, KbRequest)) or decision.quotes != "lose":
            return
        if shown is not None:
            work = conversation_jobs.loading(self._folder, shown)
            self._start(work, Lane.CHAT).yielded.connect(self._show_again)

    def rename(self, chat_id: int, title: str) -> None:
        """Give a conversation another title."""
        if chat_id == self.chat.transcript.chat_id:
            self.chat.show(replace(self.chat.transcript, title=title))
        self._change(conversation_jobs.renaming(self._folder, chat_id, title))

    def pin(self, chat_ids: Sequence[int], *, pinned: bool) -> None:
        """Keep conversations on top of the list, or no more."""
        self._change(conversation_jobs.pinning(self._folder, tuple(chat_ids), pinned=pinned))

    def delete(self, chat_ids: Sequence[int]) -> None:
        """Take conversations out of sight; `undo` brings them back for a while."""
        gone = tuple(each for each in chat_ids if each not in self._away)
        if not gone:
            return
        if self.chat.transcript.chat_id in gone:
            self._shown_before = self.chat.transcript.chat_id
            self.chat.new()
        self._away += gone
        self._change(conversation_jobs.hiding(self._folder, gone))
        self._burying.start()
        self.undoable.emit(len(self._away))

    @property
    def deleted(self) -> int:
        """How many conversations `undo` would bring back."""
        return len(self._away)

    @Slot()
    def undo(self) -> None:
        """Bring back what was deleted last, and show again what was shown."""
        if not self._away:
            return
        self._reopening = self._shown_before
        self._change(conversation_jobs.restoring(self._folder, self._away)).finished.connect(
            self._reopen
        )
        self._forget_deleted()

    @Slot()
    def bury(self) -> None:
        """Delete for good what may still be undone."""
        if self._away:
            self._start(conversation_jobs.deleting(self._folder, self._away))
            self._forget_deleted()

    def open(self, chat_id: int, message_id: int = 0) -> None:
        """Show a conversation, at a message if one is named."""
        if not message_id:
            self.chat.open(chat_id)
            return
        self._wanted = message_id
        self.chat.open_at(chat_id, message_id).yielded.connect(self._go_to)

    def search(self, query: str) -> None:
        """Look for words in all conversations; nothing, for an empty query."""
        if self._searching is not None:
            self._searching.cancel()
            self._searching = None
        if not query.strip():
            self.found.emit(None)
            return
        self._searching = self._start(conversation_jobs.searching(self._folder, query))
        self._searching.yielded.connect(self._tell_found)

    def export(self, export: ConversationExport) -> None:
        """Write conversations to a file."""
        self._start(exporting(self._folder, export), Lane.CARRY).yielded.connect(self.exported)

    def close(self) -> None:
        """Delete for good what was deleted: the last work of the lanes.

        What was decided last may have had no turn in them; done twice it is the same.
        """
        token = CancelToken()
        for work in list(self._pending.values()):
            list(work(token))
        self._folder.get(token).catalog.chats.bury()

    def _reload(self, last: int) -> None:
        shown = self.chat.transcript.chat_id
        if shown is not None and shown not in self._away:
            work = conversation_jobs.catching_up(self._folder, shown, last)
            self._start(work).yielded.connect(self._show_again)

    @Slot(object)
    def _show_again(self, transcript: Transcript) -> None:
        shown = self.chat.transcript
        if shown.chat_id == transcript.chat_id and not shown.running:
            self.chat.show(transcript)

    def _forget_deleted(self) -> None:
        self._away, self._shown_before = (), None
        self._burying.stop()
        self.undoable.emit(0)

    @Slot()
    def _reopen(self) -> None:
        """Show what was brought back, unless something else is shown since."""
        chat_id, self._reopening = self._reopening, None
        if chat_id is not None and not self.chat.transcript.turns:
            self.chat.open(chat_id)

    def _change(self, work: Work) -> Job:
        """Do something in the catalog, and read the list after it."""
        job = self._start(work)
        self._pending[job] = work
        job.finished.connect(self._changed)
        return job

    @Slot()
    def _changed(self) -> None:
        self._pending.pop(self.sender(), None)
        self.refresh()

    def _start(self, work: Work, lane: Lane = Lane.READ) -> Job:
        job = self._jobs.start(lane, work)
        job.failed.connect(self._fail)
        return job

    @Slot(object)
    def _show(self, rows: tuple[ConversationRow, ...]) -> None:
        self.rows = rows
        self.listed.emit(rows)

    @Slot()
    def _listing_over(self) -> None:
        self._listing = None
        if self._stale:
            self.refresh()

    @Slot(object)
    def _go_to(self, transcript: Transcript) -> None:
        """Point at the turn with the message that was asked for; its conversation is shown."""
        turns = [{turn.question_id, turn.answer_id} for turn in transcript.turns]
        number = next((n for n, ids in enumerate(turns) if self._wanted in ids), None)
        if number is not None:
            self.pointed.emit(number)

    @Slot(object)
    def _tell_found(self, found: tuple[str, tuple[MessageHit, ...]]) -> None:
        self._searching = None
        self.found.emit(ConversationHits(*found))

    @Slot(object)
    def _notice_new(self, transcript: Transcript) -> None:
        """Read the list when a conversation has just begun."""
        if transcript.chat_id != self._known_chat:
            self._known_chat = transcript.chat_id
            known = {int(each.id) for each in conversations_of(self.rows)}
            if transcript.chat_id is not None and transcript.chat_id not in known:
                self.refresh()

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self._pending.pop(self.sender(), None)
        if self.sender() is self._listing:
            self._listing = None
        if not isinstance(error, UserError):
            raise error
        self.complained.emit(error)


def _timer(parent: QObject, milliseconds: int) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    return timer


def _until_midnight() -> int:
    """Return the milliseconds until the list's parts are other ones."""
    now = datetime.now()
    passed = now.hour * 3600 + now.minute * 60 + now.second
    return (_DAY - passed + 1) * 1000
