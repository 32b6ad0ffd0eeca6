"""A sentence over a PDF page's end, from the file to the quote, its marks, and another computer."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer
from desktop_rag.core.requests import AskRequest, IndexRequest
from desktop_rag.core.settings import Ollama, Settings
from testing.ollama_double.server import refused_url
from tests.commands.export_files import exported, found, imported, indexed, opened
from tests.parsing.sample_files import Pdf, PdfPage, paragraph

ABOVE = (
    "The committee of the harbour met in March, and all of its members were there.",
    "They spoke of the ice of the winter, and of the ships that were late because of it.",
    "The reconstruction of the old lighthouse is paid for by the insurance company",
)
REST = (
    "of Trondheim. The fishermen asked for a new ice house, which will be built in May.",
    "Nobody objected.",
)
WHOLE = f"{ABOVE[2]} of Trondheim."


def written(folder: Path) -> Path:
    """Write a report of two pages, the second of which begins inside a sentence."""
    folder.mkdir()
    pages = (PdfPage(paragraph(140, *ABOVE)), PdfPage(paragraph(740, *REST)))
    Pdf(pages, "Minutes of the harbour").write(folder / "minutes.pdf")
    return folder


def test_an_answer_quotes_the_whole_sentence_once_and_marks_both_pages(tmp_path: Path) -> None:
    docs = written(tmp_path / "docs")
    workspace = open_workspace(tmp_path / "home", Settings(ollama=Ollama(host=refused_url())))
    try:
        list(perform(workspace, IndexRequest("default", (str(docs),)), CancelToken()))
        question = "Who pays for the reconstruction of the old lighthouse?"
        *_, answer = perform(workspace, AskRequest(("default",), question), CancelToken())
    finally:
        workspace.close()
    assert isinstance(answer, Answer)
    quoted = next(each for each in answer.citations if "lighthouse" in each.quote)
    assert quoted.quote == WHOLE
    assert answer.text.count("of Trondheim") == 1
    place = quoted.locator.as_json()
    assert (place["kind"], place["value"]) == ("page", 1)
    assert len(place["boxes"]) == len(place["other_boxes"]) == 1
    *_, bottom, page = place["other_boxes"][0]
    assert (page, bottom < 100) == (2, True)


def test_each_page_is_found_for_its_own_text_here_and_where_it_was_imported(tmp_path: Path) -> None:
    docs, file = written(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _), opened(tmp_path / "two") as (two, _):
        indexed(one, docs)
        exported(one, file)
        imported(two, file)
        rows = found(one, "Who built an ice house for the fishermen?")
        assert {row["locator"]["value"]: row["text"] for row in rows} == {
            1: " ".join((*ABOVE[:2], WHOLE)),
            2: "The fishermen asked for a new ice house, which will be built in May. "
               "Nobody objected.",
        }  # fmt: skip
        assert [row["locator"].get("other_boxes") is not None for row in rows] == [False, True]
        assert found(two, "Who built an ice house for the fishermen?") == rows
