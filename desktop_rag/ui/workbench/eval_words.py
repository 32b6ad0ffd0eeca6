"""The one context in which the page of evaluations is translated."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.ui.filling import filled


def tr(text: str, *values: object) -> str:
    """Translate a sentence of this page, and fill its gaps."""
    return filled(QCoreApplication.translate("Evaluation", text), *values)
