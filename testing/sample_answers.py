"""Passages and answers for tests."""

from __future__ import annotations

from desktop_rag.core.events import Answer
from desktop_rag.core.types import (
    Box,
    ChunkId,
    Citation,
    DocumentId,
    Locator,
    LocatorKind,
    Passage,
)


def place(page: int = 2, start: int = 100, end: int = 180) -> Locator:
    """Return a place on a page, one line high."""
    box = Box(72.0, 100.0 + page, 300.0, 112.0 + page, start, end)
    return Locator(LocatorKind.PAGE, page, start, end, (box,))


def passage(number: int, path: str = "/tmp/report.pdf", text: str = "") -> Passage:
    """Return a passage of the document `number`."""
    where = place(number, 100, 180)
    said = text or f"Passage {number} says something about ferries."
    return Passage(
        rank=number,
        chunk_id=ChunkId(number),
        document_id=DocumentId(number),
        path=path,
        locator=where,
        title=f"Report {number}",
        section="Figures",
        text=said,
        match=(100, 180),
        score=1.0 / number,
        dense_rank=number,
        lexical_rank=None,
        rerank_score=0.5,
    )


def citation(n: int, sentence: int = 0) -> Citation:
    """Return a citation of source n."""
    return Citation(n, ChunkId(n), "/tmp/report.pdf", place(n, 100, 120), f"quote {n}", sentence)


def answer(text: str, *cited: int, sources: int = 3, mode: str = "generated") -> Answer:
    """Return an answer with numbered sources."""
    return Answer(
        text=text,
        mode=mode,
        citations=tuple(citation(n, i) for i, n in enumerate(cited)),
        strategy="single_pass",
        model="llama3.2:3b" if mode == "generated" else None,
        llm_calls=1,
        searches=1,
        passages=sources,
        prompt_tokens=900,
        answer_tokens=50,
        seconds=1.5,
        from_model=(),
        sources=tuple(passage(n) for n in range(1, sources + 1)),
    )
