"""A passage's way through a search as a chain of stages, with the place where it fell out."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rag.core.explain_events import Stage, StageState
from desktop_rag.gui.lab import search_test_text as phrases
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.theme import Theme, scaled
from desktop_rag.gui.widgets.card_delegate import CardDelegate, Index, view_width
from desktop_rag.gui.widgets.text_painting import paint_line

_SIGN, _LEFT, _INNER = 18, 40, 7
_NAME = 118  # pixels of the column of names; below _WIDE it stands above the text
_WIDE = 460
_SIGNS = {
    StageState.PASSED: "✓",
    StageState.OUT: "✗",
    StageState.MISSED: "–",
    StageState.OFF: "",
    StageState.AFTER: "",
}
_ROLES = {StageState.PASSED: "good", StageState.OUT: "bad", StageState.MISSED: "warn"}


class StageRole(IntEnum):
    """What a row is: a `Stage`."""

    STAGE = Qt.ItemDataRole.UserRole + 1


class StageModel(QAbstractListModel):
    """The stages of a way, as far as they are known."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Stage, ...] = ()

    def show_stages(self, stages: tuple[Stage, ...]) -> None:
        """Show stages; those that are shown already stay as they are."""
        known = len(self._rows)
        if known and stages[:known] == self._rows:
            if len(stages) > known:
                self.beginInsertRows(QModelIndex(), known, len(stages) - 1)
                self._rows = stages
                self.endInsertRows()
            return
        self.beginResetModel()
        self._rows = stages
        self.endResetModel()

    def row_out(self) -> int:
        """Return the row of the stage in which the passage fell out, -1 where in none."""
        return next((n for n, each in enumerate(self._rows) if each.state is StageState.OUT), -1)

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return how many stages there are."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a stage, its sentence, or what is said of it."""
        if not index.isValid():
            return None
        stage = self._rows[index.row()]
        if role == StageRole.STAGE:
            return stage
        if role == Qt.ItemDataRole.DisplayRole:
            return stage_text(stage)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            parts = (phrases.stage(stage.name), phrases.state(stage.state), stage_text(stage))
            return ". ".join(dict.fromkeys(filter(None, parts)))
        return None


def stage_text(stage: Stage) -> str:
    """Return a stage's sentence with its score."""
    if stage.state is StageState.AFTER:
        return phrases.state(stage.state)
    text = translate_message(stage.text)
    return text if stage.score is None else join_sentences(text, phrases.scored(stage.score))


class StageDelegate(CardDelegate):
    """Paints a stage: a sign on a line that joins all, its name, its sentence."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 - Qt's
        """Return the height that the sentence takes at the view's width."""
        width = view_width(option)
        text = self.text_height(str(index.data()), option.font, _room(width))
        above = 0 if width >= _WIDE else QFontMetrics(option.font).height() + 1
        return QSize(0, above + text + 2 * _INNER)

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one stage."""
        stage: Stage = index.data(StageRole.STAGE)
        ground = QRectF(option.rect).adjusted(2.5, 1.5, -2.5, -1.5)
        if stage.state is StageState.OUT:
            self.paint_ground(painter, ground, "bad_soft", "bad_line")
        elif option.state & QStyle.StateFlag.State_Selected:
            self.paint_ground(painter, ground, "soft", "chosen_line")
        self._paint_line(painter, option, index)
        self._paint_sign(painter, option, stage)
        self._paint_text(painter, option, stage)

    def _paint_line(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Join the signs, from the first one's middle to the last one's."""
        box, x = option.rect, option.rect.left() + _LEFT // 2
        middle = box.top() + _INNER + _SIGN // 2
        is_last = index.row() == index.model().rowCount() - 1
        self.use(painter, "border")
        painter.drawLine(x, middle if not index.row() else box.top(), x, middle)
        painter.drawLine(x, middle, x, middle if is_last else box.bottom() + 1)

    def _paint_sign(self, painter: QPainter, option: QStyleOptionViewItem, stage: Stage) -> None:
        colors, box = self._theme.colors, option.rect
        role = _ROLES.get(stage.state, "border")
        left = box.left() + (_LEFT - _SIGN) / 2
        circle = QRectF(left, box.top() + _INNER, _SIGN, _SIGN)
        if not _SIGNS[stage.state]:
            circle = circle.adjusted(5, 5, -5, -5)
        painter.setPen(colors.of(role))
        painter.setBrush(colors.of(role if stage.state is StageState.OUT else "base"))
        painter.drawEllipse(circle)
        color = "base" if stage.state is StageState.OUT else role
        self.use(painter, color, scaled(option.font, 0.9, bold=True))
        painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, _SIGNS[stage.state])

    def _paint_text(self, painter: QPainter, option: QStyleOptionViewItem, stage: Stage) -> None:
        is_quiet = stage.state in (StageState.OFF, StageState.AFTER)
        box = option.rect.adjusted(_LEFT, _INNER, -_INNER - 4, 0)
        font = scaled(option.font, 1.0, bold=not is_quiet)
        self.use(painter, "muted" if is_quiet else "text", font)
        paint_line(painter, box, phrases.stage(stage.name))
        wide = option.rect.width() >= _WIDE
        right, down = (_NAME, 0) if wide else (0, painter.fontMetrics().height() + 1)
        self.paint_text(painter, option.font, box.adjusted(right, down, 0, 0), stage_text(stage))


class StageList(QListView):
    """The chain; it is as high as it wants to be."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = StageModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(StageDelegate(theme, self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setAccessibleName(self.tr("The passage's way, stage by stage"))

    def show_stages(self, stages: tuple[Stage, ...]) -> None:
        """Show stages, the one where the passage fell out in sight."""
        self.rows.show_stages(stages)
        if (row := self.rows.row_out()) >= 0:
            self.scrollTo(self.rows.index(row))


def _room(width: int) -> int:
    """Return how wide a sentence may be."""
    return width - _LEFT - _INNER - 4 - (_NAME if width >= _WIDE else 0)
