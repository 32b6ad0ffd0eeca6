"""Documents opened in the window: their pages as pictures, or their text, and what is marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.app.folder import DataFolder
from desktop_rag.app.jobs import Job, Jobs, Lane, Work
from desktop_rag.app.transcript import Turn
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.types import Box, DocumentId, Locator, LocatorKind, Passage

if TYPE_CHECKING:
    from desktop_rag.engine.pages import PageRenderer

_MOST_TEXT = 400_000
_HEADING = 60  # characters of a line that stands alone and may be a heading
_ENDS = ".,;:!?。，；：！？"


@dataclass(frozen=True, slots=True)
class Opened:
    """A document and its marks in reading order, `current` being the one that was asked for."""

    path: str
    title: str
    document_id: DocumentId
    marks: tuple[Locator, ...]
    current: int

    @property
    def is_paged(self) -> bool:
        """Whether its pages can be shown as pictures, the file being there."""
        return Path(self.path).suffix.lower() == ".pdf" and self.mark.kind is LocatorKind.PAGE

    @property
    def mark(self) -> Locator:
        """The current mark."""
        return self.marks[self.current]

    def at(self, current: int) -> Opened:
        """Return it with another current mark."""
        return replace(self, current=current)

    def with_mark(self, mark: Locator) -> Opened:
        """Return it with its current mark put right."""
        marks = list(self.marks)
        marks[self.current] = mark
        return replace(self, marks=tuple(marks))

    def boxes(self, page: int) -> tuple[tuple[Box, ...], tuple[Box, ...]]:
        """Return the rectangles on a page: of the other marks, and of the current one."""
        others = [m for n, m in enumerate(self.marks) if n != self.current and m.value == page]
        now = self.mark.boxes if self.mark.value == page else ()
        return tuple(box for mark in others for box in mark.boxes), now


@dataclass(frozen=True, slots=True)
class PageShot:
    """A page drawn for the window: RGB bytes, the page's size in points, the number of pages."""

    page: int
    pages: int
    width: int
    height: int
    points: tuple[float, float]
    rgb: bytes


@dataclass(frozen=True, slots=True)
class DocumentText:
    """A document's text from `start` on; `headings` are ranges counted in the whole text."""

    text: str
    start: int
    headings: tuple[tuple[int, int], ...]
    missing: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """The document that was to be opened, its mark now known exactly."""

    opened: Opened


@dataclass(frozen=True, slots=True)
class Trouble:
    """What can't be shown, and why."""

    what: str
    remedy: str


def opened(turn: Turn, passage: Passage, mark: Locator) -> Opened:
    """Return a passage's document with every place of it that the answer cites."""
    same = {c.chunk_id for c in turn.sources if c.document_id == passage.document_id}
    cited = [c.locator for c in turn.citations if c.chunk_id in same]
    marks = sorted({*cited, mark}, key=_reading_order)
    return Opened(passage.path, passage.title, passage.document_id, tuple(marks), marks.index(mark))


def _reading_order(mark: Locator) -> tuple[int, int]:
    page = mark.value if isinstance(mark.value, int) else 0
    return page, mark.start or 0


class ReaderController(QObject):
    """Brings pages and texts; only the last thing asked for arrives.

    `placed` carries an `Opened`, `page_came` a `PageShot`, `text_came` a `DocumentText`, `failed` a
    `Trouble`.
    """

    placed = Signal(object)
    page_came = Signal(object)
    text_came = Signal(object)
    failed = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._job: Job | None = None
        self._renderer: PageRenderer | None = None

    def want_place(self, document: Opened) -> None:
        """Ask where exactly the current mark lies: its page and its boxes."""
        self._start(place_work(self._folder, document))

    def want_page(self, path: str, page: int, scale: float) -> None:
        """Ask for a page at `scale` pixels a point."""
        if self._renderer is None:
            from desktop_rag.engine.pages import PageRenderer

            self._renderer = PageRenderer()
        self._start(page_work(self._renderer, path, page, scale))

    def want_text(self, document: Opened) -> None:
        """Ask for a document's text around its mark."""
        self._start(text_work(self._folder, document))

    def forget(self) -> None:
        """Want nothing any more."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def close(self) -> None:
        """Want nothing any more and end the process that draws pages."""
        self.forget()
        if self._renderer is not None:
            self._renderer.close()

    def _start(self, work: Work) -> None:
        self.forget()
        self._job = self._jobs.start(Lane.READ, work)
        self._job.yielded.connect(self._bring)
        self._job.failed.connect(self._fail)

    @Slot(object)
    def _bring(self, what: object) -> None:
        self._job = None
        if isinstance(what, Placed):
            self.placed.emit(what.opened)
        elif isinstance(what, PageShot):
            self.page_came.emit(what)
        else:
            self.text_came.emit(what)

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self._job = None
        if not isinstance(error, UserError):
            raise error
        self.failed.emit(Trouble(error.what, error.remedy))


def page_work(renderer: PageRenderer, path: str, page: int, scale: float) -> Work:
    """Return the work that draws a page at `scale` pixels a point."""

    def work(token: CancelToken) -> Iterator[object]:
        drawn = renderer.render(Path(path), page, scale, token)
        yield PageShot(page, drawn.pages, drawn.width, drawn.height, drawn.points, drawn.rgb)

    return work


def place_work(folder: DataFolder, document: Opened) -> Work:
    """Return the work that finds the exact place of a mark: a passage may span two pages."""

    def work(token: CancelToken) -> Iterator[object]:
        mark = document.mark
        if mark.start is not None and mark.end is not None:
            documents = folder.get(token).catalog.documents
            exact = documents.locator_for(document.document_id, mark.start, mark.end)
            yield Placed(document.with_mark(exact))
        else:
            yield Placed(document)

    return work


def text_work(folder: DataFolder, document: Opened) -> Work:
    """Return the work that reads a document's text; a very long one around its mark only."""

    def work(token: CancelToken) -> Iterator[object]:
        documents = folder.get(token).catalog.documents
        at = document.mark.start or 0
        start = max(0, at - _MOST_TEXT // 2)
        text = documents.text(document.document_id, start, start + _MOST_TEXT)
        if not text:
            raise UserError(
                "What was cited here is in the index no longer: the file was changed or taken out.",
                "Ask again, or open the file itself.",
            )
        names = {document.title} - {""}
        for chunk in documents.chunks(document.document_id):
            names.update(chunk.section.split(" > "))
        headings = tuple(headings_in(text, start, names))
        yield DocumentText(text, start, headings, not Path(document.path).exists())

    return work


def headings_in(text: str, start: int, names: set[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the lines that are one of the names, or look like a heading."""
    before = ""
    lines = text.splitlines(keepends=True)
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        bare = line.strip()
        alone = not before.strip() and not after.strip()
        looks = alone and len(bare) <= _HEADING and bare[-1:] not in _ENDS
        if bare and (bare in names or looks):
            yield start, start + len(line.rstrip())
        start += len(line)
        before = line
