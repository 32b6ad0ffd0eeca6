"""Adding files and folders: counted first, asked about when there are many, then handed on."""

from __future__ import annotations

from collections import deque
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import IndexRequest
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.folder_survey import FolderCount, FolderSurvey, survey
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation


class AddSourcesController(QObject):
    """Counts what is to be added.

    `asked` carries the first `FolderSurvey` of something big: whoever shows it calls `confirm` or
    `dismiss`. `counted` carries each later one; `agreed` the `IndexRequest`s that follow;
    `complained` a `UserError` about what is not there.
    """

    asked = Signal(object)
    counted = Signal(object)
    agreed = Signal(object)
    complained = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._waiting: deque[tuple[str, tuple[str, ...]]] = deque()
        self._job: Job | None = None
        self._now: tuple[str, tuple[str, ...]] | None = None
        self._is_asking = False
        self._survey: FolderSurvey | None = None

    @property
    def pending(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What is counted or asked about now, and what waits for that: knowledge base and paths."""
        return (*((self._now,) if self._now is not None else ()), *self._waiting)

    def add(self, kb: str, paths: tuple[str, ...]) -> None:
        """Add paths to a knowledge base, after those before."""
        if paths:
            self._waiting.append((kb, paths))
            self._next()

    def count_again(self, globs: tuple[str, ...]) -> None:
        """Count what is asked about anew, leaving out what the globs name."""
        if self._now is not None:
            self._count(globs)

    def confirm(self, without: tuple[FolderCount, ...] = ()) -> None:
        """Add what was asked about, except some of its folders."""
        survey = self._survey
        if survey is not None:
            self.agreed.emit(_requests(survey, without))
        self.dismiss()

    @Slot()
    def dismiss(self) -> None:
        """Add nothing of it, and count no longer."""
        if self._job is not None:
            self._job.cancel()
        self._job, self._now, self._survey = None, None, None
        self._is_asking = False
        self._next()

    def _next(self) -> None:
        if self._now is None and self._waiting:
            self._now = self._waiting.popleft()
            self._count(())

    def _count(self, globs: tuple[str, ...]) -> None:
        assert self._now is not None  # noqa: S101 - only called then
        kb, paths = self._now
        counting = Operation(partial(survey, self._folder, kb, paths, globs))
        counting.on_value(self._take).on_user_error(self._fail).on_bug(self.dismiss)
        self._job = counting.start(self._jobs, Lane.LOOK, instead_of=self._job)

    @Slot(object)
    def _take(self, survey: FolderSurvey) -> None:
        self._survey = survey
        if survey.is_complete and not self._is_asking:
            self._complain(survey)
        if self._is_asking:
            self.counted.emit(survey)
        elif survey.is_big:
            self._is_asking = True
            self.asked.emit(survey)
        elif survey.is_complete:
            self.confirm()

    @Slot(object)
    def _fail(self, error: UserError) -> None:
        self.dismiss()
        self.complained.emit(error)

    def _complain(self, survey: FolderSurvey) -> None:
        """Say what of it is not there, or may not be read."""
        if survey.missing:
            self.complained.emit(_missing(survey.missing))
        elif survey.closed and not survey.count:
            self.complained.emit(
                UserError(
                    Phrase("{0} may not be read by your user account.", survey.closed[0]),
                    "Give yourself the right to read it.",
                )
            )


def _missing(paths: tuple[str, ...]) -> UserError:
    if len(paths) == 1:
        return UserError(
            Phrase("There is no file or folder {0}.", paths[0]), "It may have been moved."
        )
    return UserError(
        Phrase("{0} of the files and folders are not there, such as {1}.", len(paths), paths[0]),
        "They may have been moved.",
    )


def _requests(survey: FolderSurvey, without: tuple[FolderCount, ...]) -> tuple[IndexRequest, ...]:
    """Return a request for each folder, which has exceptions of its own, and one for all files."""
    made = [
        IndexRequest(
            survey.kb,
            (root,),
            exclude=(*survey.globs, *(part.glob for part in without if part.root == root)),
        )
        for root in survey.folders
    ]
    if survey.files:
        made.append(IndexRequest(survey.kb, survey.files))
    return tuple(made)
