"""What the settings say of the program itself."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication

from desktop_rag.core import version
from desktop_rag.ui.settings.about import AboutCard
from desktop_rag.ui.settings.dialog import SettingsDialog
from tests.ui.driving import Driver


class Files(QObject):
    """Stands for the system's file manager."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.opened.append(url.toLocalFile())


def test_version_and_data_folder_can_be_read_and_opened(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    driver.window.settings.open()
    dialog = driver.window.findChild(SettingsDialog)
    dialog.show_page("window")
    card = dialog.findChild(AboutCard)
    assert card.isVisible()
    assert version.installed() in card.version.text()
    assert str(tmp_path) in card.place.text()
    files = Files()
    QDesktopServices.setUrlHandler("file", files, "take")
    card.folder.click()
    QDesktopServices.unsetUrlHandler("file")
    assert files.opened == [str(tmp_path)]
    dialog.field.setText("version")
    assert card.isVisible()
    driver.close()
