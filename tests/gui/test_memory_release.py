"""What is closed is freed: over a day the window holds no more than after its first minutes."""

from __future__ import annotations

import gc
import shutil
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QDialog

from desktop_rag.gui.controllers.jobs import Job
from desktop_rag.gui.lab.compare_controller import AnswerMethod
from desktop_rag.gui.lab.compare_page import ComparePage
from desktop_rag.gui.lab.lab_tabs import LAB_PAGES
from desktop_rag.gui.lab.search_test_values import PassageTarget
from desktop_rag.gui.theme import Theme
from testing.narrowing import narrow, present
from testing.window_driver import SAMPLES, Driver, pause, wait_for

ROUNDS = 12
ACTS = (
    "settings",
    "shortcuts",
    "conversation",
    "pages",
    "text",
    "files",
    "search",
    "trying",
    "comparison",
)


class Day:
    """A window with two documents and two answers, and what is done in it again and again."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        self.app = app
        documents = folder / "documents"
        documents.mkdir()
        for name in ("Annual report 2024.pdf", "Meeting notes.md"):
            shutil.copy(SAMPLES / name, documents)
        self.driver = Driver(app, folder / "data")
        self.driver.open()
        self.driver.drop(documents)
        self.driver.wait_until_read(2)
        for question in ("By how much did fuel and power fall?", "How many litres has the tank?"):
            self.driver.ask(question)
            self.driver.wait_for_answer()
        self.window = self.driver.window
        self.chat = self.driver.context.chat
        self.turns = self.chat.transcript.turns
        pause(500)
        self.lasting = self.jobs()

    def settings(self) -> None:
        self.window.settings.open()
        self.close_dialog()

    def shortcuts(self) -> None:
        self.window._show_keys()
        self.close_dialog()

    def conversation(self) -> None:
        chat_id = present(self.chat.transcript.chat_id)
        self.chat.new()
        wait_for(lambda: not self.chat.transcript.turns)
        self.chat.open(chat_id)
        wait_for(lambda: self.chat.transcript.turns)

    def pages(self) -> None:
        self.open_source(0)
        wait_for(self.window.sources.viewer.page_view.mark_rects)
        self.window.sources.close_document()

    def text(self) -> None:
        self.open_source(1)
        wait_for(self.window.sources.viewer.text_view.extraSelections)
        self.window.sources.close_document()

    def files(self) -> None:
        self.window.centre.show_files()
        wait_for(lambda: self.window.centre.files.model.rowCount() == 2)
        self.window.centre.back_to_chat()

    def trying(self) -> None:
        self.window.centre.show_bench()
        trying = self.driver.context.trying
        trying.forget()
        self.window.centre.bench.follow(PassageTarget(text="water tank"))
        wait_for(lambda: trying.way is not None and trying.way.verdict is not None)
        self.window.centre.back_to_chat()

    def search(self) -> None:
        self.window.find_bar.search_in(self.window.chat.view)
        self.window.find_bar.leave()

    def comparison(self) -> None:
        """Look at the comparison, with one way more for a while, and at a way's menu."""
        self.window.centre.show_bench()
        bench, comparing = self.window.centre.bench, self.driver.context.comparing
        bench.show_sheet(LAB_PAGES.index(ComparePage))
        comparing.add(AnswerMethod("thorough"))
        for column in narrow(bench.sheet(ComparePage), ComparePage).columns:
            column.how.menu().aboutToShow.emit()
        comparing.remove(2)
        self.window.centre.back_to_chat()

    def open_source(self, number: int) -> None:
        turn = self.turns[number]
        self.window.sources.open_citation(turn, turn.citations[0].n)

    def close_dialog(self) -> None:
        wait_for(self.dialogs)
        pause(50)  # until it has filled its pages
        for dialog in self.dialogs():
            dialog.close()
        wait_for(lambda: not self.dialogs())

    def dialogs(self) -> list[QDialog]:
        return self.window.findChildren(QDialog)

    def jobs(self) -> int:
        """Count the work under way; following folders lasts as long as the window."""
        return len(self.driver.context.findChildren(Job))

    def held(self) -> dict[str, int]:
        """Count what Qt holds for the window and the application, by class, once work is done."""
        pause(50)
        until = time.monotonic() + 30
        while self.jobs() > self.lasting and time.monotonic() < until:
            pause(50)  # pages that nobody looks at any more are still being painted
        roots: tuple[QObject, ...] = (self.window, self.driver.context, self.app)
        counted: dict[str, int] = {}
        for each in (child for root in roots for child in root.findChildren(QObject)):
            name = each.metaObject().className()
            counted[name] = counted.get(name, 0) + 1
        return counted


@pytest.fixture(scope="module")
def day(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Day]:
    made = Day(qapp, tmp_path_factory.mktemp("day"))
    yield made
    made.driver.close()


@pytest.mark.parametrize("act", ACTS)
def test_what_is_opened_and_closed_again_and_again_leaves_nothing(day: Day, act: str) -> None:
    do: Callable[[], None] = getattr(day, act)
    for _ in range(3):
        do()
    before = day.held()
    for _ in range(ROUNDS):
        do()
    after = day.held()
    grown = {name: after[name] - before.get(name, 0) for name in after}
    assert {name: more for name, more in grown.items() if more >= ROUNDS // 2} == {}


def widgets(app: QApplication) -> set[int]:
    """Name the widgets that there are by where Qt has them."""
    return {shiboken6.getCppPointer(each)[0] for each in app.allWidgets()}


def test_a_window_that_is_closed_is_freed_with_all_it_made(
    qapp: QApplication, tmp_path: Path
) -> None:
    themes = len(qapp.findChildren(Theme))
    known = widgets(qapp)
    driver = Driver(qapp, tmp_path / "data")
    driver.open()
    window, context = weakref.ref(driver.window), weakref.ref(driver.context)
    driver.close()
    del driver
    gc.unfreeze()  # what was loaded while the window was open is kept from the collector
    gc.collect()
    assert (window(), context()) == (None, None)
    assert widgets(qapp) <= known
    assert len(qapp.findChildren(Theme)) == themes
