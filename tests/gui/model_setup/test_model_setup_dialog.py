"""A language model set up step by step, as a person does, over a double of Ollama."""

from __future__ import annotations

from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rag.gui.controllers.llm_health import Ready
from desktop_rag.gui.controllers.model_setup import (
    ModelAnswered,
    ModelAnswering,
    ModelFailed,
    StartFailed,
)
from desktop_rag.gui.controllers.ollama import Pulled, Pulling
from desktop_rag.gui.model_setup.model_setup_dialog import (
    CHOICE,
    FINISH,
    SERVER,
    ModelSetupDialog,
)
from desktop_rag.gui.settings.page_factory import ModelSetupRow
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.widgets.web_link_dialog import WebLinkDialog
from testing.narrowing import narrow, present
from testing.ollama_double import DoubleModel, OllamaDouble, Script, fail
from testing.ollama_double.models import CHAT, EMBEDDING
from testing.window_driver import Driver, pause, wait_for
from tests.gui.model_setup.ollama_program import OllamaProgram
from tests.gui.model_setup.setup_driver import CLOUD, SetupDriver
from tests.gui.test_text_fits import SIZES, settled


def test_the_whole_way_from_no_ollama_to_the_model_in_use(
    without: SetupDriver, program: OllamaProgram
) -> None:
    dialog, choice = without.dialog, without.dialog.choice
    best = present(without.setup.computer).recommended.name
    assert choice.chosen == best
    assert 2 <= len(without.names) <= 3
    assert "GB of memory" in choice.facts.text()
    without.choose("qwen3:4b")
    dialog.next.click()
    assert dialog.step == SERVER
    wait_for(lambda: "not installed" in dialog.server.state.text())
    assert not dialog.server.start.isVisibleTo(dialog)
    program.install(pace=0.3)
    wait_for(lambda: dialog.server.start.isVisibleTo(dialog))
    dialog.server.start.click()
    assert "starting" in dialog.server.state.text()
    wait_for(lambda: dialog.step == FINISH)  # by itself
    pull = dialog.finish.pull
    assert not dialog.next.isEnabled()
    pull.fetch.click()
    wait_for(lambda: "of 2.6 GB" in pull.state.text())
    pull.pause.click()
    assert "Paused" in pull.state.text()
    pull.fetch.click()
    wait_for(lambda: isinstance(without.setup.answer, ModelAnswered))  # asked by itself
    assert dialog.finish.question.state.text() == "It works."
    assert dialog.finish.question.answer.text() == "Paris."
    assert dialog.next.text() == "Use it"
    dialog.next.click()
    assert without.context.settings.value("ollama.model") == "qwen3:4b"
    wait_for(lambda: isinstance(without.context.health.health, Ready))
    wait_for(lambda: not without.driver.window.chat.banner.isVisible())
    wait_for(lambda: not shiboken6.isValid(dialog))


def test_how_it_is_installed_is_told_with_page_and_command(without: SetupDriver) -> None:
    dialog = without.dialog
    dialog.next.click()
    wait_for(lambda: dialog.server.command.isVisibleTo(dialog))
    command = present(without.setup.installation).command
    assert dialog.server.command.command.text() == command
    dialog.server.command.copy.click()
    assert QGuiApplication.clipboard().text() == command
    assert "/usr/local" in dialog.server.effect.text() or "package" in dialog.server.effect.text()
    dialog.server.page.click()
    link = present(dialog.findChild(WebLinkDialog))
    assert "https://ollama.com/download" in link.shown.toPlainText()
    link.reject()


def test_a_start_that_fails_is_told_and_can_be_tried_again(
    without: SetupDriver, program: OllamaProgram
) -> None:
    program.install_script("exit 3")
    page = without.dialog.server
    without.dialog.next.click()
    wait_for(lambda: page.start.isVisibleTo(page))
    page.start.click()
    wait_for(lambda: isinstance(without.setup.start_state, StartFailed))
    assert "with status 3" in page.failure.text()
    assert "ollama serve" in page.failure.text()
    program.install()
    page.start.click()
    assert not page.failure.isVisibleTo(page)
    wait_for(lambda: without.dialog.step == FINISH)


def test_a_start_can_be_stopped(without: SetupDriver, program: OllamaProgram) -> None:
    program.install_script("exec /bin/sleep 60")
    page = without.dialog.server
    without.dialog.next.click()
    wait_for(lambda: page.start.isVisibleTo(page))
    page.start.click()
    wait_for(lambda: without.setup._process is not None)
    process = present(without.setup._process)
    page.stop.click()
    wait_for(lambda: process.exit_status is not None)
    assert page.start.isVisibleTo(page)
    assert without.dialog.step == SERVER


def test_a_server_that_has_models_leads_back_to_the_choice(
    without: SetupDriver, program: OllamaProgram
) -> None:
    program.install("mistral:7b")
    dialog = without.dialog
    dialog.next.click()
    wait_for(lambda: dialog.server.start.isVisibleTo(dialog))
    dialog.server.start.click()
    wait_for(lambda: dialog.step == CHOICE)
    assert "has models already" in dialog.choice.found.text()
    assert dialog.choice.chosen == "mistral:7b"
    dialog.next.click()
    wait_for(lambda: dialog.finish.works)


def test_who_has_models_chooses_one_and_it_is_asked_with_its_context(
    hands: SetupDriver, ollama: OllamaDouble
) -> None:
    ollama.say("Paris it is.")
    dialog = hands.dialog
    assert (hands.names[0], hands.names[-1]) == (CHAT.name, CLOUD.name)
    assert EMBEDDING.name not in hands.names
    assert dialog.choice.chosen == CHAT.name
    dialog.next.click()
    assert dialog.step == FINISH
    wait_for(lambda: dialog.finish.works)
    (asked,) = ollama.chats
    assert asked.options["num_ctx"] == hands.context.settings.settings.ollama.num_ctx
    assert asked.messages == [{"role": "user", "content": "What is the capital of France?"}]
    assert dialog.finish.question.answer.text() == "Paris it is."
    assert "The first word came after" in dialog.finish.question.about.text()
    dialog.next.click()
    wait_for(lambda: narrow(hands.context.health.health, Ready).usual == CHAT.name)


def test_very_many_models_and_odd_names_are_no_trouble(
    qapp: QApplication, tmp_path: Path, ollama: OllamaDouble
) -> None:
    odd = f"r&d/{'long-' * 30}<b>name</b>:7b"
    for name in (*(f"model{number}:7b" for number in range(60)), odd):
        ollama.models[name] = DoubleModel(name)
    hands = SetupDriver(qapp, tmp_path / "home", ollama.url, ollama__model=odd)
    hands.wait_until_found()
    assert hands.dialog.choice.chosen == odd
    assert hands.dialog.choice.rows[0].radio.text().startswith("r&&d/long-")
    assert len(hands.names) < 40
    assert settled(hands.dialog) == []
    hands.type_name("model59:7b")
    hands.dialog.next.click()
    wait_for(lambda: hands.dialog.finish.works)
    assert ollama.to("/api/pull") == []
    hands.driver.close()


def test_the_question_can_be_stopped_and_asked_again(
    hands: SetupDriver, ollama: OllamaDouble
) -> None:
    ollama.say(Script("Paris is the capital.", pace=30.0), "Paris.")
    dialog, question = hands.dialog, hands.dialog.finish.question
    dialog.next.click()
    wait_for(question.answer.text)
    assert isinstance(hands.setup.answer, ModelAnswering)
    question.stop.click()
    wait_for(lambda: ollama.chats[0].abandoned)
    assert not dialog.next.isEnabled()
    question.again.click()
    wait_for(dialog.next.isEnabled)


def test_a_model_that_cannot_answer_is_told_with_a_remedy(
    hands: SetupDriver, ollama: OllamaDouble
) -> None:
    ollama.say(fail(500, "model requires more system memory (9 GiB) than is available"), "", "Hm.")
    dialog, question = hands.dialog, hands.dialog.finish.question
    dialog.next.click()
    wait_for(lambda: isinstance(hands.setup.answer, ModelFailed))
    assert "not enough memory" in question.about.text()
    assert "smaller model" in question.about.text()
    assert not dialog.next.isEnabled()
    question.again.click()
    wait_for(lambda: "answered nothing" in question.about.text())
    question.again.click()
    wait_for(dialog.next.isEnabled)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("", "broke off"),
        ("write: no space left on device", "no room on the disk"),
        ("dial tcp: lookup registry.ollama.ai: no such host", "does not reach its library"),
    ],
)
def test_a_download_that_fails_says_why_and_goes_on_where_it_was(
    hands: SetupDriver, ollama: OllamaDouble, error: str, said: str
) -> None:
    ollama.pullable["qwen3:4b"] = DoubleModel("qwen3:4b", size=2_600_000_000)
    ollama.pull_error = error
    hands.choose("qwen3:4b")
    hands.dialog.next.click()
    pull = hands.dialog.finish.pull
    pull.fetch.click()
    wait_for(lambda: said in pull.about.text())
    assert pull.fetch.text() == "Try again"
    assert ollama.partial == {"qwen3:4b": 2}
    ollama.pull_error = None
    pull.fetch.click()
    wait_for(lambda: hands.dialog.finish.works)


def test_an_ollama_that_ended_meanwhile_is_looked_for_again(
    hands: SetupDriver, ollama: OllamaDouble
) -> None:
    ollama.pullable["qwen3:4b"] = DoubleModel("qwen3:4b", size=2_600_000_000)
    hands.choose("qwen3:4b")
    hands.dialog.next.click()
    ollama.stop()
    hands.dialog.finish.pull.fetch.click()
    wait_for(lambda: "does not answer" in hands.dialog.finish.pull.about.text())
    hands.dialog.back.click()
    hands.dialog.next.click()
    assert hands.dialog.step == SERVER
    ollama.start()
    wait_for(lambda: hands.dialog.step == FINISH)
    assert hands.dialog.finish.model == "qwen3:4b"


def test_a_name_that_the_library_does_not_know_is_said(hands: SetupDriver) -> None:
    hands.type_name("nosuch")
    assert hands.dialog.choice.chosen == "nosuch"
    hands.dialog.next.click()
    hands.dialog.finish.pull.fetch.click()
    wait_for(lambda: "has no model nosuch" in hands.dialog.finish.pull.about.text())
    hands.dialog.back.click()
    hands.dialog.choice.name.clear()
    hands.dialog.choice.name.textEdited.emit("")
    assert not hands.dialog.next.isEnabled()


def test_a_download_goes_on_when_the_window_is_closed_and_is_shown_again(
    hands: SetupDriver, ollama: OllamaDouble
) -> None:
    ollama.pullable["qwen3:4b"] = DoubleModel("qwen3:4b", size=2_600_000_000)
    ollama.pull_pace = 0.3
    hands.choose("qwen3:4b")
    hands.dialog.next.click()
    hands.dialog.finish.pull.fetch.click()
    wait_for(lambda: narrow(hands.context.ollama.download, Pulling).completed)
    hands.dialog.leave.click()
    wait_for(lambda: not shiboken6.isValid(hands.dialog))
    hands.open()
    assert hands.dialog.step == FINISH
    assert "qwen3:4b" in hands.dialog.finish.pull.state.text()
    wait_for(lambda: isinstance(hands.context.ollama.download, Pulled))
    wait_for(lambda: hands.dialog.finish.works)


def test_ollama_is_looked_for_only_while_that_page_is_shown(
    qapp: QApplication, tmp_path: Path, ollama: OllamaDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.gui.controllers.model_setup._POLL_MS", 50)
    ollama.trouble["/api/version"] = fail(500, "not yet")
    hands = SetupDriver(qapp, tmp_path / "home", ollama.url)
    before = len(ollama.to("/api/version"))
    hands.dialog.next.click()
    wait_for(lambda: len(ollama.to("/api/version")) > before + 3)
    hands.dialog.back.click()
    pause(300)
    at_rest = len(ollama.to("/api/version"))
    pause(500)
    assert len(ollama.to("/api/version")) == at_rest
    hands.dialog.next.click()
    del ollama.trouble["/api/version"]
    wait_for(lambda: hands.dialog.step != SERVER)
    hands.driver.close()


def press(dialog: QWidget, key: Qt.Key) -> None:
    QTest.keyClick(present(QApplication.focusWidget() or dialog), key)


def tab_to(dialog: ModelSetupDialog, control: QWidget) -> None:
    for _ in range(20):
        if control.hasFocus():
            return
        press(dialog, Qt.Key.Key_Tab)
    raise AssertionError(f"{control} cannot be reached")


def test_the_keyboard_alone_is_enough(without: SetupDriver, program: OllamaProgram) -> None:
    dialog = without.dialog
    dialog.activateWindow()
    wait_for(dialog.isActiveWindow)
    names, chosen = without.names, dialog.choice.chosen
    at = names.index(chosen)
    assert dialog.choice.rows[at].radio.hasFocus()  # what is recommended
    press(dialog, Qt.Key.Key_Up)
    assert dialog.choice.chosen == names[at - 1]
    press(dialog, Qt.Key.Key_Down)
    assert dialog.choice.chosen == chosen
    press(dialog, Qt.Key.Key_Tab)
    assert dialog.choice.name.hasFocus()
    press(dialog, Qt.Key.Key_Tab)
    assert dialog.leave.hasFocus()
    tab_to(dialog, dialog.choice.name)
    QTest.keyClicks(dialog.choice.name, "qwen3:4b")
    assert dialog.choice.chosen == "qwen3:4b"
    program.install()
    press(dialog, Qt.Key.Key_Return)
    assert dialog.step == SERVER
    wait_for(lambda: dialog.server.start.isVisibleTo(dialog))
    tab_to(dialog, dialog.server.start)
    press(dialog, Qt.Key.Key_Space)
    wait_for(lambda: dialog.step == FINISH)
    assert dialog.finish.pull.fetch.hasFocus()
    press(dialog, Qt.Key.Key_Return)
    wait_for(lambda: dialog.finish.works)
    assert dialog.next.hasFocus()
    press(dialog, Qt.Key.Key_Return)
    assert without.context.settings.value("ollama.model") == "qwen3:4b"


def test_escape_closes_it_and_it_is_freed(without: SetupDriver) -> None:
    dialog = without.dialog
    dialog.next.click()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    wait_for(lambda: not shiboken6.isValid(dialog))
    assert not without.setup._watches


def test_the_settings_page_opens_it(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    driver.window.settings.open_ollama()
    settings = present(driver.window.findChild(SettingsDialog))
    wait_for(lambda: settings.findChild(ModelSetupRow) is not None)
    present(settings.findChild(ModelSetupRow)).open.click()
    assert present(settings.findChild(ModelSetupDialog)).isVisible()
    driver.close()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_off(
    qapp: QApplication, tmp_path: Path, ollama: OllamaDouble, language: str, size: str
) -> None:
    hands = SetupDriver(qapp, tmp_path / "home", ollama.url, window__language=language)
    hands.wait_until_found()
    width, height = SIZES[size]
    hands.dialog.resize(min(620, width - 60), min(560, height - 60))
    for name in (CLOUD.name, CHAT.name):
        hands.choose(name)
        pause(60)
        assert settled(hands.dialog) == []
    hands.dialog.next.click()
    wait_for(lambda: hands.dialog.finish.works)
    assert settled(hands.dialog) == []
    hands.dialog._show_step(SERVER)
    wait_for(lambda: hands.setup.installation is not None)
    assert settled(hands.dialog) == []
    hands.driver.close()
