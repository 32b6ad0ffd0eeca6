"""Making suggested questions of the newest documents of a folder, beside indexing it."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

from benchmarks.result_table import Measurement
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event
from desktop_rag.core.requests import (
    IndexRequest,
    Request,
    SearchRequest,
    SuggestedQuestionsRequest,
)
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.core.suggested_question import QuestionTried
from desktop_rag.workspace import Workspace

_KB = "default"
_NOBODY = "http://127.0.0.1:9"  # nothing listens on the discard port


def measure(documents: Path, folder: Path) -> list[Measurement]:
    """Index `documents` into an empty data folder and make questions of them; return the rows."""
    settings = Settings(ollama=Ollama(host=_NOBODY))
    with closing(open_workspace(folder, settings)) as workspace:
        workspace.catalog.kbs.create(_KB)
        _timed(workspace, SearchRequest((_KB,), "loading is no document's time"))
        indexing, _ = _timed(workspace, IndexRequest(_KB, (str(documents.resolve()),)))
        making, events = _timed(workspace, SuggestedQuestionsRequest(_KB, action="make"))
        listing, _ = _timed(workspace, SuggestedQuestionsRequest(_KB))
    tried = [each for each in events if isinstance(each, QuestionTried)]
    kept = [each for each in tried if each.is_kept]
    asked_of = len({each.document_id for each in kept})
    return [
        Measurement("make suggested questions", making, "s", indexing, "indexing"),
        Measurement("questions tried", len(tried), "questions"),
        Measurement("of them kept", len(kept), "questions"),
        Measurement("documents with questions", asked_of, "documents"),
        Measurement("a question tried", 1000 * making / max(1, len(tried)), "ms"),
        Measurement("list suggested questions", 1000 * listing, "ms", gate="≤ 50 ms"),
    ]


def _timed(workspace: Workspace, request: Request) -> tuple[float, list[Event]]:
    began = time.perf_counter()
    events = list(perform(workspace, request, CancelToken()))
    return time.perf_counter() - began, events
