"""The two streams of a command: results on standard output, everything else on standard error.

Both are UTF-8 everywhere, and a path with bytes that are no text does not stop them: a lone
surrogate is written as its escape, which inside JSON is exactly that character again.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import textwrap
from pathlib import Path

from desktop_rag.core.sanitize import sanitize_text

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


class Console:
    """Where a command writes."""

    def __init__(self) -> None:
        for name in ("stdout", "stderr"):
            if getattr(sys, name) is None:  # closed by who started us, or a program without console
                nothing = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - to the end
                setattr(sys, name, nothing)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
        self.is_live = sys.stdout.isatty()
        self._error_is_live = sys.stderr.isatty()
        self._colours = self.is_live and "NO_COLOR" not in os.environ
        self._status_width = 0

    @property
    def width(self) -> int:
        """Columns for text, bounded for reading."""
        return max(40, min(shutil.get_terminal_size((100, 24)).columns, 110))

    def say(self, text: str = "", end: str = "\n") -> None:
        """Write a result."""
        self.clear_status()
        sys.stdout.write(sanitize_text(text, colours=self._colours) + end)
        sys.stdout.flush()

    def note(self, text: str) -> None:
        """Write something about the work, on standard error."""
        self.clear_status()
        sys.stderr.write(sanitize_text(text) + "\n")
        sys.stderr.flush()

    def status(self, text: str) -> None:
        """Show a line that the next one replaces; only on a terminal."""
        if not self._error_is_live:
            return
        text = sanitize_text(textwrap.shorten(text, self.width - 1, placeholder=" …"))
        sys.stderr.write("\r" + text.ljust(self._status_width))
        sys.stderr.flush()
        self._status_width = len(text)

    def clear_status(self) -> None:
        """Take the status line away."""
        if self._status_width:
            sys.stderr.write("\r" + " " * self._status_width + "\r")
            sys.stderr.flush()
            self._status_width = 0

    def styled(self, text: str, style: str) -> str:
        """Return text in a style: bold, dim or a colour; as it is where colours are off."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._colours else text


def abandon_output() -> None:
    """Let nothing more be written: the reader of standard output is gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
