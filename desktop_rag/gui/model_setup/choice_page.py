"""The first step: what this computer is, and the models to choose from.

Models that Ollama has come first, then those that suit this computer's memory, then any by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.controllers.model_setup import ModelSetupController
from desktop_rag.gui.controllers.ollama import OllamaController, Server, ServerChecking, ServerFound
from desktop_rag.gui.display_text import fill, join_list
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.model_setup.found_servers_card import FoundServersCard
from desktop_rag.gui.widgets.cards import TitledCard, byte_text, heading_label, text_label
from desktop_rag.gui.widgets.scroll_areas import ColumnScrollArea

if TYPE_CHECKING:
    from desktop_rag.core.hardware import Gpu
    from desktop_rag.core.ollama_records import InstalledModel, Suggestion

_INDENT = 24  # pixels: where the text of a radio button begins
_GIBIBYTE = 2**30
_MOST_ROWS = 30  # models of Ollama's; any other is chosen by its name
_LONGEST = 60  # characters of a name


class ModelGroup(Enum):
    """Where a model is: with Ollama, in its library, or on another computer; shown in order."""

    INSTALLED = auto()
    OFFERED = auto()
    ELSEWHERE = auto()


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model to choose: its name, what marks it, and what there is to know."""

    name: str
    mark: str
    about: str
    group: ModelGroup


class ModelChoiceRow(QWidget):
    """A model with a radio button; a click anywhere on it chooses it."""

    def __init__(self, choice: ModelChoice) -> None:
        super().__init__()
        self.choice = choice
        self.radio = QRadioButton(_as_label(choice.name))
        self.radio.setAccessibleName(choice.name)
        self.radio.setAccessibleDescription(join_sentences(choice.mark, choice.about))
        mark = QLabel(choice.mark)
        mark.setObjectName("badge")
        mark.setContentsMargins(6, 1, 6, 1)
        mark.setVisible(bool(choice.mark))
        head = QHBoxLayout()
        head.addWidget(self.radio)
        head.addWidget(mark)
        head.addStretch(1)
        about = text_label(choice.about, "muted")
        about.setContentsMargins(_INDENT, 0, 0, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(about)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's
        """Choose it."""
        self.radio.click()
        event.accept()


class ModelChoicePage(QWidget):
    """Shows this computer and the models.

    `chosen_changed` says that another one is chosen, `filled` that the rows are others.
    """

    chosen_changed = Signal()
    filled = Signal()

    def __init__(self, setup: ModelSetupController, ollama: OllamaController, usual: str) -> None:
        super().__init__()
        self._setup, self._ollama, self._usual = setup, ollama, usual
        self._is_touched = False
        self._shown: tuple[ModelChoice, ...] = ()
        self.rows: list[ModelChoiceRow] = []
        self.found = text_label("", "heading")
        self.computer = TitledCard()
        self.where = text_label("", "heading")
        self.facts = text_label()
        self.computer.column.addWidget(self.where)
        self.computer.column.addWidget(self.facts)
        self.others = FoundServersCard(setup, ollama)
        self.other = QRadioButton(self.tr("Another model of Ollama's library:"))
        self.name = QLineEdit()
        self._group = QButtonGroup(self)
        self._group.addButton(self.other)
        self._list = QVBoxLayout()
        self._lacking = text_label(
            self.tr("The server has no model that answers: load one there, then open this again.")
        )
        self._lacking.hide()
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(0)
        self._late.timeout.connect(self._show_chosen)
        self._area = ColumnScrollArea()
        self._lay_out()
        self._group.buttonToggled.connect(self._choose)
        self._group.buttonClicked.connect(self._touch)
        self.name.textEdited.connect(self._choose_other)
        setup.computer_changed.connect(self.show_models)
        setup.access_changed.connect(self.show_models)
        self.others.rows_changed.connect(self.filled)
        ollama.server_changed.connect(self._heed_server)
        self.show_models()

    @property
    def chosen(self) -> str:
        """The model that is chosen; empty where none is."""
        if self.other.isChecked():
            return self.name.text().strip()
        return next((row.choice.name for row in self.rows if row.radio.isChecked()), "")

    @property
    def tab_order(self) -> tuple[QWidget, ...]:
        """What Tab goes through: new rows would come last."""
        found = (row.use for row in self.others.rows)
        return (*found, *(row.radio for row in self.rows), self.other, self.name)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Keep what is chosen in sight when a notice takes room."""
        super().resizeEvent(event)
        self._late.start()

    def take_focus(self) -> None:
        """Give the keyboard to what is chosen."""
        checked = self._group.checkedButton()
        if checked is not None:
            checked.setFocus()

    def prefer_installed(self) -> None:
        """Choose a model that is there already, and say that there are some."""
        self._is_touched = False
        self.found.setText(
            self.tr("Ollama runs, and has models already. Use one, or fetch another.")
        )
        self.found.show()
        self._check(self._best())

    @Slot()
    def show_models(self) -> None:
        """Show what is known of this computer and the models."""
        far = self._setup.is_far
        self.where.setText(self.tr("Another computer") if far else self.tr("This computer"))
        self.facts.setText(self._facts())
        self.other.setVisible(self._other is None)
        self.name.setVisible(self._other is None)
        choices = self._choices()
        if choices != self._shown:
            self._fill(choices)

    @Slot(object)
    def _heed_server(self, server: Server) -> None:
        if not isinstance(server, ServerChecking):
            self.show_models()

    @property
    def _other(self) -> ServerFound | None:
        """The server that answers, where it is another than Ollama: it fetches no models."""
        server = self._ollama.server
        return server if isinstance(server, ServerFound) and not server.is_ollama else None

    def _fill(self, choices: tuple[ModelChoice, ...]) -> None:
        before = self.chosen if self._is_touched else ""
        is_first = not self.rows and self.isVisible()
        focused = self.window().focusWidget()
        had_focus = is_first or any(row.radio is focused for row in self.rows)
        while (item := self._list.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row in self.rows:
            self._group.removeButton(row.radio)
        self._shown, self.rows = choices, [ModelChoiceRow(each) for each in choices]
        self._add_groups()
        if not (self._is_touched and self.other.isChecked()):
            known = before in {each.name for each in choices}
            self._check(before if known else self._best())
        self.filled.emit()
        if had_focus:
            self.take_focus()

    def _add_groups(self) -> None:
        """Add the rows, under headings where there is more than what could be fetched."""
        headings = {
            ModelGroup.INSTALLED: self._here(),
            ModelGroup.OFFERED: self.tr("To fetch"),
            ModelGroup.ELSEWHERE: self.tr("In the cloud"),
        }
        is_mixed = {row.choice.group for row in self.rows} != {ModelGroup.OFFERED}
        is_bare = self._other is not None and not self.rows
        self._lacking.setVisible(is_bare)
        for group, heading in headings.items():
            rows = [row for row in self.rows if row.choice.group is group]
            if rows and is_mixed:
                self._list.addWidget(heading_label(heading))
            for row in rows:
                self._group.addButton(row.radio)
                self._list.addWidget(row)

    def _here(self) -> str:
        if self._other is not None:
            return fill(self.tr("In %1"), self._other.title)
        is_far = self._setup.is_far
        return self.tr("On that computer") if is_far else self.tr("On this computer")

    def _check(self, name: str) -> None:
        for row in self.rows:
            if row.choice.name == name:
                row.radio.setChecked(True)
        self.chosen_changed.emit()

    def _best(self) -> str:
        """Return the model of the settings, or the first that is here, or the recommended one."""
        server = self._ollama.server
        models = server.models if isinstance(server, ServerFound) else ()
        able = [each.name for each in models if each.can_chat and not each.runs_elsewhere]
        if self._usual in {each.name for each in models}:
            return self._usual
        computer = self._setup.computer
        if self._other is not None:
            return able[0] if able else ""
        return able[0] if able else computer.recommended.name if computer else ""

    def _choices(self) -> tuple[ModelChoice, ...]:
        server, computer = self._ollama.server, self._setup.computer
        models = server.models if isinstance(server, ServerFound) else ()
        if isinstance(server, ServerChecking) and self._shown:
            return self._shown
        able = sorted((each for each in models if each.can_chat), key=self._is_unusual)
        there = tuple(self._installed(each) for each in able[:_MOST_ROWS])
        names = {each.name for each in models}
        offered = computer.models if computer and self._other is None else ()
        wanted = [each for each in offered if not names & {each.name, f"{each.name}:latest"}]
        choices = there + tuple(self._offered(each) for each in wanted)
        return tuple(sorted(choices, key=_place))

    def _is_unusual(self, model: InstalledModel) -> bool:
        return model.name != self._usual

    def _installed(self, model: InstalledModel) -> ModelChoice:
        if model.runs_elsewhere:
            about = self.tr("Runs at %1, which Ollama passes questions on to.")
            return ModelChoice(
                model.name,
                self.tr("leaves this computer"),
                fill(about, model.cloud),
                ModelGroup.ELSEWHERE,
            )
        facts = []
        if model.parameters:
            facts.append(fill(self.tr("%1 parameters"), model.parameters))
        if model.size:
            facts.append(fill(self.tr("%1 on the disk"), byte_text(model.size)))
        if model.context_length and self._other is not None:
            facts.append(fill(self.tr("made for %1 tokens"), f"{model.context_length:,}"))
        return ModelChoice(model.name, "", join_list(facts), ModelGroup.INSTALLED)

    def _offered(self, model: Suggestion) -> ModelChoice:
        computer = self._setup.computer
        is_best = computer is not None and model == computer.recommended and not self._setup.is_far
        size = self.tr("%1 to fetch, for a computer with %2 of memory.")
        size = fill(size, byte_text(model.size), f"{model.memory / 1e9:.0f} GB")
        title = fill(self.tr("%1."), translate_message(model.title))
        languages = fill(self.tr("Languages: %1"), translate_message(model.languages))
        less = "" if model.fits or self._setup.is_far else self.tr("This computer has less.")
        about = f"{join_sentences(size, less)}\n{join_sentences(title, languages)}"
        mark = self.tr("recommended") if is_best else ""
        return ModelChoice(model.name, mark, about, ModelGroup.OFFERED)

    def _facts(self) -> str:
        if self._setup.is_far:
            far = self.tr(
                "Ollama is set to %1, which is another computer. What that one can run is not "
                "known here."
            )
            return fill(far, self._setup.place)
        computer = self._setup.computer
        if computer is None:
            return self.tr("Looking…")
        hardware = computer.hardware
        memory = fill(self.tr("%1 GB of memory"), round(hardware.memory / _GIBIBYTE))
        cores = self.tr("%n processor core(s)", "", hardware.cores)
        gpus = join_list(self._gpu(each) for each in hardware.gpus)
        none = self.tr("GPU: none found; a model runs on the processor, which is slower")
        return "\n".join(
            (join_list((memory, cores)), fill(self.tr("GPU: %1"), gpus) if gpus else none)
        )

    def _gpu(self, gpu: Gpu) -> str:
        if not gpu.memory:
            return gpu.name
        return fill(self.tr("%1 with %2 GB"), gpu.name, round(gpu.memory / _GIBIBYTE))

    @Slot(object, bool)
    def _choose(self, button: QRadioButton, is_on: bool) -> None:  # noqa: FBT001 - Qt's
        if not is_on:
            return
        self._area.ensureWidgetVisible(button)
        self.chosen_changed.emit()

    @Slot()
    def _show_chosen(self) -> None:
        checked = self._group.checkedButton()
        if checked is not None and self._is_touched:
            self._area.ensureWidgetVisible(checked)

    @Slot()
    def _touch(self) -> None:
        """Keep from now on what the user chose."""
        self._is_touched = True
        if self.other.isChecked():
            self.name.setFocus()

    @Slot()
    def _choose_other(self) -> None:
        self._is_touched = True
        self.other.setChecked(True)
        self.chosen_changed.emit()

    def _lay_out(self) -> None:
        self.name.setAccessibleName(self.tr("Name of another model"))
        self.name.setPlaceholderText(self.tr("for example: mistral:7b"))
        self.found.hide()
        self._list.setSpacing(0)
        about = self.tr(
            "A smaller model needs less memory and answers sooner; a larger one answers better. "
            "How fast it is on this computer, the last step shows."
        )
        row = QHBoxLayout()
        row.addWidget(self.other)
        row.addWidget(self.name, 1)
        inside = self._area.column
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(8)
        inside.addWidget(self.found)
        inside.addWidget(self.computer)
        inside.addWidget(self.others)
        inside.addWidget(self._lacking)
        inside.addLayout(self._list)
        inside.addLayout(row)
        inside.addWidget(text_label(about, "muted"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._area)


def _place(choice: ModelChoice) -> int:
    return int(choice.group.value)


def _as_label(name: str) -> str:
    """Return a name as a button shows it, which takes & for a key's sign."""
    short = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    return short.replace("&", "&&")
