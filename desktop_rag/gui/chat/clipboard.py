"""What is copied of a conversation: an answer, perhaps with its sources; code; a table."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from desktop_rag.core.types import Locator, Passage
from desktop_rag.gui.chat import transcript_links, transcript_text
from desktop_rag.gui.chat.markdown_blocks import blocks_of_kind, cells, rows_closed
from desktop_rag.gui.chat.transcript_links import TranscriptLink
from desktop_rag.gui.clipboard_tables import as_table
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.display_text import join_details, locator_text

_OWNERLESS = ("offscreen", "minimal")  # platforms whose clipboard is the process's own


def copy(link: TranscriptLink, turn: Turn) -> None:
    """Put on the clipboard what a link of a turn offers."""
    clipboard = QGuiApplication.clipboard()
    if link.kind == transcript_links.COPY:
        clipboard.setText(rows_closed(transcript_text.answer(turn)))
    elif link.kind == transcript_links.QUOTED:
        clipboard.setText(with_sources(turn))
    elif link.kind == transcript_links.CODE:
        for piece in blocks_of_kind(turn.text, "code")[link.second : link.second + 1]:
            clipboard.setText(piece.text)
    elif link.kind == transcript_links.TABLE:
        for piece in blocks_of_kind(turn.text, "table")[link.second : link.second + 1]:
            clipboard.setMimeData(table(piece.text))


def detach_clipboard() -> None:
    """Leave what was copied, as text, in Qt's own keeping: the program is about to end.

    The clipboard outlives Python. An object of Python's in it would be freed when Python is gone,
    which ends the process with a crash.
    """
    clipboard = QGuiApplication.clipboard()
    if clipboard.ownsClipboard() or QGuiApplication.platformName() in _OWNERLESS:
        clipboard.setText(clipboard.text())


def with_sources(turn: Turn) -> str:
    """Return an answer's Markdown with the sources that it cites, each with its quotes."""
    parts = [rows_closed(turn.text).rstrip(), f"**{transcript_text.tr('Sources')}**"]
    for n in sorted(turn.cited()):
        if not 1 <= n <= len(turn.sources):
            continue
        cited = [each for each in turn.citations if each.n == n]
        quotes = dict.fromkeys(each.quote for each in cited)
        said = ("\n".join(f"> {line}" for line in quote.splitlines()) for quote in quotes)
        parts.append(
            f"[{n}] {source_line(turn.sources[n - 1], cited[0].locator)}\n" + "\n>\n".join(said)
        )
    return "\n\n".join(parts) + "\n"


def source_line(source: Passage, mark: Locator) -> str:
    """Return a passage's title, the place of what is quoted of it, and its path."""
    title = source.title or source.path
    return f"{join_details(title, locator_text(mark))} ({source.path})"


def conversation(turns: tuple[Turn, ...]) -> str:
    """Return questions and answers as Markdown."""
    said = (f"**{turn.question}**\n\n{transcript_text.answer(turn)}".rstrip() for turn in turns)
    return "\n\n".join(said) + "\n"


def table(markdown: str) -> QMimeData:
    """Return a table for a spreadsheet (tabs) and for a text program (HTML)."""
    return as_table(cells(markdown))
