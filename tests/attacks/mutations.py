"""Damaged files of every format, read by the real, confined parser processes.

Each must end as a document or in one of the contract's states, within its time and memory, and
leave nothing behind: not in the scratch folders, nor outside of them.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from random import Random

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.secret import Secret
from desktop_rag.core.settings import Chunking, Ingest
from desktop_rag.core.types import FileStatus
from desktop_rag.indexing.chunker import chunk_document
from desktop_rag.parsing.format_detection import BY_EXTENSION, FileFormat
from desktop_rag.parsing.ocr.recognized_page import Recognized
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox.document_stream import LongDocument
from desktop_rag.parsing.sandbox.parser_pool import (
    ParseOutcome,
    ParserPool,
    ParseTask,
    PasswordCandidate,
)
from testing.narrowing import present
from tests.attacks.memory import peaks_of
from tests.attacks.mutators import changes_for, splice
from tests.attacks.report import Attack, Report, Task
from tests.attacks.sample_documents import RECOGNIZED
from tests.attacks.seed_files import Seed, made_here, real_ones
from tests.conftest import REPOSITORY

_COUNTS = {True: 120, False: 3000}  # of files, by whether it is quick
_LOT = 120  # files that lie on the disk at once
_SECONDS = {True: 15.0, False: 60.0}  # that one file may take to be read
_START_SECONDS = 20  # that a new process may take on top of a file's time
_SPLICED, _MISNAMED = 0.06, 0.04
_UNGIVEN = 0.25  # of files with a password, for how many none is known
_LOOKED_AT = 0.5  # of files with pages to recognise, on how many text was found
_WHOLE = 4
_NAMES = (
    ".pdf", ".docx", ".pptx", ".xlsx", ".csv", ".md", ".html", ".txt", ".eml", ".doc", ".ppt",
    ".xls", ".xlsb", ".rtf", ".msg", ".png", ".tif", ".odt", ".ods", ".epub", ".fb2", ".mhtml",
    ".mbox", ".json", ".xml", ".py", ".yaml", ".rst", ".srt", ".ipynb", ".zip", ".tar", ".gz",
)  # fmt: skip
_ENDS = {
    FileStatus.EMPTY, FileStatus.NEEDS_OCR, FileStatus.ENCRYPTED, FileStatus.CORRUPT,
    FileStatus.UNSUPPORTED, FileStatus.TOO_LARGE, FileStatus.TIMEOUT, FileStatus.FAILED,
}  # fmt: skip
_CONTAINED = re.compile(r"its reader ended with -?\d+")
_PICTURED = {
    FileFormat.PDF, FileFormat.DOCX, FileFormat.PPTX, FileFormat.PICTURE, FileFormat.EPUB,
    FileFormat.FICTION_BOOK, FileFormat.HTML, FileFormat.WEB_ARCHIVE, FileFormat.MAIL,
    FileFormat.MAILBOX, FileFormat.MSG, FileFormat.ODT, FileFormat.ODP, FileFormat.ODS,
    FileFormat.RTF,
}  # fmt: skip
_SIZES = Chunking()
_KEPT = Path(tempfile.gettempdir(), "desktop-rag-attacks")


def mutated_files(report: Report, task: Task) -> None:
    """Read damaged files, and whole ones after them by the same processes."""
    draw = Random(task.seed)
    seeds = made_here()
    whole = seeds[:_WHOLE] if task.is_quick else list(seeds)
    if not task.is_quick:
        seeds += real_ones(REPOSITORY.parent / "shared" / "documents", draw)
    files = damaged(seeds, _COUNTS[task.is_quick], draw)
    files = chain(files, (_whole(number, seed) for number, seed in enumerate(whole)))
    scratch = task.folder / "scratch"
    became = _Outcomes(report, _SECONDS[task.is_quick] + _START_SECONDS)
    with _temporary(scratch), peaks_of(os.getpid()) as peaks:
        pool = ParserPool(2, _SECONDS[task.is_quick], Ingest().parse_megabytes)
        try:
            while lot := list(islice(files, _LOT)):
                _read_lot(pool, lot, task.folder / "files", became)
                if not task.is_quick:
                    sys.stderr.write(f"{became.told}; not held: {report.failed}\n")
            left = [path for each in scratch.iterdir() for path in each.rglob("*")]
            report.expect(not left, f"left in the scratch folders: {left[:5]}")
        finally:
            pool.close()
        time.sleep(0.1)
    report.note_peaks(peaks)
    most = Ingest().parse_megabytes * 1.25
    report.expect(peaks.get("parser", 0) < most, f"a parser held {peaks.get('parser', 0):.0f} MiB")
    report.expect(not listed(scratch), f"left after the end: {sorted(listed(scratch))[:5]}")
    report.notes.append(became.told)
    if report.failed:
        report.notes.append(f"the files that did not hold lie in {_KEPT}")


@dataclass(frozen=True, slots=True)
class DamagedFile:
    """A file to be written and read: its name tells what was done to it."""

    name: str
    raw: bytes
    password: str = ""
    pages: Recognized = field(default_factory=dict)

    def task(self, path: Path) -> ParseTask:
        """Return what is asked of a parser for it, with passwords to try where one is known."""
        candidates = _Passwords(Secret(self.password)) if self.password else None
        return ParseTask(path, self.pages, candidates=candidates, opens_archives=True)


@dataclass(frozen=True, slots=True)
class _Passwords:
    """A wrong password, and the right one."""

    right: Secret

    def __iter__(self) -> Iterator[PasswordCandidate]:
        yield PasswordCandidate(Secret("wrong"))
        yield PasswordCandidate(self.right, is_own=True)

    def confirm(self, candidate: PasswordCandidate) -> None:
        """Accept no other one than the right one."""
        if candidate.password.text != self.right.text:
            raise AssertionError(candidate)


@dataclass(slots=True)
class _Outcomes:
    """What became of the files so far, by their ends, and which took longest."""

    report: Report
    longest: float
    ends: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")

    def add(self, path: Path, outcome: ParseOutcome, seconds: float) -> None:
        """Judge one file; keep it if it did not hold."""
        failed = self.report.failed
        with self.report.attempt(path.name):
            self.ends[judged(self.report, path, outcome)] += 1
            self.report.expect(seconds < self.longest, f"took {seconds:.0f} s")
        if self.report.failed > failed:
            _keep(path)
        self.slowest = max(self.slowest, (seconds, path.name))

    @property
    def told(self) -> str:
        """The ends in figures, and the slowest file."""
        ends = ", ".join(f"{end} {count}" for end, count in self.ends.most_common())
        return f"{ends}; the slowest took {self.slowest[0]:.1f} s ({self.slowest[1]})"


def _read_lot(
    pool: ParserPool, lot: Sequence[DamagedFile], folder: Path, became: _Outcomes
) -> None:
    """Write some files, have them read, see that they are as they were, and remove them."""
    folder.mkdir()
    tasks = []
    for each in lot:
        (folder / each.name).write_bytes(each.raw)
        tasks.append(each.task(folder / each.name))
    before = listed(folder)
    for path, outcome, seconds in pool.run(tasks, CancelToken()):
        became.add(path, outcome, seconds)
    became.report.expect(listed(folder) == before, "the files or their folder were changed")
    shutil.rmtree(folder)


def damaged(seeds: Sequence[Seed], count: int, draw: Random) -> Iterator[DamagedFile]:
    """Yield damaged files, each named for what was done to it, every format in its turn.

    The number stands first, so that a file is found again under the same seed.
    """
    formats = sorted({seed.suffix for seed in seeds})
    for number in range(count):
        suffix = formats[number % len(formats)]
        seed = draw.choice([each for each in seeds if each.suffix == suffix])
        way, raw, suffix = _damaged(seed, seeds, draw)
        name = f"{number:04} {way} of {Path(seed.name).stem[:60]}{suffix}"
        password = "" if draw.random() < _UNGIVEN else seed.password
        is_looked_at = draw.random() < _LOOKED_AT and BY_EXTENSION.get(suffix) in _PICTURED
        pages = dict.fromkeys((1, 2), RECOGNIZED) if is_looked_at else {}
        yield DamagedFile(name, raw, password, pages)


def _whole(number: int, seed: Seed) -> DamagedFile:
    is_picture = BY_EXTENSION.get(seed.suffix) is FileFormat.PICTURE
    pages = {1: RECOGNIZED} if is_picture else {}
    return DamagedFile(f"whole {number}{seed.suffix}", seed.raw, seed.password, pages)


def _damaged(seed: Seed, seeds: Sequence[Seed], draw: Random) -> tuple[str, bytes, str]:
    """Return what was done to a file, its bytes, and its extension."""
    share = draw.random()
    if share < _SPLICED:
        other = draw.choice(seeds)
        return f"spliced with {other.suffix[1:]}", splice(seed.raw, other.raw, draw), seed.suffix
    if share < _SPLICED + _MISNAMED:
        return "misnamed", seed.raw, draw.choice(_NAMES)
    change = draw.choice(changes_for(seed.suffix, seed.raw))
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
    broken = [note for note in outcome.head.notes if "broke off" in note]
    report.expect(not broken, f"{broken}")  # of a file in an archive
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
