"""The outline of what is shown, pages or text: where it comes from, and where it leads to."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, Signal, Slot
from PySide6.QtWidgets import QToolButton

from desktop_rag.gui.controllers.document_outline import OutlineItem, TextOutline
from desktop_rag.gui.controllers.open_document import OpenDocument
from desktop_rag.gui.controllers.viewer import ViewerController
from desktop_rag.gui.viewer.outline_panel import OutlinePanel
from desktop_rag.gui.viewer.page_layout import MARGIN
from desktop_rag.gui.viewer.pdf_view import PdfView
from desktop_rag.gui.viewer.text_view import TextView

_TOLERANCE = 24  # pixels below the upper edge at which a heading counts as reached
_LEAST = 2  # headings: one alone is the document's title


class OutlinePresenter(QObject):
    """`panel` shows the outline while there is one and its button is pressed.

    `offered` carries whether there is an outline.
    """

    offered = Signal(bool)

    def __init__(
        self, reader: ViewerController, button: QToolButton, pages: PdfView, text: TextView
    ) -> None:
        super().__init__(pages)
        self._reader, self._button = reader, button
        self._pages, self._text = pages, text
        self._of_pages: tuple[OutlineItem, ...] = ()
        self._of_text: TextOutline | None = None
        self._are_pages = False
        self._document: OpenDocument | None = None
        self.panel = OutlinePanel()
        self.panel.hide()
        self.panel.picked.connect(self._go)
        button.toggled.connect(self._show)
        reader.pages.outline_came.connect(self._take_pages)
        reader.outline_came.connect(self._take_text)
        pages.moved.connect(self._tell_place)
        text.moved.connect(self._tell_place)

    def follow(self, in_text: OpenDocument | None, *, are_pages: bool) -> None:
        """Show the outline of the pages, or of the text of a document; neither has tables."""
        self._are_pages, self._document = are_pages, in_text
        known = self._of_text
        if in_text is not None and (known is None or known.document_id != in_text.document_id):
            self._of_text = None
            self._reader.want_outline(in_text)
        self._show()

    def forget(self) -> None:
        """Show no outline: the document is left."""
        self._of_pages, self._of_text, self._document = (), None, None
        self._are_pages = False
        self._show()

    @property
    def items(self) -> tuple[OutlineItem, ...]:
        """The headings of what is shown."""
        if self._are_pages:
            return self._of_pages
        is_text = self._document is not None and self._of_text is not None
        return self._of_text.items if is_text and self._of_text is not None else ()

    @Slot(object)
    def _take_pages(self, items: tuple[OutlineItem, ...]) -> None:
        self._of_pages = items
        self._show()

    @Slot(object)
    def _take_text(self, came: TextOutline) -> None:
        if self._document is not None and self._document.document_id == came.document_id:
            self._of_text = came
            self._show()

    @Slot()
    def _show(self) -> None:
        has_outline = len(self.items) >= _LEAST
        self.panel.show_items(self.items if has_outline else ())
        self.panel.setVisible(has_outline and self._button.isChecked())
        self.offered.emit(has_outline)
        self._tell_place()

    @Slot()
    def _tell_place(self) -> None:
        """Choose the heading under which one reads."""
        if self.panel.isHidden():
            return
        if not self._are_pages:
            self.panel.show_place((self._text.line_at(_TOLERANCE), 0.0))
        elif len(self._pages.stack):
            page, point = self._pages.at(QPointF(MARGIN, MARGIN + _TOLERANCE))
            self.panel.show_place((page, point.y()))

    @Slot(object)
    def _go(self, item: OutlineItem) -> None:
        if item.page:
            self._pages.go(item.page, 0.0, item.y)
        else:
            self._text.show_top(item.start)
        self.panel.show_item(item)  # near the end its place can't be scrolled to the top
