"""What the search test says of a document is text, whatever the document calls itself."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from desktop_rag.app.tried import Counts, Result, Trial
from desktop_rag.core.settings import Retrieval
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.workbench import tried_phrases
from desktop_rag.ui.workbench.search_face import SearchFace
from tests.app.values import passage
from tests.ui.driving import Driver


def test_a_title_with_tags_stays_text(driver: Driver, theme: Theme) -> None:
    face = SearchFace(theme, driver.desk.settings, driver.window)
    lost = replace(passage(1), title="<img src='file:///tmp/a.png'>\u202eReport")
    trial = Trial("Why?", "default", Retrieval())
    tested = Result(trial, (), Counts(0, 0, 0, 0), 0.0, (), 0.0, gone=(lost,))
    face.info.setText(tried_phrases.gone(tested))
    assert face.info.textFormat() is Qt.TextFormat.PlainText
    assert "<img src" in face.info.text()
    assert "\u202e" not in face.info.text()
