"""The names of knowledge bases as the window shows them."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

from desktop_rag.gui.controllers.ingest_worker import DEFAULT_KB

_NUMBER = re.compile(r" \(\d+\)")


def shown_name(kb: str) -> str:
    """Return a knowledge base's name; that of the first, which nobody named, in words.

    Imported where there is one already, it has a number behind it.
    """
    number = kb.removeprefix(DEFAULT_KB)
    if number == kb or (number and not _NUMBER.fullmatch(number)):
        return kb
    return QCoreApplication.translate("Library", "My documents") + number
