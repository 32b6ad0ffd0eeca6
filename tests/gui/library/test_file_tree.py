"""The tree's rows are as high as what they say."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from desktop_rag.core.types import FileStatus
from desktop_rag.gui.library.file_tree import FileTree
from desktop_rag.gui.theme import Theme
from testing.qt_wait import wait_for
from tests.gui.test_item_models import row, snapshot

REASON = "The PDF is damaged. Open it in its own program, and save it anew."


def test_what_is_wrong_with_a_file_is_said_in_full_at_any_width(qtbot: QtBot, theme: Theme) -> None:
    tree = FileTree(theme)
    qtbot.addWidget(tree)
    tree.resize(240, 400)
    tree.show()
    broken = replace(row("/d/notes/scan.pdf", FileStatus.CORRUPT, 0), reason=REASON)
    tree.show_shelf(snapshot(row("/d/notes/a.md"), broken))
    top = tree.places.index(0, 0)
    line = QFontMetrics(tree.font()).height() // 2

    def more() -> int:
        """Return how much higher the row with the problem is than the other."""
        good, bad = (tree.visualRect(tree.places.index(n, 0, top)) for n in (0, 1))
        return bad.height() - good.height()

    assert more() > line
    tree.resize(900, 400)
    wait_for(lambda: more() < line)
