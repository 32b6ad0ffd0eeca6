"""The list of conversations: renames, pins, deletes with a way back, searches, exports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import KbRequest, RemoveRequest
from desktop_rag.core.types import ChatId
from desktop_rag.gui.controllers import conversation_export, conversation_jobs
from desktop_rag.gui.controllers.answer_decoder import INTERRUPTED
from desktop_rag.gui.controllers.chat import ChatController
from desktop_rag.gui.controllers.conversation_export import ConversationExport
from desktop_rag.gui.controllers.conversation_groups import ConversationRow, conversations_of
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation, Work
from desktop_rag.gui.controllers.library_commands import CommandDone
from desktop_rag.gui.controllers.transcript import Transcript

if TYPE_CHECKING:
    from desktop_rag.catalog.chats import Chats
    from desktop_rag.core.catalog_records import MessageHit

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
        work = partial(conversation_jobs.list_conversations, self._folder, self.rows)
        listing = Operation(work)
        listing.on_end(self._end_listing).on_success(self._show).on_user_error(self.complained)
        self._listing = listing.start(self._jobs, Lane.READ)
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
            work = partial(conversation_jobs.load, self._folder, shown)
            self._read_again(work, Lane.CHAT)

    def rename(self, chat_id: int, title: str) -> None:
        """Give a conversation another title."""
        if chat_id == self.chat.transcript.chat_id:
            self.chat.show(replace(self.chat.transcript, title=title))
        self._change(lambda chats: chats.rename(ChatId(chat_id), title))

    def pin(self, chat_ids: Sequence[int], *, pinned: bool) -> None:
        """Keep conversations on top of the list, or no more."""
        pinning = tuple(map(ChatId, chat_ids))

        def change(chats: Chats) -> None:
            for each in pinning:
                chats.pin(each, pinned=pinned)

        self._change(change)

    def delete(self, chat_ids: Sequence[int]) -> None:
        """Take conversations out of sight; `undo` brings them back for a while."""
        gone = tuple(each for each in chat_ids if each not in self._away)
        if not gone:
            return
        if self.chat.transcript.chat_id in gone:
            self._shown_before = self.chat.transcript.chat_id
            self.chat.new()
        self._away += gone
        self._change(lambda chats: chats.put_away(map(ChatId, gone)))
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
        away, self._reopening = self._away, self._shown_before
        restoring = self._change(lambda chats: chats.bring_back(map(ChatId, away)))
        restoring.succeeded.connect(self._reopen)
        self._forget_deleted()

    @Slot()
    def bury(self) -> None:
        """Delete for good what may still be undone."""
        if self._away:
            gone = map(ChatId, self._away)
            work = partial(
                conversation_jobs.change, self._folder, lambda chats: chats.delete(*gone)
            )
            Operation(work).on_user_error(self.complained).start(self._jobs, Lane.READ)
            self._forget_deleted()

    def open(self, chat_id: int, message_id: int = 0) -> None:
        """Show a conversation, at a message if one is named."""
        if not message_id:
            self.chat.open(chat_id)
            return
        self._wanted = message_id
        self.chat.open_at(chat_id, message_id).succeeded.connect(self._go_to)

    def search(self, query: str) -> None:
        """Look for words in all conversations; nothing, for an empty query."""
        if self._searching is not None:
            self._searching.cancel()
            self._searching = None
        if not query.strip():
            self.found.emit(None)
            return
        work = partial(conversation_jobs.search, self._folder, query)
        searching = Operation(work).on_success(self._tell_found).on_user_error(self.complained)
        self._searching = searching.start(self._jobs, Lane.READ)

    def export(self, export: ConversationExport) -> None:
        """Write conversations to a file."""
        writing = Operation(partial(conversation_export.write, self._folder, export))
        writing.on_success(self.exported).on_user_error(self.complained)
        writing.start(self._jobs, Lane.CARRY)

    def close(self) -> None:
        """Delete for good what was deleted: the last work of the lanes.

        What was decided last may have had no turn in them; done twice it is the same.
        """
        token = CancelToken()
        for work in list(self._pending.values()):
            work(token)
        self._folder.get(token).catalog.chats.bury()

    def _reload(self, last: int) -> None:
        shown = self.chat.transcript.chat_id
        if shown is not None and shown not in self._away:
            work = partial(conversation_jobs.catch_up, self._folder, shown, last)
            self._read_again(work, Lane.READ)

    def _read_again(self, work: Callable[[CancelToken], Transcript | None], lane: Lane) -> None:
        reading = Operation(work).on_success(self._show_again).on_user_error(self.complained)
        reading.start(self._jobs, lane)

    @Slot(object)
    def _show_again(self, transcript: Transcript | None) -> None:
        shown = self.chat.transcript
        if transcript is not None and shown.chat_id == transcript.chat_id and not shown.running:
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

    def _change(self, how: Callable[[Chats], object]) -> Job:
        """Do something in the catalog, and read the list after it."""
        work = partial(conversation_jobs.change, self._folder, how)
        changing = Operation(work).on_end(self._forget_pending).on_success(self.refresh)
        job = changing.on_user_error(self.complained).start(self._jobs, Lane.READ)
        self._pending[job] = work
        return job

    @Slot()
    def _forget_pending(self) -> None:
        self._pending.pop(self.sender(), None)

    @Slot()
    def _end_listing(self) -> None:
        self._listing = None

    @Slot(object)
    def _show(self, rows: tuple[ConversationRow, ...]) -> None:
        if rows is not self.rows:
            self.rows = rows
            self.listed.emit(rows)
        self._call_as_listed()
        if self._stale:
            self.refresh()

    def _call_as_listed(self) -> None:
        """Call the conversation that is shown what it is called in the list.

        Unless it is being renamed: then the list is read once more.
        """
        shown = self.chat.transcript
        listed = (each.title for each in conversations_of(self.rows) if each.id == shown.chat_id)
        title = next(listed, shown.title)
        if title != shown.title and not self._pending:
            self.chat.show(replace(shown, title=title))

    @Slot(object)
    def _go_to(self, transcript: Transcript) -> None:
        """Point at the turn with the message that was asked for; its conversation is shown."""
        turns = [{turn.question_id, turn.answer_id} for turn in transcript.turns]
        number = next((n for n, ids in enumerate(turns) if self._wanted in ids), None)
        if number is not None:
            self.pointed.emit(number)

    @Slot(object)
    def _tell_found(self, found: tuple[str, tuple[MessageHit, ...]]) -> None:
        self.found.emit(ConversationHits(*found))

    @Slot(object)
    def _notice_new(self, transcript: Transcript) -> None:
        """Read the list when a conversation has just begun."""
        if transcript.chat_id != self._known_chat:
            self._known_chat = transcript.chat_id
            known = {int(each.id) for each in conversations_of(self.rows)}
            if transcript.chat_id is not None and transcript.chat_id not in known:
                self.refresh()


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
