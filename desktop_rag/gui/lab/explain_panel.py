"""“Why was this not found?”: the user points at a passage, and sees where it fell out."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.controllers.open_document import ListedChunk
from desktop_rag.gui.lab.file_combo import FileCombo
from desktop_rag.gui.lab.search_test_values import PassageTarget, PassageTrace, passage_label
from desktop_rag.gui.lab.stage_list import StageList
from desktop_rag.gui.lab.verdict_card import VerdictCard
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.chunk_list import ChunksList

_CHUNKS_HEIGHT = 220


class ExplainPanel(QWidget):
    """Asks which passage is meant and shows its way.

    `asked` carries a `PassageTarget`, `chunks_wanted` the path of a file, `document_wanted` an
    `OpenDocument`, `remedy_wanted` the `tried` of a verdict.
    """

    asked = Signal(object)
    chunks_wanted = Signal(object)
    document_wanted = Signal(object)
    remedy_wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = QLineEdit()
        self.file = FileCombo()
        self.ask = QPushButton(self.tr("Find out why"))
        self.chunks = ChunksList(theme)
        self.card = VerdictCard(theme)
        self.way = StageList(theme)
        self._below = QStackedWidget()
        self._hint = QLabel()
        self._dress()
        self._lay_out()
        self._connect()

    def begin(self) -> None:
        """Take the keyboard to where the passage is named."""
        self.words.setFocus()
        self.words.selectAll()

    @Slot(object)
    def show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Offer the files of a knowledge base; those that were left out, too."""
        self.file.offer(snapshot)

    @Slot(object)
    def show_chunks(self, chunks: tuple[ListedChunk, ...]) -> None:
        """Show the passages of the file that was chosen, to choose one."""
        self.chunks.show_chunks(chunks)
        self.chunks.list.setVisible(bool(chunks))
        self.chunks.setVisible(True)

    def show_way(self, way: PassageTrace | None) -> None:
        """Show a passage's way as far as it is known."""
        if way is None:
            self._below.setCurrentIndex(0)
            return
        self._below.setCurrentIndex(1)
        self.card.show_way(way)
        self.way.show_stages(way.stages)

    def wait_for_question(self) -> None:
        """Say that a question is needed first."""
        self._hint.setText(self.tr("Write the question above that should have found it."))
        self._below.setCurrentIndex(0)

    def name(self, aim: PassageTarget) -> None:
        """Show what is pointed at, where that was done elsewhere."""
        self.words.setText(aim.name or aim.text)
        self.file.choose(aim.path)
        self.chunks.hide()

    @Slot()
    def _ask(self) -> None:
        text, path = " ".join(self.words.text().split()), self.file.path
        if text or path:
            self.asked.emit(PassageTarget(text=text, path=path))
        else:
            self.words.setFocus()

    @Slot(int)
    def _choose_file(self, row: int) -> None:
        del row
        self.chunks.hide()
        if path := self.file.path:
            self.chunks_wanted.emit(path)

    @Slot(object)
    def _choose_chunk(self, chunk: ListedChunk) -> None:
        name = passage_label(chunk.text)
        self.words.setText(name)
        self.asked.emit(PassageTarget(path=self.file.path, chunk_id=chunk.chunk_id, name=name))

    def _dress(self) -> None:
        hint = self.tr("Some words of the passage, as the document has them")
        self.words.setPlaceholderText(hint)
        self.words.setAccessibleName(self.tr("Words of the passage"))
        self.words.setClearButtonEnabled(True)
        self._hint.setText(
            self.tr(
                "Name a passage that the question above should have found: by some of its words, "
                "or by its file and then one of the passages in it. You see where it fell out, "
                "and what would help."
            )
        )
        self._hint.setObjectName("muted")
        self._hint.setWordWrap(True)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._hint.setContentsMargins(4, 8, 4, 8)
        self.chunks.setMaximumHeight(_CHUNKS_HEIGHT)
        self.chunks.hide()

    def _lay_out(self) -> None:
        form = QGridLayout()
        form.setHorizontalSpacing(8)
        form.setVerticalSpacing(6)
        form.setColumnStretch(0, 1)
        form.addWidget(self.words, 0, 0, 1, 2)
        form.addWidget(self.file, 1, 0)
        form.addWidget(self.ask, 1, 1)
        shown = QWidget()
        inside = QVBoxLayout(shown)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(6)
        inside.addWidget(self.card)
        inside.addWidget(self.way, 1)
        self._below.addWidget(self._hint)
        self._below.addWidget(shown)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(8)
        column.addLayout(form)
        column.addWidget(self.chunks)
        column.addWidget(self._below, 1)

    def _connect(self) -> None:
        self.ask.clicked.connect(self._ask)
        self.words.returnPressed.connect(self._ask)
        self.file.activated.connect(self._choose_file)
        self.chunks.picked.connect(self._choose_chunk)
        self.card.document_wanted.connect(self.document_wanted)
        self.card.remedy_wanted.connect(self.remedy_wanted)
