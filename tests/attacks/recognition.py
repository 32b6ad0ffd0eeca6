"""Damaged pictures, scans and documents that show pictures, looked at by the confined recogniser.

Each must end as a page or in one of the contract's states, within its time and memory; a page's
lines are text with places on it.
"""

from __future__ import annotations

import io
import math
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.ocr.page_recognizer import PageRecognizer
from desktop_rag.parsing.ocr.recognized_page import RecognizedPage
from tests.attacks.memory import peaks_of
from tests.attacks.mutators import changes_for
from tests.attacks.pictured_documents import pictured_documents, text_picture
from tests.attacks.report import Attack, Report, Task
from tests.attacks.seed_files import Seed
from tests.parsing.sample_pictures import TURNED_PHOTO

_COUNTS = {True: 50, False: 400}  # of files, by whether it is quick
_MEGABYTES = 2048
_ENDS = {
    FileStatus.CORRUPT, FileStatus.ENCRYPTED, FileStatus.TOO_LARGE, FileStatus.TIMEOUT,
    FileStatus.FAILED, FileStatus.UNSUPPORTED, FileStatus.EMPTY,
}  # fmt: skip


def picture_seeds() -> Iterator[Seed]:
    """Yield a picture of some lines in every format, as a scan, and in documents that show it."""
    picture = text_picture()
    names = {"png": "PNG", "jpg": "JPEG", "tif": "TIFF", "bmp": "BMP", "webp": "WEBP",
             "gif": "GIF", "avif": "AVIF", "pdf": "PDF"}  # fmt: skip
    for suffix, name in names.items():
        made = io.BytesIO()
        frames = [picture] if suffix == "tif" else []
        picture.save(made, name, **({"save_all": True, "append_images": frames} if frames else {}))
        yield Seed(f"picture.{suffix}", made.getvalue())
    yield Seed("picture.heic", TURNED_PHOTO.read_bytes())
    for name, raw in pictured_documents().items():
        yield Seed(name, raw)


def damaged_pictures(report: Report, task: Task) -> None:
    """Recognise damaged pictures, and whole ones after them by the same process."""
    draw = Random(task.seed)
    seeds = list(picture_seeds())
    ends: Counter[str] = Counter()
    recognizer = PageRecognizer()
    with peaks_of(os.getpid()) as peaks:
        try:
            for number in range(_COUNTS[task.is_quick]):
                seed = seeds[number % len(seeds)]
                change = draw.choice(changes_for(seed.suffix, seed.raw))
                path = task.folder / f"{number:03} {change.__name__}{seed.suffix}"
                path.write_bytes(change(seed.raw, draw))
                with report.attempt(path.name):
                    ends[_end(report, recognizer, path)] += 1
            for seed in seeds:
                with report.attempt(f"whole {seed.name}"):
                    path = task.folder / seed.name
                    path.write_bytes(seed.raw)
                    page = recognizer.recognize(path, 1)
                    report.expect("harbour" in page.lines[0].text, "a whole picture is not read")
        finally:
            recognizer.close()
    report.note_peaks(peaks)
    most = max(peaks.values(), default=0.0)
    report.expect(most < _MEGABYTES * 1.25, f"the recogniser held {most:.0f} MiB")
    report.notes.append(", ".join(f"{end} {count}" for end, count in ends.most_common()))


def _end(report: Report, recognizer: PageRecognizer, path: Path) -> str:
    """Say what became of a picture, and note what may not be."""
    try:
        recognizer.picture_key(path, 1)
        page = recognizer.recognize(path, 1)
    except FileProblem as problem:
        report.expect(problem.status in _ENDS, f"{problem.status} is no end")
        report.expect(problem.what.endswith(".") and problem.remedy, f"{problem.what!r}")
        crashed = problem.status is FileStatus.FAILED
        report.expect(not crashed or "its reader ended" in problem.what, problem.what)
        return str(problem.status)
    _judge(report, page)
    return "page"


def _judge(report: Report, page: RecognizedPage) -> None:
    for line in page.lines:
        line.text.encode("utf-8")
        report.expect(line.text.strip() and "\0" not in line.text, f"no text: {line.text!r}")
        shown = page.shown((line.x0, line.y0, line.x1, line.y1))
        report.expect(all(map(math.isfinite, shown)), f"no place: {shown}")


ATTACKS = (Attack("damaged pictures", damaged_pictures),)
