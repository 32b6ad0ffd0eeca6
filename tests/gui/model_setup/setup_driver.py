"""A window and the dialog over it in which a language model is set up, and hands on both."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.controllers.model_setup import (
    ModelSetupController,
)
from desktop_rag.gui.controllers.ollama import ServerFound
from desktop_rag.gui.model_setup.model_setup_dialog import (
    ModelSetupDialog,
)
from testing.narrowing import present
from testing.ollama_double import DoubleModel
from testing.window_driver import Driver, wait_for

CLOUD = DoubleModel(
    "gpt-oss:120b-cloud", remote_host="https://ollama.com:443", remote_model="gpt-oss:120b"
)


class SetupDriver:
    """A window and the dialog over it."""

    def __init__(self, app: QApplication, folder: Path, host: str, **overrides: str) -> None:
        self.driver = Driver(app, folder, ollama__host=host, **overrides)
        self.driver.open()
        self.context = self.driver.context
        self.open()

    def open(self) -> None:
        """Open it as the hint above the composer does, and wait until it knows what there is."""
        self.driver.window.chat.health_wanted.emit()
        self.dialog = present(self.driver.window.findChild(ModelSetupDialog))
        wait_for(lambda: self.setup.computer is not None and self.setup.place)

    @property
    def setup(self) -> ModelSetupController:
        return self.context.model_setup

    def choose(self, name: str) -> None:
        row = next(row for row in self.dialog.choice.rows if row.choice.name == name)
        row.radio.click()

    def type_name(self, name: str) -> None:
        self.dialog.choice.name.setFocus()
        QTest.keyClicks(self.dialog.choice.name, name)

    @property
    def names(self) -> list[str]:
        return [row.choice.name for row in self.dialog.choice.rows]

    def wait_until_found(self) -> None:
        wait_for(lambda: isinstance(self.context.ollama.server, ServerFound))
