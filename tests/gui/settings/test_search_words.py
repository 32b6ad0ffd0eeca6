"""In the real window: settings are found by the words that people use, in either language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.controllers.settings import declared
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from testing.narrowing import present
from testing.window_driver import Driver, pause

WORDS = {
    "window.theme": ("dark", "dark mode", "深色", "夜间"),
    "window.scale": ("font", "text size", "字体", "字号"),
    "window.language": ("language", "Chinese", "语言", "中文"),
    "privacy.block_remote": ("proxy", "offline", "代理", "离线"),
}


@pytest.fixture(params=["en", "zh"])
def dialog(
    request: pytest.FixtureRequest, qapp: QApplication, tmp_path: Path
) -> Iterator[SettingsDialog]:
    driver = Driver(
        qapp, tmp_path / "data", window__language=request.param, window__expert_tools="false"
    )
    driver.open()
    driver.window.settings.open()
    yield present(driver.window.findChild(SettingsDialog))
    driver.close()


def test_both_languages_words_find_a_setting_in_either(dialog: SettingsDialog) -> None:
    for key, words in WORDS.items():
        for word in words:
            dialog.field.setText(word)
            pause(20)
            rows = (row for page in dialog.pages for row in page.rows if row.isVisible())
            shown = [row.setting.key for row in rows]
            assert key in shown, word
            assert len(shown) < len(declared) / 4, f"“{word}” finds too much to be of use"
            assert not dialog.nothing.isVisible()
