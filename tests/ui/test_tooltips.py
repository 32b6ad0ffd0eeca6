"""What a tooltip makes of a text that looks like HTML, and a sentence of values with gaps."""

from __future__ import annotations

import pytest
from PySide6.QtGui import Qt, QTextDocument

from desktop_rag.ui.filling import filled
from desktop_rag.ui.widgets.tooltips import tip


@pytest.mark.parametrize(
    "name",
    ["plain.md", "<img src='file:////server/share/x.png'>.md", "<b>bold", "a & b &lt;c", "1 < 2"],
)
def test_a_tooltip_shows_a_name_as_it_is_and_loads_nothing(qapp, name: str) -> None:
    shown = tip(name, "second line")
    if Qt.mightBeRichText(shown):
        document = QTextDocument()
        document.setHtml(shown)
        assert "<img" not in shown
        shown = document.toPlainText()
    assert shown == f"{name}\nsecond line"


def test_a_value_that_looks_like_a_gap_stays_as_it_is() -> None:
    assert filled("%1 and %2, not %3", "100 %2", "b") == "100 %2 and b, not %3"
