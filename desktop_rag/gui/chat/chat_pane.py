"""The middle pane: title, transcript or what to do first, banner, composer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.core.errors import CatalogDamaged, UserError
from desktop_rag.core.events import DocumentsTask
from desktop_rag.core.requests import NoteRequest
from desktop_rag.gui.chat import transcript_links, transcript_text
from desktop_rag.gui.chat.banners import LanguageBanner, ScopeBanner
from desktop_rag.gui.chat.composer import ComposedQuestion, Composer
from desktop_rag.gui.chat.export_dialog import export_labels
from desktop_rag.gui.chat.scope_row import asked_text, question_text
from desktop_rag.gui.chat.transcript_links import TurnPart
from desktop_rag.gui.chat.transcript_view import TranscriptView, TurnAction, continues
from desktop_rag.gui.chat.virtual_transcript import side_of
from desktop_rag.gui.chat.welcome import Welcome, offered_questions
from desktop_rag.gui.controllers.answer_export import AnswerExport
from desktop_rag.gui.controllers.chat import AskOptions, ChatController
from desktop_rag.gui.controllers.document_scope import EACH, ONLY, DocumentScope, ScopeItem
from desktop_rag.gui.controllers.language_coverage import LanguageCoverageController
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.controllers.llm_health import Health, HealthController, Missing, NoModel, Ready
from desktop_rag.gui.controllers.suggested_questions import SuggestedQuestionsController
from desktop_rag.gui.controllers.transcript import Transcript, Turn
from desktop_rag.gui.lab.question_form import form_from_turn
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.theme import HEAD, Theme
from desktop_rag.gui.widgets.banner import Banner
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.elided_label import ElidedLabel
from desktop_rag.gui.widgets.scroll_areas import PageScrollArea
from desktop_rag.gui.widgets.separator import separator
from desktop_rag.gui.widgets.tooltips import tip

_NARROW, _LEAST_SIDE = 400, 16  # pixels
_LOWEST = 32  # pixels; on a small screen the banner and the question come first


class ChatPane(QWidget):
    """Shows a `ChatController`.

    `cited` carries a `CitationClick` when a citation is clicked, `web_asked` a web address,
    `export_wanted` the ids of the conversations that are to be written to a file, `test_wanted`
    the `Form` of an answer that is to be a test question, `preparations_wanted` the name of a
    knowledge base that is to be prepared, `note_wanted` the `NoteRequest` that saves an answer;
    `waiting_ended` says that the last answer is not to be asked again by itself, `folder_wanted`
    that there is nothing yet to ask, `asked` that a question is going to be asked;
    `sources_wanted` carries the number of a turn.
    """

    cited = Signal(object)
    web_asked = Signal(object)
    export_wanted = Signal(object)
    test_wanted = Signal(object)
    preparations_wanted = Signal(str)
    health_wanted = Signal()
    note_wanted = Signal(object)
    waiting_ended = Signal()
    folder_wanted = Signal()
    asked = Signal()
    sources_wanted = Signal(object)

    def __init__(self, theme: Theme, chat: ChatController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._chat = chat
        self.begins_anew = False
        self._was_running = False
        self._shown = Transcript()
        self._current = ""
        self._shelf = LibrarySnapshot((), "")
        self._suggestions: SuggestedQuestionsController | None = None
        self._saved_turn = 0
        self._has_scope_for_one = False
        self._exported: Turn | None = None
        self._title = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._title.setObjectName("heading")
        self.new = IconButton(theme, "new-chat", self.tr("New conversation (Ctrl+N)"))
        self.export = IconButton(theme, "export", self.tr("Export this conversation…"))
        self.view = TranscriptView(theme)
        self.welcome = Welcome()
        self.composer = Composer(theme)
        self.banner = Banner(theme, "banner")
        self.complaint = Banner(theme, "complaint")
        self.notice = Banner(theme, "banner")
        self.scope = ScopeBanner(theme)
        self.fit = LanguageBanner(theme)
        self._stack = QStackedWidget()
        self._strips, self._column = QVBoxLayout(), QVBoxLayout(self)
        self._lay_out()
        self._connect()
        self._show(chat.transcript)

    def _connect(self) -> None:
        chat = self._chat
        self.new.clicked.connect(self._new)
        self.export.clicked.connect(self._export)
        self.view.cited.connect(self.cited)
        self.view.web_asked.connect(self.web_asked)
        self.welcome.question_picked.connect(self.ask_offered)
        self.view.wished.connect(self._grant)
        self.view.part_noted.connect(self._note_part)
        self.composer.submitted.connect(self._ask)
        self.composer.recalled.connect(self._recall)
        self.composer.stopped.connect(chat.stop)
        self.composer.drafted.connect(self._keep_draft)
        self.composer.scope.changed.connect(self._keep_scope)
        chat.draft_found.connect(self._take_draft)
        chat.scope_found.connect(self._take_scope)
        chat.complained.connect(self.complain)
        chat.exported.connect(self._tell_exported)
        self.banner.acted.connect(self.health_wanted)
        self.scope.acted.connect(self._new)
        self.composer.chips.changed.connect(self._compare_scope)
        chat.transcript_changed.connect(self._show)

    def watch(
        self,
        library: LibraryController,
        health: HealthController,
        fit: LanguageCoverageController,
        suggestions: SuggestedQuestionsController,
    ) -> None:
        """Follow what can be asked, and who can answer."""
        self._suggestions = suggestions
        suggestions.changed.connect(self._offer)
        library.snapshot_changed.connect(self._show_shelf)
        library.activity_changed.connect(self.composer.show_activity)
        self.composer.names.serve(library.names)
        health.health_changed.connect(self._show_health)
        self._show_shelf(library.snapshot)
        self.composer.show_activity(library.activity)
        self._show_health(health.health)
        self.fit.watch(fit)

    def add_strip(self, widget: QWidget) -> None:
        """Put something between transcript and composer."""
        self._strips.insertWidget(0, widget)

    def take_back_messages(self) -> None:
        """Show between transcript and composer what another page showed meanwhile."""
        self._strips.insertWidget(self._strips.indexOf(self.fit), self.complaint)
        self._strips.insertWidget(self._strips.indexOf(self.fit), self.notice)

    @Slot(object)
    def _show(self, transcript: Transcript) -> None:
        if self._was_running != transcript.running and transcript.turns:
            self.view.speaker.tell(transcript.turns[-1])
        self._was_running = transcript.running
        self.export.setVisible(transcript.chat_id is not None)
        self._title.set_text(transcript.title or self.tr("New conversation"))
        self.composer.set_running(transcript.running)
        self.composer.leave_editing_beyond(len(transcript.turns))
        self.view.show_transcript(transcript)
        is_chosen = not self._shown.kbs and bool(self._shown.turns and transcript.kbs)
        if is_chosen or not continues(self._shown, transcript):
            self.composer.chips.keep(transcript.kbs)
        self._shown = transcript
        self._compare_scope()
        if not transcript.turns and self.view.hasFocus():
            self.composer.edit.setFocus()
        self._stack.setCurrentIndex(int(bool(transcript.turns)))

    @Slot(object)
    def _show_shelf(self, snapshot: LibrarySnapshot) -> None:
        self._current = snapshot.current
        self._shelf = snapshot
        self.composer.show_shelf(snapshot)
        self.welcome.show_shelf(snapshot)
        self._offer()
        self._compare_scope()

    @Slot()
    def _offer(self) -> None:
        if self._suggestions is not None:
            found = self._suggestions.questions
            self.welcome.questions.offer(offered_questions(self._shelf, found))

    @Slot()
    def _compare_scope(self) -> None:
        """Say so where a conversation asks another knowledge base than the one that is shown."""
        is_ticked = bool(self._chat.transcript.turns) and self.composer.scope.scope is None
        self.scope.compare(self.composer.chips.chosen() if is_ticked else (), self._current)

    @Slot(object)
    def _show_health(self, health: Health) -> None:
        found = health if isinstance(health, Ready) else Ready(())
        self.composer.set_models(found.models, found.usual, found.elsewhere)
        self.view.leave_out(health.what if isinstance(health, Missing) else "")
        again = self.tr("Set up…")
        possible = self.tr("Without a language model, answers are quotes from your documents.")
        if isinstance(health, Missing):
            self.banner.say(join_sentences(possible, translate_message(health.remedy)), again)
            self.banner.setToolTip(tip(translate_message(health.what)))
        elif isinstance(health, NoModel):
            remedy = self.tr("Get Ollama a model, for example: ollama pull qwen3:4b")
            self.banner.say(f"{possible} {remedy}", again)
        else:
            self.banner.hide()

    @Slot(object)
    def _ask(self, asked: ComposedQuestion) -> None:
        how = self._options_of(asked)
        if self._is_held_back(asked, how):
            self.composer.put_draft(asked.text)
            return
        if self.begins_anew and asked.place is None and self._chat.transcript.turns:
            self._chat.new()
        self.asked.emit()
        if asked.scope is not None and asked.scope.kind == EACH:
            self.composer.put_scope(self._chat.scope(is_new=False))
            self._read(asked.scope, how, asked.text)
        elif asked.place is None:
            self._chat.ask_so(asked.text, how)
        else:
            self._chat.ask_at(asked.place, asked.text, how)

    def _is_held_back(self, asked: ComposedQuestion, how: AskOptions) -> bool:
        """Say what is to be done first, where there is nothing that can be asked."""
        if asked.scope is not None and self.composer.scope.is_gone:
            self.complaint.say(
                self.tr(
                    "What this question is asked of is not in the library any more. Take it away "
                    "with its cross to ask everything, or choose something else."
                )
            )
            return True
        if asked.place is None and self._shelf.has_nothing_in(how.kbs):
            self.folder_wanted.emit()
            return True
        return False

    def _options_of(self, asked: ComposedQuestion, *, as_written: bool = False) -> AskOptions:
        return AskOptions(
            asked.kbs if asked.chooses_kb else asked.kbs or (self._current,),
            asked.strategy,
            asked.model,
            as_written,
            kept_options=asked.kept_options,
            where=asked.scope.where if asked.scope is not None else "",
            chooses_kb=asked.chooses_kb,
            only_these=asked.scope is not None,
        )

    @Slot(object)
    def take_documents(self, scope: DocumentScope) -> None:
        """Do with documents what was chosen, or wait for the question that they are to be asked."""
        if scope.kind in (ONLY, EACH):
            self.composer.ask_documents(scope)
        elif self._chat.transcript.running:
            self.complaint.say(self.tr("An answer is being written. Stop it, or wait for its end."))
        else:
            how = replace(self._options_of(self.composer.asked("")), kbs=scope.kbs)
            self._read(scope, how)

    def ask_only(self, document: ScopeItem) -> None:
        """Let what is asked next go to one document."""
        asked = self._chat.transcript.kbs or (self._current,)
        if not document.kb and len(asked) == 1:
            document = replace(document, kb=asked[0])
        self.composer.ask_documents(DocumentScope(ONLY, (document,)))

    def _read(self, scope: DocumentScope, how: AskOptions, question: str = "") -> None:
        task = DocumentsTask(scope.kind, scope.paths, question)
        self._chat.read_documents(task, asked_text(task), how)

    @Slot(object)
    def _grant(self, wish: TurnAction) -> None:
        """Do what a link under a question or an answer says."""
        of_number = {
            transcript_links.KEEP: self._chat.keep,
            transcript_links.NOTE: self._note,
            transcript_links.ROWS: self._save_rows,
            transcript_links.EXPORT: self._export_answer,
            transcript_links.SOURCES: self.sources_wanted.emit,
        }
        if wish.kind in of_number:
            of_number[wish.kind](wish.turn)
        elif wish.kind == transcript_links.EDIT:
            self.composer.edit_question(wish.turn, self._chat.transcript.turns[wish.turn].question)
        elif wish.kind == transcript_links.TEST:
            transcript = self._chat.transcript
            self.test_wanted.emit(form_from_turn(transcript.turns[wish.turn], transcript.kbs))
        elif wish.kind == transcript_links.EARLIER:
            self._chat.open_earlier(wish.turn, wish.question_id)
        elif wish.kind in (transcript_links.ELSEWHERE, transcript_links.PREPARE):
            self._turn_to_base(wish)
        elif wish.kind == transcript_links.WAIT:
            self.waiting_ended.emit()
        elif wish.kind == transcript_links.MORE:
            self._chat.continue_answer(self.composer.asked("").model)
        elif wish.kind == transcript_links.VERSION:
            self._chat.branch(wish.question_id)
        else:
            as_written = wish.kind == transcript_links.WRITTEN
            scope = self.composer.scope.scope
            if scope is not None and scope.kind != ONLY:  # that is for the next question alone
                scope = self._chat.scope(is_new=False)
            how = self._options_of(self.composer.asked_of("", scope), as_written=as_written)
            self._chat.retry(wish.turn, how)

    def _note(self, number: int, text: str | None = None) -> None:
        """Have a turn's answer saved as a note, or a part of it."""
        shown = self._chat.transcript
        if shown.chat_id is not None and number < len(shown.turns):
            answer = shown.turns[number].answer_id
            request = NoteRequest("add", text=text, chat_id=shown.chat_id, answer_id=answer)
            self.note_wanted.emit(request)

    @Slot(object)
    def _note_part(self, part: TurnPart) -> None:
        self._note(part.turn, part.text)

    def _turn_to_base(self, wish: TurnAction) -> None:
        """Ask a turn's question of the knowledge base that may know, or show what there is of the
        asked one's preparations.
        """
        if wish.kind == transcript_links.ELSEWHERE:
            self._chat.ask_elsewhere(wish.turn, self._options_of(self.composer.asked("")))
            return
        kbs = self._chat.transcript.kbs or (self._current,)
        self.preparations_wanted.emit(kbs[0])

    def _export_answer(self, number: int) -> None:
        """Ask where an answer is to be written."""
        from desktop_rag.gui.chat.answer_export_dialog import (
            AnswerExportDialog,  # no start needs it
        )

        turn = self._chat.transcript.turns[number]
        said = transcript_text.answer(turn)
        self._exported = replace(turn, question=question_text(turn), text=said)
        dialog = AnswerExportDialog(self._exported.question, self.window())
        dialog.settled.connect(self._export_answer_to)
        dialog.open()

    @Slot(object)
    def _export_answer_to(self, settled: tuple[Path, str]) -> None:
        if self._exported is not None:
            self._chat.export(AnswerExport(self._exported, *settled, export_labels()))

    @Slot(object)
    def _tell_exported(self, path: Path) -> None:
        self.notice.say(self.tr("Exported to %1.").replace("%1", str(path)))

    def _save_rows(self, turn: int) -> None:
        """Ask where the rows of an answer are to be written."""
        from desktop_rag.gui.chat.table_dialog import TableDialog  # no start needs it

        self._saved_turn = turn
        dialog = TableDialog(self._chat.transcript.turns[turn].question, self.window())
        dialog.settled.connect(self._save_rows_to)
        dialog.open()

    @Slot(object)
    def _save_rows_to(self, path: str) -> None:
        if self._saved_turn < len(self._chat.transcript.turns):
            self._chat.save_table(self._saved_turn, path)

    @Slot()
    def _recall(self) -> None:
        """Take the last question into the field to be changed."""
        turns = self._chat.transcript.turns
        if turns and turns[-1].task is None and not self.begins_anew:
            self.composer.edit_question(len(turns) - 1, turns[-1].question)

    @Slot(object)
    def complain(self, error: UserError) -> None:
        """Say what went wrong and what to do; of a damaged catalog a dialog tells."""
        if not isinstance(error, CatalogDamaged):
            self.complaint.say(
                join_sentences(translate_message(error.what), translate_message(error.remedy))
            )

    @Slot(object)
    def ask_offered(self, question: str) -> None:
        """Ask a question that was offered, of the knowledge base that answers it."""
        if self._chat.transcript.running:
            self.complaint.say(self.tr("An answer is being written. Stop it, or wait for its end."))
            return
        self.composer.leave_editing()
        if self.composer.scope.scope is not None:
            self.composer.scope.change(None)  # the question is of the whole knowledge base
        asked = replace(self.composer.asked(question), chooses_kb=False)
        self._ask(replace(asked, kbs=(self._current,)))

    def begin_anew(self) -> None:
        """Let what is asked next begin a conversation; the field is lent to another page."""
        if not self.begins_anew:
            self.begins_anew = True
            self.composer.leave_editing()
            self.composer.chips.keep(())
            self.composer.put_draft(self._chat.draft(is_new=True))
            self.composer.put_scope(self._chat.scope(is_new=True))

    @Slot(object)
    def _keep_draft(self, text: str) -> None:
        self._chat.typed(text, is_new=self.begins_anew)

    @Slot(object)
    def _take_draft(self, text: str) -> None:
        """Show what was typed in the conversation that is shown now, where that is asked."""
        if not self.begins_anew or self._chat.transcript.chat_id is None:
            self.composer.put_draft(text)

    @Slot(object)
    def _keep_scope(self, scope: DocumentScope | None) -> None:
        """Keep what was chosen for the conversation; what is for one question is not kept."""
        is_for_one = scope is not None and scope.kind != ONLY
        if scope is None and self._has_scope_for_one:
            self.composer.put_scope(self._chat.scope(is_new=self.begins_anew))
        elif not is_for_one:
            self._chat.choose_scope(scope, is_new=self.begins_anew)
        self._has_scope_for_one = is_for_one
        self._compare_scope()

    @Slot(object)
    def _take_scope(self, scope: DocumentScope | None) -> None:
        """Show what the conversation asks that is shown now, where that is asked."""
        if not self.begins_anew or self._chat.transcript.chat_id is None:
            self.composer.put_scope(scope)
            self._compare_scope()

    def take_back_composer(self) -> None:
        """Show the field for a question below the conversation, where it belongs."""
        if self._column.indexOf(self.composer) < 0:
            self._column.addWidget(self.composer)
            self._fit_sides(self.width())
        if self.begins_anew:
            self.begins_anew = False
            self.composer.chips.keep(self._chat.transcript.kbs)
            self.composer.put_draft(self._chat.draft(is_new=False))
            self.composer.put_scope(self._chat.scope(is_new=False))

    @Slot()
    def _new(self) -> None:
        self._chat.new()
        self.composer.edit.setFocus()

    @Slot()
    def _export(self) -> None:
        if self._chat.transcript.chat_id is not None:
            self.export_wanted.emit((self._chat.transcript.chat_id,))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Keep the question and the banners as wide as the text above them, and below it."""
        super().resizeEvent(event)
        self._fit_sides(event.size().width())

    def _fit_sides(self, width: int) -> None:
        bar = self.view.verticalScrollBar().sizeHint().width()
        left = side_of(width - bar)
        right = left + bar
        if width < _NARROW:
            left = right = _LEAST_SIDE
        if self._column.indexOf(self.composer) >= 0:
            self.composer.set_sides(left, right)
        self._strips.setContentsMargins(left, 0, right, 4)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(20, 0, 12, 0)
        self._title.setMinimumHeight(HEAD)
        top.addWidget(self._title, 1)
        top.addWidget(self.export)
        top.addWidget(self.new)
        self._stack.addWidget(PageScrollArea(self.welcome))
        self._stack.setMinimumHeight(_LOWEST)
        self._stack.addWidget(self.view)
        self._strips.addWidget(self.complaint)
        self._strips.addWidget(self.notice)
        self._strips.addWidget(self.fit)
        self._strips.addWidget(self.banner)
        self._strips.addWidget(self.scope)
        column = self._column
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(separator())
        column.addWidget(self._stack, 1)
        column.addLayout(self._strips)
        column.addWidget(self.composer)
