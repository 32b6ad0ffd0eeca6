"""Which questions are asked, and whether the page that answers one was found: one rule for all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import questions_on_documents
from benchmarks.peers.protocol import FoundPassage

FIRST = 5


@dataclass(frozen=True, slots=True)
class PageQuestion:
    """A question, the file that answers it, and the pages of it that do, from 1; `set` is whose."""

    text: str
    path: Path
    pages: frozenset[int]
    set: str


def pdf_files(places: Iterable[Path]) -> list[Path]:
    """Return the PDFs among these files and in these folders, each once, sorted."""
    found = {
        path.resolve()
        for place in places
        for path in ([place] if place.is_file() else place.rglob("*.pdf"))
    }
    return sorted(found)


def questions_of(folder: Path, files: Sequence[Path]) -> list[PageQuestion]:
    """Return the questions of a set that one of these PDFs answers on known pages."""
    there = set(files)
    rows = questions_on_documents.read(folder / "manifest.jsonl")
    asked = [
        PageQuestion(
            row.text, (folder / row.file).resolve(), frozenset(row.row["pages"]), folder.name
        )
        for row in rows
        if row.kind.startswith("pdf")
    ]
    return [each for each in asked if each.path in there]


def is_found(passages: Sequence[FoundPassage], asked: PageQuestion) -> bool:
    """Say whether one of the first five passages begins on a gold page of the right file."""
    return any(
        Path(passage.path).resolve() == asked.path and passage.page in asked.pages
        for passage in passages[:FIRST]
    )
