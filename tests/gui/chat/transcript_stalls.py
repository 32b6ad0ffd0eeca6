"""The stalls of a long conversation, all of it laid out or what is in sight.

`QT_QPA_PLATFORM=offscreen python -m tests.gui.chat.transcript_stalls` prints the table of decision
0004.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache

from PySide6.QtWidgets import QApplication

from desktop_rag.core.events import Token
from desktop_rag.gui.chat.transcript_view import TranscriptView
from desktop_rag.gui.chat.virtual_transcript import ScrollAnchor
from desktop_rag.gui.controllers.transcript import Transcript, fold
from desktop_rag.gui.theme import Theme
from testing.long_conversations import Stalls, long_conversation
from testing.qt_wait import pause, wait_for
from testing.sample_answers import answer

Deed = Callable[[TranscriptView, Theme], None]


class WholeView(TranscriptView):
    """A view as it would be without the roll: every turn is written into the document."""

    def _wanted(self, anchor: ScrollAnchor | None, around: float) -> tuple[int, int]:
        del anchor, around
        return 0, len(self.sheet.heights)


@cache
def long() -> Transcript:
    """Return the conversation that all is done with."""
    return long_conversation()


def open_it(view: TranscriptView, theme: Theme) -> None:
    """Show it, until all that is wanted around what is in sight is written."""
    del theme
    view.show_transcript(long())
    view.grab()
    pause(300)


def resize(view: TranscriptView, theme: Theme) -> None:
    """Give it other widths."""
    del theme
    for width in range(900, 500, -40):
        view.resize(width, 700)
        pause(20)


def scroll(view: TranscriptView, theme: Theme) -> None:
    """Scroll up by screens, then to places all over it."""
    del theme
    bar = view.verticalScrollBar()
    for step in range(30):
        bar.setValue(bar.maximum() - 700 * step)
        pause(10)
    for step in range(10):
        bar.setValue(bar.maximum() * step // 10)
        pause(20)


def stream(view: TranscriptView, theme: Theme) -> None:
    """Let an answer of 150 words grow at its end."""
    del theme
    shown = long().begun("And now?", "")
    for n in range(150):
        shown = fold(shown, Token(f"word{n} [1] and\n\n" if n % 20 == 0 else f"word{n} more "))
        view.show_transcript(shown)
        pause(5)
    view.show_transcript(fold(shown, answer("Done [1].", 1)))


def change_theme(view: TranscriptView, theme: Theme) -> None:
    """Draw it in other colours."""
    del view
    theme.changed.emit()
    pause(300)


def ask(view: TranscriptView, theme: Theme) -> None:
    """Ask one more question."""
    del theme
    view.show_transcript(long().begun("And now?", ""))
    pause(100)
    wait_for(lambda: "And now?" in view.toPlainText())


DEEDS: dict[str, Deed] = {
    "resize": resize,
    "scroll": scroll,
    "stream": stream,
    "theme": change_theme,
    "ask": ask,
}


def stall(kind: type[TranscriptView], deed: Deed, theme: Theme) -> float:
    """Return the longest time, in ms, that the GUI thread works without a pause in a deed."""
    view = kind(theme)
    view.resize(900, 700)
    view.show()
    if deed is not open_it:
        view.show_transcript(long())
    pause(500)
    stalls = Stalls(view)
    stalls.start()
    deed(view, theme)
    felt = stalls.stop()
    view.close()
    view.deleteLater()
    pause(50)
    return felt.worked * 1000


def main() -> None:
    """Print the table."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication([])
    theme = Theme(app)
    long()
    say = sys.stdout.write
    say("| | all turns in the document | turns in sight only |\n|---|---:|---:|\n")
    for name, deed in {"open": open_it, **DEEDS}.items():
        whole, part = (stall(kind, deed, theme) for kind in (WholeView, TranscriptView))
        say(f"| {name} | {whole:.0f} | {part:.0f} |\n")


if __name__ == "__main__":
    main()
