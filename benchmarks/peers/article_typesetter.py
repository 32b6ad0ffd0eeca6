"""Typesets texts as PDFs of A4 pages, in an environment of its own, which has ReportLab.

python -m benchmarks.peers.article_typesetter FOLDER

Every FOLDER/NAME.txt becomes FOLDER/NAME.pdf: its first line is the title, each other a paragraph.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate

_FONT = "Vera"  # comes with ReportLab; what it lacks is still text in the file
_MARGIN = 25 * mm
_TITLE = ParagraphStyle("title", fontName=_FONT, fontSize=16, leading=20, spaceAfter=12)
_BODY = ParagraphStyle("body", fontName=_FONT, fontSize=10, leading=14, spaceAfter=7)


def main() -> None:
    pdfmetrics.registerFont(TTFont(_FONT, f"{_FONT}.ttf"))
    for text in sorted(Path(sys.argv[1]).glob("*.txt")):
        lines = [line for line in text.read_text(encoding="utf-8").splitlines() if line.strip()]
        document = SimpleDocTemplate(
            str(text.with_suffix(".pdf")),
            pagesize=A4,
            title=lines[0],
            invariant=1,
            leftMargin=_MARGIN,
            rightMargin=_MARGIN,
            topMargin=_MARGIN,
            bottomMargin=_MARGIN,
        )
        document.build(list(_flow(lines)))


def _flow(lines: list[str]) -> Iterator[Flowable]:
    yield Paragraph(escape(lines[0]), _TITLE)
    for line in lines[1:]:
        yield Paragraph(escape(line), _BODY)


if __name__ == "__main__":
    main()
