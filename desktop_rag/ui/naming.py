"""The names of knowledge bases as the window shows them."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.app.keeping import DEFAULT_KB


def shown_name(kb: str) -> str:
    """Return a knowledge base's name; that of the first, which nobody named, in words."""
    if kb != DEFAULT_KB:
        return kb
    return QCoreApplication.translate("Library", "My documents")
