"""A Word document shown as it looks, where LibreOffice is installed."""

from __future__ import annotations

import pytest

from desktop_rag.parsing.office.program import find_program
from testing.qt_wait import wait_for
from tests.gui.viewer.viewer_driver import Reading
from tests.parsing.office.office_samples import write_docx

pytestmark = [
    pytest.mark.skipif(find_program() is None, reason="no LibreOffice that can be confined"),
    pytest.mark.usefixtures("qapp"),
]
_QUOTE = "The tide turned at noon and the boats came home."


def _is_on_pages(reading: Reading) -> bool:
    viewer = reading.viewer
    return viewer._stack.currentWidget() is viewer.page_view and bool(len(viewer.page_view.stack))


def test_pages_are_offered_then_shown_with_the_quote_marked(reading: Reading) -> None:
    path = write_docx(reading.library.docs / "tide.docx", "Of the harbour.", _QUOTE, "At night.")
    reading.library.index()
    office, bar = reading.viewer.office, reading.viewer.bar
    document = reading.opened(path, _QUOTE)
    reading.open(document)
    wait_for(lambda: bool(office.line.button.text()), 60)
    assert office.line.accessibleName() == "The pages are ready."
    assert not _is_on_pages(reading), "nothing moves under a reader"
    assert bar.as_it_looks.isVisible()
    bar.as_it_looks.click()
    wait_for(lambda: _is_on_pages(reading))
    assert len(reading.viewer.page_view.mark_rects()) == 1
    bar.as_text.click()
    assert not _is_on_pages(reading)
    assert bar.as_text.isChecked()
    bar.as_it_looks.click()
    reading.viewer.leave()
    reading.viewer.open(document)
    wait_for(lambda: _is_on_pages(reading))
    assert not office.line.isVisible(), "what is kept is shown without a word"
