"""Other programs: allowed in the menu of a knowledge base, and said on the page on privacy."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from desktop_rag.gui.library.serving_dialog import ServingDialog
from testing.window_driver import Driver, wait_for
from tests.gui.menu_clicks import pick_for_base

MENU = "Let other programs ask it…"


def _dialog(driver: Driver) -> ServingDialog:
    pick_for_base(driver.window.side.library, MENU)
    (box,) = [each for each in driver.window.findChildren(ServingDialog) if each.isVisible()]
    return box


def test_other_programs_are_allowed_and_forbidden_again(driver: Driver, tmp_path: Path) -> None:
    library = driver.context.library
    (tmp_path / "lease.md").write_text("The rent of the workshop is 1,250 euros a month.")
    driver.drop(tmp_path / "lease.md")
    wait_for(lambda: library.snapshot.ready == 1)
    box = _dialog(driver)
    server = json.loads(box.configuration.toPlainText())["mcpServers"]["desktop-rag"]
    assert server["command"] == sys.executable
    assert server["args"][-3:] == ["mcp", "--data-dir", str(driver.context.data_dir)]
    box.copy.click()
    assert QApplication.clipboard().text() == box.configuration.toPlainText()
    assert box.leave.isDefault()
    box.leave.click()
    assert not library.snapshot.is_served

    _dialog(driver).decide.click()
    wait_for(lambda: library.snapshot.is_served)
    outlooks: list[object] = []
    driver.context.privacy.outlook_changed.connect(outlooks.append)
    driver.context.privacy.refresh()
    wait_for(lambda: bool(outlooks))
    assert getattr(outlooks[-1], "served", ()) == (library.snapshot.current,)

    box = _dialog(driver)
    assert box.decide.text() == "No longer allow"
    box.decide.click()
    wait_for(lambda: not library.snapshot.is_served)
