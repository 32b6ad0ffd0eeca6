"""A knowledge base's graph of entities: looked up by name, walked through, down to passages."""

from __future__ import annotations

from PySide6.QtCore import QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.types import ChunkId
from desktop_rag.gui.controllers.derived_texts import (
    DerivedProblem,
    DerivedTextController,
    FoundEntities,
    FoundNeighbourhood,
    PreparedWay,
    SourcePassages,
)
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.library.entity_graph_view import EntityGraphView
from desktop_rag.gui.library.passage_list import PassageList
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.cards import text_label
from desktop_rag.gui.widgets.throttle import Throttle

MOST_NEIGHBOURS = 39
"""Entities that are drawn around one."""
MOST_PASSAGES = 50
"""Passages that are listed."""
_MOST_OFFERED = 20
_PAUSE_MS = 100  # after a key, before names are looked up
_WIDE = 760  # pixels from which the list stands beside the drawing
_HEIGHTS, _WIDTHS = (340, 150), (600, 400)  # of the drawing and the list, as they begin


class EntityGraphPanel(QWidget):
    """Shows what a `DerivedTextController` reads. `passage_asked` carries an `OpenDocument`."""

    passage_asked = Signal(object)

    def __init__(
        self, theme: Theme, texts: DerivedTextController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._texts = texts
        self._of = PreparedWay("", "")
        self._before: list[str] = []
        self._offered_for = ""
        self._wanted_chunks: tuple[ChunkId, ...] = ()
        self.back = IconButton(theme, "undo", self.tr("Back to the entity before (Backspace)"))
        self.name = QLineEdit()
        self.view = EntityGraphView(theme)
        self.told = text_label("", "small")
        self.passages = PassageList()
        self._names = QStringListModel(self)
        self._completer = QCompleter(self._names, self)
        self._search = Throttle(_PAUSE_MS, self)
        self._parts = QSplitter(Qt.Orientation.Vertical)
        self._set_up()
        self._lay_out()
        self._connect()

    @property
    def offered(self) -> tuple[str, ...]:
        """The names that are offered for what is typed."""
        return tuple(self._names.stringList())

    def look_at(self, of: PreparedWay) -> None:
        """Begin with the most connected entity of a knowledge base."""
        self._of = of
        self._before.clear()
        self.name.clear()
        self._clear(self.tr("Reading…"))
        self._texts.want_entities(of, "", _MOST_OFFERED)

    @Slot(object)
    def walk_to(self, name: str) -> None:
        """Have another entity in the middle; the one that was there is gone back to."""
        now = self.view.around.name
        if name == now:
            return
        if now:
            self._before.append(now)
        self._go(name)

    @Slot()
    def go_back(self) -> None:
        """Have the entity in the middle that was there before."""
        if self._before:
            self._go(self._before.pop())

    def _go(self, name: str) -> None:
        self.back.setEnabled(bool(self._before))
        self._texts.want_neighbourhood(self._of, name, MOST_NEIGHBOURS)

    @Slot(object)
    def _offer(self, came: FoundEntities) -> None:
        if came.of != self._of or came.text != self.name.text().strip():
            return
        names = [each.name for each in came.entities]
        self._offered_for = came.text
        self._names.setStringList(names)
        if self.view.around.name or came.text:
            self._completer.complete()
        elif names:
            self._go(names[0])
        else:
            self._clear(self.tr("No entity was found in the documents."))

    @Slot(object)
    def _show(self, came: FoundNeighbourhood) -> None:
        if came.of != self._of:
            return
        around = came.around
        if not around.chunks and not around.neighbours:
            self._drop(came.name)
            return
        if (popup := self._completer.popup()) is not None:
            popup.hide()
        self.name.setText(around.name)
        self.view.show_neighbourhood(around)
        self.view.setFocus()

    def _drop(self, name: str) -> None:
        """Say that there is no entity of a name; what is shown stays."""
        if self._before and self._before[-1] == self.view.around.name:
            self._before.pop()
        self.back.setEnabled(bool(self._before))
        self.told.setText(fill(self.tr("No entity is called “%1”."), name))

    @Slot()
    def _choose(self) -> None:
        """Say what is chosen, and ask for its passages."""
        self._tell()
        self.passages.clear()
        self._wanted_chunks = self._chunks()[:MOST_PASSAGES]
        if self._wanted_chunks:
            self._texts.want_passages(self._of, self._wanted_chunks)

    @Slot()
    def _tell(self) -> None:
        """Say what is chosen, and how much of it is shown."""
        around, neighbour = self.view.around, self.view.chosen
        if not around.name:
            return
        if neighbour is not None:
            lines = [f"{around.name} – {neighbour.name}", self.view.told_of(neighbour)]
        else:
            drawn, known = len(self.view.layout_of_all.places), len(around.neighbours)
            lines = [around.name, self.tr("Named in %n passage(s)", "", len(around.chunks))]
            if not known:
                lines.append(self.tr("No other entity stands with it."))
            elif drawn < known:
                lines.append(self.tr("The %n strongest neighbour(s) are drawn.", "", drawn))
        if len(self._chunks()) > MOST_PASSAGES:
            lines.append(fill(self.tr("The first %1 are listed."), MOST_PASSAGES))
        self.told.setText("\n".join(filter(None, lines)))

    def _chunks(self) -> tuple[ChunkId, ...]:
        neighbour = self.view.chosen
        return self.view.around.chunks if neighbour is None else neighbour.chunks

    @Slot(object)
    def _list(self, came: SourcePassages) -> None:
        if came.of == self._of and came.chunks == self._wanted_chunks:
            self.passages.show_passages(came.passages)

    @Slot(object)
    def _complain(self, problem: DerivedProblem) -> None:
        if problem.of == self._of:
            self.told.setText(translate_message(problem.error.sentence))

    @Slot()
    def _look_up(self) -> None:
        self._texts.want_entities(self._of, self.name.text().strip(), _MOST_OFFERED)

    @Slot(str)
    def _take(self, name: str) -> None:
        self.walk_to(name)

    @Slot()
    def _enter(self) -> None:
        """Walk to what is typed, or to the first name that is offered for it."""
        typed = self.name.text().strip()
        has_offer = self._offered_for == typed and self.offered
        is_whole = typed.casefold() in (each.casefold() for each in self.offered)
        if typed:
            self.walk_to(self.offered[0] if has_offer and not is_whole else typed)

    def _clear(self, told: str) -> None:
        self.back.setEnabled(False)
        self.view.clear_all()
        self.passages.clear()
        self._wanted_chunks = ()
        self.told.setText(told)

    def _set_up(self) -> None:
        self.name.setPlaceholderText(self.tr("Name of an entity"))
        self.name.setAccessibleName(self.tr("Name of an entity"))
        self.name.setClearButtonEnabled(True)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setMaxVisibleItems(_MOST_OFFERED // 2)
        self.name.setCompleter(self._completer)
        self.back.setEnabled(False)

    def _connect(self) -> None:
        self.back.clicked.connect(self.go_back)
        self.name.textEdited.connect(self._search.ask)
        self.name.returnPressed.connect(self._enter)
        self._search.due.connect(self._look_up)
        self._completer.activated.connect(self._take)
        self.view.walk_asked.connect(self.walk_to)
        self.view.back_asked.connect(self.go_back)
        self.view.chosen_changed.connect(self._choose)
        self.view.drawn_changed.connect(self._tell)
        self.passages.passage_asked.connect(self.passage_asked)
        self._texts.entities_came.connect(self._offer)
        self._texts.neighbourhood_came.connect(self._show)
        self._texts.passages_came.connect(self._list)
        self._texts.complained.connect(self._complain)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Put the list beside the drawing where there is room, else below it."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= _WIDE
        turned = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if turned != self._parts.orientation():
            self._parts.setOrientation(turned)
            self._parts.setSizes(_WIDTHS if is_wide else _HEIGHTS)

    def _lay_out(self) -> None:
        pane = QWidget()
        below = QVBoxLayout(pane)
        below.setContentsMargins(0, 0, 0, 0)
        below.addWidget(self.told)
        below.addWidget(self.passages, 1)
        self._parts.setChildrenCollapsible(False)
        self._parts.addWidget(self.view)
        self._parts.addWidget(pane)
        self._parts.setSizes(_HEIGHTS)
        head = QHBoxLayout()
        head.addWidget(self.back)
        head.addWidget(self.name, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(head)
        column.addWidget(self._parts, 1)
