"""The window's language: chosen, or the system's."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import SIGNAL, QLocale, QMetaMethod, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from desktop_rag.core.paths import resources
from desktop_rag.core.types import Locator, LocatorKind
from desktop_rag.gui import language
from desktop_rag.gui.chat.export_dialog import export_labels
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.mode_rail import Mode
from desktop_rag.gui.settings.setting_controls import ChoiceControl
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from testing.narrowing import narrow, present
from testing.ollama_double.script import Script
from testing.ollama_double.server import OllamaDouble
from testing.sample_folder import copied
from testing.window_driver import Driver, pause, wait_for


@pytest.mark.parametrize(
    ("choice", "system", "spoken"),
    [
        ("auto", "zh_CN", "zh"),
        ("auto", "zh_TW", "zh"),
        ("auto", "en_GB", "en"),
        ("auto", "de_DE", "en"),
        ("auto", "C", "en"),
        ("en", "zh_CN", "en"),
        ("zh", "en_GB", "zh"),
    ],
)
def test_the_language_is_the_chosen_one_or_the_system_s(
    choice: str, system: str, spoken: str
) -> None:
    assert language.resolved(choice, QLocale(system)) == spoken


def test_the_window_opens_in_chinese_when_the_settings_say_so(
    qapp: QApplication, tmp_path: Path
) -> None:
    (tmp_path / "settings.json").write_text('{"window": {"language": "zh"}}', encoding="utf-8")
    driver = Driver(qapp, tmp_path)
    driver.open()
    assert driver.window.chat.composer.edit.accessibleName() == "问题"
    driver.close()


def test_exports_and_the_system_s_programs_speak_it_too(qapp: QApplication) -> None:
    language.speak(qapp, "zh")
    assert export_labels().place(Locator(LocatorKind.PAGE, 3)) == "第 3 页"
    assert translate_message("No program opened a.pdf.") == "没有程序能打开 a.pdf。"


def test_qt_s_own_buttons_speak_it_too(qapp: QApplication) -> None:
    language.speak(qapp, "zh")
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    assert "取消" in box.button(QDialogButtonBox.StandardButton.Cancel).text()


def test_back_in_english_nothing_chinese_is_left(qapp: QApplication) -> None:
    language.speak(qapp, "zh")
    assert language.code() == "zh"
    language.speak(qapp, "en")
    assert language.code() == "en"
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    assert "取消" not in box.button(QDialogButtonBox.StandardButton.Cancel).text()


def test_translations_that_an_update_takes_away_are_spoken_on(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(resources() / "translations", tmp_path / "translations")
    monkeypatch.setattr(language, "resources", lambda: tmp_path)
    language.speak(qapp, "zh")
    (tmp_path / "translations" / "desktop_rag_zh.qm").write_bytes(b"")  # mapped, it would be lost
    assert language.code() == "zh"


def test_another_language_takes_effect_at_once_and_back(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    for choice, question, told in (("zh", "问题", "设置"), ("en", "Question", "Settings")):
        driver.context.settings.change("window.language", choice)
        wait_for(lambda: driver.window.chat.composer.edit.accessibleName() == question)  # noqa: B023
        assert driver.window.panes.rail.settings.toolTip().startswith(told)
    driver.close()


def test_an_answer_on_its_way_goes_on_in_another_language(
    qapp: QApplication, tmp_path: Path, read_samples: Path
) -> None:
    with OllamaDouble() as ollama:
        driver = Driver(qapp, copied(read_samples, tmp_path / "data"), ollama__host=ollama.url)
        driver.open()
        driver.wait_until_read(7)
        words = "Fuel fell by a third [1]. " * 20
        ollama.say(Script(words, pace=0.02))
        driver.ask("Why did fuel costs fall in 2024?")
        wait_for(lambda: driver.turn is not None and len(driver.turn.text) > 40)
        edit = driver.window.chat.composer.edit
        edit.setPlainText("and the year before?")
        driver.context.settings.change("window.language", "zh")
        wait_for(lambda: driver.window.chat.composer.edit is not edit)
        assert driver.turn is not None
        assert driver.turn.running
        turn = driver.wait_for_answer()
        assert turn.text.count("Fuel fell by a third") == 20
        assert driver.window.chat.composer.edit.toPlainText() == "and the year before?"
        assert "Fuel fell by a third" in driver.window.chat.view.toPlainText()
        assert driver.window.sources.model.rowCount() > 0
        driver.close()


def test_what_is_open_stays_open_in_another_language(
    qapp: QApplication, tmp_path: Path, read_samples: Path
) -> None:
    driver = Driver(qapp, copied(read_samples, tmp_path / "data"))
    driver.open()
    driver.wait_until_read(7)
    for _ in range(3):
        driver.ask("Why did fuel costs fall in 2024?")
        turn = driver.wait_for_answer()
    window = driver.window
    window.resize(1300, 560)
    window.sources.open_citation(turn, 1)
    wait_for(window.sources.viewer.page_view.mark_rects)
    window.centre.back_to_chat()
    window.panes.splitter.setSizes([300, 500, 500])
    window.panes.splitter.splitterMoved.emit(800, 2)
    window.chat.view.go_to(1)
    pause(300)
    before, sizes = window.chat.view.here(), window.panes.splitter.sizes()
    assert before is not None
    path = present(window.sources.viewer.document).path
    chat = driver.context.chat.transcript.chat_id
    old = window.panes
    driver.context.settings.change("window.language", "zh")
    wait_for(lambda: window.panes is not old)
    pause(300)
    assert window.sources.is_reading
    assert present(window.sources.viewer.document).path == path
    wait_for(window.sources.viewer.page_view.mark_rects)
    assert window.side.shows_conversations
    assert window.panes.splitter.sizes() == sizes
    after = window.chat.view.here()
    assert after is not None
    assert after.turn == before.turn
    assert after.offset == pytest.approx(before.offset, abs=2)
    assert driver.context.chat.transcript.chat_id == chat
    assert not shiboken6.isValid(old)
    window.sources.close_document()
    assert sum(window.panes.splitter.sizes()) == sum(sizes)
    driver.close()


def test_the_table_of_files_stays_as_it_was_narrowed(
    qapp: QApplication, tmp_path: Path, read_samples: Path
) -> None:
    driver = Driver(qapp, copied(read_samples, tmp_path / "data"))
    driver.open()
    driver.wait_until_read(7)
    window = driver.window
    window.centre.show_files()
    window.centre.files.filter.setText("report")
    wait_for(lambda: window.centre.files.model.rowCount() == 1)
    driver.context.settings.change("window.language", "zh")
    wait_for(lambda: window.panes.rail.settings.accessibleName().startswith("设置"))
    assert window.centre.shows_files
    assert window.centre.files.filter.text() == "report"
    wait_for(lambda: window.centre.files.model.rowCount() == 1)
    QTest.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)  # keys work still
    assert window.centre.mode is Mode.HOME
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert window.side.shows_conversations
    driver.close()


def test_the_keyboard_has_a_place_in_another_language(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    window = driver.window
    for choice in ("zh", "en"):
        old = window.panes
        driver.context.settings.change("window.language", choice)
        wait_for(lambda: window.panes is not old)  # noqa: B023
        pause(50)
        assert window.focusWidget() is window.chat.composer.edit
    window.centre.show_files()
    driver.context.settings.change("window.language", "zh")
    wait_for(lambda: window.panes.rail.settings.accessibleName().startswith("设置"))
    pause(50)
    assert window.focusWidget() is window.centre.files.filter
    driver.close()


def test_a_pane_that_is_hidden_meanwhile_keeps_its_width(
    qapp: QApplication, tmp_path: Path
) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    window = driver.window
    window.resize(1320, 700)
    window.panes.splitter.setSizes([300, 560, 452])
    window.panes.splitter.splitterMoved.emit(860, 2)
    pause(50)
    sizes, old = window.panes.splitter.sizes(), window.panes
    window.centre.show_files()
    driver.context.settings.change("window.language", "zh")
    wait_for(lambda: window.panes is not old)
    pause(50)
    window.centre.show_chat()
    pause(50)
    assert window.panes.splitter.sizes() == sizes
    driver.close()


def test_folders_stay_closed_and_what_was_deleted_can_be_undone(
    qapp: QApplication, tmp_path: Path, read_samples: Path
) -> None:
    driver = Driver(qapp, copied(read_samples, tmp_path / "data"))
    driver.open()
    driver.wait_until_read(7)
    driver.ask("Why did fuel costs fall in 2024?")
    driver.wait_for_answer()
    tree = driver.window.side.library.tree
    tree.collapse(tree.model().index(0, 0))
    driver.context.conversations.delete((present(driver.context.chat.transcript.chat_id),))
    driver.context.settings.change("window.language", "zh")
    wait_for(lambda: driver.window.side.library.tree is not tree)
    pause(50)
    tree = driver.window.side.library.tree
    assert tree.model().rowCount() == 1
    assert not tree.isExpanded(tree.model().index(0, 0))
    bar = driver.window.side.conversations.undo_bar
    assert not bar.isHidden()
    bar.button.click()
    wait_for(lambda: driver.context.chat.transcript.turns)
    driver.close()


def test_another_language_leaves_nothing_connected_twice(
    qapp: QApplication, tmp_path: Path
) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    before, panes = listeners(driver.context), driver.window.panes
    for choice in ("zh", "en"):
        driver.context.settings.change("window.language", choice)
        wait_for(lambda: not shiboken6.isValid(panes))  # noqa: B023
        panes = driver.window.panes
    pause(50)
    assert listeners(driver.context) == before
    driver.close()


def listeners(context: AppContext) -> dict[str, int]:
    """Return how many slots each signal of the desk and its controllers has."""
    counts: dict[str, int] = {}
    for each in (context, *context.findChildren(QObject)):
        meta = each.metaObject()
        for method in map(meta.method, range(meta.methodCount())):
            if method.methodType() == QMetaMethod.MethodType.Signal:
                name = bytes(method.methodSignature().data()).decode()
                key = f"{meta.className()} {name}"
                counts[key] = counts.get(key, 0) + each.receivers(SIGNAL(name))
    return {key: count for key, count in counts.items() if "Job" not in key}


def test_the_settings_stay_open_at_the_language(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    driver.window.settings.open()
    dialog = present(driver.window.findChild(SettingsDialog))
    control = dialog.row("window.language").control
    control.setFocus()
    where = dialog.geometry()
    narrow(control, ChoiceControl).setCurrentText("English")
    QTest.keyClick(control, Qt.Key.Key_Down)
    wait_for(lambda: not shiboken6.isValid(dialog))
    again = present(driver.window.findChild(SettingsDialog))
    assert again.windowTitle() == "设置"
    assert again.geometry() == where
    row = again.row("window.language")
    assert row.has_focus
    assert narrow(row.control, ChoiceControl).currentText() == "中文"
    QTest.keyClick(row.control, Qt.Key.Key_Up)
    wait_for(lambda: not shiboken6.isValid(again))
    assert present(driver.window.findChild(SettingsDialog)).windowTitle() == "Settings"
    driver.close()


def test_the_settings_name_the_strategies_in_the_language(
    qapp: QApplication, tmp_path: Path
) -> None:
    driver = Driver(qapp, tmp_path, window__language="zh")
    driver.open()
    wait_for(lambda: driver.context.offers.strategies)
    driver.window.settings.open()
    dialog = present(driver.window.findChild(SettingsDialog))
    row = dialog.row("answering.strategy")
    assert narrow(row.control, ChoiceControl).currentText() == "均衡"
    assert narrow(row.control, ChoiceControl).findText("单次检索") >= 0
    driver.close()
