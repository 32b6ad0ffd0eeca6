from __future__ import annotations

import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import docx
import pptx
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.format_registry import parse

AREA = (Inches(1), Inches(1), Inches(6), Inches(4))


def slides(path: Path) -> Path:
    """Write slides with a chart of two series, one of days, and one of points."""
    made: Any = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    sales: Any = CategoryChartData()
    sales.categories = ["2023", "2024"]
    sales.add_series("North", (12.1, 30))
    sales.add_series("South", (0.1 + 0.2, None))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *AREA, sales).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Sales by region"
    days: Any = CategoryChartData()
    days.categories = [date(2024, 2, 1)]
    days.add_series("Share", (0.25,), number_format="0%")
    made.slides.add_slide(made.slide_layouts[6]).shapes.add_chart(XL_CHART_TYPE.LINE, *AREA, days)
    points: Any = XyChartData()
    points.add_series("Trial").add_data_point(1, 2.5)
    made.slides.add_slide(made.slide_layouts[6]).shapes.add_chart(
        XL_CHART_TYPE.XY_SCATTER, *AREA, points
    )
    made.save(str(path))
    return path


def test_the_figures_of_a_slide_s_chart_are_a_table(tmp_path: Path) -> None:
    document = parse(slides(tmp_path / "a.pptx"))
    assert [(b.text, b.place.value) for b in document.blocks] == [
        ("Sales by region", 1),
        (" | North | South\n2023 | 12.1 | 0.3\n2024 | 30", 1),
        (" | Share\n2024-02-01 | 25%", 2),
        (" | Trial\n1 | 2.5", 3),
    ]
    assert document.blocks[1].kind is BlockKind.TABLE


def test_a_chart_stands_in_word_s_text_where_it_is_shown(tmp_path: Path) -> None:
    with zipfile.ZipFile(slides(tmp_path / "a.pptx")) as archive:
        name = next(n for n in archive.namelist() if n.startswith("ppt/charts/chart"))
        chart = archive.read(name)
    made: Any = docx.Document()
    for text in ("Before it.", "CHART", "After it."):
        made.add_paragraph(text)
    made.save(str(tmp_path / "a.docx"))
    with zipfile.ZipFile(tmp_path / "a.docx") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    drawing = (
        b'<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r='
        b'"http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId77"/>'
    )
    body = parts["word/document.xml"].replace(b"<w:t>CHART</w:t>", drawing)
    links = parts["word/_rels/document.xml.rels"].replace(
        b"</Relationships>",
        b'<Relationship Id="rId77" Type="x/chart" Target="charts/chart1.xml"/></Relationships>',
    )
    parts |= {"word/document.xml": body, "word/_rels/document.xml.rels": links}
    with zipfile.ZipFile(tmp_path / "b.docx", "w") as archive:
        for name, content in (parts | {"word/charts/chart1.xml": chart}).items():
            archive.writestr(name, content)
    texts = [block.text for block in parse(tmp_path / "b.docx").blocks]
    assert (texts[0], texts[-1]) == ("Before it.", "After it.")
    assert len(texts) > 2
    assert any(name in texts[-2] for name in ("North", "Share", "Trial"))


def test_a_chart_without_end_is_left_out_and_said(tmp_path: Path) -> None:
    with zipfile.ZipFile(slides(tmp_path / "a.pptx")) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = next(each for each in parts if each.startswith("ppt/charts/chart"))
    with zipfile.ZipFile(tmp_path / "b.pptx", "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in parts.items():
            is_large = each == name
            archive.writestr(each, content + b"<!--" + b" " * 20_000_000 + b"-->"
                             if is_large else content)  # fmt: skip
    document = parse(tmp_path / "b.pptx")
    assert document.notes == ("Charts that are too large to be read: 1.",)
    assert len(document.blocks) < len(parse(tmp_path / "a.pptx").blocks)
