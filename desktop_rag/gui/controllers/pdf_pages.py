"""What the window wants of a PDF's pages, asked of the child process one thing at a time.

Wishes are replaced, not queued: what scrolled away before its turn came is never drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.page_geometry import PageArea, PageCharacters, PageHit
from desktop_rag.core.secret import Secret
from desktop_rag.gui.controllers.document_outline import OutlineItem
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.open_document import ViewError

if TYPE_CHECKING:
    from desktop_rag.parsing.page_renderer import PageRenderer

_PATIENCE_MS = 600  # what another document's page may still take before it is given up
_PAGES_SEARCHED = 20  # at a time, so that pages are drawn in between


@dataclass(frozen=True, slots=True)
class TileRequest:
    """An area of a page that is to be drawn."""

    page: int
    area: PageArea


@dataclass(frozen=True, slots=True)
class Tile:
    """An area as 32-bit pixels."""

    wish: TileRequest
    pixels: bytes


@dataclass(frozen=True, slots=True)
class PageLetters:
    """The letters of a page."""

    page: int
    letters: PageCharacters


@dataclass(frozen=True, slots=True)
class PageHits:
    """Where words stand on some pages; `done` says that no page is left to be searched."""

    words: str
    hits: tuple[PageHit, ...]
    done: bool


@dataclass(frozen=True, slots=True)
class PageError:
    """A page that can't be drawn, and why."""

    page: int
    trouble: ViewError


@dataclass(frozen=True, slots=True)
class _Task:
    """What the child is asked next: a kind, its subject, and the document that it is about."""

    kind: str
    subject: object = None
    path: str = ""


class PdfPageController(QObject):
    """Brings what is wished of one document; what came for another one is dropped.

    `sizes_came` carries a tuple of (width, height) in points, `drawn` a `Tile`, `spelt` a
    `PageLetters`, `hits_came` a `PageHits`, `outline_came` a tuple of `OutlineItem`, `spoilt` a
    `PageError`, `failed` the `ViewError` of the whole document.
    """

    sizes_came = Signal(object)
    drawn = Signal(object)
    spelt = Signal(object)
    hits_came = Signal(object)
    outline_came = Signal(object)
    spoilt = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        jobs: Jobs,
        shut: tuple[str, ...] = (),
        parent: QObject | None = None,
        password_of: Callable[[Path], Secret] | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._shut = shut
        self._password_of = password_of
        self._renderer: PageRenderer | None = None
        self._job: Job | None = None
        self._task = _Task("")
        self._path = self._words = ""
        self._sizes_wanted = self._outline_wanted = self._leaving = False
        self._wishes: list[TileRequest] = []
        self._letters: list[int] = []
        self._searches: list[range] = []
        self._turn = 0
        self._late = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._late.timeout.connect(self._give_up)

    def open(self, path: str) -> None:
        """Ask for the sizes of a document's pages; from now on all wishes are about it."""
        self._path = path
        self._forget_wishes()
        self._sizes_wanted = self._outline_wanted = True
        self._next()

    def want(self, wishes: tuple[TileRequest, ...], letters: tuple[int, ...] = ()) -> None:
        """Ask for these areas and these pages' letters, in this order, and for no others."""
        self._wishes = list(wishes)
        self._letters = list(letters)
        self._next()

    def find(self, words: str, first: int, pages: int) -> None:
        """Look for words on all pages, from one on and round to it."""
        self._words = words
        ahead = [
            range(at, min(at + _PAGES_SEARCHED, pages + 1))
            for at in range(first, pages + 1, _PAGES_SEARCHED)
        ]
        behind = [
            range(at, min(at + _PAGES_SEARCHED, first)) for at in range(1, first, _PAGES_SEARCHED)
        ]
        self._searches = [*ahead, *behind] if words else []
        self._next()

    def leave(self) -> None:
        """Want nothing any more, and let go of the file."""
        self._forget_wishes()
        self._path = ""
        if self._renderer is not None:
            self._leaving = True
            self._next()

    def close(self) -> None:
        """Want nothing any more and end the child process."""
        self._forget_wishes()
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if self._renderer is not None:
            self._renderer.close()

    def _forget_wishes(self) -> None:
        self._sizes_wanted = self._outline_wanted = self._leaving = False
        self._wishes, self._letters, self._searches = [], [], []
        self._words, self._turn = "", 0
        if self._job is not None and not self._late.isActive():
            self._late.start()

    def _next(self) -> None:
        """Start the next task unless one is under way."""
        if self._job is not None:
            return
        task = self._pick()
        if task is None:
            return
        self._task = task = replace(task, path=self._path)
        self._late.stop()
        work = partial(self._perform, task, self._child(), self._words, is_last=not self._searches)
        asking = Operation(work).on_end(self._end).on_success(self._bring)
        self._job = asking.on_user_error(self._fail).start(self._jobs, Lane.PAGES)

    def _pick(self) -> _Task | None:
        """Take the next task: drawing and searching take turns, letters come after."""
        if self._leaving:
            self._leaving = False
            return _Task("leave")
        if self._sizes_wanted:
            self._sizes_wanted = False
            return _Task("sizes")
        if self._outline_wanted and not self._wishes:
            self._outline_wanted = False
            return _Task("outline")
        self._turn += 1
        if self._wishes and (self._turn % 2 or not self._searches):
            return _Task("draw", self._wishes.pop(0))
        if self._searches:
            return _Task("find", self._searches.pop(0))
        return _Task("letters", self._letters.pop(0)) if self._letters else None

    @staticmethod
    def _perform(
        task: _Task, renderer: PageRenderer, words: str, token: CancelToken, *, is_last: bool
    ) -> object:
        path, subject = Path(task.path), task.subject
        if isinstance(subject, TileRequest):
            return Tile(subject, renderer.draw(path, subject.page, subject.area, token))
        if isinstance(subject, range):
            return PageHits(words, renderer.find(path, words, subject, token), is_last)
        if isinstance(subject, int):
            return PageLetters(subject, renderer.letters(path, subject, token))
        if task.kind == "sizes":
            return renderer.sizes(path, token)
        if task.kind == "outline":
            return [
                OutlineItem(each.title, each.level, each.page, each.y)
                for each in renderer.outline(path, token)
            ]
        renderer.leave()
        return None

    def _child(self) -> PageRenderer:
        if self._renderer is None:
            from desktop_rag.parsing.page_renderer import PageRenderer

            self._renderer = PageRenderer(self._shut, self._password_of)
        return self._renderer

    @Slot()
    def _end(self) -> None:
        self._job = None

    @Slot(object)
    def _bring(self, what: object) -> None:
        if self._is_about_this():
            self._deliver(what)
        self._next()

    def _is_about_this(self) -> bool:
        """Say whether the task is about the document that is still open."""
        return bool(self._path) and self._task.path == self._path

    def _deliver(self, what: object) -> None:
        if isinstance(what, Tile):
            self.drawn.emit(what)
        elif isinstance(what, PageLetters):
            self.spelt.emit(what)
        elif isinstance(what, PageHits):
            if what.words == self._words:
                self.hits_came.emit(what)
        elif isinstance(what, list):
            self.outline_came.emit(tuple(what))
        elif isinstance(what, tuple):
            self.sizes_came.emit(what)

    @Slot(object)
    def _fail(self, error: UserError) -> None:
        """Say what went wrong; a search goes on without the page that stopped it."""
        if self._is_about_this():
            self._tell(ViewError(error.what, error.remedy))
        self._next()

    def _tell(self, trouble: ViewError) -> None:
        subject = self._task.subject
        if isinstance(subject, TileRequest):
            self.spoilt.emit(PageError(subject.page, trouble))
        elif isinstance(subject, range) and len(subject) > 1:
            self._searches = [range(each, each + 1) for each in subject] + self._searches
        elif isinstance(subject, range):
            self.hits_came.emit(PageHits(self._words, (), not self._searches))
        elif self._task.kind == "sizes":
            self.failed.emit(trouble)

    @Slot()
    def _give_up(self) -> None:
        """End a task of a document that was left: its child is killed, the next starts another."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
            self._next()
