"""Says why a passage that somebody points at is, or is not, among those that a query finds.

Every stage is run, none guessed: ranks are those of the whole orders, and a remedy that names a
rank was tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from desktop_rag.commands.explain_generation import answer_use, generation_stages, recorded_stages
from desktop_rag.commands.explain_remedies import FallenChunk, generation_remedy, search_remedy
from desktop_rag.commands.explain_target import TargetChunks, TargetMissing, find_target
from desktop_rag.commands.what_if_search import WhatIfSearch
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Event
from desktop_rag.core.explain_events import Remedy, Stage, StageName, StageState, Verdict
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import ExplainRequest
from desktop_rag.retrieval.query import Query
from desktop_rag.retrieval.search_trace import ChunkTrace, trace_stages
from desktop_rag.workspace import Workspace

_BOTH = (StageName.MEANING, StageName.WORDS)


def run(workspace: Workspace, request: ExplainRequest, token: CancelToken) -> Iterator[Event]:
    """Yield the stages of a passage's way, and last the verdict."""
    return explain_with_rules(
        WhatIfSearch.of(workspace, workspace.settings.retrieval), request, token
    )


def explain_with_rules(
    bench: WhatIfSearch, request: ExplainRequest, token: CancelToken
) -> Iterator[Event]:
    """Yield the stages under rules that may be others than the settings', and the verdict."""
    if not request.query.strip():
        raise UsageError("The query is empty.", "Write what you are looking for.")
    catalog = bench.workspace.catalog
    kbs = tuple(catalog.kbs.get(name).id for name in request.kbs)
    pointed = find_target(bench.workspace, request, kbs, token)
    if isinstance(pointed, TargetMissing):
        out = Stage(StageName.INDEXED, StageState.OUT, pointed.what)
        yield from _with_rest([out])
        yield Verdict(False, out.name, pointed.what, pointed.remedy, path=pointed.path)
        return
    bench = bench.remembering()
    query = Query(request.query.strip(), kbs, request.k, where=request.where)
    trail = bench.trail(query, pointed.chunks, token)
    made = [_indexed(pointed, trail, bench), *trace_stages(trail)]
    made = _with_end(bench, request, trail, made)
    yield from _with_rest(made)
    yield _verdict(bench, request, (pointed, trail, made), token)


def _indexed(pointed: TargetChunks, trail: ChunkTrace, bench: WhatIfSearch) -> Stage:
    name, of = PurePath(pointed.path).name, len(pointed.chunks)
    if of == 1:
        of = bench.workspace.catalog.documents.chunk_count(trail.chunk.document_id)
    number = trail.chunk.ordinal + 1
    text = Phrase(
        "“{0}” was read; this is passage {1} of {2} in it.", name, f"{number:,}", f"{of:,}"
    )
    return Stage(StageName.INDEXED, StageState.PASSED, text, number, of)


def _with_end(
    bench: WhatIfSearch, request: ExplainRequest, trail: ChunkTrace, made: list[Stage]
) -> list[Stage]:
    """Return the stages with what became of the passage after the search."""
    if request.chat_id is not None:
        told = answer_use(bench.workspace.catalog, request, trail.chunk)
        if told.number or told.rank:  # a search of this answer brought it
            made = [_softened(each) for each in made]
            return made + list(recorded_stages(told))
        return made if _fallen(made) else made + list(recorded_stages(told))
    return made if _fallen(made) else made + list(generation_stages(bench, trail, request.kbs))


def _softened(stage: Stage) -> Stage:
    return replace(stage, state=StageState.MISSED) if stage.state is StageState.OUT else stage


def _fallen(made: list[Stage]) -> list[Stage]:
    return [each for each in made if each.state is StageState.OUT]


def _with_rest(made: list[Stage]) -> Iterator[Stage]:
    """Yield stages, and those that were not come to."""
    yield from made
    known = {each.name for each in made}
    yield from (Stage(name, StageState.AFTER) for name in StageName if name not in known)


def _verdict(
    bench: WhatIfSearch,
    request: ExplainRequest,
    way: tuple[TargetChunks, ChunkTrace, list[Stage]],
    token: CancelToken,
) -> Verdict:
    pointed, trail, made = way
    holder, fallen = trail.holder, _fallen(made)
    if not fallen:
        what, advice = _found(trail, made), Remedy("")
    else:
        case = FallenChunk(bench, trail, fallen[0], token)
        is_sent = fallen[0].name in (StageName.PROMPT, StageName.ANSWER)
        what = _what(trail, fallen)
        advice = generation_remedy(case, request.kbs) if is_sent else search_remedy(case)
    change = advice.change
    return Verdict(
        found=not fallen,
        fell_at=fallen[0].name if fallen else None,
        what=what,
        remedy=advice.text,
        tried=f"{change.key}={change.value:g}" if change else advice.ask,
        rank=holder.rank if holder and not fallen else None,
        chunk_id=trail.chunk.chunk_id,
        document_id=trail.chunk.document_id,
        path=pointed.path,
        locator=trail.chunk.locator,
        text=trail.chunk.text,
    )


def _found(trail: ChunkTrace, made: list[Stage]) -> str:
    if made[-1].name is StageName.ANSWER and made[-1].state is StageState.PASSED:
        return made[-1].text
    rank = trail.holder.rank if trail.holder else 0
    return Phrase(
        "It is found, as passage {0} of {1}.", f"{rank:,}", f"{len(trail.course.found.passages):,}"
    )


def _what(trail: ChunkTrace, fallen: list[Stage]) -> str:
    """Return in a sentence where a passage fell out."""
    if fallen[0].name not in _BOTH:
        return fallen[0].text
    meaning, by_words = fallen
    cut = trail.rules.candidates
    if meaning.rank is None and by_words.rank is None:
        return "It shares no word with the question, and its meaning could not be compared."
    if by_words.rank is None:
        return Phrase(
            "By meaning it is number {0}, not among the first {1}, and it shares no word "
            "with the question.",
            f"{meaning.rank:,}",
            f"{cut:,}",
        )
    if meaning.rank is None:
        return Phrase(
            "By words it is number {0}, not among the first {1}.", f"{by_words.rank:,}", f"{cut:,}"
        )
    return Phrase(
        "By meaning it is number {0} and by words {1}: neither is among the first {2}.",
        f"{meaning.rank:,}",
        f"{by_words.rank:,}",
        f"{cut:,}",
    )
