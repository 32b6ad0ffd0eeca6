"""Take the window's pictures: `python -m tests.screens.take FOLDER --theme dark --language zh`.

`--scale 200` takes them as they are on a screen of 1920 × 1080 at that size of everything.

Reads the sample documents into a fresh data folder, asks questions of them (the answers come from
the Ollama double) and saves one PNG a screen. Works with `QT_QPA_PLATFORM=offscreen`, too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor, QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from desktop_rag.core.events import PassagesFound
from desktop_rag.core.index_health import HealthKind
from desktop_rag.gui.chat import transcript_links
from desktop_rag.gui.chat.transcript_links import TurnAction
from desktop_rag.gui.controllers.ollama import ServerFound
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.error_dialog import ErrorDialog
from desktop_rag.gui.lab.compare_page import ComparePage
from desktop_rag.gui.lab.evaluation_page import EvaluationPage
from desktop_rag.gui.lab.lab_tabs import LAB_PAGES
from desktop_rag.gui.lab.question_dialog import QuestionDialog
from desktop_rag.gui.lab.search_test_page import SearchTestPage
from desktop_rag.gui.lab.search_test_values import PassageTarget
from desktop_rag.gui.mode_rail import Mode
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.shortcuts import ShortcutsDialog
from testing.narrowing import narrow, present
from testing.ollama_double.script import Script
from testing.ollama_double.server import OllamaDouble
from testing.sample_folder import SAMPLES, copied, read_by_the_program
from testing.window_driver import Driver, pause, wait_for
from tests.gui.chat.timeline_setup import FERRY, SURE, ask, look_ahead, reasoning, unfold

FONTS = Path(__file__).parent / "fonts"
ANSWER = """Fuel and power cost **30 % less** than the year before [1]. There are two reasons:

1. The second electric ferry, *Sula*, which cut the fuel used on its route by 71 % [2].
2. Lower prices for diesel [1].

| | 2024 | 2023 |
|---|---|---|
| Fuel and power | 41,300 | 58,700 |
| Operating result | 61,250 | 38,420 |
"""


@dataclass(frozen=True)
class Look:
    """How the screens are wanted."""

    theme: str
    language: str
    scale: int

    @property
    def size(self) -> tuple[int, int]:
        """The window's size, in Qt's own pixels."""
        if self.scale == 100:
            return 1320, 840
        return 1920 * 100 // self.scale, 1080 * 100 // self.scale


def main() -> None:
    """Take every screen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--theme", default="light", choices=("light", "dark", "contrast"))
    parser.add_argument("--language", default="en")
    parser.add_argument("--scale", default=100, type=int)
    parser.add_argument("--samples", type=Path, help="a data folder that has read them")
    wanted = parser.parse_args()
    look = Look(wanted.theme, wanted.language, wanted.scale)
    wanted.folder.mkdir(parents=True, exist_ok=True)
    os.environ["QT_SCALE_FACTOR"] = f"{look.scale / 100:g}"
    app = QApplication([])
    bring_fonts(app)
    data_dir = Path(tempfile.mkdtemp(prefix="screens-"))
    try:
        without_model(app, wanted.folder, data_dir / "a", look)
        with OllamaDouble() as ollama:
            home = copied(wanted.samples or read_by_the_program(data_dir), data_dir / "b")
            with_model(app, wanted.folder, home, ollama, look)
    finally:
        shutil.rmtree(data_dir, ignore_errors=True)


def bring_fonts(app: QApplication) -> None:
    """Use the fonts that lie beside, so that pictures of other computers can be compared."""
    for path in sorted(FONTS.glob("*.[ot]tf")):
        QFontDatabase.addApplicationFont(str(path))
    app.setFont(QFont("Noto Sans", 9))


def without_model(app: QApplication, folder: Path, data_dir: Path, look: Look) -> None:
    """First run, indexing, an answer made of quotes, nothing found."""
    driver = begun(app, data_dir, look)
    driver.window.centre.show_home()
    pause(1500)
    shoot(driver, folder, "1-first-run")
    samples = data_dir.parent / "samples"  # the details tell where a file lies
    shutil.copytree(SAMPLES, samples)
    driver.drop(samples)
    wait_for(lambda: any(row.chunks for row in driver.context.library.snapshot.files))
    pause(300)
    shoot(driver, folder, "2-indexing")
    driver.wait_until_read(7)
    pause(400)
    shoot(driver, folder, "3-home")
    driver.window.centre.show_files()
    files = driver.window.centre.files
    wait_for(lambda: files.model.rowCount() == 7)
    driver.window.side.library.tree.expandAll()
    files.view.selectRow(0)
    pause(400)
    shoot(driver, folder, "3-library")
    driver.window.centre.show_chat()
    with experts_tools(driver):
        shoot_trying(driver, folder)
    driver.ask("一线城市的住宿标准是多少？")
    driver.wait_for_answer()
    driver.ask("Who won the world cup in 1998?")
    driver.wait_for_answer()
    shoot(driver, folder, "4-quotes")
    driver.close()


def shoot_trying(driver: Driver, folder: Path) -> None:
    """Save the search test: what was found under other options, and why something was not."""
    driver.window.centre.show_bench()
    sheet, trying = driver.window.centre.bench.sheet(SearchTestPage), driver.context.trying
    assert isinstance(sheet, SearchTestPage)
    sheet.face.question.setText("Why did fuel costs fall in 2024?")
    sheet.face.run.click()
    wait_for(lambda: trying.result is not None)
    sheet.face.options_button.setChecked(True)
    sheet.face.options.try_value("retrieval.candidates", 10)
    wait_for(lambda: trying.result is not None and trying.result.is_compared)
    pause(100)
    shoot(driver, folder, "11-search-test")
    sheet.face.options_button.setChecked(False)
    sheet.follow(PassageTarget(text="Restore the lens of 1887"))
    wait_for(lambda: trying.way is not None and trying.way.verdict is not None)
    pause(100)
    shoot(driver, folder, "11-why")
    sheet.face.options.reset_all()
    wait_for(lambda: not trying.is_busy and not trying.is_asking)
    driver.window.centre.show_chat()


def with_model(
    app: QApplication, folder: Path, data_dir: Path, ollama: OllamaDouble, look: Look
) -> None:
    """A streamed answer, its sources, the document at the marked passage, a text document."""
    driver = begun(app, data_dir, look, ollama.url)
    broken = data_dir.parent / "scan.pdf"
    broken.write_bytes(b"%PDF-1.4 not really")
    driver.drop(broken)
    driver.wait_until_read(8)
    driver.window.side.library.tree.expandAll()
    shoot_health(driver, folder)
    with experts_tools(driver):
        shoot_comparison(driver, folder, ollama)
    ollama.say(Script(ANSWER, pace=0.03))
    driver.ask("Why did fuel costs fall in 2024?")
    wait_for(lambda: driver.turn is not None and len(driver.turn.text) > 150)
    shoot(driver, folder, "5-streaming")
    turn = driver.wait_for_answer()
    has_room = not driver.window.panes.is_narrow  # else the sources would cover the answer
    if has_room:
        driver.window.panes.open_sources()
        driver.window.sources.model.toggle()
    pause(100)
    shoot(driver, folder, "6-answer")
    if has_room:
        driver.window.panes.turn_sources()
    driver.window.chat._grant(TurnAction(transcript_links.NOTE, 0))
    wait_for(lambda: len(driver.context.notes.rows) == 1)
    driver.window.centre.show_notes()
    pause(300)
    shoot(driver, folder, "12-notes")
    driver.window.centre.show_chat()
    driver.window.sources.open_citation(turn, 1)
    wait_for(driver.window.sources.viewer.page_view.mark_rects)
    pause(600)
    shoot(driver, folder, "7-page")
    ollama.say("一线城市的住宿标准是多少？")
    ollama.say("一线城市每晚不超过550元，其他城市每晚不超过380元 [1]。")
    driver.ask("一线城市的住宿标准是多少？")
    turn = driver.wait_for_answer()
    driver.window.sources.open_citation(turn, 1)
    pause(600)
    driver.window.centre.back_to_chat()
    pause(100)
    shoot(driver, folder, "8-text")
    shoot_small(driver, folder, turn)
    driver.window.resize(*look.size)
    shoot_dialogs(driver, folder)
    with experts_tools(driver):
        shoot_evaluation(driver, folder)
        shoot_settings(driver, folder)
        shoot_timelines(driver, folder, ollama)
    driver.close()


def shoot_small(driver: Driver, folder: Path, turn: Turn) -> None:
    """Save every mode on a small screen, and a document that a turn cites in it."""
    window = driver.window
    window.resize(900, 600)
    window.sources.open_citation(turn, 1)
    pause(600)
    shoot(driver, folder, "13-small-document")
    window.sources.close_document()
    for mode in (Mode.HOME, Mode.ASK, Mode.LIBRARY, Mode.NOTES):
        window.centre.show_mode(mode)
        pause(200)
        shoot(driver, folder, f"13-small-{mode}")
    window.centre.show_chat()


@contextmanager
def experts_tools(driver: Driver) -> Iterator[None]:
    """Show what experts see while the body runs."""
    driver.context.settings.change("window.expert_tools", True)
    try:
        yield
    finally:
        driver.context.settings.change("window.expert_tools", False)


def shoot_health(driver: Driver, folder: Path) -> None:
    """Save the page of what the files lack: one is damaged."""
    driver.window.centre.show_health()
    wait_for(driver.window.centre.health.cards[HealthKind.FAILED].isVisible)
    pause(200)
    shoot(driver, folder, "3-health")
    driver.window.centre.show_chat()


def shoot_comparison(driver: Driver, folder: Path, ollama: OllamaDouble) -> None:
    """Save the page of the workbench where two ways have answered."""
    driver.window.centre.show_bench()
    bench = driver.window.centre.bench
    bench.show_sheet(LAB_PAGES.index(ComparePage))
    sheet = narrow(bench.sheet(ComparePage), ComparePage)
    ollama.say(ANSWER, "It fell by **30 %** [1], and the ferries were painted.")
    sheet.question.edit.setPlainText("Why did fuel costs fall in 2024?")
    sheet.question.go.click()
    comparing = driver.context.comparing
    wait_for(lambda: comparing.comparison.question and not comparing.comparison.is_running)
    pause(300)
    shoot(driver, folder, "11-compare")
    driver.window.centre.show_chat()


def begun(app: QApplication, data_dir: Path, look: Look, host: str = "") -> Driver:
    """Return an open window of the wanted look."""
    wanted = {
        "window__theme": look.theme,
        "window__language": look.language,
        "window__expert_tools": "false",
    }
    driver = Driver(app, data_dir, **wanted, **({"ollama__host": host} if host else {}))
    driver.open()
    driver.window.resize(*look.size)
    QCursor.setPos(driver.window.mapToGlobal(QPoint(*look.size) - QPoint(3, 3)))  # on nothing
    return driver


def shoot_evaluation(driver: Driver, folder: Path) -> None:
    """Save an answer as a test question, measure on it twice, and show what was saved."""
    for turn in range(len(driver.context.chat.transcript.turns)):
        driver.window.chat._grant(TurnAction(transcript_links.TEST, turn))
        pause(100)
        dialog = driver.window.findChildren(QuestionDialog)[-1]
        dialog.grab().save(str(folder / "11-test-question.png"))
        dialog._save()
        pause(200)
    driver.window.centre.show_bench()
    sheet = narrow(driver.window.centre.bench.sheet(EvaluationPage), EvaluationPage)
    driver.window.centre.bench.show_sheet(LAB_PAGES.index(EvaluationPage))
    wait_for(sheet.row.go.isEnabled)
    for runs in (1, 2):
        sheet.row.go.click()
        wait_for(lambda: len(driver.context.measuring.record.runs) == runs)  # noqa: B023 - called at once
    pause(300)
    shoot(driver, folder, "11-evaluation")
    driver.window.centre.show_chat()


def shoot_settings(driver: Driver, folder: Path) -> None:
    """Save the pages of the settings that are more than rows, and one that is rows."""
    driver.window.settings.open_ollama()
    dialog = present(driver.window.findChild(SettingsDialog))
    wait_for(lambda: isinstance(driver.context.ollama.server, ServerFound))
    wait_for(lambda: all(page.is_filled for page in dialog.pages))
    for section in ("retrieval", "ollama", "privacy"):
        dialog.show_page(section)
        pause(300)
        dialog.grab().save(str(folder / f"9-settings-{section}.png"))
    dialog.close()


def shoot_dialogs(driver: Driver, folder: Path) -> None:
    """Save the list of keys, and the dialog of what went wrong."""
    box = ErrorDialog(folder, driver.window)
    box.tell(ValueError(), 2, "report")
    for name, dialog in (("keys", ShortcutsDialog(driver.window)), ("fault", box)):
        dialog.open()
        pause(100)
        dialog.grab().save(str(folder / f"10-{name}.png"))
        dialog.close()


def shoot_timelines(driver: Driver, folder: Path, ollama: OllamaDouble) -> None:
    """Save how FLARE, IRCoT and linked hops came to their answers."""
    driver.window.sources.close_document()
    driver.window.centre.show_chat()
    for name, strategy, question, said in (
        ("flare", "flare_direct", FERRY, look_ahead()),
        ("ircot", "ircot", FERRY, reasoning()),
        ("hops", "linked_hops", "Which vessel cut the fuel used?", (SURE,)),
    ):
        ollama.say(*said)
        ask(driver, strategy, question)
        turn = driver.wait_for_answer()
        unfold(driver)
        view = driver.window.chat.view
        if name == "ircot":
            at = [each for each, step in enumerate(turn.trace) if isinstance(step, PassagesFound)]
            view.toggle_hits(0, at[-1])
        view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
        pause(200)
        shoot(driver, folder, f"11-{name}")


def shoot(driver: Driver, folder: Path, name: str) -> None:
    """Save the window as it looks now."""
    driver.window.grab().save(str(folder / f"{name}.png"))


if __name__ == "__main__":
    main()
