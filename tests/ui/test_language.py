"""The window's language: chosen, or the system's."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from desktop_rag.ui import language
from tests.ui.driving import Driver


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
def test_the_language_is_the_chosen_one_or_the_system_s(choice, system, spoken) -> None:
    assert language.resolved(choice, QLocale(system)) == spoken


def test_the_window_opens_in_chinese_when_the_settings_say_so(qapp, tmp_path) -> None:
    (tmp_path / "settings.json").write_text('{"window": {"language": "zh"}}', encoding="utf-8")
    driver = Driver(qapp, tmp_path)
    driver.open()
    assert driver.window.chat.composer.edit.accessibleName() == "问题"
    driver.close()


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
