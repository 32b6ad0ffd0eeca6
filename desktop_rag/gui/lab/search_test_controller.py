"""Searches that are tried in the workbench, and why a passage is not among what they find."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError, UserError
from desktop_rag.core.events import Event
from desktop_rag.core.explain_events import Stage, Verdict
from desktop_rag.core.requests import ExplainRequest
from desktop_rag.core.types import Passage
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.document_jobs import list_chunks
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.open_document import ListedChunk, OpenDocument
from desktop_rag.gui.lab.search_test_values import (
    PassageTarget,
    PassageTrace,
    SearchTestQuery,
    SearchTestResult,
    StageCounts,
    rank_changes,
)

if TYPE_CHECKING:
    from desktop_rag.commands.what_if_search import WhatIfSearch
    from desktop_rag.retrieval.query import Query
    from desktop_rag.retrieval.search_trace import SearchTrace
    from desktop_rag.workspace import Workspace

_SHOWN = 20  # passages, of which the first are handed over: those behind the cut can be seen


class SearchTestController(QObject):
    """Holds the last search that was tried and the last way that was followed.

    `tested` carries a `SearchTestResult`, `trace_changed` a `PassageTrace` each time more of it
    is known, `listed` the chunks of a file as a tuple of `ListedChunk`, `failed` a `UserError`;
    `busy_changed` says that `is_busy` or `is_asking` is another now.
    """

    tested = Signal(object)
    trace_changed = Signal(object)
    listed = Signal(object)
    failed = Signal(object)
    busy_changed = Signal()

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._search: Job | None = None
        self._why: Job | None = None
        self._listing: Job | None = None
        self._bench: WhatIfSearch | None = None
        self.result: SearchTestResult | None = None
        self.way: PassageTrace | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a search is on its way."""
        return self._search is not None

    @property
    def is_asking(self) -> bool:
        """Whether a passage's way is being followed."""
        return self._why is not None

    def search(self, trial: SearchTestQuery) -> None:
        """Search; one that is on its way is given up."""
        searching = Operation(partial(self._run_search, trial, self.result))
        searching.on_success(self._take).on_user_error(self._fail).on_bug(self._end_search)
        self._search = searching.start(self._jobs, Lane.TRY, instead_of=self._search)
        self.busy_changed.emit()

    def explain(self, trial: SearchTestQuery, aim: PassageTarget) -> None:
        """Follow a passage through a search."""
        self.way = PassageTrace(trial, aim)
        following = Operation(partial(self._follow, self.way)).on_value(self._learn)
        following.on_user_error(self._fail_to_follow).on_bug(self._end_following)
        self._why = following.start(self._jobs, Lane.TRY, instead_of=self._why)
        self.trace_changed.emit(self.way)
        self.busy_changed.emit()

    def want_chunks(self, kb: str, path: str) -> None:
        """Ask for the chunks of a file of a knowledge base."""
        listing = Operation(partial(self._list_chunks, kb, path)).on_success(self.listed)
        self._listing = listing.start(self._jobs, Lane.READ, instead_of=self._listing)

    def forget(self) -> None:
        """Give up all, what was found before as well: another knowledge base is shown."""
        self.stop()
        self.result = self.way = None
        self.busy_changed.emit()

    @Slot()
    def stop(self) -> None:
        """Give up what is on its way; what was found before stays."""
        for job in (self._search, self._why):
            if job is not None:
                job.cancel()
        self._search = self._why = None
        if self.way is not None and self.way.verdict is None:
            self.way = None
        self.busy_changed.emit()

    def _run_search(
        self, trial: SearchTestQuery, before: SearchTestResult | None, token: CancelToken
    ) -> SearchTestResult:
        bench = self._bench_for(self._folder.get(token), trial)
        began = time.perf_counter()
        course = bench.course(_query(bench.workspace, trial))
        return _result(trial, course, time.perf_counter() - began, before)

    def _follow(self, way: PassageTrace, token: CancelToken) -> Iterator[Event]:
        from desktop_rag.commands.explain import explain_with_rules

        trial, aim = way.trial, way.aim
        request = ExplainRequest(
            aim.kbs or (trial.kb,),
            aim.question or trial.question,
            aim.chunk_id,
            aim.text,
            aim.path,
            k=trial.k,
            where=trial.where,
            chat_id=aim.chat_id,
            answer=aim.answer_id,
        )
        bench = self._bench_for(self._folder.get(token), trial)
        yield from explain_with_rules(bench, request, token)

    def _list_chunks(self, kb: str, path: str, token: CancelToken) -> tuple[ListedChunk, ...]:
        catalog = self._folder.get(token).catalog
        row = catalog.files.get(catalog.kbs.get(kb).id, path)
        document = None if row is None else row.document_id
        return list_chunks(self._folder, OpenDocument(path, "", document), token)

    def _bench_for(self, workspace: Workspace, trial: SearchTestQuery) -> WhatIfSearch:
        """Return the bench of a trial's rules; called in the lane alone."""
        from desktop_rag.commands.what_if_search import WhatIfSearch

        self._bench = WhatIfSearch.of(workspace, trial.rules, self._bench)
        return self._bench

    @Slot(object)
    def _take(self, result: SearchTestResult) -> None:
        self._search, self.result = None, result
        self.tested.emit(result)
        self.busy_changed.emit()

    @Slot(object)
    def _learn(self, event: Stage | Verdict) -> None:
        if self.way is None:
            return
        if isinstance(event, Stage):
            self.way = replace(self.way, stages=(*self.way.stages, event))
        else:
            self.way, self._why = replace(self.way, verdict=event), None
        self.trace_changed.emit(self.way)
        if self._why is None:
            self.busy_changed.emit()

    @Slot()
    def _end_search(self) -> None:
        self._search = None
        self.busy_changed.emit()

    @Slot(object)
    def _fail(self, error: UserError) -> None:
        self._end_search()
        self.failed.emit(error)

    @Slot()
    def _end_following(self) -> None:
        self._why = self.way = None
        self.busy_changed.emit()

    @Slot(object)
    def _fail_to_follow(self, error: UserError) -> None:
        self._end_following()
        self.failed.emit(error)


def _query(workspace: Workspace, trial: SearchTestQuery) -> Query:
    from desktop_rag.retrieval.query import Query

    if not trial.question.strip():
        raise UsageError("The query is empty.", "Write what you are looking for.")
    kb = workspace.catalog.kbs.get(trial.kb).id
    shown = max(trial.k, _SHOWN)
    return Query(trial.question.strip(), (kb,), shown, where=trial.where)


def _ranked(course: SearchTrace) -> tuple[Passage, ...]:
    """Return the passages, those that were not read a second time with their joined rank, too."""
    scores = [each.score for each in course.fused]
    ranks = {each.chunk_id: scores.index(each.score) + 1 for each in course.fused}
    return tuple(
        replace(each, fused_rank=each.fused_rank or ranks.get(each.chunk_id))
        for each in course.found.passages
    )


def _result(
    trial: SearchTestQuery, course: SearchTrace, seconds: float, before: SearchTestResult | None
) -> SearchTestResult:
    """Return what a search gave beside what the one before it gave, of the same question."""
    asked = (trial.question, trial.kb)
    is_compared = before is not None and (before.trial.question, before.trial.kb) == asked
    then = before.passages if before is not None and is_compared else ()
    rows, gone = rank_changes(_ranked(course), then)
    if not is_compared:
        rows = tuple(replace(each, by=0) for each in rows)
    read = sum(each.candidate.rerank_score is not None for each in course.ranked)
    return SearchTestResult(
        trial,
        rows,
        StageCounts(len(course.dense), len(course.lexical), len(course.fused), read),
        seconds,
        tuple(course.found.timings.items()),
        course.found.evidence,
        course.vector_search,
        course.found.problems,
        gone,
        is_compared,
    )
