"""The second step: Ollama installed and started. It goes on by itself when Ollama answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.controllers.model_setup import (
    ModelSetupController,
    ServerStarting,
    StartFailed,
    StartState,
)
from desktop_rag.gui.controllers.ollama import OllamaController, Server, ServerAbsent
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.widgets.announcements import announce
from desktop_rag.gui.widgets.cards import TitledCard, text_label
from desktop_rag.gui.widgets.scroll_areas import ColumnScrollArea

if TYPE_CHECKING:
    from desktop_rag.core.ollama_records import Installation


class CommandRow(QWidget):
    """A command to be typed in a terminal, with a button that copies it."""

    def __init__(self) -> None:
        super().__init__()
        self.command = QLineEdit()
        self.command.setReadOnly(True)
        self.command.setAccessibleName(self.tr("Command"))
        self.copy = QPushButton(self.tr("Copy"))
        self.copied = text_label("", "muted")
        self.copied.hide()
        self.copy.clicked.connect(self._copy)
        row = QHBoxLayout()
        row.addWidget(self.command, 1)
        row.addWidget(self.copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.copied)

    def show_command(self, command: str) -> None:
        """Show a command, or nothing."""
        self.setVisible(bool(command))
        if command != self.command.text():
            self.command.setText(command)
            self.command.setCursorPosition(0)
            self.copied.hide()

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.command.text())
        self.copied.setText(self.tr("It is on the clipboard: paste it into a terminal."))
        self.copied.show()


class ServerPage(QWidget):
    """Says what Ollama lacks; `page_wanted` carries the address of its page."""

    page_wanted = Signal(object)

    def __init__(self, setup: ModelSetupController, ollama: OllamaController) -> None:
        super().__init__()
        self._setup, self._ollama = setup, ollama
        self._card = TitledCard()
        self.state = text_label("", "heading")
        self.about = text_label()
        self.failure = text_label("", "note")
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.start = QPushButton(self.tr("Start Ollama"))
        self.start.setObjectName("primary")
        self.stop = QPushButton(self.tr("Stop"))
        self.page = QPushButton(self.tr("Open Ollama's page…"))
        self.usual = QPushButton(self.tr("Use Ollama's usual address"))
        self.by_command = text_label()
        self.command = CommandRow()
        self.effect = text_label("", "muted")
        self._lay_out()
        self.start.clicked.connect(setup.start_server)
        self.stop.clicked.connect(setup.stop_starting)
        self.page.clicked.connect(self._open_page)
        self.usual.clicked.connect(setup.search.use_usual_address)
        setup.installation_changed.connect(self._show)
        setup.start_changed.connect(self._show_start)
        setup.access_changed.connect(self._show)
        ollama.server_changed.connect(self._heed_server)
        self._show()

    def take_focus(self) -> None:
        """Give the keyboard to what is to be done."""
        able = [self.start, self.stop, self.usual, self.command.copy, self.page]
        for button in able:
            if button.isVisibleTo(self):
                button.setFocus()
                return

    @Slot(object)
    def _heed_server(self, server: Server) -> None:
        if isinstance(server, ServerAbsent):
            self._show()

    @Slot(object)
    def _show_start(self, state: StartState) -> None:
        had_focus = self.start.hasFocus() or self.stop.hasFocus()
        self._show()
        if had_focus and not (self.start.hasFocus() or self.stop.hasFocus()):
            self.take_focus()
        del state

    @Slot()
    def _show(self) -> None:
        installation, state = self._setup.installation, self._setup.start_state
        is_starting = isinstance(state, ServerStarting)
        is_here = installation is not None and bool(installation.program)
        can_start = is_here and not self._is_elsewhere
        before = self.state.text()
        self.state.setText(self._state(installation))
        if before != self.state.text() and self.isVisible():
            announce(self, self.state.text())
        self.about.setText(self._about(installation))
        self.about.setVisible(bool(self.about.text()))
        self.failure.setText(self._failure(state))
        self.failure.setVisible(bool(self.failure.text()))
        self.bar.setVisible(is_starting)
        self.start.setVisible(can_start and not is_starting)
        self.stop.setVisible(is_starting)
        self.usual.setVisible(self._setup.is_others and not self._setup.is_far)
        self._show_ways(installation, is_here=is_here)

    @property
    def _is_elsewhere(self) -> bool:
        """Whether no Ollama can be started at the address from here."""
        return self._setup.is_far or self._setup.is_others

    def _show_ways(self, installation: Installation | None, *, is_here: bool) -> None:
        """Show how Ollama is installed here, or started by the system."""
        shown = None if self._is_elsewhere else installation
        self.page.setVisible(shown is not None and not is_here)
        command = (shown.service if is_here else shown.command) if shown else ""
        self.command.show_command(command)
        self.effect.setText(translate_message(shown.effect) if shown else "")
        self.effect.setVisible(bool(command and self.effect.text()))
        by_service = self.tr(
            "The system has it as a service too, which keeps models of its own. This command "
            "starts that one instead:"
        )
        by_command = self.tr("Or paste this command into a terminal:")
        self.by_command.setText(by_service if is_here else by_command)
        self.by_command.setVisible(bool(command))

    def _state(self, installation: Installation | None) -> str:
        if self._setup.is_far:
            far = self.tr("Ollama at %1, another computer, does not answer.")
            return fill(far, self._setup.place)
        if self._setup.is_others:
            return fill(self.tr("No language model can be asked at %1."), self._setup.place)
        if isinstance(self._setup.start_state, ServerStarting):
            return self.tr("Ollama is starting…")
        if installation is None:
            return self.tr("Looking for Ollama…")
        if not installation.program:
            return self.tr("Ollama is not installed on this computer.")
        return self.tr("Ollama is installed on this computer.")

    def _about(self, installation: Installation | None) -> str:
        if self._setup.is_far:
            return self.tr("Start it there. As soon as it answers, this goes on by itself.")
        if self._setup.is_others:
            return self._about_others()
        if installation is None:
            return ""
        if not installation.program:
            return self.tr(
                "Ollama is a free program that runs language models on this computer. It is not "
                "part of Desktop RAG. As soon as it is installed and answers, this goes on by "
                "itself."
            )
        where = self.tr("It was found as %1. Started from here it goes on when Desktop RAG ends.")
        server, told = self._ollama.server, ""
        is_starting = isinstance(self._setup.start_state, ServerStarting)
        if isinstance(server, ServerAbsent) and not is_starting:
            told = translate_message(server.what)
        return join_sentences(told, fill(where, installation.program))

    def _about_others(self) -> str:
        server = self._ollama.server
        told = (server.what, server.remedy) if isinstance(server, ServerAbsent) else ()
        return join_sentences(
            *map(translate_message, told),
            self.tr(
                "This is the address of another program than Ollama. As soon as its server "
                "answers, this goes on by itself; or go back to Ollama."
            ),
        )

    def _failure(self, state: StartState) -> str:
        if not isinstance(state, StartFailed):
            return ""
        return join_sentences(translate_message(state.what), translate_message(state.remedy))

    @Slot()
    def _open_page(self) -> None:
        if self._setup.installation is not None:
            self.page_wanted.emit(self._setup.installation.page)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        for button in (self.start, self.stop, self.usual, self.page):
            buttons.addWidget(button)
        buttons.addStretch(1)
        inside = self._card.column
        for widget in (self.state, self.about, self.failure, self.bar):
            inside.addWidget(widget)
        inside.addLayout(buttons)
        inside.addWidget(self.by_command)
        inside.addWidget(self.command)
        inside.addWidget(self.effect)
        scroll = ColumnScrollArea()
        scroll.column.setContentsMargins(0, 0, 0, 0)
        scroll.column.addWidget(self._card)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(scroll)
