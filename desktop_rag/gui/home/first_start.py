"""What is shown before anything was added: where to drop files, and what a model would add."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_rag.gui.controllers.llm_health import Health, Missing, NoModel
from desktop_rag.gui.library.empty_library import EmptyLibrary
from desktop_rag.gui.theme import Theme, scaled

_WIDEST, _HIGHEST = 480, 380  # pixels of the field


class FirstStart(QWidget):
    """A title, a field to drop files on, and a line on language models below.

    `files_wanted`, `folder_wanted` and `samples_wanted` ask for something to add, `model_wanted`
    for a language model to be set up.
    """

    files_wanted = Signal()
    folder_wanted = Signal()
    samples_wanted = Signal()
    model_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = QLabel(self.tr("Ask your own documents"))
        self._title.setFont(scaled(self._title.font(), 1.6))
        self._text = QLabel(self.tr("Every answer shows the quotes it rests on."))
        self._text.setObjectName("muted")
        self.empty = EmptyLibrary(theme)
        self.empty.setMaximumSize(_WIDEST, _HIGHEST)
        self.empty.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._better = QLabel(self.tr("Better answers: a language model on this computer."))
        self._better.setObjectName("muted")
        for label in (self._title, self._text, self._better):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
        self.model = QPushButton(self.tr("Set up…"))
        self.model.setObjectName("quiet")
        self._lay_out()
        self.empty.files_wanted.connect(self.files_wanted)
        self.empty.folder_wanted.connect(self.folder_wanted)
        self.empty.samples_wanted.connect(self.samples_wanted)
        self.model.clicked.connect(self.model_wanted)
        self.show_health(Missing("", ""))

    @Slot(object)
    def show_health(self, health: Health) -> None:
        """Offer a language model where there is none."""
        lacks = isinstance(health, (Missing, NoModel))
        self._better.setVisible(lacks)
        self.model.setVisible(lacks)

    def _lay_out(self) -> None:
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self.empty, 100)
        middle.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 20)
        column.setSpacing(12)
        column.addStretch(1)
        column.addWidget(self._title)
        column.addWidget(self._text)
        column.addSpacing(6)
        column.addLayout(middle, 100)
        column.addSpacing(6)
        column.addWidget(self._better)
        column.addWidget(self.model, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
