"""What was derived from documents, to look at: as a list, and where it is a graph, as a picture."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.catalog_records import DerivedText
from desktop_rag.core.derived_events import DerivedDocument, SourcePassage
from desktop_rag.core.types import ChunkId
from desktop_rag.gui.controllers.derived_texts import (
    DerivedDocuments,
    DerivedProblem,
    DerivedTextController,
    DocumentOutline,
    PreparedWay,
    SourcePassages,
    document_of_source,
)
from desktop_rag.gui.controllers.document_tree import DocumentTree
from desktop_rag.gui.controllers.preparations import PreparationRow
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.library.derived_tree_model import DerivedTreeModel
from desktop_rag.gui.library.derived_tree_view import DerivedTreeView
from desktop_rag.gui.library.entity_graph_panel import EntityGraphPanel
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton, Tab
from desktop_rag.gui.widgets.cards import text_label
from desktop_rag.gui.widgets.elided_label import ElidedLabel

_GRAPH, _TREE = "entity_graph", "raptor"
_LEAST_CHARACTERS = 12  # of a document's name in the choice


class DerivedTextsPage(QWidget):
    """Shows what a `DerivedTextController` reads.

    `left` asks for the table of files again, `passage_asked` carries an `OpenDocument`.
    """

    left = Signal()
    passage_asked = Signal(object)

    def __init__(
        self, theme: Theme, texts: DerivedTextController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._texts = texts
        self._of = PreparedWay("", "")
        self.back = IconButton(theme, "back", self.tr("Back to the files (Esc)"))
        self._title = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._title.setObjectName("heading")
        self.documents = QComboBox()
        self.picture = Tab(self.tr("Picture"))
        self.list = Tab(self.tr("List"))
        self._forms = QButtonGroup(self)
        self.entities = EntityGraphPanel(theme, texts)
        self.drawing = DerivedTreeView(theme)
        self.less = IconButton(theme, "up", self.tr("Show a level less (-)"))
        self.more = IconButton(theme, "down", self.tr("Show a level more (+)"))
        self._uppers = QStackedWidget()
        self._parts = QSplitter(Qt.Orientation.Vertical)
        self._bodies = QStackedWidget()
        self.tree = QTreeView()
        self.model = DerivedTreeModel(self)
        self.origin = text_label("", "small")
        self.kind = text_label("", "muted")
        self.text = QPlainTextEdit()
        self.open = QPushButton(self.tr("Open the passage"))
        self._set_up()
        self._lay_out()
        self._connect()

    def look_at(self, row: PreparationRow) -> None:
        """Show what was derived for a way."""
        self._of = PreparedWay(row.kb, row.way)
        self._title.set_text(translate_message(row.title))
        self.documents.clear()
        self._clear(self.tr("Reading…"))
        self._texts.want_documents(self._of)
        if row.way == _GRAPH:
            self.entities.look_at(self._of)
        self.picture.setChecked(True)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's
        """Begin at the tree."""
        super().showEvent(event)
        self._focus()

    @Slot()
    def _arrange(self) -> None:
        """Show the picture, where there is one, or the list."""
        has_picture = self._of.way in (_GRAPH, _TREE)
        is_picture = has_picture and self.picture.isChecked()
        is_graph, is_tree = (is_picture and self._of.way == each for each in (_GRAPH, _TREE))
        self.picture.setVisible(has_picture)
        self.list.setVisible(has_picture)
        self._bodies.setCurrentWidget(self.entities if is_graph else self._parts)
        self._uppers.setCurrentWidget(self.drawing if is_tree else self.tree)
        self.documents.setVisible(not is_graph)
        self.origin.setVisible(not is_graph)
        self.less.setVisible(is_tree)
        self.more.setVisible(is_tree)
        node = self.model.node(self.tree.currentIndex())
        in_list = None if node is None else node.content
        self._tell(self.drawing.chosen if is_tree else in_list)
        self._focus()

    @Slot()
    def _show_depth(self) -> None:
        """Offer what there is to show more and less of."""
        self.less.setEnabled(self.drawing.can_open_less)
        self.more.setEnabled(self.drawing.can_open_more)

    def _focus(self) -> None:
        is_graph = self._bodies.currentWidget() is self.entities
        is_tree = self._uppers.currentWidget() is self.drawing
        (self.entities.view if is_graph else self.drawing if is_tree else self.tree).setFocus()

    @Slot(object)
    def _list(self, came: DerivedDocuments) -> None:
        if came.of != self._of:
            return
        documents = came.documents
        self.documents.clear()
        for at, each in enumerate(documents):
            self.documents.addItem(each.title, each)
            self.documents.setItemData(at, each.path, Qt.ItemDataRole.ToolTipRole)
        self.documents.setEnabled(len(documents) > 1)
        if not documents:
            self._clear(self.tr("Nothing was derived from the documents: they are too short."))

    @Slot(int)
    def _choose(self, _: int) -> None:
        document = self._document()
        if document is None:
            return
        self._clear(self.tr("Reading…"))
        self._texts.want_outline(self._of, document.document_id)

    @Slot(object)
    def _show(self, came: DocumentOutline) -> None:
        document = self._document()
        is_asked = came.of == self._of and document is not None
        if document is None or not is_asked or document.document_id != came.outline.document_id:
            return
        self.model.show_outline(came.outline, document.title)
        self.origin.setText(self._origin(document))
        self.tree.setCurrentIndex(self.model.index(0, 0))
        if self._of.way == _TREE:
            self.drawing.show_tree(came.tree, document.title)
        self._show_depth()

    @Slot(object)
    def _want_passages(self, text: DerivedText) -> None:
        self._texts.want_passages(self._of, text.sources)

    @Slot(object)
    def _want_drawn(self, chunks: tuple[ChunkId, ...]) -> None:
        self._texts.want_passages(self._of, chunks)

    @Slot(object)
    def _take_passages(self, came: SourcePassages) -> None:
        if came.of == self._of:
            self.model.take_passages(came)
            self.drawing.take_passages(came.passages)
            self._read_drawn()

    @Slot(QModelIndex, QModelIndex)
    def _read(self, index: QModelIndex, _: QModelIndex) -> None:
        node = self.model.node(index)
        if self._uppers.currentWidget() is self.tree:
            self._tell(None if node is None else node.content)

    @Slot()
    def _read_drawn(self) -> None:
        if self._uppers.currentWidget() is self.drawing:
            self._tell(self.drawing.chosen)

    def _tell(self, content: DerivedText | SourcePassage | None) -> None:
        """Show what is chosen, whole."""
        self.kind.setText("" if content is None else self.model.kind(content))
        self.text.setPlainText("" if content is None else content.text)
        self.open.setVisible(isinstance(content, SourcePassage))

    @Slot(QModelIndex)
    def _activate(self, index: QModelIndex) -> None:
        node = self.model.node(index)
        if node is not None and isinstance(node.content, SourcePassage):
            self._open_passage(node.content)

    @Slot()
    def _open_current(self) -> None:
        drawn = self.drawing.chosen
        if self._uppers.currentWidget() is self.tree:
            self._activate(self.tree.currentIndex())
        elif isinstance(drawn, SourcePassage):
            self._open_passage(drawn)

    @Slot(QModelIndex)
    def _click(self, index: QModelIndex) -> None:
        """Open the passage that was clicked, or what stands under a text."""
        if self.model.hasChildren(index):
            self.tree.expand(index)
        else:
            self._activate(index)

    @Slot(object)
    def _open_passage(self, passage: SourcePassage) -> None:
        self.passage_asked.emit(document_of_source(passage))

    @Slot(object)
    def _complain(self, problem: DerivedProblem) -> None:
        if problem.of == self._of:
            self._clear(translate_message(problem.error.sentence))

    def _clear(self, told: str) -> None:
        self.model.show_outline(None)
        self.drawing.show_tree(DocumentTree())
        self.origin.setText(told)
        self.kind.clear()
        self.text.clear()
        self.open.hide()

    def _document(self) -> DerivedDocument | None:
        found = self.documents.currentData()
        return found if isinstance(found, DerivedDocument) else None

    def _origin(self, document: DerivedDocument) -> str:
        counts = self.tr("%n derived text(s)", "", document.texts)
        if document.model is None:
            by = self.tr("made before the last change of how it is prepared")
        elif document.model:
            by = fill(self.tr("made with the language model %1"), document.model)
        else:
            by = self.tr("made without a language model, of the passages' own words")
        return f"{counts} · {by}"

    def _set_up(self) -> None:
        self.documents.setAccessibleName(self.tr("Document"))
        self.documents.setMinimumContentsLength(_LEAST_CHARACTERS)
        short = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.documents.setSizeAdjustPolicy(short)
        for each in (self.picture, self.list):
            self._forms.addButton(each)
        self.picture.setChecked(True)
        self.tree.setObjectName("derived")
        self.tree.setModel(self.model)
        self.tree.setHeaderHidden(True)
        self.tree.setUniformRowHeights(True)
        self.tree.setExpandsOnDoubleClick(False)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.tree.setAccessibleName(self.tr("Derived texts, and the passages under them"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("The whole text of the row"))
        self.open.hide()

    def _connect(self) -> None:
        self.back.clicked.connect(self.left)
        self._forms.buttonClicked.connect(self._arrange)
        self.entities.passage_asked.connect(self.passage_asked)
        self.drawing.chosen_changed.connect(self._read_drawn)
        self.drawing.depth_changed.connect(self._show_depth)
        self.drawing.passage_asked.connect(self._open_passage)
        self.drawing.passages_wanted.connect(self._want_drawn)
        self.less.clicked.connect(self.drawing.open_less)
        self.more.clicked.connect(self.drawing.open_more)
        self.documents.currentIndexChanged.connect(self._choose)
        self.tree.selectionModel().currentChanged.connect(self._read)
        self.tree.clicked.connect(self._click)
        self.tree.activated.connect(self._activate)
        self.open.clicked.connect(self._open_current)
        self.model.passages_wanted.connect(self._want_passages)
        self._texts.documents_came.connect(self._list)
        self._texts.outline_came.connect(self._show)
        self._texts.passages_came.connect(self._take_passages)
        self._texts.complained.connect(self._complain)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.back)
        head.addWidget(self._title, 1)
        head.addWidget(self.picture)
        head.addWidget(self.list)
        head.addWidget(self.documents, 1)
        pane = QWidget()
        below = QVBoxLayout(pane)
        below.setContentsMargins(0, 0, 0, 0)
        below.addWidget(self.kind)
        below.addWidget(self.text, 1)
        below.addWidget(self.open, 0, Qt.AlignmentFlag.AlignRight)
        self._parts.setChildrenCollapsible(False)
        self._uppers.addWidget(self.tree)
        self._uppers.addWidget(self.drawing)
        self._parts.addWidget(self._uppers)
        self._parts.addWidget(pane)
        self._parts.setStretchFactor(0, 3)
        self._parts.setStretchFactor(1, 2)
        self._bodies.addWidget(self._parts)
        self._bodies.addWidget(self.entities)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 14)
        column.setSpacing(8)
        column.addLayout(head)
        below_head = QHBoxLayout()
        below_head.addWidget(self.origin, 1)
        below_head.addWidget(self.less)
        below_head.addWidget(self.more)
        column.addLayout(below_head)
        column.addWidget(self._bodies, 1)
