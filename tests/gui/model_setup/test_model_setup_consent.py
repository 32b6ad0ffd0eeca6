"""Models that run elsewhere are refused until their user agrees."""

from __future__ import annotations

from pathlib import Path

import shiboken6
from PySide6.QtWidgets import QApplication

from desktop_rag.core.cancel import CancelToken
from desktop_rag.gui.consent_dialog import ConsentDialog
from desktop_rag.gui.controllers.ollama import Pulled
from testing.narrowing import narrow, present
from testing.ollama_double import DoubleModel, OllamaDouble
from testing.window_driver import pause, wait_for
from tests.gui.model_setup.setup_driver import CLOUD, SetupDriver

FAR = "http://203.0.113.7:11434"


def given(hands: SetupDriver) -> list[tuple[str, str]]:
    consents = hands.context.folder.get(CancelToken()).catalog.consents.all()
    return [(each.kb, each.place) for each in consents]


def answer_consent(hands: SetupDriver, *, allows: bool) -> None:
    hands.dialog.notice.allow.click()
    box = present(hands.dialog.findChild(ConsentDialog))
    assert box.defaultButton() is box.decline
    (box.allow if allows else box.decline).click()
    wait_for(lambda: not shiboken6.isValid(box))


def test_a_model_in_the_cloud_is_refused_until_it_is_allowed(
    hands: SetupDriver, ollama: OllamaDouble
) -> None:
    dialog = hands.dialog
    assert not dialog.notice.isVisibleTo(dialog)
    hands.choose(CLOUD.name)
    assert "https://ollama.com:443" in dialog.notice.text.text()
    chosen = next(row.radio for row in dialog.choice.rows if row.radio.isChecked())
    pause(200)  # the notice takes room
    assert not chosen.visibleRegion().isEmpty()
    assert not dialog.next.isEnabled()
    hands.setup.ask(CLOUD.name, "Are you there?")  # nor by any other way
    answer_consent(hands, allows=False)
    assert not dialog.next.isEnabled()
    assert (given(hands), ollama.passed_on) == ([], [])
    answer_consent(hands, allows=True)
    wait_for(dialog.next.isEnabled)
    assert given(hands) == [("default", "https://ollama.com:443")]
    dialog.next.click()
    wait_for(lambda: dialog.finish.works)
    assert [each.model for each in ollama.passed_on] == [CLOUD.name]
    assert dialog.notice.isVisibleTo(dialog)


def test_a_name_of_the_cloud_that_is_typed_is_refused_as_well(
    hands: SetupDriver, ollama: OllamaDouble
) -> None:
    hands.type_name("glm:cloud")
    assert hands.dialog.notice.allow.isVisibleTo(hands.dialog)
    assert not hands.dialog.next.isEnabled()
    hands.context.ollama.pull("glm:cloud")  # as the settings' page can
    wait_for(lambda: isinstance(hands.context.ollama.download, Pulled))
    assert "not on this computer" in narrow(hands.context.ollama.download, Pulled).what
    assert ollama.to("/api/pull") == []


def test_a_model_that_turns_out_to_be_in_the_cloud_is_not_asked(
    hands: SetupDriver, ollama: OllamaDouble
) -> None:
    ollama.pullable["sly:7b"] = DoubleModel("sly:7b", remote_host=CLOUD.remote_host)
    hands.type_name("sly:7b")
    assert not hands.dialog.notice.isVisibleTo(hands.dialog)
    hands.dialog.next.click()
    hands.dialog.finish.pull.fetch.click()
    wait_for(lambda: hands.dialog.finish.pull.is_there)
    question = hands.dialog.finish.question
    assert question.state.text() == "It is not asked before you allow it."
    assert not question.again.isEnabled()
    assert ollama.passed_on == []
    answer_consent(hands, allows=True)
    wait_for(question.again.isEnabled)
    question.again.click()
    wait_for(lambda: hands.dialog.finish.works)


def test_another_computer_is_not_called_before_it_is_allowed(
    qapp: QApplication, tmp_path: Path, only_loopback: list[str]
) -> None:
    hands = SetupDriver(qapp, tmp_path / "home", FAR)
    assert FAR in hands.dialog.notice.text.text()
    assert FAR in hands.dialog.choice.facts.text()
    assert not hands.dialog.next.isEnabled()
    pause(300)
    assert only_loopback == []
    answer_consent(hands, allows=True)
    wait_for(hands.dialog.next.isEnabled)
    hands.dialog.next.click()
    wait_for(lambda: set(only_loopback) == {"socket.connect 203.0.113.7"})
    assert not hands.dialog.server.start.isVisibleTo(hands.dialog)
    assert "another computer" in hands.dialog.server.state.text()
    hands.driver.close()
    only_loopback.clear()


def test_the_switch_wins_over_consent(
    qapp: QApplication, tmp_path: Path, only_loopback: list[str]
) -> None:
    hands = SetupDriver(qapp, tmp_path / "home", FAR, privacy__block_remote="true")
    assert "blocked" in hands.dialog.notice.text.text()
    assert not hands.dialog.notice.allow.isVisibleTo(hands.dialog)
    assert not hands.dialog.next.isEnabled()
    assert only_loopback == []
    hands.driver.close()
