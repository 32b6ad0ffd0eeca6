"""The one context in which the page of evaluations is translated."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.gui.display_text import fill


def tr(text: str, *values: object) -> str:
    """Translate a sentence of this page, and fill its gaps."""
    return fill(QCoreApplication.translate("EvaluationPage", text), *values)
