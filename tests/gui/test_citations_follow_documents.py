"""In the real window: a citation of an old answer opens its document where that is now.

Seven documents are cited in one conversation; then their files are renamed, moved and changed, and
each citation is clicked, in that conversation and once more after the program was started again.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.chat.transcript_view import TranscriptView
from desktop_rag.gui.controllers.library import Idle
from desktop_rag.gui.controllers.open_document import FileState, LocatedDocument
from testing.narrowing import present
from testing.window_driver import Driver, pause, wait_for

pytestmark = pytest.mark.timeout(180)


@dataclass(frozen=True)
class Cited:
    """A document: the question whose answer cites it, the sentence cited, and where it goes."""

    name: str
    question: str
    sentence: str
    now: str


RENAMED = Cited(
    "harbour.md",
    "What is the harbour master of Vard called?",
    "The harbour master of Vard is called Edda Vinter.",
    "docs/port authority.md",
)
MOVED = Cited(
    "valley.md",
    "Who painted the valley of Brunn?",
    "The valley of Brunn was painted by Olaf Kvist.",
    "docs/art/valley.md",
)
OUT_AND_BACK = Cited(
    "island.md",
    "To whom does the island of Skarv belong?",
    "The island of Skarv belongs to Signe Aas.",
    "docs/island.md",
)
TO_ANOTHER_FOLDER = Cited(
    "kennel.md",
    "Who feeds the dogs of the kennel in Tolne?",
    "The dogs of the kennel in Tolne are fed by Marit Holm.",
    "archive/kennel.md",
)
REPLACED = Cited(
    "mill.md",
    "How many stones does the mill of Ugla have?",
    "The mill of Ugla has eleven stones of granite.",
    "docs/mill.md",
)
CHANGED = Cited(
    "bridge.md",
    "How long is the bridge of Nesset?",
    "The bridge of Nesset is four hundred metres long.",
    "docs/bridge.md",
)
REWRITTEN = Cited(
    "school.md",
    "When was the school of Lomen founded?",
    "The school of Lomen was founded in the spring of 1884.",
    "docs/school.md",
)
ALL = (RENAMED, MOVED, OUT_AND_BACK, TO_ANOTHER_FOLDER, REPLACED, CHANGED, REWRITTEN)
SAME = (RENAMED, MOVED, OUT_AND_BACK, TO_ANOTHER_FOLDER, REPLACED)
_BEFORE = "A paragraph that was put before all others and is about the weather of the coast.\n\n"


@dataclass(frozen=True)
class Shown:
    """What a click on a citation showed."""

    path: str
    state: FileState
    note: str
    text: str
    marked: str


@dataclass(frozen=True)
class Clicked:
    """What the clicks showed in the window that had asked, and in one that was opened later."""

    root: Path
    at_once: dict[Cited, Shown]
    later: dict[Cited, Shown]


@pytest.fixture(scope="module")
def clicked(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Clicked:
    root = tmp_path_factory.mktemp("followed")
    docs, archive = root / "docs", root / "archive"
    docs.mkdir()
    archive.mkdir()
    for each in ALL:
        (docs / each.name).write_text(text_of(each), encoding="utf-8")
    (archive / "tea.md").write_text("# Tea\n\nTea is grown in the hills.\n", encoding="utf-8")
    driver = opened(qapp, root)
    try:
        driver.drop(docs, archive)
        driver.wait_until_read(len(ALL) + 1)
        for each in ALL:
            driver.ask(each.question)
            assert each.sentence in driver.wait_for_answer().text
        change_files(driver, root)
        at_once = {each: click(driver, each) for each in ALL}
        chat_id = present(driver.context.chat.transcript.chat_id)
    finally:
        driver.close()
    driver = opened(qapp, root)
    try:
        driver.context.conversations.open(chat_id)
        wait_for(lambda: len(driver.context.chat.transcript.turns) == len(ALL))
        later = {each: click(driver, each) for each in ALL}
    finally:
        driver.close()
    return Clicked(root, at_once, later)


def opened(qapp: QApplication, root: Path) -> Driver:
    driver = Driver(qapp, root / "data", window__expert_tools="false")
    driver.open()
    return driver


def text_of(cited: Cited) -> str:
    name = Path(cited.name).stem
    return f"# {name.capitalize()}\n\nThis page is about the {name}.\n\n{cited.sentence}\n"


def change_files(driver: Driver, root: Path) -> None:
    """Do to each file what it stands for, and wait until the window has followed."""
    docs, archive, away = root / "docs", root / "archive", root / "away"
    away.mkdir()
    (docs / "art").mkdir()
    shutil.move(docs / OUT_AND_BACK.name, away / OUT_AND_BACK.name)
    wait_for(lambda: OUT_AND_BACK.name not in names(driver))
    shutil.move(away / OUT_AND_BACK.name, docs / OUT_AND_BACK.name)
    for each in (RENAMED, MOVED):
        (docs / each.name).rename(root / each.now)
    shutil.move(docs / TO_ANOTHER_FOLDER.name, archive / TO_ANOTHER_FOLDER.name)
    (away / REPLACED.name).write_text(text_of(REPLACED), encoding="utf-8")
    (away / REPLACED.name).replace(docs / REPLACED.name)
    changed = docs / CHANGED.name
    changed.write_text(_BEFORE + changed.read_text(encoding="utf-8"), encoding="utf-8")
    rewritten = "# School\n\nNothing of all that is so any more.\n"
    (docs / REWRITTEN.name).write_text(rewritten, encoding="utf-8")
    files = driver.context.library

    def is_followed() -> bool:
        rows = {row.path: row for row in files.snapshot.files}
        there = [rows.get(str(root / each.now)) for each in ALL]
        known = [row for row in there if row is not None and row.status is FileStatus.READY]
        return len(known) == len(ALL) and len(rows) == len(ALL) + 1 and files.activity == Idle()

    wait_for(is_followed)
    wait_for(lambda: _has_read(driver, changed, _BEFORE.strip()))
    wait_for(lambda: _has_read(driver, docs / REWRITTEN.name, "Nothing of all that"))


def _has_read(driver: Driver, path: Path, text: str) -> bool:
    """Say whether a file is read as it is now."""
    catalog = driver.context.folder.get(CancelToken()).catalog
    held = catalog.document_queries.held(str(path))
    return any(
        text in catalog.documents.text(each.document_id, 0, 1000)
        for each in held
        if each.document_id is not None
    )


def names(driver: Driver) -> set[str]:
    return {Path(row.path).name for row in driver.context.library.snapshot.files}


def click(driver: Driver, cited: Cited) -> Shown:
    """Click on the citation of a document in its answer; return what the reader shows then."""
    window, turns = driver.window, driver.context.chat.transcript.turns
    number = next(n for n, each in enumerate(turns) if each.question == cited.question)
    sentence = next(each for each in turns[number].citations if cited.sentence in each.quote)
    placed: list[LocatedDocument] = []
    driver.context.reader.placed.connect(placed.append)
    window.sources.close_document()
    pause(20)
    window.chat.view.go_to(number)
    pause(20)
    click_in_turn(window.chat.view, number, f"cite:{sentence.n}")
    wait_for(lambda: placed)
    driver.context.reader.placed.disconnect(placed.append)
    viewer = window.sources.viewer
    wait_for(viewer.text_view.toPlainText)
    wait_for(viewer.text_view.extraSelections)
    marked = [each.cursor.selectedText() for each in viewer.text_view.extraSelections()]
    note = viewer.note.text if viewer.note.isVisible() else ""
    shown = present(viewer.document)
    text = viewer.text_view.toPlainText()
    return Shown(shown.path, placed[0].file_state, note, text, "\n".join(marked))


def click_in_turn(view: TranscriptView, number: int, address: str) -> None:
    for y in range(0, view.viewport().height(), 4):
        for x in range(0, view.viewport().width(), 4):
            at = QPoint(x, y)
            if view.anchorAt(at) != address:
                continue
            found = view.sheet.writer_at(view.cursorForPosition(at).position())
            if found is not None and found[0] == number:
                QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
                return
    raise AssertionError(f"{address} of turn {number} is not in sight")


@pytest.fixture(params=["at once", "opened again"])
def shown(request: pytest.FixtureRequest, clicked: Clicked) -> dict[Cited, Shown]:
    return clicked.at_once if request.param == "at once" else clicked.later


@pytest.mark.parametrize("cited", SAME, ids=lambda each: Path(each.now).as_posix())
def test_a_document_that_is_the_same_is_opened_where_it_is_now(
    shown: dict[Cited, Shown], clicked: Clicked, cited: Cited
) -> None:
    """Renamed, moved, out and back, in another watched folder, replaced by the same bytes."""
    opened_now = shown[cited]
    assert opened_now.path == str(clicked.root / cited.now)
    assert opened_now.state is FileState.SAME
    assert opened_now.note == ""
    assert cited.sentence in opened_now.marked


def test_in_a_changed_document_the_quote_is_found_at_its_new_place(
    shown: dict[Cited, Shown], clicked: Clicked
) -> None:
    changed = shown[CHANGED]
    assert changed.path == str(clicked.root / CHANGED.now)
    assert changed.state is FileState.FOUND_AGAIN
    assert changed.note.startswith("The document has changed since. The quote was found again:")
    assert _BEFORE.strip() in changed.text, "it is the document as it is now"
    assert CHANGED.sentence in changed.marked


def test_where_the_quote_is_gone_the_kept_passage_is_shown_and_it_is_said(
    shown: dict[Cited, Shown],
) -> None:
    rewritten = shown[REWRITTEN]
    assert rewritten.state is FileState.REWRITTEN
    assert rewritten.note.startswith("The document has changed since, and the quote is not in it")
    assert "Nothing of all that" not in rewritten.text
    assert REWRITTEN.sentence in rewritten.marked
