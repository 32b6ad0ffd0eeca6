"""A report of errors that may be given to anybody: no text of documents, no names, no paths."""

from __future__ import annotations

import platform
from collections.abc import Mapping

from PySide6.QtCore import QLocale, QSysInfo, qVersion
from PySide6.QtGui import QGuiApplication

from desktop_rag.core import version


def error_report(errors: Mapping[str, int]) -> str:
    """Return the report of errors, each as `core.trace` tells it, with how often it came."""
    head = (
        f"Desktop RAG {version.installed()}",
        f"System: {QSysInfo.prettyProductName()}, {QSysInfo.currentCpuArchitecture()}",
        f"Python {platform.python_version()}, Qt {qVersion()}, {QGuiApplication.platformName()}",
        f"Language: {QLocale().name()}, scale {_scale()}",
    )
    parts = [f"{times} ×\n{told}" for told, times in errors.items()]
    return "\n\n".join(["\n".join(head), *parts]) + "\n"


def _scale() -> str:
    screen = QGuiApplication.primaryScreen()
    return f"{screen.devicePixelRatio():g}" if screen is not None else "unknown"
