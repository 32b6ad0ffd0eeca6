"""The middle of the window: home, the conversation, all files, what they lack, the workbench."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_rag.core.errors import UserError
from desktop_rag.core.program_command import client_configuration
from desktop_rag.gui.chat.chat_pane import ChatPane
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.document_scope import DocumentScope, ScopeItem
from desktop_rag.gui.controllers.file_query import FileGroup
from desktop_rag.gui.controllers.folder_nodes import FilePlace
from desktop_rag.gui.controllers.open_document import OpenDocument
from desktop_rag.gui.controllers.preparations import PreparationRow
from desktop_rag.gui.external_actions import ExternalActions
from desktop_rag.gui.home.home_page import HomePage
from desktop_rag.gui.lab.question_form import QuestionForm
from desktop_rag.gui.lab.search_test_values import PassageTarget
from desktop_rag.gui.library.file_table_page import FileTablePage
from desktop_rag.gui.library.library_pane import LibraryPane
from desktop_rag.gui.library.serving_dialog import ServingDialog
from desktop_rag.gui.mode_rail import Mode
from desktop_rag.gui.session_state import SessionState
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.sources_pane import SourcesPane

if TYPE_CHECKING:
    from desktop_rag.gui.lab.lab_tabs import LabTabs
    from desktop_rag.gui.library.derived_texts_page import DerivedTextsPage
    from desktop_rag.gui.library.health_page import HealthPage
    from desktop_rag.gui.notes.notes_page import NotesPage


@dataclass(frozen=True, slots=True)
class PageState:
    """Which page is shown, and what the table of files is narrowed to.

    `lab` is the number of the lab's page, -1 where it is not shown.
    """

    mode: Mode
    lab: int
    text: str
    group: FileGroup
    place: FilePlace
    has_health: bool = False


class PageStack(QStackedWidget):
    """The pages of all modes; `mode_changed` carries the `Mode` of the one that is shown.

    `page_wanted` says that somebody asked for a page, of the one that is shown, too.
    """

    mode_changed = Signal(object)
    page_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        context: AppContext,
        chat: ChatPane,
        files: FileTablePage,
        sources: SourcesPane,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._context = context
        is_new = SessionState(context.data_dir).is_new
        self.home = HomePage(theme, context, is_new=is_new)
        self._chat = chat
        self._sources = sources
        self._bench: LabTabs | None = None
        self._health: HealthPage | None = None
        self._derived: DerivedTextsPage | None = None
        self._notes: NotesPage | None = None
        self._doors: ExternalActions | None = None
        self._library: LibraryPane | None = None
        self.files = files
        for page in (self.home, chat, files):
            self.addWidget(page)
        self.currentChanged.connect(self._tell_mode)
        theme.changed.connect(self._follow_theme)
        chat.asked.connect(self._show_asked)
        chat.test_wanted.connect(self._save_question)
        chat.preparations_wanted.connect(self._show_preparations)
        sources.viewer.only_wanted.connect(self._ask_only)
        sources.why_asked.connect(self._show_why)

    def serve(self, library: LibraryPane, doors: ExternalActions, data_dir: Path) -> None:
        """Follow what the library pane asks for, and let the table's wishes out."""
        actions = self.files.actions_of_files
        library.health_wanted.connect(self.show_health)
        library.bases.look_asked.connect(self.show_derived)
        self._doors, self._library = doors, library
        library.place_picked.connect(self.files.show_place)
        library.table_wanted.connect(self.files.view.setFocus)
        self.files.place_changed.connect(library.show_place)
        actions.read_asked.connect(self.read_file)
        self.files.files_wanted.connect(doors.choose_files)
        self.files.folder_wanted.connect(doors.choose_folder)
        actions.passages_asked.connect(self._show_passages)
        library.documents_asked.connect(self._read_documents)
        actions.documents_asked.connect(self._read_documents)
        actions.open_asked.connect(doors.open_outside)
        actions.folder_asked.connect(doors.show_in_folder)
        actions.removal_asked.connect(library.weigh)
        actions.password_asked.connect(library.ask_for_password)
        library.bases.serving_wanted.connect(self._show_serving)
        self.files.restore(data_dir)
        library.tree.restore(data_dir)

    @Slot()
    def _show_serving(self) -> None:
        """Show whether other programs may ask the current knowledge base."""
        library = self._context.library
        kb, is_served = library.snapshot.current, library.snapshot.is_served
        given = client_configuration(self._context.data_dir)
        box = ServingDialog(kb, given, self.window(), is_served=is_served)
        box.agreed.connect(library.change_base)
        box.open()

    def save_state(self) -> PageState:
        """Return what is shown."""
        files = self.files
        return PageState(
            self.mode,
            self.bench.current if self.shows_bench else -1,
            files.filter.text(),
            files.bar.chosen,
            files.place,
            self._health is not None and self.currentWidget() is self._health,
        )

    def restore_state(self, before: PageState) -> None:
        """Show what another window showed."""
        self.show_mode(before.mode)
        if before.mode is Mode.LIBRARY:
            self.files.show_only(before.group, before.place)
            self.files.filter.setText(before.text)
        if before.has_health:
            self.show_health()
        if before.lab >= 0:
            self.show_bench()
            self.bench.show_sheet(before.lab)

    @property
    def mode(self) -> Mode:
        """The mode that the page belongs to that is shown."""
        page = self.currentWidget()
        if page is self.home:
            return Mode.HOME
        if page is self._chat:
            return Mode.ASK
        if page is self._notes:
            return Mode.NOTES
        return Mode.BENCH if self.shows_bench else Mode.LIBRARY

    @Slot(object)
    def show_mode(self, mode: Mode) -> None:
        """Show the first page of a mode; of the one that is shown, too."""
        if mode is Mode.HOME:
            self.show_home()
        elif mode is Mode.ASK:
            self.show_chat()
        elif mode is Mode.LIBRARY:
            self.show_files()
        elif mode is Mode.NOTES:
            self.show_notes()
        else:
            self.show_bench()

    @property
    def shows_files(self) -> bool:
        """Whether the table is shown."""
        return self.currentWidget() is self.files

    @property
    def shows_bench(self) -> bool:
        """Whether the workbench is shown."""
        return self._bench is not None and self.currentWidget() is self._bench

    @property
    def health(self) -> HealthPage:
        """The page of what files lack, made when it is first asked for."""
        if self._health is None:
            from desktop_rag.gui.library.health_page import HealthPage

            context = self._context
            self._health = HealthPage(self._theme, context.library, context.index_health)
            self._health.left.connect(self.show_files)
            self._health.group_wanted.connect(self._show_group)
            if self._doors is not None:
                self._health.open_asked.connect(self._doors.open_outside)
            if self._library is not None:
                self._health.passwords_wanted.connect(self._library.ask_for_password)
            self.addWidget(self._health)
        return self._health

    @property
    def derived(self) -> DerivedTextsPage:
        """The page of what was derived from documents, made when it is first asked for."""
        if self._derived is None:
            from desktop_rag.gui.library.derived_texts_page import DerivedTextsPage

            self._derived = DerivedTextsPage(self._theme, self._context.library.derived_texts)
            self._derived.left.connect(self.show_files)
            self._derived.passage_asked.connect(self._show_document)
            self.addWidget(self._derived)
        return self._derived

    @property
    def notes(self) -> NotesPage:
        """The page of notes, made when it is first asked for."""
        if self._notes is None:
            from desktop_rag.gui.notes.notes_page import NotesPage

            self._notes = NotesPage(self._theme, self._context.notes)
            self._notes.document_wanted.connect(self._show_document)
            if self._doors is not None:
                self._notes.web_asked.connect(self._doors.ask_for_web)
            self.addWidget(self._notes)
        return self._notes

    @property
    def bench(self) -> LabTabs:
        """The workbench, made when it is first asked for: no start waits for it."""
        if self._bench is None:
            from desktop_rag.gui.lab.lab_tabs import LabTabs

            self._bench = LabTabs(self._theme, self._context)
            self._bench.left.connect(self.show_chat)
            self._bench.document_wanted.connect(self._show_document)
            self._bench.preparations_wanted.connect(self._show_preparations)
            self.addWidget(self._bench)
        return self._bench

    @Slot(str)
    def _show_preparations(self, kb: str) -> None:
        if self._library is not None:
            self._library.bases.show_preparations_of(kb)

    @Slot()
    def show_home(self) -> None:
        """Show the page that the program begins with, ready for a question."""
        self.home.lend(self._chat.composer)
        self._chat.begin_anew()
        self._show(self.home)
        self.focus_page()

    def _show(self, page: QWidget) -> None:
        self.setCurrentWidget(page)
        self.page_wanted.emit()

    def focus_page(self) -> None:
        """Give the keyboard to what is used most on the page that is shown."""
        if self.mode is Mode.LIBRARY:
            self.files.view.setFocus()
        elif self._notes is not None and self.mode is Mode.NOTES:
            self._notes.list.setFocus()
        elif self.mode is Mode.HOME and self.home.is_first_start:
            self.home.setFocus()
        elif self.mode is not Mode.BENCH:
            self._chat.composer.edit.setFocus()

    @Slot()
    def _follow_theme(self) -> None:
        """Leave the workbench when experts' tools are no longer wanted."""
        if self.shows_bench and not self._theme.is_expert:
            self.show_chat()

    @Slot()
    def show_files(self) -> None:
        """Show the table of all files."""
        self._show(self.files)

    @Slot()
    def show_health(self) -> None:
        """Show what the files of the knowledge base lack."""
        self._show(self.health)

    @Slot()
    def show_notes(self) -> None:
        """Show the notes."""
        self.notes.kbs = (self._context.library.snapshot.current,)
        self._show(self.notes)

    def complain_of_notes(self, error: UserError) -> None:
        """Say what went wrong with a note, where it can be seen."""
        if self._notes is not None and self.currentWidget() is self._notes:
            self._notes.complain(error)
        else:
            self._chat.complain(error)

    @Slot(object)
    def show_derived(self, row: PreparationRow) -> None:
        """Show what was derived from documents for a way."""
        self._show(self.derived)
        self.derived.look_at(row)

    @Slot()
    def show_bench(self) -> None:
        """Show the workbench."""
        self._show(self.bench)
        self.bench.enter()

    @Slot(object)
    def _save_question(self, form: QuestionForm) -> None:
        self.bench.save_question(form)

    @Slot(object)
    def _show_why(self, aim: PassageTarget) -> None:
        """Say in the workbench why a passage is, or is not, found."""
        self.show_bench()
        self.bench.follow(aim)

    @Slot()
    def show_chat(self) -> None:
        """Show the conversation, ready for a question."""
        self.back_to_chat()
        self._chat.composer.edit.setFocus()

    @Slot()
    def back_to_chat(self) -> None:
        """Show the conversation that was opened; the keyboard stays where it is."""
        self._chat.take_back_composer()
        self._show(self._chat)

    @Slot()
    def _show_asked(self) -> None:
        if self.currentWidget() is not self._chat:
            self.show_chat()

    def go_back(self) -> bool:
        """Leave a page, once nothing runs on it and no document is open beside it; say whether."""
        if self.shows_bench and self.bench.stop():
            return True
        page = self.currentWidget()
        if self._notes is not None and page is self._notes and self._notes.leave_editing():
            return True
        firsts = (self.home, self._chat, self.files, self._notes)
        if self._sources.is_reading or page in firsts:
            return False
        if self.shows_bench:
            self.show_chat()
        else:
            self.show_files()
        return True

    def find_on_page(self) -> bool:
        """Go to the field in which files, or notes, are looked for; False where there is none."""
        if self.shows_files:
            self.files.find_files()
        elif self._notes is not None and self.mode is Mode.NOTES:
            self._notes.field.setFocus()
        return self.mode in (Mode.LIBRARY, Mode.NOTES)

    @Slot(object)
    def _read_documents(self, scope: DocumentScope) -> None:
        """Show the conversation in which documents are read, or asked."""
        self.show_chat()
        self._chat.take_documents(scope)

    @Slot(object)
    def _show_group(self, group: FileGroup) -> None:
        self.show_files()
        self.files.show_only(group)

    @Slot(object)
    def _show_passages(self, path: str) -> None:
        self._sources.open_file(path, self._context.library.snapshot.current)

    @Slot(object)
    def read_file(self, path: str) -> None:
        """Show a file of the knowledge base that is shown, beside whatever page there is."""
        self._sources.read_file(path, self._context.library.snapshot.current)

    @Slot(object)
    def _ask_only(self, document: ScopeItem) -> None:
        """Let what is asked next go to the one document that is read."""
        self.show_chat()
        self._chat.ask_only(document)

    @Slot(object)
    def _show_document(self, document: OpenDocument) -> None:
        self._sources.open_again(document)

    @Slot()
    def _tell_mode(self) -> None:
        self.mode_changed.emit(self.mode)
