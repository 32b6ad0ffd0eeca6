"""Layouts of running text: papers, newsletters, boxes, lists, formulas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from benchmarks.page_layouts.page_writer import HIGH, DrawingOrder, Frame, PageWriter
from benchmarks.page_layouts.sentences import TextSource
from benchmarks.page_layouts.typesetting import CHINESE, HEBREW, Style

MARGIN = 54.0


@dataclass(frozen=True, slots=True)
class Styles:
    """The styles of a document."""

    title: Style
    heading: Style
    body: Style
    small: Style


def styles_of(language: str, *, serif: bool = False, size: float = 10.0) -> Styles:
    """Return styles for a language."""
    if language != "en":
        font = CHINESE if language == "zh" else HEBREW
        return Styles(
            Style(font, 18, 26), Style(font, 13, 19),
            Style(font, size, size * 1.6, indent=2 * size if language == "zh" else 0),
            Style(font, size - 2, size * 1.2),
        )  # fmt: skip
    plain, bold = ("Times-Roman", "Times-Bold") if serif else ("Helvetica", "Helvetica-Bold")
    return Styles(
        Style(bold, 17, 21), Style(bold, size + 1.5, size + 5),
        Style(plain, size, size * 1.22, hyphenated=serif, indent=12 if serif else 0),
        Style(plain, size - 2, size * 0.98),
    )  # fmt: skip


def columns(
    page: int, number: int, top: float, gutter: float = 18.0, *, bottom: float = 72.0
) -> list[Frame]:
    """Return equal columns of an upright page."""
    whole = 595.0 - 2 * MARGIN
    width = (whole - gutter * (number - 1)) / number
    return [Frame(page, MARGIN + at * (width + gutter), top, bottom, width) for at in range(number)]


def paper(source: TextSource, order: DrawingOrder = DrawingOrder.READING) -> PageWriter:
    """Return two pages of a paper: a title and an abstract over two columns, footnotes, figures."""
    writer, styles = PageWriter(order), styles_of(source.language, serif=True)
    _edges(writer, source, 2)
    whole = columns(0, 1, HIGH - 70)[0]
    y = writer.paragraph(_title(source), styles.title, whole)
    y = writer.paragraph(source.paragraph(2), styles.small, replace(whole, top=y - 8)) - 16
    first = _with_notes(columns(0, 2, y), source, styles.small)
    second = [replace(each, top=each.top) for each in columns(1, 2, HIGH - 70)]
    second[0] = _figure(writer, source, styles.small, second[0])
    text = _sections(source, styles, number=not source.random.random() < 0.4)
    _flow_until_full(writer, text, iter([*first, *second]))
    return writer


def report(source: TextSource, order: DrawingOrder = DrawingOrder.READING) -> PageWriter:
    """Return four pages of a report in one column, with footnotes, and a figure on top of one."""
    writer, styles = PageWriter(order), styles_of(source.language, size=11)
    _edges(writer, source, 4)
    frames = [columns(page, 1, HIGH - 70)[0] for page in range(4)]
    y = writer.paragraph(_title(source), styles.title, frames[0])
    frames = _with_notes([replace(frames[0], top=y - 16), *frames[1:]], source, styles.small)
    at = source.random.randrange(1, 4)
    frames[at] = _figure(writer, source, styles.small, frames[at])
    _flow_until_full(writer, _sections(source, styles, number=True), iter(frames))
    return writer


def newsletter(source: TextSource, order: DrawingOrder = DrawingOrder.READING) -> PageWriter:
    """Return a page in three columns under one title, with a story across below them."""
    writer, styles = PageWriter(order), styles_of(source.language, size=9)
    whole = columns(0, 1, HIGH - 60)[0]
    y = writer.paragraph(_title(source), styles.title, whole) - 12
    upper = columns(0, 3, y, 16, bottom=300)
    _flow_until_full(writer, _sections(source, styles, number=False), iter(upper))
    y = writer.paragraph(source.heading(), styles.heading, replace(whole, top=280))
    writer.rules.append((0, MARGIN, 286, 595 - MARGIN, 286))
    lower = columns(0, 2, y - 6, 16, bottom=60)
    _flow_until_full(writer, _sections(source, styles, number=False), iter(lower))
    return writer


def sidebar(source: TextSource, order: DrawingOrder = DrawingOrder.READING) -> PageWriter:
    """Return a page with a box in smaller letters beside its text."""
    writer, styles = PageWriter(order), styles_of(source.language)
    whole = columns(0, 1, HIGH - 60)[0]
    y = writer.paragraph(_title(source), styles.title, whole) - 12
    left = source.random.random() < 0.5
    main = Frame(0, MARGIN + (170 if left else 0), y, 90, 317)
    _flow_until_full(writer, _sections(source, styles, number=False), iter([main]))
    x = MARGIN if left else 595 - MARGIN - 150
    box = Frame(0, x + 6, y - 10, 0, 138)
    end = writer.paragraph(source.heading(), styles.heading, box, aside=True)
    for _ in range(3):
        end = writer.paragraph(source.paragraph(2), styles.small, replace(box, top=end - 4),
                               aside=True)  # fmt: skip
    _box(writer, 0, (x, end - 8, x + 150, y))
    return writer


def list_page(source: TextSource, order: DrawingOrder = DrawingOrder.READING) -> PageWriter:
    """Return a page of numbered headings with bulleted and numbered lists."""
    writer, styles = PageWriter(order), styles_of(source.language)
    frame = columns(0, 1, HIGH - 60)[0]
    y = writer.paragraph(_title(source), styles.title, frame)
    item = replace(styles.body, indent=0)
    for number in count(1):
        if y < 230:
            break
        heading = f"{number} {source.heading()}"
        y = writer.paragraph(heading, styles.heading, replace(frame, top=y - 12))
        y = writer.paragraph(source.paragraph(2), styles.body, replace(frame, top=y - 4))
        mark = ("{}. " if number % 2 else "• ") + "{}"
        for at in range(1, 4):
            told = mark.format(at, source.sentence()) if number % 2 else f"• {source.sentence()}"
            inner = replace(frame, x=frame.x + 18, width=frame.width - 18, top=y - 4)
            y = writer.paragraph(told, item, inner)
    return writer


_FORMULAS = (
    "E = m · c² + k · T", "v = s / t − (a · t) / 2", "Q = A · v = π · r² · v",
    "p = F / A ≤ 250 kPa", "x = (−b ± d) / (2 · a)", "f(x) = a · x² + b · x + c",
    "T(n) = 2 · T(n / 2) + n", "I = U / R = 12 V / 4 Ω",
)  # fmt: skip


def formula_page(source: TextSource, order: DrawingOrder = DrawingOrder.READING) -> PageWriter:
    """Return a page of text with numbered formulas between its paragraphs."""
    writer, styles = PageWriter(order), styles_of(source.language)
    frame = columns(0, 1, HIGH - 60)[0]
    y = writer.paragraph(_title(source), styles.title, frame)
    formula = Style(CHINESE, 11, 16)
    found = source.random.sample(_FORMULAS, 5)
    for number, text in enumerate(found, start=1):
        y = writer.paragraph(source.paragraph(3), styles.body, replace(frame, top=y - 8))
        told = f"{text} ({number})"
        inner = replace(frame, x=frame.x + 150, width=300, top=y - 6)
        y = writer.paragraph(told, formula, inner) - 6
    return writer


def _title(source: TextSource) -> str:
    what, where = source.one("what"), source.one("where")
    if source.language == "zh":
        return f"{where}：{what}"
    return f"{what[0].upper()}{what[1:]} {where}"


def _sections(source: TextSource, styles: Styles, *, number: bool) -> Iterator[tuple[str, Style]]:
    """Yield headings and paragraphs without end."""
    for at in count(1):
        heading = source.heading()
        yield (f"{at} {heading}" if number else heading), styles.heading
        for _ in range(source.random.randint(1, 3)):
            yield source.paragraph(source.random.randint(2, 4)), styles.body


def _flow_until_full(
    writer: PageWriter, items: Iterator[tuple[str, Style]], frames: Iterator[Frame]
) -> None:
    """Set as many paragraphs into frames as there is room for."""
    places = list(frames)
    room = sum(each.top - each.bottom for each in places) * 0.92
    chosen: list[tuple[str, Style]] = []
    for text, style in items:
        height = style.leading * (1.5 + style.width(text) / (places[0].width * 0.93))
        room -= height
        if room < 0:
            break
        chosen.append((text, style))
    if len(chosen) > 1 and chosen[-1][1].size > chosen[-2][1].size:
        chosen.pop()  # a heading at the end
    writer.flow(chosen, iter(places))


def _with_notes(frames: list[Frame], source: TextSource, style: Style) -> list[Frame]:
    note = f"* {source.sentence()}"
    at = source.random.randrange(len(frames))
    return [replace(each, foot=((note, style),)) if at == number else each
            for number, each in enumerate(frames)]  # fmt: skip


def _figure(writer: PageWriter, source: TextSource, style: Style, frame: Frame) -> Frame:
    """Draw a figure with its caption at the top of a frame; return what is left of that."""
    low = frame.top - 90
    _box(writer, frame.page, (frame.x, low, frame.x + frame.width, frame.top))
    writer.rules.append((frame.page, frame.x + 10, low + 10, frame.x + frame.width - 10, low + 70))
    word = "图" if source.language == "zh" else "Figure "
    caption = f"{word}1. {source.sentence()}"
    y = writer.paragraph(caption, style, replace(frame, top=low - 2), aside=True)
    return replace(frame, top=y - 12)


def _box(writer: PageWriter, page: int, corners: tuple[float, float, float, float]) -> None:
    x0, y0, x1, y1 = corners
    writer.rules += [
        (page, x0, y0, x1, y0), (page, x0, y1, x1, y1),
        (page, x0, y0, x0, y1), (page, x1, y0, x1, y1),
    ]  # fmt: skip


def _edges(writer: PageWriter, source: TextSource, pages: int) -> None:
    """Set a running head and a page number on each page."""
    style = styles_of(source.language).small
    head = _title(source)
    for page in range(pages):
        writer.furnish(page, head, (MARGIN, HIGH - 40), style)
        writer.furnish(page, str(page + 11), (290, 40), style)
