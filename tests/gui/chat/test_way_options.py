"""The options of a way, in the real window: set, in force, marked, kept, and taken back.

The language model is the double of Ollama; how often it was called is its own count.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from desktop_rag.core import settings_file
from desktop_rag.gui import language
from desktop_rag.gui.chat.way_options_dialog import WayOptionsDialog
from desktop_rag.gui.controllers.transcript import Answered
from desktop_rag.gui.controllers.way_options import AROUND
from desktop_rag.gui.settings.setting_controls import NumberControl, ToggleControl
from desktop_rag.strategies import registry
from desktop_rag.strategies.presets import PRESETS
from testing.narrowing import narrow, present
from testing.ollama_double import OllamaDouble
from testing.ollama_double.quoting import quote_first
from testing.window_driver import Driver, pause, wait_for
from tests.gui.chat.timeline_setup import DOCUMENTS, HALDEN, write_documents

KEY = "answering.options"
WAY = "iter_retgen"
WAYS = [*(each.name for each in PRESETS), *(each.name for each in registry.STRATEGIES)]


def opened(qapp: QApplication, home: Path, ollama: OllamaDouble, width: int = 1280) -> Driver:
    made = Driver(qapp, home, answering__reuse="false", ollama__host=ollama.url)
    made.open()
    made.window.resize(width, 800)
    wait_for(made.window.chat.composer.strategies.count)
    wait_for(made.window.chat.composer.models.count)
    return made


@pytest.fixture(scope="module")
def driver(
    qapp: QApplication, ollama: OllamaDouble, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Driver]:
    """A window that has read four short documents."""
    home = tmp_path_factory.mktemp("options")
    made = opened(qapp, home / "data", ollama)
    made.drop(write_documents(home / "documents"))
    made.wait_until_read(len(DOCUMENTS))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def as_it_was(request: pytest.FixtureRequest, ollama: OllamaDouble) -> Iterator[None]:
    ollama.otherwise = quote_first
    yield
    if "driver" not in request.fixturenames:
        return
    driver = request.getfixturevalue("driver")
    for dialog in driver.window.findChildren(WayOptionsDialog):
        dialog.close()
    driver.context.settings.reset(KEY)
    driver.context.chat.new()
    driver.window.resize(1280, 800)
    pause(30)


def kept(driver: Driver) -> str:
    return str(driver.context.settings.value(KEY))


def shown(driver: Driver, way: str = WAY) -> WayOptionsDialog:
    """Choose a way, and press the button beside it."""
    composer = driver.window.chat.composer
    composer.strategies.choose(way)
    QTest.mouseClick(composer.controls.options, Qt.MouseButton.LeftButton)
    return dialog_of(driver)


def dialog_of(driver: Driver) -> WayOptionsDialog:
    dialogs = driver.window.findChildren(WayOptionsDialog)
    return next(each for each in dialogs if each.isVisible())


def number(dialog: WayOptionsDialog, key: str) -> NumberControl:
    return narrow(dialog.rows[key].control, NumberControl)


def switch(dialog: WayOptionsDialog, key: str) -> ToggleControl:
    return narrow(dialog.rows[key].control, ToggleControl)


def texts(dialog: WayOptionsDialog) -> str:
    return "\n".join(each.text() for each in dialog.findChildren(QLabel) if not each.isHidden())


def test_what_is_set_is_in_force_for_the_next_question(driver: Driver) -> None:
    driver.window.chat.composer.strategies.choose(WAY)
    driver.ask(HALDEN)
    before = driver.wait_for_answer()
    driver.context.chat.new()
    dialog = shown(driver)
    number(dialog, "rounds").setValue(2)
    dialog.close()
    driver.ask(HALDEN)
    after = driver.wait_for_answer()
    outcomes = [narrow(each.outcome, Answered) for each in (before, after)]
    took = [(each.searches, each.llm_calls) for each in outcomes]
    assert took == [(3, 3), (2, 2)]
    assert (before.options, after.options) == ((), ("rounds=2",))
    assert "(ITER-RETGEN) (Rounds: 2)" in driver.window.chat.view.toPlainText()


def test_a_question_asked_again_has_the_options_as_well(driver: Driver) -> None:
    driver.window.chat.composer.strategies.choose(WAY)
    driver.ask(HALDEN)
    driver.wait_for_answer()
    driver.context.settings.change(KEY, f"{WAY}.rounds=1")
    driver.click_link("retry:0")
    assert driver.wait_for_answer().options == ("rounds=1",)


def test_a_transform_is_put_around_the_way_with_options_of_its_own(
    driver: Driver, ollama: OllamaDouble
) -> None:
    dialog = shown(driver, "single_pass")
    passages = dialog.rows["hyde.passages"]
    assert passages.isHidden()
    switch(dialog, AROUND + "hyde").click()
    assert not passages.isHidden()
    number(dialog, "hyde.passages").setValue(2)
    assert kept(driver) == "single_pass.transforms=hyde, single_pass.hyde.passages=2"
    dialog.close()
    ollama.requests.clear()
    driver.ask(HALDEN)
    turn = driver.wait_for_answer()
    assert (turn.transforms, turn.options) == (("hyde",), ("hyde.passages=2",))
    assert len(ollama.chats) == 3, "two passages and the answer"


def test_a_transform_that_goes_takes_its_options_along(driver: Driver) -> None:
    driver.context.settings.change(KEY, "single_pass.transforms=hyde, single_pass.hyde.passages=2")
    dialog = shown(driver, "single_pass")
    switch(dialog, AROUND + "hyde").click()
    assert kept(driver) == ""
    assert dialog.rows["hyde.passages"].isHidden()


def test_the_button_counts_and_tells_what_is_changed(driver: Driver) -> None:
    button = driver.window.chat.composer.controls.options
    driver.window.chat.composer.strategies.choose(WAY)
    assert button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
    driver.context.settings.change(KEY, f"{WAY}.rounds=2, {WAY}.transforms=verify")
    assert button.text() == "2"
    assert button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    told = "Rounds: 2 (default: 3)"
    assert button.toolTip() == f"Options of this way\n{told}\nWith: Verify"
    assert button.accessibleName() == f"Options of this way, {told}, With: Verify"
    driver.window.chat.composer.strategies.choose("react")
    assert button.toolTip() == "Options of this way"


def test_the_defaults_come_back(driver: Driver) -> None:
    driver.context.settings.change(KEY, f"react.k=8, {WAY}.rounds=2, {WAY}.transforms=verify")
    dialog = shown(driver)
    assert dialog.reset.isEnabled()
    QTest.mouseClick(dialog.reset, Qt.MouseButton.LeftButton)
    assert kept(driver) == "react.k=8"
    assert number(dialog, "rounds").value() == 3
    assert not switch(dialog, AROUND + "verify").isChecked()
    assert not dialog.reset.isEnabled()


def test_it_is_kept_over_a_new_start(
    qapp: QApplication, ollama: OllamaDouble, tmp_path: Path
) -> None:
    first = opened(qapp, tmp_path / "data", ollama)
    number(shown(first), "rounds").setValue(2)
    first.close()
    assert settings_file.load(tmp_path / "data").answering.options == f"{WAY}.rounds=2"
    second = opened(qapp, tmp_path / "data", ollama)
    assert number(shown(second), "rounds").value() == 2
    second.close()


def test_what_is_not_possible_is_left_out_and_told(driver: Driver) -> None:
    driver.context.settings.change(KEY, f"{WAY}.rounds=99, {WAY}.gone=1, {WAY}.k=2")
    dialog = shown(driver)
    assert number(dialog, "rounds").value() == 3
    assert number(dialog, "k").value() == 2
    dialog.close()
    driver.ask(HALDEN)
    turn = driver.wait_for_answer()
    assert turn.options == ("k=2",)
    left_out = f"{WAY}.rounds=99, {WAY}.gone=1"
    assert [str(each) for each in turn.notices if "kept" in each] == [
        f"These kept options are not possible, and left out: {left_out}."
    ]
    number(shown(driver), "k").setValue(3)
    assert kept(driver) == f"{WAY}.k=3", "it goes with the next change"


def test_a_preset_says_what_it_is_composed_of_and_has_options_of_its_parts(driver: Driver) -> None:
    dialog = shown(driver, "thorough")
    assert "Composed of: Linked hops. Around it: Several queries, Verify." in texts(dialog)
    assert {"k", "beam", "multi_query.queries", "verify.checks"} <= set(dialog.rows)
    assert not any(key.startswith(AROUND) for key in dialog.rows)
    assert not dialog.rows["verify.checks"].isHidden()
    number(dialog, "verify.checks").setValue(1)
    dialog.close()
    driver.ask(HALDEN)
    turn = driver.wait_for_answer()
    assert (turn.preset, turn.options) == ("thorough", ("verify.checks=1",))
    fast = shown(driver, "fast")
    assert number(fast, "k").value() == 3
    assert "Composed of: Single pass. The best 12 passages are read twice." in texts(fast)


@pytest.mark.parametrize("way", WAYS)
def test_every_option_of_every_way_can_be_set_and_is_said(driver: Driver, way: str) -> None:
    dialog = shown(driver, way)
    for row in dialog.rows.values():
        assert row.setting.title
        assert row.setting.effect
        assert row.control.accessibleName() == row.setting.title
        assert row.control.accessibleDescription().startswith(row.setting.effect)
        assert row.setting.key.startswith(AROUND) or "Default: " in row.texts
    if way in {kind.name for kind in registry.STRATEGIES}:
        offered = {key.removeprefix(AROUND) for key in dialog.rows if key.startswith(AROUND)}
        assert offered == {kind.name for kind in registry.TRANSFORMS} - {"condense"}


def test_every_word_of_it_is_chinese_in_a_chinese_window(
    qapp: QApplication, driver: Driver
) -> None:
    language.speak(qapp, "zh")
    dialog = shown(driver, "self_rag")
    said = [row.setting.title + row.setting.effect for row in dialog.rows.values()]
    assert all(any("\u4e00" <= letter <= "\u9fff" for letter in text) for text in said)
    assert "默认值：3。" in dialog.rows["segments"].control.accessibleDescription()


def test_the_keyboard_opens_it_changes_a_value_and_closes_it(driver: Driver) -> None:
    composer = driver.window.chat.composer
    composer.strategies.choose(WAY)
    composer.controls.options.setFocus()
    QTest.keyClick(composer.controls.options, Qt.Key.Key_Space)
    dialog = dialog_of(driver)
    rounds = dialog.rows["rounds"].control
    assert dialog.focusWidget() is rounds
    QTest.keyClick(rounds, Qt.Key.Key_Down)
    assert kept(driver) == f"{WAY}.rounds=2"
    for key in ("k", AROUND + "rewrite", AROUND + "hyde"):
        QTest.keyClick(present(dialog.focusWidget()), Qt.Key.Key_Tab)
        assert dialog.focusWidget() is dialog.rows[key].control
    QTest.keyClick(present(dialog.focusWidget()), Qt.Key.Key_Space)
    assert kept(driver) == f"{WAY}.transforms=hyde, {WAY}.rounds=2"
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    wait_for(lambda: not driver.window.findChildren(WayOptionsDialog))


def test_it_is_in_the_menu_of_a_narrow_window(driver: Driver) -> None:
    driver.window.resize(900, 600)
    driver.window.chat.composer.setFixedWidth(300)
    pause(50)
    composer = driver.window.chat.composer
    composer.strategies.choose(WAY)
    assert composer.controls.how.isVisible()
    assert not composer.controls.options.isVisible()
    driver.context.settings.change(KEY, f"{WAY}.rounds=2")
    assert "Rounds: 2 (default: 3)" in composer.controls.how.accessibleName()
    entry = first_entry(driver)
    assert entry.text() == "Options of this way… •"
    entry.trigger()
    assert number(dialog_of(driver), "rounds").value() == 2
    assert dialog_of(driver).height() <= driver.window.height()
    driver.context.settings.reset(KEY)
    assert first_entry(driver).text() == "Options of this way…"


def first_entry(driver: Driver) -> QAction:
    menu = driver.window.chat.composer.controls.how.menu()
    menu.aboutToShow.emit()
    return menu.actions()[0]
