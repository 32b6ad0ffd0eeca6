"""Damaged files of every format, read by the real, confined parser processes.

Each must end as a document or in one of the contract's states, within its time and memory, and
leave nothing behind: not in the scratch folders, nor outside of them.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.settings import Chunking, Ingest
from desktop_rag.core.types import FileStatus
from desktop_rag.indexing.chunker import chunk_document
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox.document_stream import LongDocument
from desktop_rag.parsing.sandbox.parser_pool import ParseOutcome, ParserPool
from testing.narrowing import present
from tests.attacks.memory import peaks_of
from tests.attacks.mutators import changes_for, splice
from tests.attacks.report import Attack, Report, Task
from tests.attacks.seed_files import Seed, made_here, real_ones
from tests.conftest import REPOSITORY

_COUNTS = {True: 120, False: 600}  # of files, by whether it is quick
_SECONDS = {True: 15.0, False: 60.0}  # that one file may take to be read
_START_SECONDS = 20  # that a new process may take on top of a file's time
_SPLICED, _MISNAMED = 0.06, 0.04
_WHOLE = 4
_NAMES = (
    ".pdf", ".docx", ".pptx", ".xlsx", ".csv", ".md", ".html", ".txt", ".eml", ".doc", ".ppt",
    ".xls", ".xlsb", ".rtf", ".msg", ".png", ".tif", ".odt", ".ods", ".epub", ".fb2", ".mhtml",
    ".mbox", ".json", ".xml", ".py", ".yaml", ".rst", ".srt", ".ipynb",
)  # fmt: skip
_ENDS = {
    FileStatus.EMPTY, FileStatus.NEEDS_OCR, FileStatus.ENCRYPTED, FileStatus.CORRUPT,
    FileStatus.UNSUPPORTED, FileStatus.TOO_LARGE, FileStatus.TIMEOUT, FileStatus.FAILED,
}  # fmt: skip
_CONTAINED = re.compile(r"its reader ended with -?\d+")
_SIZES = Chunking()
_KEPT = Path(tempfile.gettempdir(), "desktop-rag-attacks")


def mutated_files(report: Report, task: Task) -> None:
    """Read damaged files, and whole ones after them by the same processes."""
    draw = Random(task.seed)
    seeds = made_here()
    if not task.is_quick:
        seeds += real_ones(REPOSITORY.parent / "shared" / "documents", draw)
    files, scratch = task.folder / "files", task.folder / "scratch"
    files.mkdir()
    names = written(files, seeds, _COUNTS[task.is_quick], draw)
    before = listed(files)
    ends: Counter[str] = Counter()
    slowest = (0.0, "")
    with _temporary(scratch), peaks_of(os.getpid()) as peaks:
        pool = ParserPool(2, _SECONDS[task.is_quick], Ingest().parse_megabytes)
        try:
            for path, outcome, seconds in pool.run(names, CancelToken()):
                failed = report.failed
                with report.attempt(path.name):
                    ends[judged(report, path, outcome)] += 1
                    longest = _SECONDS[task.is_quick] + _START_SECONDS
                    report.expect(seconds < longest, f"took {seconds:.0f} s")
                if report.failed > failed:
                    _keep(path)
                slowest = max(slowest, (seconds, path.name))
            left = [path for each in scratch.iterdir() for path in each.rglob("*")]
            report.expect(not left, f"left in the scratch folders: {left[:5]}")
        finally:
            pool.close()
        time.sleep(0.1)
    report.note_peaks(peaks)
    most = Ingest().parse_megabytes * 1.25
    report.expect(peaks.get("parser", 0) < most, f"a parser held {peaks.get('parser', 0):.0f} MiB")
    report.expect(not listed(scratch), f"left after the end: {sorted(listed(scratch))[:5]}")
    report.expect(listed(files) == before, "the files or their folder were changed")
    told = ", ".join(f"{end} {count}" for end, count in ends.most_common())
    report.notes.append(f"{told}; the slowest took {slowest[0]:.1f} s ({slowest[1]})")
    if report.failed:
        report.notes.append(f"the files that did not hold lie in {_KEPT}")


def written(folder: Path, seeds: Sequence[Seed], count: int, draw: Random) -> list[Path]:
    """Write damaged files, each named for what was done, every format in its turn; whole ones last.

    The number stands first, so that a file is found again under the same seed.
    """
    formats = sorted({seed.suffix for seed in seeds})
    made = []
    for number in range(count):
        suffix = formats[number % len(formats)]
        seed = draw.choice([each for each in seeds if each.suffix == suffix])
        way, raw, suffix = _damaged(seed, seeds, draw)
        made.append(folder / f"{number:03} {way} of {Path(seed.name).stem[:60]}{suffix}")
        made[-1].write_bytes(raw)
    for number, seed in enumerate(made_here()[:_WHOLE]):
        made.append(folder / f"whole {number}{seed.suffix}")
        made[-1].write_bytes(seed.raw)
    return made


def _damaged(seed: Seed, seeds: Sequence[Seed], draw: Random) -> tuple[str, bytes, str]:
    """Return what was done to a file, its bytes, and its extension."""
    share = draw.random()
    if share < _SPLICED:
        other = draw.choice(seeds)
        return f"spliced with {other.suffix[1:]}", splice(seed.raw, other.raw, draw), seed.suffix
    if share < _SPLICED + _MISNAMED:
        return "misnamed", seed.raw, draw.choice(_NAMES)
    change = draw.choice(changes_for(seed.suffix))
    raw = change(seed.raw, draw)
    if draw.random() < 0.1 and raw:
        raw = draw.choice(changes_for(".bin"))(raw, draw)
    return change.__name__.replace("_", " "), raw, seed.suffix


def judged(report: Report, path: Path, outcome: ParseOutcome) -> str:
    """Say what became of a file, and note what may not be."""
    if not isinstance(outcome, FileProblem):
        _judge_document(report, path, outcome)
        return "document"
    report.expect(not path.name.startswith("whole"), f"a whole file is {outcome.status}")
    report.expect(outcome.status in _ENDS, f"{outcome.status} is no end")
    report.expect(outcome.what.endswith(".") and len(outcome.what) > 15, "no reason is told")
    report.expect(outcome.remedy.endswith("."), f"no remedy is told for “{outcome.what}”")
    if outcome.status is not FileStatus.FAILED:
        return str(outcome.status)
    is_contained = _CONTAINED.search(outcome.what)
    report.expect(is_contained, f"{outcome.what}")
    return "crash of a reader, contained" if is_contained else "failed"


def _judge_document(report: Report, path: Path, outcome: ParsedDocument | LongDocument) -> None:
    document = outcome
    if not isinstance(document, ParsedDocument):  # a long one, whose blocks lie in a file
        document = ParsedDocument("", tuple(document.blocks()))
    text, chunks = chunk_document(
        document, path.stem, _SIZES, lambda texts: [len(t.split()) for t in texts]
    )
    report.expect(text.strip(), "a document without text")
    text.encode("utf-8")
    report.expect("\0" not in text, "a NUL in the text")
    report.expect(chunks, "a document without chunks")
    starts = [present(each.locator.start) for each in chunks]
    exact = all(each.text == text[each.locator.start : each.locator.end] for each in chunks)
    report.expect(exact and starts == sorted(starts), "chunks that are none")


def _keep(path: Path) -> None:
    """Keep a file that did not hold: the attack's own folder goes away."""
    _KEPT.mkdir(exist_ok=True)
    (_KEPT / path.name).write_bytes(path.read_bytes())


def listed(folder: Path) -> dict[str, tuple[int, int]]:
    """Return all that lies below a folder, with sizes and times."""
    return {
        str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in folder.rglob("*")
    }


@contextmanager
def _temporary(folder: Path) -> Iterator[None]:
    """Let this process and those that it starts have their temporary files in a folder."""
    folder.mkdir()
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


ATTACKS = (Attack("mutated files", mutated_files),)
