"""What a tooltip makes of a text that looks like HTML, and a sentence of values with gaps."""

from __future__ import annotations

import pytest
from PySide6.QtGui import Qt, QTextDocument
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.desktop_services import full_address
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.widgets.tooltips import tip


@pytest.mark.parametrize(
    "name",
    ["plain.md", "<img src='file:////server/share/x.png'>.md", "<b>bold", "a & b &lt;c", "1 < 2"],
)
def test_a_tooltip_shows_a_name_as_it_is_and_loads_nothing(qapp: QApplication, name: str) -> None:
    shown = tip(name, "second line")
    if Qt.mightBeRichText(shown):
        document = QTextDocument()
        document.setHtml(shown)
        assert "<img" not in shown
        shown = document.toPlainText()
    assert shown == f"{name}\nsecond line"


def test_a_value_that_looks_like_a_gap_stays_as_it_is() -> None:
    assert fill("%1 and %2, not %3", "100 %2", "b") == "100 %2 and b, not %3"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://example.org/a?b=1&c", "https://example.org/a?b=1&c"),
        ("https://www.b\u0430nk.example/", "https://www.xn--bnk-6cd.example/"),
        ("https://evil.example/\u202emoc.knab", "https://evil.example/%E2%80%AEmoc.knab"),
    ],
)
def test_a_web_address_is_shown_as_the_browser_gets_it(address: str, shown: str) -> None:
    assert full_address(address) == shown
