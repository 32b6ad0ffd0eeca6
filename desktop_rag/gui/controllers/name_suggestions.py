"""What a question can be asked of, offered by letters of its name."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.gui.controllers.document_scope import ScopeItem
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, SourceFiles
from desktop_rag.gui.controllers.scope_names import ScopeNames

_AT_ONCE = 3000  # files whose names are made between two frames


class NameSuggestions(QObject):
    """Knows the names of the knowledge base that is shown; `ready` says that there are newer ones.

    They are made when they are first asked for. Where there are many, that happens beside the
    window, and those of before are offered meanwhile.
    """

    ready = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._snapshot = LibrarySnapshot((), "")
        self._made_of: tuple[SourceFiles, ...] | None = None
        self._made_for = ""
        self._names = ScopeNames(())
        self._making: Job | None = None

    @Slot(object)
    def follow(self, snapshot: LibrarySnapshot) -> None:
        """Take note of what there is now."""
        self._snapshot = snapshot

    def fitting(self, typed: str, most: int) -> list[ScopeItem]:
        """Return files and folders whose names hold what was typed, the likeliest first."""
        self._make()
        if self._made_for != self._snapshot.current:
            return []
        return [ScopeItem(path, self._made_for) for path in self._names.fitting(typed, most)]

    def _make(self) -> None:
        branches, current = self._snapshot.branches, self._snapshot.current
        if self._making is not None or (branches is self._made_of and current == self._made_for):
            return
        if len(self._snapshot.files) <= _AT_ONCE:
            self._names, self._made_of, self._made_for = ScopeNames(branches), branches, current
            return
        making = Operation(partial(_names_of, branches, current))
        making.on_end(self._end).on_success(self._take)
        self._making = making.start(self._jobs, Lane.READ)

    @Slot()
    def _end(self) -> None:
        self._making = None

    @Slot(object)
    def _take(self, made: tuple[tuple[SourceFiles, ...], str, ScopeNames]) -> None:
        self._made_of, self._made_for, self._names = made
        self.ready.emit()


def _names_of(
    branches: tuple[SourceFiles, ...], kb: str, token: CancelToken
) -> tuple[tuple[SourceFiles, ...], str, ScopeNames]:
    token.check()
    return branches, kb, ScopeNames(branches)
