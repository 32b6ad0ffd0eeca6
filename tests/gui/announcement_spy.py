"""What Qt tells the system's screen readers, heard where Qt passes it on."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import shiboken6
from PySide6 import QtGui
from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

_INSTALL = "_ZN11QAccessible20installUpdateHandlerEPFvP16QAccessibleEventE"  # PySide leaves it out
_Handler = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_KIND_AT = ctypes.sizeof(ctypes.c_void_p)  # in a QAccessibleEvent, behind the table of its methods


class Said(NamedTuple):
    """An announcement: what is said, and whether it waits its turn."""

    text: str
    is_polite: bool


@contextmanager
def announcements(of: QObject) -> Iterator[list[Said]]:
    """Hear what is announced of an object in Qt's accessibility; with Qt's names of Linux."""
    heard: list[Said] = []

    @_Handler  # type: ignore[untyped-decorator]
    def hear(event: int) -> None:
        kind = ctypes.c_int.from_address(event + _KIND_AT).value
        if kind == QAccessible.Event.Announcement.value:
            said: Any = shiboken6.wrapInstance(event, QAccessibleAnnouncementEvent)
            is_polite = said.politeness() is QAccessible.AnnouncementPoliteness.Polite
            if said.object() is of:
                heard.append(Said(said.message(), is_polite))

    install = ctypes.CDLL(QtGui.__file__)[_INSTALL]
    install.restype, install.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    before = install(ctypes.cast(hear, ctypes.c_void_p))
    try:
        yield heard
    finally:
        install(before)
