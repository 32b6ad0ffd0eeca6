"""Dialogs that are as high as what they show."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QWidget

_TITLE_BAR = 32  # pixels; how high it really is, is known only once the dialog stands


def fit_height(dialog: QDialog, width: int) -> None:
    """Make a dialog as high as its content wants to be, as far as the screen goes.

    Qt itself gives a dialog no more than two thirds of the screen at first, and cuts its rows.
    """
    layout = dialog.layout()
    if layout is None:
        return
    for part in dialog.findChildren(QWidget):
        part.ensurePolished()  # with the fonts that it will be shown in
    layout.activate()
    wanted = layout.totalHeightForWidth(width)
    room = dialog.screen().availableGeometry().height() - _TITLE_BAR
    dialog.resize(width, min(wanted, room))
