"""The few words that an exported conversation has of its own, in the user's language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from desktop_rag.core.types import Citation, Locator
from desktop_rag.gui.controllers.transcript import Failed, Stopped, Turn


def _place(locator: Locator) -> str:
    cells = f" {locator.cells}" if locator.cells else ""
    return f"{locator.kind.value} {locator.value}{cells}".strip()


@dataclass(frozen=True, slots=True)
class ExportLabels:
    """The few words that are put between what was said, in the user's language.

    `place` tells where a quote stands.
    """

    sources: str = "Sources"
    stopped: str = "Stopped"
    language: str = "en"
    place: Callable[[Locator], str] = _place


def source_place(citation: Citation, words: ExportLabels) -> str:
    """Return where a quote stands: its file, and the place in it where that is known."""
    return ", ".join(filter(None, (citation.path, words.place(citation.locator))))


def incomplete_note(turn: Turn, words: ExportLabels) -> str:
    """Return how an answer ended that is not whole, empty for one that is."""
    if isinstance(turn.outcome, Failed):
        return f"{turn.outcome.what} {turn.outcome.remedy}".strip()
    return words.stopped if isinstance(turn.outcome, Stopped) else ""
