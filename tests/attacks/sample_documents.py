"""Documents with what needs more than text: formulas, charts, pictures, ruled tables, a password.

They are whole; `seed_files` has them damaged, `structures` lets them swell.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import docx
import pptx
from lxml import etree
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from desktop_rag.parsing.ocr.recognized_page import RecognizedLine, RecognizedPage
from tests.parsing.locked_files import (
    locked_odf,
    locked_old_workbook,
    locked_pdf,
    locked_slides,
    locked_word,
    locked_workbook,
)

SENTENCE = "The ships sail at seven every morning, and come back at noon."
RECOGNIZED = RecognizedPage(
    200, 150, 0,
    tuple(RecognizedLine(SENTENCE, 0, 20 * at, 150, 20 * at + 10, 0.9) for at in range(3)),
)  # fmt: skip
OMML = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_X, _TWO = "<r><t>x</t></r>", "<r><t>2</t></r>"
FORMULA = (
    f"<nary><naryPr><chr val='∑'/></naryPr><sub>{_X}</sub><sup>{_TWO}</sup><e><sSubSup><e>{_X}</e>"
    f"<sub>{_TWO}</sub><sup>{_X}</sup></sSubSup></e></nary><f><num>{_X}</num><den><rad><deg>{_TWO}"
    f"</deg><e>{_X}</e></rad></den></f><d><dPr><begChr val='['/></dPr><e><m><mr><e>{_X}</e>"
    f"<e>{_TWO}</e></mr></m></e></d><acc><e>{_X}</e></acc><eqArr><e>{_X}</e><e>{_TWO}</e></eqArr>"
)
MATHML = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow><munderover><mo>∑</mo><mi>k</mi>'
    "<mi>n</mi></munderover><mfrac><msup><mi>x</mi><mn>2</mn></msup><msqrt><mi>y</mi></msqrt>"
    "</mfrac><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable><mfenced>"
    "<mmultiscripts><mi>C</mi><none/><mn>2</mn><mprescripts/><mn>6</mn><none/></mmultiscripts>"
    "</mfenced></mrow></math>"
)


def picture(width: int = 400, height: int = 300) -> io.BytesIO:
    """Return a picture that is large enough to be looked at for text."""
    made = io.BytesIO()
    Image.new("RGB", (width, height), (width % 256, height % 256, 90)).save(made, "PNG")
    made.seek(0)
    return made


def word(*formulas: str) -> bytes:
    """Return a Word file with headings, a table, pictures, and formulas in its text."""
    made: Any = docx.Document()
    made.add_heading("The harbour", 1)
    for each in formulas:
        paragraph = made.add_paragraph(SENTENCE)
        whole = f'<oMath xmlns="{OMML}">{each}</oMath>'
        paragraph._p.append(etree.fromstring(whole, etree.XMLParser(huge_tree=True)))
    made.add_picture(picture())
    made.add_picture(picture(300))
    made.add_table(2, 2).cell(0, 0).text = "Pier"
    return _saved(made)


def slides() -> bytes:
    """Return slides with a chart, a picture, a table and notes."""
    made: Any = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = SENTENCE
    slide.notes_slide.notes_text_frame.text = SENTENCE
    sales: Any = CategoryChartData()
    sales.categories = ["2023", "2024"]
    sales.add_series("North", (12.1, 30), number_format="0%")
    place = (Inches(1), Inches(1), Inches(3), Inches(2))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, sales)
    slide.shapes.add_picture(picture(), *place)
    slide.shapes.add_table(2, 2, *place).table.cell(0, 0).text = "Pier"
    return _saved(made)


def ruled_pdf() -> bytes:
    """Return a PDF of a table between lines, and an outline that leads to its page."""
    rows, columns = [700 - 20 * n for n in range(12)], [50 + 120 * n for n in range(5)]
    lines = [f"50 {y} m 530 {y} l S" for y in rows] + [f"{x} 480 m {x} 700 l S" for x in columns]
    cells = [f"BT /F0 10 Tf {x + 5} {y - 14} Td (Ship {y * x}) Tj ET"
             for y in rows[:-1] for x in columns[:-1]]  # fmt: skip
    outline = [
        "<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 1>>",
        "<</Title(The table)/Parent 6 0 R/Dest[3 0 R/Fit]>>",
    ]
    return pdf("\n".join([*lines, *cells]).encode(), outline)


def pdf(content: bytes, outline: Sequence[str] = ()) -> bytes:
    """Return a PDF of one page with this content; the outline's objects are numbered from 6."""
    leads = b"/Outlines 6 0 R" if outline else b""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R%s>>" % leads,
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 600 800]>>",
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F0 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        *(each.encode() for each in outline),
    ]
    made, places = b"%PDF-1.4\n", b""
    for number, each in enumerate(objects, start=1):
        places += b"%010d 00000 n \n" % len(made)
        made += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    size = len(objects) + 1
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, places)
    end = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(made))
    return made + table + end


def locked_documents() -> dict[str, bytes]:
    """Return documents that only `locked_files.PASSWORD` opens, but the PDF: "harbour"."""
    writers: dict[str, Callable[[Path], Path]] = {
        "locked.docx": locked_word, "locked.pptx": locked_slides, "locked.xlsx": locked_workbook,
        "locked.xls": locked_old_workbook, "locked.odt": locked_odf, "locked.pdf": locked_pdf,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        return {name: write(Path(folder, name)).read_bytes() for name, write in writers.items()}


def _saved(document: Any) -> bytes:
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()
