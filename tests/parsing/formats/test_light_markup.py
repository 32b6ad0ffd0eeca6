from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.parsing.formats.light_markup import parse
from tests.parsing.open_documents import written

RST = "=====\nGuide\n=====\n\nIntro.\n\nPart\n----\n\nBody\nof it.\n\nOther\n-----\n\n====  ===\n"
TEX = (
    "\\title{My \\emph{paper}}\n\\section{Start}\\label{s}\nText.\n"
    "\\subsection*{Inner} More of it.\n% \\section{Old}\n"
)
ORG = "#+TITLE: Plan\n* First\nText.\n** Second\n- item\n*bold* text\n"
ADOC = "= Guide\n\n== Part ==\n\nText.\n"


@pytest.mark.parametrize(
    ("name", "text", "title", "blocks"),
    [
        ("a.rst", RST, "Guide", [(1, 1, "Guide"), (5, 0, "Intro."), (7, 2, "Part"),
                                 (10, 0, "Body\nof it."), (13, 2, "Other"), (16, 0, "====  ===")]),
        ("a.tex", TEX, "My paper", [(1, 0, "\\title{My \\emph{paper}}"), (2, 2, "Start"),
                                    (3, 0, "Text."), (4, 3, "Inner"),
                                    (4, 0, " More of it.\n% \\section{Old}")]),
        ("a.org", ORG, "Plan", [(1, 0, "#+TITLE: Plan"), (2, 1, "First"), (3, 0, "Text."),
                                (4, 2, "Second"), (5, 0, "- item\n*bold* text")]),
        ("a.adoc", ADOC, "Guide", [(1, 1, "Guide"), (3, 2, "Part"), (5, 0, "Text.")]),
        ("a.textile", "h1. Guide\n\nText.\n", "Guide", [(1, 1, "Guide"), (3, 0, "Text.")]),
    ],
)  # fmt: skip
def test_headings_are_found_and_the_rest_stays_as_it_is(
    tmp_path: Path, name: str, text: str, title: str, blocks: list[tuple[int, int, str]]
) -> None:
    document = parse(written(tmp_path / name, text))
    assert document.title == title
    assert [(block.place.value, block.level, block.text) for block in document.blocks] == blocks
