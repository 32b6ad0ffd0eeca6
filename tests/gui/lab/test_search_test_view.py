"""What the search test says of a document is text, whatever the document calls itself."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import VectorSearch
from desktop_rag.gui.lab import search_test_text
from desktop_rag.gui.lab.search_test_page import SearchTestView
from desktop_rag.gui.lab.search_test_values import SearchTestQuery, SearchTestResult, StageCounts
from desktop_rag.gui.theme import Theme
from testing.sample_answers import passage
from testing.window_driver import Driver


def test_who_found_the_vectors_is_said_and_nothing_where_none_were_looked_for() -> None:
    trial = SearchTestQuery("Why?", "default", Retrieval())
    tested = SearchTestResult(trial, (), StageCounts(0, 0, 0, 0), 0.0, (), 0.0)
    assert "vector" not in search_test_text.summary_text(tested)
    for by, said in ((VectorSearch.EXACT, "every vector"), (VectorSearch.CHROMA, "Chroma")):
        assert said in search_test_text.summary_text(replace(tested, vector_search=by))


def test_a_title_with_tags_stays_text(driver: Driver, theme: Theme) -> None:
    face = SearchTestView(theme, driver.context.settings, driver.window)
    lost = replace(passage(1), title="<img src='file:///tmp/a.png'>\u202eReport")
    trial = SearchTestQuery("Why?", "default", Retrieval())
    tested = SearchTestResult(trial, (), StageCounts(0, 0, 0, 0), 0.0, (), 0.0, gone=(lost,))
    face.info.setText(search_test_text.lost_text(tested))
    assert face.info.textFormat() is Qt.TextFormat.PlainText
    assert "<img src" in face.info.text()
    assert "\u202e" not in face.info.text()
