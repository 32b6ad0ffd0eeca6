"""The window: rail and panes, drag and drop, keys; wires intents to controllers."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QIcon,
    QKeySequence,
    QShortcut,
)
from PySide6.QtWidgets import QMainWindow, QMessageBox, QWidget

from desktop_rag.core.errors import CatalogDamaged, UserError
from desktop_rag.core.paths import resources
from desktop_rag.core.requests import OpenRequest
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui import shortcuts
from desktop_rag.gui.chat.chat_pane import ChatPane
from desktop_rag.gui.chat.composer import ComposerState
from desktop_rag.gui.chat.transcript_view import CitationClick
from desktop_rag.gui.chat.virtual_transcript import ScrollAnchor
from desktop_rag.gui.command_palette import CommandPalette, PaletteCommand
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.conversation_groups import conversations_of
from desktop_rag.gui.controllers.library import OpenRequestHandler
from desktop_rag.gui.controllers.open_document import OpenDocument
from desktop_rag.gui.controllers.strategy_choices import StrategyChoices
from desktop_rag.gui.external_actions import ExternalActions
from desktop_rag.gui.highlight_sync import HighlightSync
from desktop_rag.gui.library.file_table_page import FileTablePage
from desktop_rag.gui.message_strip import MessageStrip
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.mode_rail import Mode
from desktop_rag.gui.notes.note_saving import NoteSaving
from desktop_rag.gui.page_stack import PageStack, PageState
from desktop_rag.gui.pane_layout import PaneChoices, PaneLayout
from desktop_rag.gui.session_state import SessionState
from desktop_rag.gui.settings.settings_actions import SettingsActions
from desktop_rag.gui.side_pane import SidePane, SideState
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.sources_pane import SourcesPane
from desktop_rag.gui.widgets.announcements import IndexingAnnouncer
from desktop_rag.gui.widgets.drop_hint import DropHint, local_paths
from desktop_rag.gui.widgets.find_bar import FindBar

_SIZE = (1320, 840)
_MOST_NOTICES = 3  # that stand in the bar together


@dataclass(frozen=True, slots=True)
class _WindowState:
    """Where the user is: in the question, the conversation, the files, a document."""

    composer: ComposerState
    scrolled: ScrollAnchor | None
    page: PageState
    side: SideState
    document: OpenDocument | None
    turn: int
    panes: PaneChoices


class MainWindow(QMainWindow):
    """Shows an `AppContext`; closing it closes the context. `is_ending` says that the program ends,
    `ended_well` whether all work stopped.
    """

    def __init__(self, theme: Theme, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._theme = theme
        self._kept_geometry = SessionState(context.data_dir)
        self._doors = ExternalActions(self, context.jobs)
        self.visits = OpenRequestHandler(context.library, self)
        self.settings = SettingsActions(theme, context, self)
        self._shown_turn = -1
        self.ended_well, self.is_ending = True, False
        self._dress()
        self._make_panes()
        self._connect()
        self._drop_hint = DropHint(theme, self)
        self.indexing_announcer = IndexingAnnouncer(self, context.library)
        self._kept_geometry.restore(self, self.panes)
        context.library.start_with(self._kept_geometry.kb)
        self.centre.show_home()

    def _make_panes(self) -> None:
        """Make all that is in the window, in the language that is spoken now."""
        theme, context = self._theme, self.context
        self.side = SidePane(theme, context.library, context.conversations)
        self.chat = ChatPane(theme, context.chat)
        self.sources = SourcesPane(theme, context.reader)
        files = FileTablePage(theme, context.library, context.listing)
        self.centre = PageStack(theme, context, self.chat, files, self.sources)
        self.find_bar = FindBar(theme)
        self._pointing = HighlightSync(context.chat, self.chat, self.sources, self.centre)
        self.note_saving = NoteSaving(theme, context, self.centre)
        strip = MessageStrip(self.chat)
        self.panes = PaneLayout(theme, self.side, self.centre, self.sources, strip=strip)
        self.chat.add_strip(self.find_bar)
        self.setCentralWidget(self.panes)
        self._connect_panes()
        self._set_keys()

    @Slot()
    def speak_anew(self) -> None:
        """Make all that is in the window anew, in another language; what runs goes on."""
        before = self._save_state()
        self.centre.files.keep(self.context.data_dir)
        self.panes.hide()
        self._make_panes()
        if self.context.offers.strategies:
            self._offer(self.context.offers)
        self._show_sources(self.context.chat.transcript)
        self.panes.show()
        if (layout := self.layout()) is not None:
            layout.activate()  # only then is there a place to scroll back to
        self._restore_state(before)
        self.settings.speak_anew()

    def _save_state(self) -> _WindowState:
        turns, sources = self.context.chat.transcript.turns, self.sources
        return _WindowState(
            composer=self.chat.composer.save_state(),
            scrolled=self.chat.view.here(),
            page=self.centre.save_state(),
            side=self.side.save_state(),
            document=sources.viewer.document if sources.is_reading else None,
            turn=next((n for n, turn in enumerate(turns) if turn is sources.turn), len(turns) - 1),
            panes=self.panes.choices,
        )

    def _restore_state(self, before: _WindowState) -> None:
        """Show what the panes showed before they were made anew."""
        turns = self.context.chat.transcript.turns
        self.chat.composer.restore_state(before.composer)
        self.side.restore_state(before.side)
        self.centre.restore_state(before.page)
        if 0 <= before.turn < len(turns):
            self.sources.show_turn(turns[before.turn])
        if before.document is not None:
            self.sources.open_again(before.document)
        self.panes.choices = before.panes
        self.centre.focus_page()  # what had the keyboard is gone
        if self.centre.shows_files:
            self.centre.files.filter.setFocus()
        self.chat.view.go_back_to(before.scrolled)

    @Slot(object)
    def add(self, paths: tuple[str, ...]) -> None:
        """Add files and folders to the knowledge base that is shown."""
        self.context.library.add(paths)

    def show_wanted(self, wanted: OpenRequest) -> None:
        """Show what a start of the program named."""
        self.visits.begin(wanted)

    @Slot(object)
    def raise_with(self, wanted: OpenRequest) -> None:
        """Come to the front with what a second start named."""
        self.show_wanted(wanted)
        self.show()
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's
        """Take what has local files in it, and say what a drop will do."""
        if local_paths(event):
            event.acceptProposedAction()
            self._drop_hint.show_over(self.context.library.snapshot.current)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 - Qt's
        """Take the hint away."""
        self._drop_hint.hide()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's
        """Add what was dropped, wherever on the window."""
        event.acceptProposedAction()
        self._drop_hint.hide()
        self.add(local_paths(event))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's
        """Look again when the user comes back: a command may have changed something."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.context.refresh()

    @Slot()
    def close(self) -> bool:
        """End the program, where its window's own X only hides it, too."""
        self.is_ending = True
        return super().close()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's
        """Hide at once, then stop everything."""
        self._kept_geometry.save(self, self.panes, self.context.library.snapshot.current)
        self.centre.files.keep(self.context.data_dir)
        self.side.library.tree.keep(self.context.data_dir)
        self.hide()
        self.ended_well = self.context.close()
        event.accept()

    @Slot(object)
    def refuse(self, error: UserError) -> None:
        """Say why the data folder can't be opened; there is nothing to do but close."""
        if isinstance(error, CatalogDamaged):
            self._offer_recovery(error)
            return
        sign = QMessageBox.Icon.Critical
        box = QMessageBox(sign, self.windowTitle(), translate_message(error.what), parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)  # it names paths, and a folder may be "<b>"
        box.setInformativeText(translate_message(error.remedy))
        box.finished.connect(self.close)
        box.open()

    def _offer_recovery(self, error: CatalogDamaged) -> None:
        from desktop_rag.gui.controllers.catalog_recovery import (
            RecoveryController,  # no sound start needs them
        )
        from desktop_rag.gui.recovery_dialog import RecoveryDialog

        self._hide_what_is_unknown()
        box = RecoveryDialog(
            error, RecoveryController(self.context.jobs, self.context.folder), self
        )
        box.opened_again.connect(self._begin_again)
        box.rejected.connect(self.close)
        box.open()

    @Slot()
    def _begin_again(self) -> None:
        self.panes.show()
        self.chat.composer.edit.setFocus()
        self.context.begin()

    @Slot(object)
    def _offer_start(self, error: CatalogDamaged) -> None:
        """Offer to start again: nobody may have the catalog open while it is recovered."""
        from desktop_rag.gui.recovery_dialog import CatalogDamagedDialog  # no sound start needs it

        self._hide_what_is_unknown()
        box = CatalogDamagedDialog(error, self)
        box.accepted.connect(self.context.settings.restart)
        box.rejected.connect(self.close)
        box.open()

    def _hide_what_is_unknown(self) -> None:
        """Let a knowledge base that could not be read not look like an empty one."""
        self.panes.setVisible(bool(self.context.library.snapshot.branches))

    @Slot(object)
    def _complain(self, error: UserError) -> None:
        self.chat.complain(error)

    @Slot(object)
    def _complain_of_notes(self, error: UserError) -> None:
        self.centre.complain_of_notes(error)

    @Slot(str)
    def _notice(self, text: str) -> None:
        """Show what a run says of links and drives, below what it said before, the last of it."""
        bar = self.chat.notice
        before = [] if bar.isHidden() else bar.text.splitlines()
        bar.say("\n".join([*before, sanitize_name(translate_message(text))][-_MOST_NOTICES:]))

    @Slot(object)
    def _offer(self, found: StrategyChoices) -> None:
        self.chat.composer.set_ways(found)
        self.chat.view.name_options(found.forms)

    @Slot(object)
    def _show_sources(self, transcript: object) -> None:
        del transcript
        turns = self.context.chat.transcript.turns
        if len(turns) - 1 != self._shown_turn:
            self._shown_turn = len(turns) - 1
            self.sources.close_document()
        self.sources.show_turn(turns[-1] if turns else None)

    @Slot(object)
    def _open_citation(self, pointed: CitationClick) -> None:
        turn = self.context.chat.transcript.turns[pointed.turn]
        self.sources.open_citation(turn, pointed.n)

    @Slot(object)
    def _go_to_turn(self, number: int) -> None:
        self.chat.view.go_to(number)
        self._pick_turn(number)

    @Slot(object)
    def _pick_turn(self, number: int) -> None:
        self.sources.show_turn(self.context.chat.transcript.turns[number])

    @Slot(object)
    def _show_all_sources(self, number: int) -> None:
        """Show the list of a turn's sources; asked for again, hide it."""
        turn = self.context.chat.transcript.turns[number]
        is_shown = self.sources.isVisible() and not self.sources.is_reading
        if is_shown and self.sources.turn is turn:
            self.panes.turn_sources()
            return
        self.sources.close_document()
        self.sources.show_turn(turn)
        self.panes.open_sources()

    @Slot(object)
    def _leave_document(self, reading: object) -> None:
        if not reading:
            self.centre.focus_page()

    @Slot()
    def _add_samples(self) -> None:
        self.add((str(resources() / "samples"),))

    @Slot()
    def _stop(self) -> None:
        """Stop the answer that is being made, where it is in sight, else close what is open."""
        is_asking = self.chat.composer.isVisible()
        if is_asking and self.context.chat.transcript.running:
            self.context.chat.stop()
        elif is_asking and self.chat.composer.is_editing:
            self.chat.composer.leave_editing()
        elif self.sources.viewer.finder.isVisible():
            self.sources.viewer.finder.leave()
        elif self.find_bar.isVisible():
            self.find_bar.leave()
        elif not (self.panes.go_back() or self.centre.go_back()):
            self.panes.leave_sources()

    @Slot()
    def _find(self) -> None:
        is_found = self._pointing.search_document() or self.centre.find_on_page()
        if not is_found and self.centre.mode is Mode.ASK:
            self.find_bar.search_in(self.chat.view)

    @Slot()
    def _new_chat(self) -> None:
        self.context.chat.new()
        self.centre.show_chat()

    @Slot()
    def _show_keys(self) -> None:
        shortcuts.ShortcutsDialog(self, is_expert=self._theme.is_expert).open()

    def _dress(self) -> None:
        self.setWindowTitle("Desktop RAG")
        self.setWindowIcon(QIcon(str(resources() / "icons" / "app.svg")))
        self.setAcceptDrops(True)
        self.resize(*_SIZE)

    def _connect(self) -> None:
        context = self.context
        context.refused.connect(self.refuse)
        context.damaged.connect(self._offer_start)
        context.handed_over.connect(self.close)
        context.called.connect(self.raise_with, Qt.ConnectionType.QueuedConnection)
        context.offered.connect(self._offer)
        context.library.complained.connect(self._complain)
        context.library.noticed.connect(self._notice)
        self._doors.chosen.connect(self.add)
        self._doors.complained.connect(self._complain)
        context.chat.transcript_changed.connect(self._show_sources)
        context.settings.complained.connect(self._complain)
        context.conversations.complained.connect(self._complain)
        context.notes.complained.connect(self._complain_of_notes)
        context.conversations.pointed.connect(self._go_to_turn)

    def _connect_panes(self) -> None:
        context = self.context
        self.chat.watch(context.library, context.health, context.fit, context.suggestions)
        self.chat.composer.controls.follow(context.way_options)
        self.chat.cited.connect(self._open_citation)
        self.chat.sources_wanted.connect(self._show_all_sources)
        self.chat.view.picked.connect(self._pick_turn)
        self.chat.note_wanted.connect(self.note_saving.save)
        self.sources.note_wanted.connect(self.note_saving.save)
        self.note_saving.open_wanted.connect(self.centre.show_notes)
        self.chat.waiting_ended.connect(self.context.renewal.turn_off)
        self.chat.web_asked.connect(self._doors.ask_for_web)
        self.settings.serve(self.chat)
        self.sources.reading.connect(self._leave_document)
        self.sources.viewer.external_asked.connect(self._doors.open_outside)
        self.sources.viewer.folder_asked.connect(self._doors.show_in_folder)
        library = self.side.library
        library.files_wanted.connect(self._doors.choose_files)
        library.folder_wanted.connect(self._doors.choose_folder)
        library.samples_wanted.connect(self._add_samples)
        library.open_asked.connect(self._doors.open_outside)
        library.folder_asked.connect(self._doors.show_in_folder)
        self.centre.serve(library, self._doors, context.data_dir)
        self.chat.folder_wanted.connect(self._doors.choose_folder)
        self.side.conversations.opened.connect(self.centre.back_to_chat)
        self.chat.export_wanted.connect(self.side.conversations.export)
        self._connect_rail()
        self._connect_home()

    def _connect_rail(self) -> None:
        rail = self.panes.rail
        rail.picked.connect(self.centre.show_mode)
        rail.help_wanted.connect(self._show_keys)
        rail.settings_wanted.connect(self.settings.open)
        self.centre.mode_changed.connect(self.panes.show_mode)
        self.centre.page_wanted.connect(self.panes.uncover)
        self.panes.show_mode(self.centre.mode)

    def _connect_home(self) -> None:
        home, doors = self.centre.home, self._doors
        home.base_picked.connect(self._show_base)
        home.conversation_picked.connect(self._show_conversation)
        home.question_picked.connect(self.chat.ask_offered)
        home.start.files_wanted.connect(doors.choose_files)
        home.start.folder_wanted.connect(doors.choose_folder)
        home.start.samples_wanted.connect(self._add_samples)
        home.start.model_wanted.connect(self.chat.health_wanted)

    @Slot(str)
    def _show_base(self, kb: str) -> None:
        if kb != self.context.library.snapshot.current:
            self.context.library.switch(kb)
        self.centre.show_files()

    @Slot(object)
    def _show_conversation(self, chat_id: int) -> None:
        self.context.conversations.open(chat_id)
        self.centre.show_chat()

    @Slot()
    def _search_conversations(self) -> None:
        """Let words be typed that are looked for in all conversations."""
        self.centre.back_to_chat()
        self.panes.open_side()
        self.side.conversations.go_to_search()

    @Slot()
    def _show_bench(self) -> None:
        """Show the workbench, where experts' tools are wanted."""
        if self._theme.is_expert:
            self.centre.show_bench()

    def _set_keys(self) -> None:
        keys = {
            shortcuts.NEW: self._new_chat,
            shortcuts.ADD_FILES: self._doors.choose_files,
            shortcuts.ADD_FOLDER: self._doors.choose_folder,
            shortcuts.FIND: self._find,
            shortcuts.ASK: self.centre.show_chat,
            shortcuts.STOP: self._stop,
            shortcuts.HELP: self._show_keys,
            shortcuts.SETTINGS: self.settings.open,
            shortcuts.HOME: self.centre.show_home,
            shortcuts.ASKING: self.centre.show_chat,
            shortcuts.LIBRARY: self.centre.show_files,
            shortcuts.BENCH: self._show_bench,
            shortcuts.NOTES: self.centre.show_notes,
            shortcuts.SIDE: self.panes.turn_side,
            shortcuts.FIND_ALL: self._search_conversations,
            shortcuts.QUIT: self.close,
        }
        self._acts = dict(keys)
        keys[shortcuts.PALETTE] = self._show_palette
        for key, act in keys.items():
            QShortcut(QKeySequence(key), self.panes).activated.connect(act)

    @Slot()
    def _show_palette(self) -> None:
        """Let a document, a conversation or a command be found by its name."""
        context, groups = self.context, shortcuts.shortcut_groups(is_expert=self._theme.is_expert)
        named = {keys: name for group in groups for keys, name in group.keys}
        box = CommandPalette(
            self._theme,
            [
                PaletteCommand(named[keys], shortcuts.shown_keys(keys), act)
                for keys, act in self._acts.items()
                if keys in named and keys not in (shortcuts.STOP, shortcuts.ASK)
            ],
            conversations_of(context.conversations.rows),
            context.library.snapshot.files,
            self,
        )
        box.document_picked.connect(self.centre.read_file)
        box.conversation_picked.connect(self._show_conversation)
        box.open()
