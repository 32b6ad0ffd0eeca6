"""The third step: the model fetched, with pauses, and asked one question."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.controllers.model_setup import (
    FirstAnswer,
    ModelAnswered,
    ModelAnswering,
    ModelFailed,
    ModelSetupController,
)
from desktop_rag.gui.controllers.ollama import (
    OLLAMA,
    OllamaController,
    Pulled,
    Pulling,
    Server,
    ServerAbsent,
    ServerChecking,
    ServerFound,
)
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.widgets.announcements import announce
from desktop_rag.gui.widgets.cards import TitledCard, byte_text, text_label
from desktop_rag.gui.widgets.scroll_areas import ColumnScrollArea

_PERMILLE = 1000


class PullCard(TitledCard):
    """How far a model is fetched; `is_there_changed` says that it is there now, or no longer."""

    is_there_changed = Signal()

    def __init__(self, setup: ModelSetupController, ollama: OllamaController) -> None:
        super().__init__()
        self._setup, self._ollama = setup, ollama
        self._model = ""
        self.is_there = False
        self.state = text_label("", "heading")
        self.about = text_label()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.fetch = QPushButton()
        self.fetch.setObjectName("primary")
        self.pause = QPushButton(self.tr("Pause"))
        self._lay_out()
        self.fetch.clicked.connect(self._fetch)
        self.pause.clicked.connect(ollama.cancel_pull)
        ollama.download_changed.connect(self._show)
        ollama.server_changed.connect(self._heed_server)

    def show_model(self, model: str) -> None:
        """Show how far this model is."""
        self._model = model
        self._show()

    def take_focus(self) -> None:
        """Give the keyboard to what is to be done."""
        (self.pause if self.pause.isVisibleTo(self) else self.fetch).setFocus()

    @Slot(object)
    def _heed_server(self, server: Server) -> None:
        if not isinstance(server, ServerChecking):
            self._show()

    @Slot()
    def _show(self) -> None:
        download = self._ollama.download
        pulling = download if isinstance(download, Pulling) else None
        is_ours = pulling is not None and pulling.name == self._model
        had_focus = self.fetch.hasFocus() or self.pause.hasFocus()
        before, self.is_there = self.is_there, self._is_there() and not is_ours
        self.bar.setVisible(is_ours)
        self.pause.setVisible(is_ours)
        self.fetch.setVisible(not is_ours and not self.is_there and self._other is None)
        self.fetch.setEnabled(pulling is None)
        if pulling is not None and is_ours:
            self._show_progress(pulling)
        else:
            self._show_rest(pulling)
        self.about.setVisible(bool(self.about.text()))
        if had_focus and not self.is_there:
            self.take_focus()
        if before != self.is_there:
            self.is_there_changed.emit()

    def _is_there(self) -> bool:
        """Say whether the model is there; while Ollama is asked anew, what was known counts."""
        if isinstance(self._ollama.server, ServerChecking) and self.is_there:
            return True
        return self._setup.installed(self._model) is not None

    @property
    def _other(self) -> ServerFound | None:
        """The server that answers, where it is another than Ollama: it fetches no models."""
        server = self._ollama.server
        return server if isinstance(server, ServerFound) and not server.is_ollama else None

    def _show_progress(self, pulling: Pulling) -> None:
        done, total = pulling.completed, pulling.total
        self.bar.setRange(0, _PERMILLE if total else 0)
        self.bar.setValue(int(done * _PERMILLE / total) if total else 0)
        coming = self.tr("Ollama fetches %1: %2 of %3")
        asking = self.tr("Ollama asks for %1…")
        sizes = (byte_text(done), byte_text(total))
        self.state.setText(fill(coming if total else asking, pulling.name, *sizes))
        self.about.setText(self.tr("This window can be closed meanwhile: the download goes on."))

    def _show_rest(self, other: Pulling | None) -> None:
        end, server = self._ollama.download, self._ollama.server
        mine = end if isinstance(end, Pulled) and end.name == self._model else None
        self.fetch.setText(self.tr("Fetch"))
        if self.is_there:
            self._say(self.tr("%2 has %1.").replace("%2", _title(server)))
        elif self._other is not None:
            lacks = self.tr("%2 has no model %1.").replace("%2", self._other.title)
            self._say(lacks, self.tr("Load it there, or go back and choose another one."))
        elif other is not None:
            self._say(self.tr("Ollama does not have %1 yet."), self._waits_for(other))
        elif mine is not None and mine.what:
            self.fetch.setText(self.tr("Try again"))
            remedy = translate_message(mine.remedy)
            self._say(self.tr("%1 could not be fetched."), translate_message(mine.what), remedy)
        elif mine is not None and not mine.is_whole:
            self.fetch.setText(self.tr("Go on"))
            kept = self.tr(
                "Ollama keeps what has come, and goes on there. If it is started anew meanwhile, "
                "it may begin from the start."
            )
            self._say(self.tr("Paused: %1 is not whole yet."), kept)
        elif isinstance(server, ServerAbsent):
            remedy = translate_message(server.remedy)
            self._say(self.tr("%1 can't be fetched now."), translate_message(server.what), remedy)
        else:
            self._say(self.tr("Ollama does not have %1 yet."), self._source())

    def _waits_for(self, other: Pulling) -> str:
        return fill(self.tr("Another model is being fetched: %1."), other.name)

    def _source(self) -> str:
        """Say what fetching it means."""
        computer = self._setup.computer
        sizes = [
            each.size for each in (computer.models if computer else ()) if each.name == self._model
        ]
        size = fill(self.tr("It is %1 to fetch."), byte_text(sizes[0])) if sizes else ""
        return join_sentences(
            size,
            self.tr(
                "Ollama fetches it from its library on the internet; nothing of your documents is "
                "sent. It can be paused."
            ),
        )

    def _say(self, state: str, *about: str) -> None:
        before = self.state.text()
        self.state.setText(fill(state, self._model))
        self.about.setText(join_sentences(*about))
        if before != self.state.text():
            announce(self, join_sentences(self.state.text(), self.about.text()))

    @Slot()
    def _fetch(self) -> None:
        self._ollama.pull(self._model)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self.fetch)
        buttons.addWidget(self.pause)
        buttons.addStretch(1)
        for widget in (self.state, self.about, self.bar):
            self.column.addWidget(widget)
        self.column.addLayout(buttons)


class QuestionCard(TitledCard):
    """One question to the model, and its answer."""

    def __init__(self, setup: ModelSetupController) -> None:
        super().__init__()
        self._setup = setup
        self._model = ""
        self.question = self.tr("What is the capital of France?")
        self.state = text_label("", "heading")
        self.asked = text_label(fill(self.tr("Asked: “%1”"), self.question), "muted")
        self.answer = text_label()
        self.about = text_label()
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.again = QPushButton(self.tr("Ask again"))
        self.stop = QPushButton(self.tr("Stop"))
        self._lay_out()
        self.again.clicked.connect(self._ask)
        self.stop.clicked.connect(setup.stop_asking)
        setup.answer_changed.connect(self.show_answer)
        setup.access_changed.connect(self._show)

    def ask(self, model: str) -> None:
        """Ask a model."""
        self._model = model
        self._show()
        self._ask()

    @property
    def works(self) -> bool:
        """Whether the model has answered."""
        return isinstance(self._setup.answer, ModelAnswered)

    @Slot(object)
    def show_answer(self, answer: FirstAnswer) -> None:
        """Show what the model has written."""
        had_focus = self.again.hasFocus() or self.stop.hasFocus()
        is_running = isinstance(answer, ModelAnswering)
        self.bar.setVisible(is_running)
        self.stop.setVisible(is_running)
        self.again.setVisible(not is_running)
        self.again.setEnabled(self._setup.may_ask(self._model))
        text = answer.text if isinstance(answer, (ModelAnswering, ModelAnswered)) else ""
        self.answer.setText(text)
        self.answer.setVisible(bool(text))
        self.about.setText(self._about(answer))
        self.about.setVisible(bool(self.about.text()))
        self._say(self._state(answer))
        if had_focus:
            (self.stop if is_running else self.again).setFocus()

    @Slot()
    def _show(self) -> None:
        self.show_answer(self._setup.answer)

    def _say(self, state: str) -> None:
        if state != self.state.text():
            self.state.setText(state)
            announce(self, state)

    def _state(self, answer: FirstAnswer) -> str:
        if isinstance(answer, ModelAnswered):
            return self.tr("It works.")
        if isinstance(answer, ModelFailed):
            return fill(self.tr("%1 did not answer."), answer.model)
        if isinstance(answer, ModelAnswering):
            asked = self.tr("%1 is asked…") if not answer.text else self.tr("%1 answers…")
            return fill(asked, answer.model)
        if not self._setup.may_ask(self._model):
            return self.tr("It is not asked before you allow it.")
        return self.tr("It was not asked to the end.")

    def _about(self, answer: FirstAnswer) -> str:
        if isinstance(answer, ModelFailed):
            return join_sentences(translate_message(answer.what), translate_message(answer.remedy))
        if isinstance(answer, ModelAnswered):
            took = self.tr(
                "The first word came after %1 s, the whole after %2 s. A question about documents "
                "takes longer: the model reads passages first."
            )
            return fill(took, _seconds(answer.waited), _seconds(answer.seconds))
        if isinstance(answer, ModelAnswering) and not answer.text:
            return self.tr("The first time it has to be loaded, which may take a minute.")
        return ""

    @Slot()
    def _ask(self) -> None:
        self._setup.ask(self._model, self.question)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self.again)
        buttons.addWidget(self.stop)
        buttons.addStretch(1)
        for widget in (self.state, self.asked, self.answer, self.bar, self.about):
            self.column.addWidget(widget)
        self.column.addLayout(buttons)


class FinishPage(QWidget):
    """Fetches a model and asks it; `works_changed` says that it answered, or no longer."""

    works_changed = Signal()

    def __init__(self, setup: ModelSetupController, ollama: OllamaController) -> None:
        super().__init__()
        self._setup = setup
        self.model = ""
        self.pull = PullCard(setup, ollama)
        self.question = QuestionCard(setup)
        scroll = ColumnScrollArea()
        scroll.column.setContentsMargins(0, 0, 0, 0)
        scroll.column.setSpacing(10)
        scroll.column.addWidget(self.pull)
        scroll.column.addWidget(self.question)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(scroll)
        self.question.hide()
        self.pull.is_there_changed.connect(self._ask_first)
        setup.answer_changed.connect(self.works_changed)

    @property
    def works(self) -> bool:
        """Whether the model is there and has answered."""
        return self.pull.is_there and self.question.works

    def show_model(self, model: str) -> None:
        """Show how far this model is; one that is there is asked."""
        self._setup.stop_asking()
        self.model, self.pull.is_there = model, False
        self.question.hide()
        self.pull.show_model(model)

    def take_focus(self) -> None:
        """Give the keyboard to what is to be done."""
        if not self.pull.is_there:
            self.pull.take_focus()

    @Slot()
    def _ask_first(self) -> None:
        """Ask a model as soon as it is there."""
        self.question.setVisible(self.pull.is_there)
        if self.pull.is_there and self.model:
            self.question.ask(self.model)
        self.works_changed.emit()


def _seconds(taken: float) -> str:
    return f"{taken:.1f}" if taken < 10 else f"{taken:.0f}"


def _title(server: Server) -> str:
    """Return what a server is called; while it is asked anew, Ollama."""
    return server.title if isinstance(server, ServerFound) else OLLAMA
