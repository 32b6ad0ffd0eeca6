"""What an exported page says as a PDF file: text on A4, nothing in it is loaded."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF
from PySide6.QtGui import (
    QFont,
    QGuiApplication,
    QPageLayout,
    QPageSize,
    QPdfWriter,
    QTextDocument,
)

from desktop_rag.gui.controllers.export_html import body
from desktop_rag.gui.controllers.export_labels import ExportLabels
from desktop_rag.gui.controllers.transcript import Transcript

_POINTS = 10.5
_STYLE = """
h1 { font-size: x-large; }
h2 { font-size: large; }
h3, h4, h5, h6 { font-size: medium; }
blockquote { margin-left: 240px; margin-right: 0px; color: #444444; }
.sources ul { list-style-type: none; -qt-list-indent: 0; }
a { color: #0b5f57; text-decoration: none; }
td, th { border: 1px solid #999999; padding: 3px 6px; }
table { border-collapse: collapse; border: 1px solid #999999; }
.sources { font-size: 9pt; }
.where { color: #555555; }
.ended { color: #555555; font-style: italic; }
"""


def pdf_file(transcripts: Sequence[Transcript], words: ExportLabels) -> bytes:
    """Return conversations or notes, one after the other, as a PDF file."""
    document = QTextDocument()
    font = QFont(QGuiApplication.font())
    font.setPointSizeF(_POINTS)
    document.setDefaultFont(font)
    document.setDefaultStyleSheet(_STYLE)
    document.setHtml(body(transcripts, words))
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(transcripts[0].title if len(transcripts) == 1 else "Desktop RAG")
    writer.setCreator("Desktop RAG")
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(), QPageLayout.Unit.Millimeter)  # the text has its own
    document.print_(writer)
    del writer  # writes the end of the file
    buffer.close()
    return bytes(content.data())
