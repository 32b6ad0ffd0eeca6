"""Where a passage stands, in the window's language."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.types import Locator, LocatorKind
from desktop_rag.gui import language
from desktop_rag.gui.display_text import locator_text


@pytest.mark.parametrize("kind", LocatorKind)
def test_in_english_it_is_what_the_command_line_says(kind: LocatorKind) -> None:
    locator = Locator(kind, "3", cells="A1:B2" if kind is LocatorKind.SHEET else "")
    assert locator_text(locator) == locator.label()


def test_in_chinese_it_is_chinese(qapp: QApplication) -> None:
    language.speak(qapp, "zh")
    assert locator_text(Locator(LocatorKind.PAGE, "3")) == "第 3 页"
    assert locator_text(Locator(LocatorKind.SHEET, "Sales", cells="A1:B2")) == "工作表 Sales A1:B2"


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("body", "正文"),
        ("footnotes", "脚注"),
        ("cell 12", "单元格 12"),
        ("合同/a.md", "部分 合同/a.md"),
    ],
)
def test_parts_that_a_parser_names_are_said_in_chinese(
    qapp: QApplication, part: str, said: str
) -> None:
    language.speak(qapp, "zh")
    assert locator_text(Locator(LocatorKind.PART, part)) == said


@pytest.mark.parametrize("part", ["body", "header", "cell 12", "manual.pdf"])
def test_in_english_a_part_is_what_the_command_line_says(part: str) -> None:
    locator = Locator(LocatorKind.PART, part)
    assert locator_text(locator) == locator.label()
