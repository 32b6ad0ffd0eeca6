"""Scans and pictures are read after all other files, page by page, each page once."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import docx
import pytest
from PIL import Image, ImageDraw, ImageFont
from pypdf import PdfWriter

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.secret import NO_PASSWORD, Secret
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.ocr.page_recognizer import PageRecognizer
from desktop_rag.parsing.ocr.recognized_page import RecognizedPage
from tests.indexing.indexed_folder import (
    KB,
    IndexedFolder,
    Watching,
    done,
    files,
    progress,
    prose,
)
from tests.parsing.sample_files import one_page, paragraph

FONT = Path(__file__).parent.parent / "screens/fonts/NotoSans-Regular.ttf"
HERON = ["The heron stands in the shallow water.", "It waits for small fish all morning."]
FERRIES = ("north", "south", "east", "west")
OTTER = ["The otter sleeps on its back.", "It holds a stone against its chest."]


class Recorder(PageRecognizer):
    """The real recogniser, which notes what it was asked; `broken` pages take too long.

    Its process lasts over all tests: each would wait seconds for one of its own.
    """

    asked: list[tuple[str, int]]
    broken: set[int]

    def close(self) -> None:
        """Go on: `end` ends it."""

    def end(self) -> None:
        super().close()

    def recognize(
        self,
        path: Path,
        page: int,
        token: CancelToken | None = None,
        *,
        password: Secret = NO_PASSWORD,
    ) -> RecognizedPage:
        self.asked.append((path.name, page))
        if page in self.broken:
            raise file_problems.timed_out(60)
        return super().recognize(path, page, token, password=password)


def scan(path: Path, *pages: list[str]) -> Path:
    """Write pictures of pages, as a PDF or as one picture."""
    pictures = [_page(lines) for lines in pages]
    pictures[0].save(path, save_all=len(pages) > 1, append_images=pictures[1:], resolution=150)
    return path


def _page(lines: list[str]) -> Image.Image:
    picture = Image.new("RGB", (1240, 700), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.truetype(FONT, 34)
    for number, line in enumerate(lines):
        draw.text((90, 90 + 60 * number), line, "black", font)
    return picture


def stop_at(reading: IndexedFolder, token: CancelToken, page: int) -> None:
    for event in reading.start(token=token):
        if getattr(event, "page", 0) == page:
            token.cancel()


@pytest.fixture(scope="module")
def lasting() -> Iterator[Recorder]:
    made = Recorder()
    yield made
    made.end()


@pytest.fixture
def recorder(lasting: Recorder) -> Recorder:
    lasting.asked, lasting.broken = [], set()
    return lasting


@pytest.fixture
def reading(library: IndexedFolder, recorder: Recorder) -> IndexedFolder:
    library.make_recognizer = lambda: recorder
    library.use(library.workspace.settings)
    return library


def test_a_scan_is_read_last_and_has_one_outcome(reading: IndexedFolder) -> None:
    path = scan(reading.docs / "a scan.pdf", HERON, OTTER)
    reading.write("notes.md", prose("weather"))
    events = reading.run()
    assert [(reading.name(each.path), each.status) for each in files(events)] == [
        ("notes.md", FileStatus.READY),
        ("a scan.pdf", FileStatus.READY),
    ]
    assert done(events).files == {"ready": 2}
    steps = [each for each in progress(events) if each.stage == "recognize"]
    assert [(each.current, each.page, each.pages) for each in steps] == [
        ("a scan.pdf", 1, 2),
        ("a scan.pdf", 2, 2),
    ]
    assert reading.finds("otter") == {"a scan.pdf"}
    places = {each.locator.value: each.locator for each in reading.chunks(path)}
    assert set(places) == {1, 2}
    assert places[2].boxes
    assert reading.is_sound()
    assert reading.index() == {"a scan.pdf": FileStatus.UNCHANGED, "notes.md": FileStatus.UNCHANGED}


def test_a_scan_with_a_password_is_read_once_it_is_entered(reading: IndexedFolder) -> None:
    path = scan(reading.docs / "scan.pdf", HERON)
    locked = PdfWriter(clone_from=path)
    locked.encrypt("heron 7", algorithm="AES-256")
    locked.write(path)
    assert reading.index() == {"scan.pdf": FileStatus.ENCRYPTED}
    assert reading.index(password=Secret("heron 7")) == {"scan.pdf": FileStatus.READY}
    assert reading.finds("heron") == {"scan.pdf"}


def test_a_stopped_run_is_gone_on_with_at_the_next_page(
    reading: IndexedFolder, recorder: Recorder
) -> None:
    scan(reading.docs / "scan.pdf", HERON, OTTER)
    token = CancelToken()
    with pytest.raises(Cancelled):
        stop_at(reading, token, page=2)
    assert recorder.asked == [("scan.pdf", 1)]
    assert reading.index() == {"scan.pdf": FileStatus.READY}
    assert recorder.asked == [("scan.pdf", 1), ("scan.pdf", 2)]
    assert reading.finds("heron") == reading.finds("otter") == {"scan.pdf"}


def test_a_file_of_text_and_pictures_is_read_whole(reading: IndexedFolder) -> None:
    path = reading.docs / "mixed.pdf"
    words = one_page(*paragraph(700, *(f"The ferry {each} leaves early." for each in FERRIES)))
    _append(words.write(path), scan(reading.docs / "part.pdf", OTTER))
    assert reading.index() == {"mixed.pdf": FileStatus.READY}
    assert reading.finds("ferry") == reading.finds("otter") == {"mixed.pdf"}
    row = reading.workspace.catalog.files.get(reading.kb, str(path))
    assert row is not None
    assert row.reason == ""
    assert {each.locator.value for each in reading.chunks(path)} == {1, 2}


def test_a_copy_is_recognised_once(reading: IndexedFolder, recorder: Recorder) -> None:
    path = scan(reading.docs / "scan.png", HERON)
    shutil.copy(path, reading.docs / "twin.png")
    assert reading.index() == {"scan.png": FileStatus.READY, "twin.png": FileStatus.READY}
    assert len(recorder.asked) == 1
    shutil.copy(path, reading.docs / "later.png")
    assert reading.index()["later.png"] is FileStatus.READY
    assert len(recorder.asked) == 1
    assert reading.finds("heron") == {"scan.png", "twin.png", "later.png"}


def test_the_same_page_in_another_file_is_recognised_once(
    reading: IndexedFolder, recorder: Recorder
) -> None:
    scan(reading.docs / "one.png", HERON)
    reading.index()
    scan(reading.docs / "two.tiff", HERON, OTTER)
    assert reading.index()["two.tiff"] is FileStatus.READY
    assert recorder.asked == [("one.png", 1), ("two.tiff", 2)]


def test_without_recognition_a_scan_waits_and_is_read_once_it_is_on(
    library: IndexedFolder, recorder: Recorder
) -> None:
    scan(library.docs / "scan.png", HERON)
    assert library.index() == {"scan.png": FileStatus.NEEDS_OCR}
    assert library.index() == {"scan.png": FileStatus.NEEDS_OCR}
    library.make_recognizer = lambda: recorder
    library.use(Settings())
    assert library.index() == {"scan.png": FileStatus.READY}


@pytest.mark.parametrize("in_settings", [True, False])
def test_a_knowledge_base_has_a_switch_of_its_own(
    reading: IndexedFolder, recorder: Recorder, in_settings: bool
) -> None:
    ingest = replace(Settings().ingest, recognize_text=in_settings)
    reading.use(replace(Settings(), ingest=ingest))
    scan(reading.docs / "scan.png", HERON)
    kbs = reading.workspace.catalog.kbs
    kbs.set_recognition(KB, recognizes=False)
    assert reading.index() == {"scan.png": FileStatus.NEEDS_OCR}
    assert recorder.asked == []
    kbs.set_recognition(KB, recognizes=True)
    assert reading.index() == {"scan.png": FileStatus.READY}
    kbs.set_recognition(KB, recognizes=False)
    assert reading.index() == {"scan.png": FileStatus.UNCHANGED}, "what was recognised stays"
    assert reading.finds("heron") == {"scan.png"}


def test_a_picture_without_text_is_empty_and_not_tried_again(
    reading: IndexedFolder, recorder: Recorder
) -> None:
    scan(reading.docs / "blank.png", [])
    assert reading.index() == {"blank.png": FileStatus.EMPTY}
    assert reading.index() == {"blank.png": FileStatus.EMPTY}
    assert len(recorder.asked) == 1


def test_a_page_that_fails_is_told_and_tried_again_on_request(
    reading: IndexedFolder, recorder: Recorder
) -> None:
    scan(reading.docs / "scan.pdf", HERON, OTTER)
    recorder.broken = {2}
    (outcome,) = files(reading.run())
    assert outcome.status is FileStatus.READY
    assert "1 of 2 pages" in outcome.reason
    reading.index()
    assert recorder.asked == [("scan.pdf", 1), ("scan.pdf", 2)], "it is not tried for ever"
    recorder.broken = set()
    assert reading.index(retry=True) == {"scan.pdf": FileStatus.READY}
    assert recorder.asked[2:] == [("scan.pdf", 2)]
    assert reading.finds("otter") == {"scan.pdf"}


def test_a_file_of_which_nothing_could_be_recognised_does_not_say_that_it_waits(
    reading: IndexedFolder, recorder: Recorder
) -> None:
    scan(reading.docs / "scan.pdf", HERON)
    recorder.broken = {1}
    (outcome,) = files(reading.run())
    assert outcome.status is FileStatus.NEEDS_OCR
    assert "could not be recognised" in outcome.reason
    assert "after all other files" not in outcome.reason


def test_files_that_come_meanwhile_are_read_first(
    reading: IndexedFolder, recorder: Recorder
) -> None:
    scan(reading.docs / "scan.pdf", HERON, OTTER)
    came = None
    order = []
    for event in reading.start():
        if getattr(event, "page", 0) == 1 and came is None:
            came = reading.write("new.md", prose("storm"))
            reading.workspace.catalog.files.enqueue(reading.kb, [str(came)])
        order += [reading.name(each.path) for each in files([event])]
    assert order == ["new.md", "scan.pdf"]


def test_a_scan_that_goes_away_meanwhile_is_no_loss(reading: IndexedFolder) -> None:
    path = scan(reading.docs / "scan.pdf", HERON, OTTER)
    reading.write("notes.md", prose("weather"))
    outcomes = []
    for event in reading.start():
        if getattr(event, "page", 0) == 1:
            path.unlink()
        outcomes += files([event])
    assert {reading.name(each.path): each.status for each in outcomes} == {
        "notes.md": FileStatus.READY,
        "scan.pdf": FileStatus.NEEDS_OCR,
    }
    assert reading.index()["scan.pdf"] is FileStatus.DELETED


def test_a_watch_reads_what_changes_before_it_goes_on_with_a_scan(
    reading: IndexedFolder, recorder: Recorder
) -> None:
    scan(reading.docs / "scan.pdf", *([*HERON, f"Page {each} of many."] for each in range(6)))
    watching = Watching(reading)
    try:
        wait_until(lambda: bool(recorder.asked))
        reading.write("new.md", prose("storm"))
        watching.until(("new.md", "ready"), ("scan.pdf", "ready"), seconds=60)
    finally:
        watching.stop()
    order = [name for name, status in watching.outcomes() if status == "ready"]
    assert order == ["new.md", "scan.pdf"]
    assert [page for _, page in recorder.asked] == [1, 2, 3, 4, 5, 6]


def wait_until(what: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


def _append(path: Path, other: Path) -> None:
    """Put another PDF's pages behind a PDF's, and take that other away."""
    import pypdfium2

    whole, more = pypdfium2.PdfDocument(path), pypdfium2.PdfDocument(other)
    whole.import_pages(more)
    made = path.with_suffix(".new")
    whole.save(made)
    whole.close()
    more.close()
    made.replace(path)
    other.unlink()


def test_pictures_in_a_text_are_read_after_it_and_found(
    reading: IndexedFolder, recorder: Recorder
) -> None:
    shown = BytesIO()
    _page(HERON).save(shown, "PNG")
    path = reading.docs / "birds.docx"
    made = docx.Document()
    made.add_paragraph(prose("weather"))
    made.add_picture(shown)
    made.save(str(path))
    events = reading.run()
    assert done(events).files == {"ready": 1}
    assert recorder.asked == [("birds.docx", 1)]
    assert reading.finds("heron") == {"birds.docx"}
    assert reading.is_sound()
    assert reading.index() == {"birds.docx": FileStatus.UNCHANGED}
    assert recorder.asked == [("birds.docx", 1)]
