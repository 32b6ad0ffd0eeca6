"""Score the parsers on a collection of documents whose manifest says what each must give.

`python -m tests.parsing.parser_scoring [--ocr] FOLDER [EXTENSION…]` prints what went wrong, and how
much went right. With `--ocr` the pages that could not be read are recognised, and their files
parsed once more.
"""

from __future__ import annotations

import json
import sys
import time
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus, LocatorKind
from desktop_rag.parsing.format_registry import EXTENSIONS
from desktop_rag.parsing.ocr.page_recognizer import PageRecognizer
from desktop_rag.parsing.ocr.recognized_page import RecognizedPage
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox.document_stream import LongDocument
from desktop_rag.parsing.sandbox.parser_pool import ParseOutcome, ParserPool, ParseTask

_OF_ITS_OWN = (LocatorKind.SHEET, LocatorKind.ROW)
_FITTING = {
    "ok": {"ready"},
    "empty": {"empty", "needs_ocr", "ready"},
    "scanned": {"ready", "needs_ocr", "empty"},
    "encrypted": {"encrypted"},
    "corrupt": {"corrupt", "unsupported", "failed", "empty"},
    "huge": {"ready", "too_large", "timeout"},
}
_UNCLEAN = {"timeout", "denied"}


@dataclass
class Score:
    """Counts over files, their phrases, and the phrases that have a page, slide or sheet."""

    files: int = 0
    fitting: int = 0
    phrases: int = 0
    found: int = 0
    placed: int = 0
    right: int = 0
    seconds: float = 0.0
    recognized: int = 0
    recognizing: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def share(self, part: int, whole: int) -> float:
        """Return a share, 1 of nothing."""
        return part / whole if whole else 1.0

    def __str__(self) -> str:
        return (
            f"{self.files} files, {self.share(self.fitting, self.files):.1%} in a fitting state; "
            f"{self.phrases} phrases, {self.share(self.found, self.phrases):.1%} found; "
            f"{self.placed} with a place, {self.share(self.right, self.placed):.1%} at the right "
            f"one; {self.seconds:.1f} s; {self.recognized} pages recognised in "
            f"{self.recognizing:.1f} s"
        )


def entries(folder: Path, extensions: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Return the manifest's rows, all of them or those of some extensions."""
    wanted = set(extensions)
    lines = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [row for row in rows if not wanted or row["ext"] in wanted]


def score(
    folder: Path, rows: list[dict[str, Any]], workers: int = 2, *, ocr: bool = False
) -> Score:
    """Parse the files of the rows and compare."""
    by_path = {folder / row["path"]: row for row in rows}
    made, began = Score(), time.monotonic()
    pool = ParserPool(workers, 120.0, 2048)
    unread: dict[Path, tuple[int, ...]] = {}
    try:
        for path, outcome, _ in pool.run(by_path, CancelToken()):
            if ocr and (pages := unread_pages(outcome)):
                unread[path] = pages
            else:
                _count(made, by_path[path], outcome)
        if unread:
            for path, outcome, _ in pool.run(_recognized(made, unread), CancelToken()):
                _count(made, by_path[path], outcome)
    finally:
        pool.close()
    made.seconds = time.monotonic() - began
    return made


def unread_pages(outcome: ParseOutcome) -> tuple[int, ...]:
    """Return the pages that text recognition could read."""
    return outcome.head.unread_pages if isinstance(outcome, LongDocument) else outcome.unread_pages


def _recognized(made: Score, unread: dict[Path, tuple[int, ...]]) -> Iterator[ParseTask]:
    recognizer = PageRecognizer()
    try:
        for path, numbers in unread.items():
            pages: dict[int, RecognizedPage] = {}
            for number in numbers:
                began = time.monotonic()
                try:
                    pages[number] = recognizer.recognize(path, number)
                except FileProblem as problem:
                    made.wrong.append(f"{path.name}, page {number}: {problem.sentence}")
                made.recognized += 1
                made.recognizing += time.monotonic() - began
            yield ParseTask(path, pages)
    finally:
        recognizer.close()


def _count(made: Score, row: dict[str, Any], outcome: ParseOutcome) -> None:
    status = str(outcome.status) if isinstance(outcome, FileProblem) else str(FileStatus.READY)
    made.files += 1
    if fits(row, status):
        made.fitting += 1
    else:
        made.wrong.append(f"{row['path']}: {row['expect']}, but {status}")
    if f".{row['ext']}" not in EXTENSIONS:
        return
    places = _texts(outcome) if isinstance(outcome, ParsedDocument) else {}
    everything = "".join(places.values())
    for phrase, where in zip(row["must_contain"], row["where"], strict=True):
        bare = squeezed(phrase)
        made.phrases += 1
        made.found += bare in everything
        if bare not in everything:
            made.wrong.append(f"{row['path']}: {phrase!r} not found")
        place = next((where[key] for key in ("page", "slide", "sheet") if key in where), None)
        if place is not None:
            made.placed += 1
            made.right += bare in places.get(str(place), "")


def fits(row: dict[str, Any], status: str) -> bool:
    if f".{row['ext']}" not in EXTENSIONS:
        return status not in {"timeout", "failed"}
    if row["lenient"]:
        return status not in _UNCLEAN
    return status in _FITTING[row["expect"]]


def _texts(document: ParsedDocument) -> dict[str, str]:
    """Return the text at each place, compared as the manifest's phrases are."""
    texts: dict[str, list[str]] = defaultdict(list)
    for block in document.blocks:
        pieces = block.rows if block.place.kind in _OF_ITS_OWN else [block]
        for piece in pieces:
            texts[str(piece.place.value)].append(piece.text)
    return {place: squeezed("".join(pieces)) for place, pieces in texts.items()}


def squeezed(text: str) -> str:
    """Return text after NFKC with all white space removed."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def main() -> None:
    """Print the score of a folder."""
    words = [word for word in sys.argv[1:] if word != "--ocr"]
    folder = Path(words[0])
    made = score(folder, entries(folder, words[1:]), ocr="--ocr" in sys.argv)
    sys.stdout.write("\n".join([*made.wrong, str(made), ""]))


if __name__ == "__main__":
    main()
