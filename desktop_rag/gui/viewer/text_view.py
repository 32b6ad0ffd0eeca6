"""A document's extracted text with its passages marked, for what has no pages to show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from desktop_rag.gui.clipboard_tables import selection_mime
from desktop_rag.gui.controllers.open_document import DocumentText, OpenDocument, TextHit, TextRange
from desktop_rag.gui.controllers.reading_places import ReadingPlace
from desktop_rag.gui.theme import READING, Theme, scaled
from desktop_rag.gui.viewer.document_writer import DocumentWriter, mark_format
from desktop_rag.gui.viewer.pdf_painting import HIT, HIT_NOW, MARK, MARK_NOW
from desktop_rag.gui.viewer.selection_menu import SelectionMenu

STRETCH = 6_000  # characters that are set at a time: as a table they take fifty milliseconds
_MOST = 48_000  # characters that are held at once: a new width lays all of them out anew
_MOST_SHOWN_HITS = 1500
_SMALLEST, _LARGEST = 0.5, 4.0  # of letters, against the usual size
_STEP = 1.1
_SLIVER = 8  # pixels
_GAP = 80  # characters after a place in which a line begins, where it lies between lines
_ABOVE = 1 / 3  # the part of the view that lies above a place that is gone to

Range = tuple[int, int]


class TextView(QTextBrowser):
    """Shows stretches of a text around what is read.

    `stretch_wanted` carries the `TextRange` that is to be shown, `moved` comes when
    another part of the text is in sight, `asking` offers what can be asked about what is selected.
    """

    stretch_wanted = Signal(object)
    moved = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.asking = SelectionMenu(self)
        self.setOpenLinks(False)
        self.document().setUndoRedoEnabled(False)
        self.setFont(scaled(self.font(), READING))
        self._usual = self.font().pointSizeF()
        self.document().setDocumentMargin(22)
        # A bar that came and went would change the width while text is set: Qt crashes in that.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)  # a table's words stay whole
        self.setAccessibleName(self.tr("Text of the document"))
        self.setting = DocumentWriter(self.document(), theme)
        self._first = self._length = 0
        self._marks: tuple[Range, ...] = ()
        self._mark = -1
        self._hits: list[TextHit] = []
        self._hit: TextHit | None = None
        self._goal: Range | None = None
        self._above = _ABOVE
        self._asked: TextRange | None = None
        self._writing = False  # while it is, the layout may not be asked for anything
        self.verticalScrollBar().valueChanged.connect(self._look)

    def begin(self, opened: OpenDocument, length: int, left: ReadingPlace | None = None) -> None:
        """Ask for the text around the current mark; without one, where it was left."""
        left = left or ReadingPlace()
        self.empty()
        self._hits, self._hit, self._asked = [], None, None
        self._length = length
        self.set_letters(left.letters)
        self.set_marks(opened)
        if self._marks:
            self.show_place(self._marks[self._mark])
        else:
            self.show_top(left.start if left.start < length else 0)

    def show_top(self, start: int) -> None:
        """Scroll a place to the top of the view."""
        self._above = 0.0 if start else _ABOVE
        self._go((start, min(start + _GAP, self._length)))

    def left_at(self, place: ReadingPlace) -> ReadingPlace:
        """Return a place with the place in the text and the letters' size that are looked at."""
        if self.setting.end <= self.setting.start or self._goal is not None:
            return place
        is_at_top = not self.verticalScrollBar().value() and self.setting.start <= self._first
        start = 0 if is_at_top else self.line_at(_SLIVER)
        return replace(place, start=start, letters=self.letters)

    def line_at(self, y: int) -> int:
        """Return where in the text a line begins that is so many pixels from the top."""
        cursor = self.cursorForPosition(QPoint(0, y))
        cursor.movePosition(QTextCursor.MoveOperation.StartOfLine)
        return self.setting.offset(cursor.position())

    @property
    def letters(self) -> float:
        """The size of the letters against the usual one."""
        return self.font().pointSizeF() / self._usual if self._usual > 0 else 1.0

    def set_letters(self, factor: float) -> None:
        """Show letters of so many times the usual size, within bounds; what is read stays."""
        factor = min(_LARGEST, max(_SMALLEST, factor))
        if self._usual <= 0 or abs(factor - self.letters) < 0.005:
            return
        font = self.font()
        font.setPointSizeF(self._usual * factor)
        is_empty = self.setting.end <= self.setting.start
        cursor = self.cursorForPosition(self.viewport().rect().topLeft())
        top = self.cursorRect(cursor).top()
        self.setFont(font)
        if not is_empty:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + self.cursorRect(cursor).top() - top)

    def empty(self) -> None:
        """Show nothing."""
        self._writing = True
        self.setting.clear()
        self._writing = False
        self._marks, self._mark, self._hits, self._hit = (), -1, [], None
        self._paint()

    def set_marks(self, opened: OpenDocument) -> None:
        """Mark passages; the current one is drawn stronger."""
        ranges = [(m.start, m.end) for m in opened.marks]
        self._marks = tuple((a, b) for a, b in ranges if a is not None and b is not None)
        mark = opened.mark
        now = (mark.start, mark.end) if mark is not None else None
        self._mark = self._marks.index(now) if now in self._marks else -1
        self._paint()

    def set_hits(self, hits: list[TextHit], current: TextHit | None) -> None:
        """Mark found words; the current place is drawn stronger."""
        self._hits, self._hit = hits, current
        self._paint()

    def show_place(self, place: Range) -> None:
        """Scroll to a place, a third from the top; what is around it is asked for if need be."""
        self._above = _ABOVE
        self._go(place)

    def _go(self, place: Range) -> None:
        inside = self.setting.start <= place[0] and place[1] <= self.setting.end
        if inside and self.setting.end > self.setting.start:
            self._goal = None
            self._scroll_to(place)
            return
        self._goal = place
        half = STRETCH // 2
        self._ask(TextRange(max(0, place[0] - half), place[1] + half))

    def add(self, text: DocumentText) -> None:
        """Show a stretch: beside what is shown where it goes on there, else alone.

        What was asked for before something else was is dropped.
        """
        if text.wanted is not None and text.wanted != self._asked:
            return
        self._first, self._length = text.first, text.length
        setting = self.setting
        bar = self.verticalScrollBar()
        joins = self._goal is None and setting.end > setting.start
        self._writing = True
        before, at = self.document().size().height(), bar.value()
        above = joins and text.end == setting.start
        if joins and text.start == setting.end:
            setting.append(text)
        elif above:
            setting.prepend(text)
        else:
            setting.begin(text)
        self._writing = False
        if above:
            bar.setValue(at + round(self.document().size().height() - before))
        self._paint()
        if self._goal is not None:
            self._scroll_to(self._goal)
            self._goal = None
        self._asked = None  # only now: setting text scrolls, and what scrolls asks for more
        self._look()

    @property
    def place(self) -> int:
        """The place in the text that is at the top of the view."""
        return self.setting.offset(
            self.cursorForPosition(self.viewport().rect().topLeft()).position()
        )

    @property
    def percent(self) -> str:
        """How far down the whole text the view is; nothing where all of it is in sight."""
        whole = self._length - self._first
        if not self.verticalScrollBar().maximum() or not whole:
            return ""
        return f"{round(100 * (self.place - self._first) / whole)}%"

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's
        """Offer to ask about what is selected, beside what Qt offers."""
        menu = self.createStandardContextMenu(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.asking.offer(menu, self.textCursor().selection().toPlainText())
        menu.popup(event.globalPos())

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 - Qt's
        """Copy what is selected, no cell of a document's table as a formula."""
        return selection_mime(self.textCursor())

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: N802 - Qt's
        """Load nothing: a document's pictures are refused, wherever they lie."""
        del kind, name
        return ""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Go to the ends of the whole text, whatever of it is shown."""
        if event.matches(QKeySequence.StandardKey.MoveToStartOfDocument):
            self.show_place((0, 0))
        elif event.matches(QKeySequence.StandardKey.MoveToEndOfDocument):
            self.show_place((self._length - 1, self._length))
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.set_letters(self.letters * _STEP)
        elif event.key() == Qt.Key.Key_Minus:
            self.set_letters(self.letters / _STEP)
        elif event.key() == Qt.Key.Key_0:
            self.set_letters(1.0)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's
        """Change the letters' size with Ctrl; else scroll."""
        turns = event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and turns:
            self.set_letters(self.letters * (_STEP if turns > 0 else 1 / _STEP))
        else:
            super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Keep the place that is read at the top."""
        if self._writing or event.oldSize().width() in (-1, event.size().width()):
            super().resizeEvent(event)
        else:
            cursor = self.cursorForPosition(self.viewport().rect().topLeft())
            top = self.cursorRect(cursor).top()
            super().resizeEvent(event)
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + self.cursorRect(cursor).top() - top)

    @Slot()
    def _look(self) -> None:
        """Ask for what follows or comes before when an end of what is shown comes near."""
        if self._writing:
            return
        self.moved.emit()
        bar, setting = self.verticalScrollBar(), self.setting
        if self._asked is not None or setting.end <= setting.start:
            return
        near = 2 * max(200, bar.pageStep())
        if setting.end - setting.start > _MOST:
            self._goal, self._above = (self.place, self.place), 0.0
            self._ask(TextRange(max(0, self.place - STRETCH), self.place + STRETCH))
        elif bar.value() > bar.maximum() - near and setting.end < self._length:
            end = min(self._length, setting.end + STRETCH)
            self._ask(TextRange(setting.end, end, setting.end))
        elif bar.value() < near and setting.start > self._first:
            start = max(self._first, setting.start - STRETCH)
            self._ask(TextRange(start, setting.start, setting.start))

    def _ask(self, stretch: TextRange) -> None:
        self._asked = stretch
        self.stretch_wanted.emit(stretch)

    def _scroll_to(self, place: Range) -> None:
        found = next(self.setting.cursors(place[0], max(place[1], place[0] + 1)), None)
        if found is None:
            return
        cursor = QTextCursor(found)
        cursor.setPosition(found.selectionStart())
        self.setTextCursor(cursor)
        bar = self.verticalScrollBar()
        bar.setValue(
            bar.value()
            + self.cursorRect(cursor).top()
            - round(self.viewport().height() * self._above)
        )

    def _paint(self) -> None:
        """Lay the marks over the text."""
        made: list[QTextEdit.ExtraSelection] = []
        for number, mark in enumerate(self._marks):
            made += self._selections(mark, MARK_NOW if number == self._mark else MARK)
        low, high = self.setting.start, self.setting.end
        hits = [hit for hit in self._hits if low <= hit.start < high][:_MOST_SHOWN_HITS]
        for hit in hits:
            made += self._selections((hit.start, hit.end), HIT_NOW if hit is self._hit else HIT)
        self.setExtraSelections(made)

    def _selections(self, place: Range, color: str) -> list[QTextEdit.ExtraSelection]:
        made = []
        for cursor in self.setting.cursors(*place):
            selection = QTextEdit.ExtraSelection()
            selection.cursor = cursor
            selection.format = mark_format(color)
            made.append(selection)
        return made
