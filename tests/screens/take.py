"""Take the window's pictures: `python -m tests.screens.take FOLDER [--dark]`.

Reads the sample documents into a fresh data folder, asks questions of them (the answers come from
the Ollama double) and saves one PNG a screen. Works with `QT_QPA_PLATFORM=offscreen`, too.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop_rag.ui.theme import Theme
from tests.ollama_double.script import Script
from tests.ollama_double.server import OllamaDouble
from tests.ui.driving import SAMPLES, Driver, pause, wait_for

ANSWER = """Fuel and power cost **30 % less** than the year before [1]. There are two reasons:

1. The second electric ferry, *Sula*, which cut the fuel used on its route by 71 % [2].
2. Lower prices for diesel [1].

| | 2024 | 2023 |
|---|---|---|
| Fuel and power | 41,300 | 58,700 |
| Operating result | 61,250 | 38,420 |
"""


def main() -> None:
    """Take every screen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dark", action="store_true")
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    app = QApplication([])
    data_dir = Path(tempfile.mkdtemp(prefix="screens-"))
    try:
        without_model(app, wanted.folder, data_dir / "a", dark=wanted.dark)
        with OllamaDouble() as ollama:
            with_model(app, wanted.folder, data_dir / "b", ollama, dark=wanted.dark)
    finally:
        shutil.rmtree(data_dir, ignore_errors=True)


def without_model(app: QApplication, folder: Path, data_dir: Path, *, dark: bool) -> None:
    """First run, indexing, an answer made of quotes, nothing found."""
    driver = begun(app, data_dir, dark=dark)
    pause(1500)
    shoot(driver, folder, "1-first-run")
    driver.drop(SAMPLES)
    wait_for(lambda: any(row.chunks for row in driver.desk.library.shelf.files))
    pause(300)
    shoot(driver, folder, "2-indexing")
    driver.wait_until_read(7)
    pause(400)
    shoot(driver, folder, "3-ready")
    driver.ask("一线城市的住宿标准是多少？")
    driver.wait_for_answer()
    driver.ask("Who won the world cup in 1998?")
    driver.wait_for_answer()
    shoot(driver, folder, "4-quotes")
    driver.close()


def with_model(
    app: QApplication, folder: Path, data_dir: Path, ollama: OllamaDouble, *, dark: bool
) -> None:
    """A streamed answer, its sources, the document at the marked passage, a text document."""
    driver = begun(app, data_dir, ollama.url, dark=dark)
    broken = data_dir.parent / "scan.pdf"
    broken.write_bytes(b"%PDF-1.4 not really")
    driver.drop(SAMPLES, broken)
    driver.wait_until_read(8)
    ollama.say(Script(ANSWER, pace=0.03))
    driver.ask("Why did fuel costs fall in 2024?")
    wait_for(lambda: driver.turn is not None and len(driver.turn.text) > 150)
    shoot(driver, folder, "5-streaming")
    turn = driver.wait_for_answer()
    driver.window.chat.view.toggle_steps(0)
    driver.window.sources.model.toggle()
    pause(100)
    shoot(driver, folder, "6-answer")
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
    driver.window.side.show_conversations()
    pause(100)
    shoot(driver, folder, "8-text")
    driver.close()


def begun(app: QApplication, data_dir: Path, host: str = "", *, dark: bool) -> Driver:
    """Return an open window of the usual size."""
    driver = Driver(app, data_dir, **({"ollama__host": host} if host else {}))
    for theme in app.findChildren(Theme):
        theme.follow(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
    driver.open()
    driver.window.resize(1320, 840)
    return driver


def shoot(driver: Driver, folder: Path, name: str) -> None:
    """Save the window as it looks now."""
    driver.window.grab().save(str(folder / f"{name}.png"))


if __name__ == "__main__":
    main()
