"""What the settings say of the program itself."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication

from desktop_rag.core import version
from desktop_rag.gui.settings.about_card import AboutCard
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from testing.narrowing import present
from testing.window_driver import Driver
from tests.gui.desktop_spy import Desktop


def test_version_and_data_folder_can_be_read_and_opened(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    driver.window.settings.open()
    dialog = present(driver.window.findChild(SettingsDialog))
    dialog.show_page("window")
    card = present(dialog.findChild(AboutCard))
    assert card.isVisible()
    assert version.installed() in card.version.text()
    assert str(tmp_path) in card.place.text()
    with Desktop() as desktop:
        card.folder.click()
    assert desktop.opened == [str(tmp_path)]
    dialog.field.setText("version")
    assert card.isVisible()
    driver.close()
