"""What the window shows, taken along when all that is in it is made anew in another language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.gui.chat.composed import ComposerState, compose_again, composed
from desktop_rag.gui.chat.virtual_transcript import ScrollAnchor
from desktop_rag.gui.controllers.file_query import FileGroup
from desktop_rag.gui.controllers.open_document import OpenDocument
from desktop_rag.gui.pane_layout import PaneWidths

if TYPE_CHECKING:
    from desktop_rag.gui.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class FilterState:
    """What the table of files is narrowed to."""

    text: str
    group: FileGroup
    folder: str


@dataclass(frozen=True, slots=True)
class UiState:
    """Where the user is: in the question, the conversation, the files, a document."""

    composed: ComposerState
    scrolled: ScrollAnchor | None
    has_files: bool
    bench: int
    has_conversations: bool
    filtered: FilterState
    document: OpenDocument | None
    turn: int
    widths: PaneWidths
    folders: dict[tuple[bool, str], bool]


def save_state(window: MainWindow) -> UiState:
    """Return what a window shows."""
    turns, sources = window.desk.chat.transcript.turns, window.sources
    files = window.centre.files
    return UiState(
        composed=composed(window.chat.composer),
        scrolled=window.chat.view.here(),
        has_files=window.centre.shows_files,
        bench=window.centre.bench.current if window.centre.shows_bench else -1,
        has_conversations=window.side.shows_conversations,
        filtered=FilterState(
            files.filter.text(),
            FileGroup(files.group.currentData()),
            files.folder.currentData() or "",
        ),
        document=sources.viewer.document if sources.is_reading else None,
        turn=next((n for n, turn in enumerate(turns) if turn is sources.turn), len(turns) - 1),
        widths=window.panes.widths,
        folders=window.side.library.tree.opened,
    )


def restore_state(window: MainWindow, before: UiState) -> None:
    """Let a window whose panes are new show what it showed before."""
    turns, panes = window.desk.chat.transcript.turns, window.panes
    compose_again(window.chat.composer, before.composed)
    if before.has_conversations:
        window.side.show_conversations()
    if before.has_files:
        files = window.centre.files
        window.centre.show_files()
        files.show_only(before.filtered.group, before.filtered.folder)
        files.filter.setText(before.filtered.text)
    if before.bench >= 0:
        window.centre.show_bench()
        window.centre.bench.show_sheet(before.bench)
    if 0 <= before.turn < len(turns):
        window.sources.show_turn(turns[before.turn])
    if before.document is not None:
        window.sources.open_again(before.document)
    panes.widths = before.widths
    window.side.library.tree.open_as(before.folders)
    keyboard = window.centre.files.filter if before.has_files else window.chat.composer.edit
    keyboard.setFocus()  # what had it is gone
    window.chat.view.go_back_to(before.scrolled)
