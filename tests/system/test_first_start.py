"""The program started for the first time, on a computer that is as it is."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QDialogButtonBox, QLabel, QMessageBox

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.paths import CATALOG
from desktop_rag.gui.main_window import MainWindow
from tests.scripted_program import Stage

Steps = Generator[Callable[[], object], None, Any]
HAN = re.compile(r"[\u4e00-\u9fff]")
WORD = re.compile(r"[^\W\d_]{2}")


def test_on_a_chinese_system_the_window_speaks_chinese(tmp_path: Path) -> None:
    with Stage(tmp_path / "stage", read_words) as stage:
        chinese = {"LANGUAGE": "zh_CN", "LC_ALL": "zh_CN.UTF-8", "LANG": "zh_CN.UTF-8"}
        program = stage.start(tmp_path / "home", language="", **chinese)
        told = stage.told(0)
        assert program.wait(60) == 0
    assert (told["title"], told["heading"]) == ("Desktop RAG", "新对话")
    assert told["question"] == "问题"
    assert told["cancel"].startswith("取消"), "what Qt says too"
    assert len(told["words"]) > 10
    assert [each for each in told["words"] if WORD.search(each) and not HAN.search(each)] == []


def read_words(window: MainWindow) -> Steps:
    """Read what is to be read in the window, and on a button of Qt's own."""
    yield lambda: window.context.offers.strategies
    labels = [each.text() for each in window.findChildren(QLabel) if each.isVisible()]
    pressed = [each for each in window.findChildren(QAbstractButton) if each.isVisible()]
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    said = {
        "title": window.windowTitle(),
        "heading": window.chat._title.text(),
        "question": window.chat.composer.edit.accessibleName(),
        "words": [*labels, *(each.text() or each.toolTip() for each in pressed)],
        "cancel": box.buttons()[0].text(),
    }
    window.close()
    return said


def test_a_catalog_of_a_newer_version_is_refused_in_a_sentence_and_left_as_it_was(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    catalog = Catalog.open(home)
    catalog.kbs.create("notes")
    catalog.close()
    newer = sqlite3.connect(home / CATALOG)
    newer.execute("ALTER TABLE chats ADD COLUMN later TEXT")
    newer.execute("PRAGMA user_version = 9999")
    newer.close()
    before = (home / CATALOG).read_bytes()
    with Stage(tmp_path / "stage", read_refusal) as stage:
        program = stage.start(home)
        told = stage.told(0)
        assert program.wait(60) == 0
    assert "newer version" in told["what"]
    assert told["remedy"]
    assert told["gone"]
    assert (home / CATALOG).read_bytes() == before
    assert not list(home.glob(f"{CATALOG}-*")), "nothing was written beside it"


def read_refusal(window: MainWindow) -> Steps:
    """Read why the window can't have its folder, and say that it is understood."""
    (box,) = window.findChildren(QMessageBox)
    said: dict[str, Any] = {"what": box.text(), "remedy": box.informativeText()}
    button = box.button(QMessageBox.StandardButton.Ok)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    said["gone"] = not window.isVisible()
    return said
    yield
