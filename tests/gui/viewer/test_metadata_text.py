from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.gui.viewer.metadata_text import metadata_lines


@pytest.mark.usefixtures("qtbot")
def test_what_a_document_says_is_told_line_by_line() -> None:
    said = DocumentMetadata(
        authors=("Ann", "Bob"), keywords=tuple("abcdefg"), modified=1_684_152_000.0, language="de"
    )
    authors, keywords, changed, language = metadata_lines(said)
    assert authors == "By Ann, Bob"
    assert keywords == "Keywords: a, b, c, d, e …"
    assert "2023" in changed
    assert language == "Language: Deutsch"


def test_nothing_is_told_of_what_says_nothing(qtbot: QtBot) -> None:
    assert qtbot
    assert metadata_lines(NO_METADATA) == ()
