"""A document inside the window: its page or its text, with the cited passages marked."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.app.reader import (
    DocumentText,
    Opened,
    PageShot,
    ReaderController,
    Trouble,
)
from desktop_rag.ui.sources.page_view import PageView, Picture
from desktop_rag.ui.sources.text_view import TextView
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.widgets.banner import Banner
from desktop_rag.ui.widgets.buttons import IconButton
from desktop_rag.ui.widgets.elided import ElidedLabel
from desktop_rag.ui.widgets.throttle import Throttle

_SHARPEN_MS = 150
_A4_POINTS = 595.0


class Viewer(QWidget):
    """Shows an `Opened`. `left` is the way back to the list of sources.

    `external_asked` and `folder_asked` carry the path that the user wants to see elsewhere.
    """

    left = Signal()
    external_asked = Signal(object)
    folder_asked = Signal(object)

    def __init__(
        self, theme: Theme, reader: ReaderController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._reader = reader
        self._opened: Opened | None = None
        self._page = 1
        self._pages: int | None = None
        self._page_width = _A4_POINTS
        self._arriving = False
        self.page_view = PageView(theme)
        self.text_view = TextView(theme)
        self._note = Banner(theme, "banner")
        self._title = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self._title.setObjectName("heading")
        self._where = QLabel()
        self._where.setObjectName("muted")
        self._where.setContentsMargins(6, 4, 0, 4)
        self._sharpen = Throttle(_SHARPEN_MS, self)
        self._make_buttons(theme)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.page_view)
        self._stack.addWidget(self.text_view)
        self._lay_out()
        self._connect()

    def open(self, opened: Opened) -> None:
        """Show a document at its current mark."""
        same = self._opened is not None and self._opened.document_id == opened.document_id
        if not same:
            self._pages = None
        self._opened = opened
        self._title.set_text(opened.title or opened.path)
        self._title.setToolTip(opened.path)
        self._note.hide()
        self._arriving = True
        self._tell_marks()
        if not opened.is_paged:
            self._open_text(opened, same=same)
        elif opened.mark.boxes:
            self._show_mark(opened)
        else:
            self._reader.want_place(opened)

    @Slot(object)
    def _show_mark(self, opened: Opened) -> None:
        """Go to the page of the current mark."""
        self._opened = opened
        if opened.is_paged:
            self._stack.setCurrentWidget(self.page_view)
            self.page_view.setFocus()
            self._go(int(opened.mark.value))

    @property
    def page(self) -> int:
        """The page that is shown."""
        return self._page

    def _open_text(self, opened: Opened, *, same: bool) -> None:
        self._stack.setCurrentWidget(self.text_view)
        self.text_view.setFocus()
        self._where.setText(opened.mark.label())
        if not same:
            self.text_view.setPlainText("")
        self._reader.want_text(opened)

    def _go(self, page: int) -> None:
        if self._opened is None or page < 1 or (self._pages is not None and page > self._pages):
            return
        if self._page != page or not self._arriving:
            self.page_view.say(self.tr("Page %1 …").replace("%1", str(page)))
        self._page = page
        self._want()

    def _want(self) -> None:
        if self._opened is not None and self._opened.is_paged:
            width = self.page_view.page_width() * self.devicePixelRatioF()
            scale = min(4000.0, max(200.0, width)) / self._page_width
            self._reader.want_page(self._opened.path, self._page, scale)

    @Slot(object)
    def _show_page(self, shot: PageShot) -> None:
        if self._opened is None or shot.page != self._page:
            return
        self._pages = shot.pages
        self._page_width = max(1.0, shot.points[0])
        # The bytes stay alive only as long as the copy below needs them.
        image = QImage(
            shot.rgb, shot.width, shot.height, shot.width * 3, QImage.Format.Format_RGB888
        ).copy()
        others, current = self._opened.boxes(shot.page)
        self.page_view.show_picture(Picture(shot.page, image, shot.points[0]), others, current)
        if self._arriving:
            self._arriving = False
            self.page_view.show_marks()
        self._tell_page()

    @Slot(object)
    def _show_text(self, text: DocumentText) -> None:
        if self._opened is None:
            return
        self.text_view.show_text(text, self._opened)
        if text.missing:
            self._note.say(
                self.tr("The file is no longer there. This is its text as it was last read.")
            )

    @Slot(object)
    def _show_trouble(self, trouble: Trouble) -> None:
        """Show the text instead of a page that can't be rendered."""
        if self._opened is None:
            return
        self._note.say(f"{trouble.what} {trouble.remedy}".strip())
        if self._stack.currentWidget() is self.page_view:
            self._open_text(self._opened, same=False)

    @Slot(object)
    def _turn(self, by: int) -> None:
        at_end = self._pages is not None and self._page >= self._pages
        if (by > 0 and at_end) or self._page + by < 1:
            return
        self._go(self._page + by)
        self.page_view.to_edge(bottom=False)

    @Slot()
    def _next_page(self) -> None:
        self._turn(1)

    @Slot()
    def _previous_page(self) -> None:
        self._turn(-1)

    @Slot()
    def _next_mark(self) -> None:
        self._to_mark(1)

    @Slot()
    def _previous_mark(self) -> None:
        self._to_mark(-1)

    def _to_mark(self, by: int) -> None:
        if self._opened is not None:
            self.open(self._opened.at((self._opened.current + by) % len(self._opened.marks)))

    @Slot()
    def _zoom_in(self) -> None:
        self.page_view.zoom_by(1.2)

    @Slot()
    def _zoom_out(self) -> None:
        self.page_view.zoom_by(1 / 1.2)

    @Slot()
    def _fit(self) -> None:
        self.page_view.set_zoom(1.0)

    @Slot()
    def _leave(self) -> None:
        self._reader.forget()
        self.left.emit()

    @Slot()
    def _outside(self) -> None:
        if self._opened is not None:
            self.external_asked.emit(self._opened.path)

    @Slot()
    def _in_folder(self) -> None:
        if self._opened is not None:
            self.folder_asked.emit(self._opened.path)

    def _tell_page(self) -> None:
        of = f" / {self._pages}" if self._pages else ""
        self._where.setText(f"{self._page}{of}")
        self._where.setAccessibleName(self.tr("Page %1").replace("%1", str(self._page)))
        self.previous_page.setEnabled(self._page > 1)
        self.next_page.setEnabled(self._pages is None or self._page < self._pages)

    def _tell_marks(self) -> None:
        paged = self._opened is not None and self._opened.is_paged
        several = self._opened is not None and len(self._opened.marks) > 1
        for button in self._page_buttons:
            button.setVisible(paged)
        self.previous_mark.setVisible(several)
        self.next_mark.setVisible(several)

    def _make_buttons(self, theme: Theme) -> None:
        self.back = IconButton(theme, "back", self.tr("Back to the sources")).with_text(
            self.tr("Sources")
        )
        self.previous_page = IconButton(theme, "up", self.tr("Previous page (Page Up)"))
        self.next_page = IconButton(theme, "down", self.tr("Next page (Page Down)"))
        self.previous_mark = IconButton(theme, "back", self.tr("Previous mark"))
        self.next_mark = IconButton(theme, "forward", self.tr("Next mark"))
        self.zoom_out = IconButton(theme, "zoom-out", self.tr("Smaller (−)"))
        self.zoom_in = IconButton(theme, "zoom-in", self.tr("Larger (+)"))
        self.fit = IconButton(theme, "fit-width", self.tr("As wide as the pane"))
        self.outside = IconButton(theme, "external", self.tr("Open in the system's program"))
        self.in_folder = IconButton(theme, "folder", self.tr("Show in folder"))
        self._page_buttons = (
            self.previous_page,
            self.next_page,
            self.zoom_out,
            self.zoom_in,
            self.fit,
        )
        for button in (*self._page_buttons, self.outside, self.in_folder):
            button.setIconSize(QSize(17, 17))

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(8, 8, 8, 2)
        top.addWidget(self.back)
        top.addWidget(self._title, 1)
        top.addWidget(self.outside)
        top.addWidget(self.in_folder)
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 0, 8, 6)
        bar.setSpacing(2)
        for button in (self.previous_page, self.next_page):
            bar.addWidget(button)
        bar.addWidget(self._where)
        bar.addStretch(1)
        for button in (self.previous_mark, self.next_mark, self.zoom_out, self.zoom_in, self.fit):
            bar.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addLayout(bar)
        column.addWidget(self._note)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self._reader.placed.connect(self._show_mark)
        self._reader.page_came.connect(self._show_page)
        self._reader.text_came.connect(self._show_text)
        self._reader.failed.connect(self._show_trouble)
        self.page_view.turned.connect(self._turn)
        self.page_view.zoomed.connect(self._zoomed)
        self._sharpen.due.connect(self._want)
        self.back.clicked.connect(self._leave)
        self.previous_page.clicked.connect(self._previous_page)
        self.next_page.clicked.connect(self._next_page)
        self.previous_mark.clicked.connect(self._previous_mark)
        self.next_mark.clicked.connect(self._next_mark)
        self.zoom_in.clicked.connect(self._zoom_in)
        self.zoom_out.clicked.connect(self._zoom_out)
        self.fit.clicked.connect(self._fit)
        self.outside.clicked.connect(self._outside)
        self.in_folder.clicked.connect(self._in_folder)

    @Slot(object)
    def _zoomed(self, zoom: float) -> None:
        del zoom
        self._sharpen.ask()
