"""What is copied of a conversation: an answer, perhaps with its sources; code; a table."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QTextCursor, QTextDocumentFragment

from desktop_rag.core.types import Locator, Passage
from desktop_rag.gui.chat import transcript_links, transcript_text
from desktop_rag.gui.chat.export_dialog import export_labels
from desktop_rag.gui.chat.markdown_blocks import blocks_of_kind, cells, rows_closed
from desktop_rag.gui.chat.safe_markdown import CITE, sanitize_markdown
from desktop_rag.gui.chat.transcript_links import TranscriptLink
from desktop_rag.gui.clipboard_tables import as_table, inert_html
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.display_text import join_details, locator_text
from desktop_rag.gui.selection_html import clipboard_html

_OWNERLESS = ("offscreen", "minimal")  # platforms whose clipboard is the process's own
_MOST_LETTERS = 100_000  # that are made HTML: a third of a second


def copy(link: TranscriptLink, turn: Turn) -> None:
    """Put on the clipboard what a link of a turn offers."""
    clipboard = QGuiApplication.clipboard()
    if link.kind == transcript_links.COPY:
        clipboard.setMimeData(answer(turn))
    elif link.kind == transcript_links.QUOTED:
        clipboard.setMimeData(with_quotes(turn))
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


def answer(turn: Turn) -> QMimeData:
    """Return an answer as Markdown, and as HTML with the list of its sources."""
    return _both(rows_closed(transcript_text.answer(turn)), [_answer_html(turn)])


def with_quotes(turn: Turn) -> QMimeData:
    """Return an answer with the sources that it cites and their quotes, as Markdown and HTML."""
    return _both(with_sources(turn), [_answer_html(turn, is_quoting=True)])


def whole_conversation(turns: tuple[Turn, ...]) -> QMimeData:
    """Return questions and answers as Markdown, and as HTML with the sources of each answer.

    Of a very long conversation there is no HTML.
    """
    if sum(len(turn.text) for turn in turns) > _MOST_LETTERS:
        made = QMimeData()
        made.setText(conversation(turns))
        return made
    from desktop_rag.gui.controllers.answer_html import question_html

    parts = (part for turn in turns for part in (question_html(turn), _answer_html(turn)))
    return _both(conversation(turns), parts)


def selected(whole: QTextDocumentFragment, parts: Iterable[tuple[Turn, QTextCursor]]) -> QMimeData:
    """Return what is selected as text, and as HTML with the sources of the numbers in it.

    `parts` are the turns that it lies in, each with what is selected of it.
    """
    from desktop_rag.gui.controllers.answer_html import source_list

    html: list[str] = []
    for turn, cursor in parts:
        html.append(inert_html(cursor, CITE))
        html.append(source_list(turn, _numbers_in(cursor), export_labels()))
    return _both(whole.toPlainText(), html)


def conversation(turns: tuple[Turn, ...]) -> str:
    """Return questions and answers as Markdown."""
    said = (f"**{turn.question}**\n\n{transcript_text.answer(turn)}".rstrip() for turn in turns)
    return "\n\n".join(said) + "\n"


def _both(text: str, html: Iterable[str]) -> QMimeData:
    made = QMimeData()
    made.setText(text)
    made.setHtml(clipboard_html(html))
    return made


def _answer_html(turn: Turn, *, is_quoting: bool = False) -> str:
    from desktop_rag.gui.controllers.answer_html import answer_html  # no start needs it

    said = sanitize_markdown(transcript_text.answer(turn), ())  # as it is shown, numbers apart
    return answer_html(turn, said, export_labels(), is_quoting=is_quoting)


def _numbers_in(selection: QTextCursor) -> set[int]:
    """Return the numbers of the sources that are cited in what is selected."""
    found: set[int] = set()
    block = selection.document().findBlock(selection.selectionStart())
    while block.isValid() and block.position() < selection.selectionEnd():
        at = block.begin()
        while not at.atEnd():
            piece = at.fragment()
            begins, ends = piece.position(), piece.position() + piece.length()
            number = piece.charFormat().anchorHref().removeprefix(CITE)
            is_in = begins < selection.selectionEnd() and ends > selection.selectionStart()
            if is_in and number == piece.text().strip() and number.isdigit():
                found.add(int(number))
            at += 1
        block = block.next()
    return found


def table(markdown: str) -> QMimeData:
    """Return a table for a spreadsheet (tabs) and for a text program (HTML)."""
    return as_table(cells(markdown))
