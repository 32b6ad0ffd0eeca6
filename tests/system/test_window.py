"""The real window over real documents: what a person does in the first ten minutes."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.requests import OpenRequest
from desktop_rag.core.types import FileStatus, Locator, Passage
from desktop_rag.gui.controllers.library import Indexing
from desktop_rag.gui.controllers.transcript import Answered, Stopped
from desktop_rag.ipc import client
from testing.long_conversations import Paints
from testing.narrowing import present
from testing.ollama_double.script import Script
from testing.ollama_double.server import OllamaDouble
from testing.window_driver import SAMPLES, Driver, pause, wait_for
from tests.gui.announcement_spy import announcements

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Return a folder with some of the samples and a broken file."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for name in ("Annual report 2024.pdf", "Meeting notes.md", "差旅报销制度.md"):
        shutil.copy(SAMPLES / name, folder)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 this is none")
    return folder


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    """Return a window without a language model, opened on an empty data folder."""
    made = Driver(qapp, tmp_path / "data")
    made.open()
    yield made
    made.close()


def test_from_a_dropped_folder_to_the_marked_page(driver: Driver, documents: Path) -> None:
    driver.drop(documents)
    driver.wait_until_read(4)
    by_name = {Path(row.path).name: row for row in driver.context.library.snapshot.files}
    assert by_name["Annual report 2024.pdf"].status is FileStatus.READY
    assert by_name["broken.pdf"].status in (FileStatus.CORRUPT, FileStatus.FAILED)
    assert by_name["broken.pdf"].reason
    driver.window.centre.show_files()
    wait_for(driver.window.centre.files.bar.problems.isVisible)
    driver.window.centre.show_chat()

    driver.ask("By how much did fuel and power fall, and why?")
    turn = driver.wait_for_answer()
    assert isinstance(turn.outcome, Answered)
    assert turn.outcome.mode == "extracted"
    assert "30" in turn.text
    assert "no language model" in driver.window.chat.view.toPlainText()
    assert driver.window.chat.banner.isVisible()

    citation = next(c for c in turn.citations if "30" in c.quote)
    driver.click_citation(citation.n)
    viewer = driver.window.sources.viewer
    wait_for(viewer.page_view.mark_rects)
    assert viewer.page == citation.locator.value == 2
    assert viewer.page_view.viewport().rect().intersects(viewer.page_view.mark_rects()[-1].toRect())


def test_a_document_without_pages_opens_at_its_marked_text(driver: Driver, documents: Path) -> None:
    driver.drop(documents / "Meeting notes.md")
    driver.wait_until_read(1)
    driver.ask("How many litres does the new water tank hold?")
    turn = driver.wait_for_answer()
    driver.window.sources.open_citation(turn, turn.citations[0].n)
    view = driver.window.sources.viewer.text_view
    wait_for(view.extraSelections)
    selections = view.extraSelections()
    assert any("3,000 litres" in each.cursor.selectedText() for each in selections)


@contextmanager
def answered_by_a_model(
    qapp: QApplication, tmp_path: Path, documents: Path
) -> Iterator[tuple[Driver, OllamaDouble]]:
    """Open the window over the annual report, with a model beside it; whoever asks closes it."""
    with OllamaDouble() as ollama:
        driver = Driver(qapp, tmp_path / "data", ollama__host=ollama.url)
        driver.open()
        driver.drop(documents / "Annual report 2024.pdf")
        driver.wait_until_read(1)
        yield driver, ollama


def test_stop_keeps_the_partial_answer_and_the_next_question_is_answered(
    qapp: QApplication, tmp_path: Path, documents: Path
) -> None:
    with answered_by_a_model(qapp, tmp_path, documents) as (driver, ollama):
        ollama.say(Script("Fuel fell by 30 % [1]. " * 60, pace=0.05))
        driver.ask("Why did fuel costs fall?")
        wait_for(lambda: driver.turn is not None and len(driver.turn.text) > 30)
        QTest.keyClick(driver.window, Qt.Key.Key_Escape)
        assert driver.turn is not None
        assert driver.turn.outcome == Stopped()
        kept = driver.turn.text
        assert kept.startswith("Fuel fell")
        pause(300)
        assert driver.turn.text == kept

        ollama.say("Because of the second electric ferry [1].")
        driver.ask("And why?")
        turn = driver.wait_for_answer()
        assert isinstance(turn.outcome, Answered)
        assert turn.outcome.mode == "generated"
        chat_id = present(driver.context.chat.transcript.chat_id)
        driver.close()

        again = Driver(qapp, tmp_path / "data", ollama__host=ollama.url)
        again.open()
        wait_for(lambda: again.window.side.conversations.list.rows.row_of(chat_id) >= 0)
        again.context.chat.open(chat_id)
        wait_for(lambda: again.context.chat.transcript.turns)
        first, second = again.context.chat.transcript.turns
        assert (first.outcome, first.text[:9]) == (Stopped(), "Fuel fell")
        assert list(map(shown, second.sources)) == list(map(shown, turn.sources))
        assert list(map(type, second.trace)) == list(map(type, turn.trace))
        again.close()


def shown(source: Passage) -> Passage:
    """Return a source with the boxes that mark its match: more of them is not kept."""
    return replace(source, locator=replace(source.locator, boxes=mark_of(source).boxes))


def mark_of(source: Passage) -> Locator:
    return source.locator.narrowed(*source.match)


def test_an_answer_that_streams_is_painted_at_most_thirty_times_a_second(
    qapp: QApplication, tmp_path: Path, documents: Path
) -> None:
    with answered_by_a_model(qapp, tmp_path, documents) as (driver, ollama):
        said = "Fuel fell by 30 % [1]. The second electric ferry is why.\n\n" * 24
        ollama.say(Script(said, pace=0.003))
        lengths: list[int] = []
        driver.context.chat.transcript_changed.connect(
            lambda shown: lengths.append(len(shown.turns[-1].text))
        )
        paints = Paints()
        driver.ask("Why did fuel costs fall?")
        wait_for(lambda: lengths and lengths[-1])
        driver.window.chat.view.viewport().installEventFilter(paints)
        began, before = time.monotonic(), len(set(lengths))
        wait_for(lambda: driver.turn is not None and not driver.turn.running)
        seconds, tokens = time.monotonic() - began, len(set(lengths)) - before
        assert tokens > 300
        assert 5 < paints.count <= 31 * seconds + 3
        bar = driver.window.chat.view.verticalScrollBar()
        assert bar.maximum() - bar.value() < 100 < bar.maximum(), "its end was in sight"
        driver.close()


@pytest.mark.skipif(sys.platform != "linux", reason="Qt's inside has other names elsewhere")
def test_a_screen_reader_is_told_of_an_answer_that_streams_politely_and_not_word_by_word(
    qapp: QApplication, tmp_path: Path, documents: Path
) -> None:
    with answered_by_a_model(qapp, tmp_path, documents) as (driver, ollama):
        ollama.say(Script("Fuel fell by 30 % [1]. " * 60, pace=0.01))
        said = "Because of the second electric ferry [1]."
        ollama.say(Script(said, pace=0.01))
        with announcements(driver.window.chat.view) as heard:
            driver.ask("Why did fuel costs fall?")
            wait_for(lambda: driver.turn is not None and len(driver.turn.text) > 30)
            assert len(heard) == 1, "what streams is not said word by word"
            QTest.keyClick(driver.window, Qt.Key.Key_Escape)
            driver.context.chat.new()
            driver.ask("Why did fuel costs fall?")
            driver.wait_for_answer()
        stopped, *others = [each.text for each in heard if each.text.startswith("Stopped.")]
        assert stopped.startswith("Stopped. Fuel fell by 30 %")
        assert not others
        assert [each.text for each in heard] == [
            "Searching your documents…",
            stopped,
            "Searching your documents…",
            f"The answer is there. Written by the language model. {said}",
        ]
        assert all(each.is_polite for each in heard)
        driver.close()


def test_a_changed_folder_is_followed(driver: Driver, documents: Path) -> None:
    driver.drop(documents)
    driver.wait_until_read(4)
    (documents / "new.md").write_text("# Harbour\n\nThe harbour master is called Edda Vinter.\n")
    driver.wait_until_read(5)
    (documents / "Meeting notes.md").unlink()
    wait_for(lambda: len(driver.context.library.snapshot.files) == 4)
    assert "new.md" in {Path(row.path).name for row in driver.context.library.snapshot.files}


def test_removing_a_folder_takes_its_files_out_and_leaves_them_on_the_disk(
    driver: Driver, documents: Path
) -> None:
    driver.drop(documents)
    driver.wait_until_read(4)
    driver.context.library.remove((str(documents),))
    wait_for(lambda: not driver.context.library.snapshot.files)
    assert (documents / "Meeting notes.md").is_file()
    driver.window.centre.show_files()
    assert driver.window.side.library.empty.isVisible()


def test_a_second_start_hands_its_paths_to_the_window(driver: Driver, documents: Path) -> None:
    replies: list[object] = []

    def start() -> None:
        named = (str(documents / "Meeting notes.md"),)
        replies.append(client.ask_to_open(driver.context.data_dir, OpenRequest(named)))

    other = threading.Thread(target=start)
    other.start()
    driver.wait_until_read(1)
    other.join(10)
    assert len(replies) == 1


def test_closing_while_it_works_ends_well_and_frees_the_window(
    qapp: QApplication, tmp_path: Path
) -> None:
    driver = Driver(qapp, tmp_path / "data")
    driver.open()
    driver.drop(SAMPLES)
    wait_for(lambda: isinstance(driver.context.library.activity, Indexing))
    pause(300)
    window = driver.window
    driver.close()
    assert window.ended_well
    wait_for(lambda: not shiboken6.isValid(window))


def test_nothing_but_qt_is_imported_before_the_window_is_shown(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "import platformdirs\n"
        "from PySide6.QtWidgets import QApplication\n"
        "before = set(sys.modules)\n"
        "from desktop_rag.core.requests import OpenRequest\n"
        "from desktop_rag.gui.launch import make_window\n"
        "app = QApplication([])\n"
        "window, desk = make_window(app, Path(sys.argv[1]), OpenRequest(), {})\n"
        "window.show()\n"
        "app.processEvents()\n"
        "new = {name for name, module in sys.modules.items() if module} - before\n"
        "named = {name.split('.')[0] for name in new}\n"
        "light = {'desktop_rag', 'PySide6', 'shibokensupport'}\n"
        "heavy = {'asyncio', 'email', 'http', 'multiprocessing', 'ssl', 'unittest', 'xml'}\n"
        "print(sorted(named - light - (sys.stdlib_module_names - heavy)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
