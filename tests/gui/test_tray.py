"""The notification area: its menu, what closing the window means, and what is told when."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from desktop_rag.core.requests import OpenRequest
from desktop_rag.gui import language
from desktop_rag.gui.controllers.ingest_queue import Pause
from desktop_rag.gui.controllers.library import Idle
from desktop_rag.gui.controllers.notifications import AnswerReady, ReadingFinished
from desktop_rag.gui.mode_rail import Mode
from desktop_rag.gui.tray import Tray
from testing.narrowing import narrow, present
from testing.ollama_double import OllamaDouble, Script
from testing.window_driver import SAMPLES, Driver, pause, wait_for

QUESTION = "How many cars does the ferry Solveig carry?"


class Desk:
    """A window with its icon, on a desktop that has a place for it; `said` is what was told."""

    def __init__(self, driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
        self.driver, self.window, self.context = driver, driver.window, driver.context
        self.tray = present(driver.window.findChild(Tray))
        self.said: list[str] = []
        monkeypatch.setattr(Tray, "is_available", True)
        monkeypatch.setattr(self.tray.icon, "showMessage", self._note)
        self.tray.notifications.least_seconds = 0.0
        self.told: list[object] = []
        self.tray.notifications.told.connect(self.told.append)

    def _note(self, title: str, words: str, picture: object) -> None:
        assert title == "Desktop RAG"
        del picture
        self.said.append(words)

    @property
    def is_running(self) -> bool:
        """Whether the program has its data folder still."""
        return (self.context.data_dir / "owner.json").is_file()

    def press_x(self) -> None:
        """Close the window as its own X does."""
        self.window.windowHandle().close()
        pause(20)

    def look_away(self) -> None:
        """Hide the window, and let the program be without an active one."""
        self.context.settings.change("window.keep_running", True)
        self.press_x()
        self.said.clear()
        wait_for(lambda: QApplication.activeWindow() is None)


@pytest.fixture
def desk(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(driver, monkeypatch)


@pytest.fixture
def answering(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Desk, OllamaDouble]]:
    path = tmp_path / "ferry.md"
    path.write_text("# Ferry\n\nThe ferry Solveig carries forty cars.", encoding="utf-8")
    with OllamaDouble() as ollama:
        driver = Driver(qapp, tmp_path / "data", ollama__host=ollama.url)
        driver.open()
        driver.drop(path)
        driver.wait_until_read(1)
        ollama.say("It carries **forty** cars [1].")
        yield Desk(driver, monkeypatch), ollama
        driver.close()


def test_the_x_ends_the_program_unless_something_else_was_chosen(desk: Desk) -> None:
    desk.press_x()
    assert desk.window.isHidden()
    assert not desk.is_running
    assert desk.said == []


def test_where_it_was_chosen_the_x_only_hides_the_window(desk: Desk) -> None:
    desk.context.settings.change("window.keep_running", True)
    desk.press_x()
    assert desk.window.isHidden()
    assert desk.is_running
    assert not QApplication.quitOnLastWindowClosed()
    assert desk.said == ["It keeps running. “Quit” in this icon's menu ends it."]
    desk.tray.open.trigger()
    assert desk.window.isVisible()
    assert QApplication.quitOnLastWindowClosed()
    desk.press_x()
    assert len(desk.said) == 1, "once is enough"
    desk.window.raise_with(OpenRequest())
    assert desk.window.isVisible(), "a second start brings it back"


def test_without_a_place_for_the_icon_the_x_ends_the_program(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.context.settings.change("window.keep_running", True)
    monkeypatch.setattr(Tray, "is_available", False)
    desk.press_x()
    assert not desk.is_running


def test_quit_and_the_end_of_the_session_end_a_program_that_keeps_running(desk: Desk) -> None:
    desk.context.settings.change("window.keep_running", True)
    narrow(QApplication.instance(), QApplication).commitDataRequest.emit(None)
    desk.press_x()
    assert not desk.is_running


def test_quit_ends_a_hidden_program(desk: Desk) -> None:
    desk.look_away()
    desk.tray.quit.trigger()
    assert not desk.is_running


def test_the_menu_says_what_is_read_and_pauses_it(desk: Desk) -> None:
    tray, library = desk.tray, desk.context.library
    wait_for(lambda: tray.state.text() == "Nothing is being read")
    assert not tray.state.isEnabled()
    states: list[str] = []
    tray.state.changed.connect(lambda: states.append(tray.state.text()))
    desk.driver.drop(SAMPLES / "Meeting notes.md")
    desk.driver.wait_until_read(1)
    assert any(each.startswith("Reading files: ") for each in states)
    tray.pause.trigger()
    assert library.pause is Pause.USER
    assert (tray.state.text(), tray.pause.text()) == ("Paused", "Resume reading")
    assert tray.icon.toolTip() == "Desktop RAG\nPaused"
    desk.driver.drop(SAMPLES / "Annual report 2024.pdf")
    wait_for(lambda: tray.state.text() == "Paused · 1 file waits")
    tray.pause.trigger()
    desk.driver.wait_until_read(2)
    wait_for(lambda: tray.pause.text() == "Pause reading")
    wait_for(lambda: tray.state.text() == "Nothing is being read")


def test_a_run_of_several_requests_is_told_once_in_numbers(desk: Desk, tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        for n in range(3):
            (folder / f"{name} {n}.md").write_text(f"# {name} {n}\n\nWords {n}.", encoding="utf-8")
    (tmp_path / "two" / "broken.pdf").write_bytes(b"%PDF-1.4\nno document" + b"x" * 500)
    desk.look_away()
    desk.context.library.add((str(tmp_path / "one"), str(tmp_path / "two")))
    desk.driver.wait_until_read(7)
    wait_for(lambda: desk.said)
    pause(200)
    assert desk.said == ["Reading finished: 6 files read, 1 needs attention"]
    desk.tray.icon.messageClicked.emit()
    assert desk.window.isVisible()
    assert desk.window.centre.mode is Mode.LIBRARY


def test_nothing_is_told_of_what_ends_in_a_pause_or_was_short(desk: Desk) -> None:
    desk.look_away()
    desk.tray.notifications.least_seconds = 3600.0
    desk.driver.drop(SAMPLES / "Meeting notes.md")
    desk.driver.wait_until_read(1)
    desk.tray.notifications.end_run()
    desk.tray.notifications.least_seconds = 0.0
    desk.driver.drop(SAMPLES / "Annual report 2024.pdf")
    desk.driver.wait_until_read(2)
    desk.context.library.pause_reading()
    desk.tray.notifications.end_run()
    assert desk.context.library.activity == Idle()
    assert (desk.said, desk.told) == ([], [])


def test_an_answer_is_told_by_its_question_and_a_click_leads_to_it(
    answering: tuple[Desk, OllamaDouble],
) -> None:
    desk, _ = answering
    desk.driver.ask(QUESTION)
    desk.look_away()
    wait_for(lambda: desk.said)
    assert desk.said == [f"Answer ready: {QUESTION}"]
    asked = present(desk.context.chat.transcript.chat_id)
    desk.context.chat.new()
    desk.window.centre.show_home()
    desk.tray.icon.messageClicked.emit()
    assert desk.window.centre.mode is Mode.ASK
    wait_for(lambda: desk.context.chat.transcript.chat_id == asked)
    wait_for(lambda: desk.context.chat.transcript.turns)
    assert len(desk.told) == 1, "an old conversation that is opened is no news"


def test_whoever_looks_at_the_window_is_told_nothing(
    answering: tuple[Desk, OllamaDouble],
) -> None:
    desk, _ = answering
    desk.window.activateWindow()
    wait_for(desk.window.isActiveWindow)
    desk.driver.ask(QUESTION)
    desk.driver.wait_for_answer()
    assert (len(desk.told), desk.said) == (1, [])


def test_each_kind_is_turned_off_by_itself(desk: Desk) -> None:
    desk.look_away()
    desk.context.settings.change("window.notify_answers", False)
    desk.tray.tell(AnswerReady("Why?", 1))
    desk.tray.tell(ReadingFinished(1, 0))
    assert desk.said == ["Reading finished: 1 file read"]
    desk.context.settings.change("window.notify_reading", False)
    desk.tray.tell(ReadingFinished(2, 1))
    assert len(desk.said) == 1


def test_a_stopped_answer_is_no_news(answering: tuple[Desk, OllamaDouble]) -> None:
    desk, ollama = answering
    ollama.scripted.queue.clear()
    ollama.say(Script("It carries " + "very " * 400 + "many cars [1].", pace=0.02))
    desk.driver.ask(QUESTION)
    wait_for(lambda: present(desk.driver.turn).text)
    desk.context.chat.stop()
    desk.driver.wait_for_answer()
    assert desk.told == []


def test_a_long_question_is_shortened_and_all_is_said_in_chinese(
    qapp: QApplication, desk: Desk
) -> None:
    language.speak(qapp, "zh")
    desk.tray.speak_anew()
    wait_for(lambda: desk.tray.state.text() == "没有正在读取的文件")
    shown = [each.text() for each in desk.tray.menu.actions() if not each.isSeparator()]
    assert shown == ["没有正在读取的文件", "暂停读取", "打开 Desktop RAG", "退出"]
    words = desk.tray.words_of(AnswerReady("为什么\n" * 100, 1))
    assert words.startswith("回答已就绪：为什么 为什么")
    assert words.endswith("…")
    assert len(words) < 140
    done = desk.tray.words_of(ReadingFinished(12, 2))
    assert done == "读取完成：已读取 12 个文件，2 个需要处理"


def test_a_click_on_the_icon_brings_the_window_back(desk: Desk) -> None:
    desk.look_away()
    desk.tray.icon.activated.emit(desk.tray.icon.ActivationReason.Trigger)
    assert desk.window.isVisible()
    desk.tray.menu.popup(QPoint(0, 0))
    assert desk.tray.menu.isVisible()
    desk.tray.menu.close()


def test_words_of_documents_and_markup_are_not_told(desk: Desk) -> None:
    assert desk.tray.words_of(AnswerReady("", None)) == "An answer is ready"
    told = desk.tray.words_of(AnswerReady("What does <b>head</b> do \u202e?", None))
    assert "\u202e" not in told
    assert ("<b>" in told) is (sys.platform != "linux")


def test_a_question_that_quotes_a_document_is_not_told(
    answering: tuple[Desk, OllamaDouble],
) -> None:
    desk, _ = answering
    news: list[object] = []
    desk.tray.notifications.told.connect(news.append)
    desk.driver.ask("“The ferry Solveig carries forty cars.”\nWhy?")
    desk.driver.wait_for_answer()
    wait_for(lambda: news)
    assert [each.question for each in news if isinstance(each, AnswerReady)] == [""]
