"""The options of a way to answer: each with its control, and the transforms around the way."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.settings_file import SettingDeclaration
from desktop_rag.gui.chat import way_options_text
from desktop_rag.gui.controllers.strategy_choices import TransformForm
from desktop_rag.gui.controllers.way_options import AROUND, WayValues
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.settings.setting_controls import ChoiceControl, control_of
from desktop_rag.gui.settings.setting_row import SettingRow
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.paragraph import paragraph
from desktop_rag.gui.widgets.scroll_areas import ColumnScrollArea

_WIDTH = 560
_LEAST = QSize(420, 200)
_WIDEST_CHOICE = 350
_BESIDE_WINDOW = 40  # pixels of the window that stay in sight
_EDGE, _SIDE, _INDENT = 14, 20, 18
_NO_USE = "condense"  # the settings do that, for every way


class AroundRow(SettingRow):
    """Whether a transform is around a way; that by itself none is needs no word."""

    def _default(self) -> str:
        return ""


class WayOptionsDialog(QDialog):
    """Shows a `WayValues`, whose changes are kept at once; open it with `open()`."""

    def __init__(self, theme: Theme, values: WayValues, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Options of this way"))
        self._theme, self._values = theme, values
        values.setParent(self)
        self.rows: dict[str, SettingRow] = {}
        self._inside: dict[str, list[SettingRow]] = {}
        self.reset = QPushButton(self.tr("Use the defaults"))
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        self._scroll = ColumnScrollArea()
        self._whole = QVBoxLayout(self)
        self._lay_out()
        self.reset.clicked.connect(self._reset)
        self._buttons.rejected.connect(self.reject)
        values.settings_changed.connect(self._refresh)
        self._refresh()
        self._fit_to(parent)
        if self.rows:
            next(iter(self.rows.values())).control.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Let Enter end the editing of a number, not the dialog."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return
        super().keyPressEvent(event)

    @Slot()
    def _refresh(self) -> None:
        """Show the options of the transforms that are around the way."""
        self.reset.setEnabled(self._values.is_any_changed)
        for name, rows in self._inside.items():
            is_used = self._values.form.is_preset or self._values.value(AROUND + name)
            for row in rows:
                row.setVisible(is_used)

    @Slot()
    def _reset(self) -> None:
        self._values.reset_all()

    def _lay_out(self) -> None:
        form, column = self._values.form, self._scroll.column
        self._scroll.setObjectName("sheet")
        column.setContentsMargins(_SIDE, 14, _SIDE, 14)
        column.setSpacing(0)
        column.addWidget(paragraph(translate_message(form.title), "heading"))
        if told := way_options_text.about(form):
            column.addSpacing(2)
            column.addWidget(paragraph(told, "muted"))
        column.addSpacing(6)
        for option in form.options:
            column.addWidget(self._row(way_options_text.spoken(option)))
        offered = [each for each in form.transforms if each.name != _NO_USE]
        if offered and not form.is_preset:
            column.addSpacing(14)
            column.addWidget(paragraph(self.tr("Around this way"), "heading"))
            told = self.tr("What is done before it or behind it, by further calls of the model.")
            column.addWidget(paragraph(told, "muted"))
        for transform in offered:
            self._add_transform(transform)
        column.addStretch(1)
        whole = self._whole
        whole.setContentsMargins(_EDGE, _EDGE, _EDGE, 10)
        whole.addWidget(self._scroll, 1)
        whole.addLayout(self._bottom())

    def _add_transform(self, transform: TransformForm) -> None:
        """Add whether a transform is around the way, and its options below that."""
        column, is_own = self._scroll.column, self._values.form.is_preset
        if not is_own:
            column.addWidget(self._row(way_options_text.spoken_transform(transform), AroundRow))
        elif transform.options:
            column.addSpacing(14)
            column.addWidget(paragraph(translate_message(transform.title), "heading"))
        options = map(way_options_text.spoken, transform.options)
        self._inside[transform.name] = [self._row(each) for each in options]
        for row in self._inside[transform.name]:
            row.setContentsMargins(0 if is_own else _INDENT, 0, 0, 0)
            column.addWidget(row)

    def _row(self, option: SettingDeclaration, kind: type[SettingRow] = SettingRow) -> SettingRow:
        row = kind(self._theme, self._values, option, self._control(option))
        policy = row.back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # or the rows below jump when a value is changed
        row.back.setSizePolicy(policy)
        self.rows[option.key] = row
        return row

    def _control(self, option: SettingDeclaration) -> QWidget:
        if not option.choices:
            return control_of(option, self._theme)
        made, way = ChoiceControl(option), self._values.form.name
        made.setMaximumWidth(_WIDEST_CHOICE)
        made.offer(
            [(each, way_options_text.choice(way, option.key, each)) for each in option.choices]
        )
        return made

    def _bottom(self) -> QVBoxLayout:
        said = paragraph(
            self.tr(
                "Changes are saved immediately, and hold from the next question on until you take "
                "them back."
            ),
            "muted",
        )
        row = QHBoxLayout()
        row.addWidget(self.reset)
        row.addStretch(1)
        row.addWidget(self._buttons)
        column = QVBoxLayout()
        column.setContentsMargins(2, 6, 2, 0)
        column.setSpacing(8)
        column.addWidget(said)
        column.addLayout(row)
        return column

    def _fit_to(self, parent: QWidget | None) -> None:
        """Be as high as the rows, and no larger than the window."""
        for part in self.findChildren(QWidget):
            part.ensurePolished()  # with the fonts that it will be shown in
        rows = self._scroll.column.totalHeightForWidth(_WIDTH - 2 * _EDGE - 2)
        around = self._whole.totalHeightForWidth(_WIDTH) - self._scroll.sizeHint().height()
        width, height = _WIDTH, rows + around + 2
        if parent is not None:
            room = parent.window().size() - QSize(_BESIDE_WINDOW, _BESIDE_WINDOW)
            width, height = min(width, room.width()), min(height, room.height())
        self.resize(max(width, _LEAST.width()), max(height, _LEAST.height()))
