"""How a source is painted: number, title, place, quote, for experts scores, as a card."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import Passage
from desktop_rag.gui.theme import SMALL, scaled
from desktop_rag.gui.viewer.source_list_model import SourceRole, SourceRow, heading, source_location
from desktop_rag.gui.widgets.card_delegate import CardDelegate, CardHead, Index, view_width
from desktop_rag.gui.widgets.text_painting import paint_line

_GAP = 5
_FOLD_HEIGHT = 36


class SourceDelegate(CardDelegate):
    """Paints the rows of a `SourceListModel`."""

    edge, inner = 5, 12

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 - Qt's
        """Return the height that the entry's quote takes at the view's width."""
        entry: SourceRow = index.data(SourceRole.ENTRY)
        width = view_width(option)
        if entry.passage is None:
            return QSize(width, _FOLD_HEIGHT)
        head = max(QFontMetrics(option.font).height(), self.badge)
        small = QFontMetrics(scaled(option.font, SMALL)).height()
        around = 2 * (self.edge + self.inner)
        quote = self.text_height(_quote(entry), option.font, width - around)
        scores = small + _GAP if self._theme.is_expert else 0
        return QSize(width, head + small + quote + 2 * _GAP + scores + around)

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a source, or a line above some."""
        entry: SourceRow = index.data(SourceRole.ENTRY)
        if entry.passage is None:
            self._paint_fold(painter, option, entry)
        else:
            self._paint_source(painter, option, entry, entry.passage)

    def _paint_fold(
        self, painter: QPainter, option: QStyleOptionViewItem, entry: SourceRow
    ) -> None:
        hovered = option.state & (
            QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus
        )
        color = "accent_text" if hovered and not entry.read else "muted"
        self.use(painter, color, scaled(option.font, 1.0, bold=True))
        sign = "" if entry.read else "▾  " if entry.open else "▸  "
        box = option.rect.adjusted(self.edge + 4, 4, -self.edge, 0)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, sign + heading(entry))

    def _paint_source(
        self, painter: QPainter, option: QStyleOptionViewItem, entry: SourceRow, passage: Passage
    ) -> None:
        self.paint_frame(painter, option, "soft" if entry.pointed else "raised")
        box, font, small = self.inside(option), option.font, scaled(option.font, SMALL)
        height = max(QFontMetrics(scaled(font, 1.0, bold=True)).height(), self.badge)
        head = CardHead(entry.number, sanitize_name(passage.title), stands_out=entry.cited)
        self.paint_head(painter, font, QRect(box.left(), box.top(), box.width(), height), head)
        below = box.adjusted(0, height + 2, 0, 0)
        self.use(painter, "muted", small)
        paint_line(painter, below, source_location(passage, entry.mark))
        metrics = painter.fontMetrics()
        self.use(painter, "text")
        text = below.adjusted(0, metrics.height() + _GAP, 0, 0)
        self.paint_text(painter, font, text, _quote(entry))
        if not self._theme.is_expert:
            return
        self.use(painter, "muted", small)
        scores = metrics.elidedText(_scores(passage), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(QPoint(box.left(), box.bottom() - 1), scores)


def _quote(entry: SourceRow) -> str:
    """Return what is shown of the passage: the quote, else the beginning of what matched."""
    return (entry.quote or (entry.passage.matched if entry.passage is not None else ""))[:600]


def _scores(passage: Passage) -> str:
    """Return the scores that brought the passage here."""
    tr = QCoreApplication.translate
    parts = []
    if passage.score:  # none where a whole document was read
        parts.append(tr("SourceDelegate", "score %1").replace("%1", f"{passage.score:.2f}"))
    if passage.rerank_score is not None:
        text = tr("SourceDelegate", "reranked %1")
        parts.append(text.replace("%1", f"{passage.rerank_score:.2f}"))
    if passage.dense_rank is not None:
        parts.append(tr("SourceDelegate", "meaning #%1").replace("%1", str(passage.dense_rank)))
    if passage.lexical_rank is not None:
        parts.append(tr("SourceDelegate", "words #%1").replace("%1", str(passage.lexical_rank)))
    if passage.age_weight is not None:
        parts.append(tr("SourceDelegate", "age ×%1").replace("%1", f"{passage.age_weight:.2f}"))
    return "  ·  ".join(parts)
