"""The ruling lines of a PDF page: level and upright strokes, and thin filled rectangles."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

from desktop_rag.parsing.formats.pdf_lines import PageTransform

_MOST_OBJECTS = 2500  # of a page with more, each letter may be one: it has no rules then
_MOST_SEGMENTS = 20_000
_THICKEST = 3.0  # points
_SHORTEST = 6.0
_OF_RECTANGLE = 5  # segments
_JOINED = 3.0  # points between two pieces of one rule

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rule:
    """A ruling line: `at` is its height, or its x where it is upright; from `start` to `end`."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class PageRules:
    """A page's ruling lines, in points from the top left of the page as shown."""

    level: tuple[Rule, ...] = ()
    upright: tuple[Rule, ...] = ()


def page_rules(page: Any) -> PageRules:
    """Return a page's ruling lines, none of a page with very many objects."""
    count = pdfium.FPDFPage_CountObjects(page)
    if count > _MOST_OBJECTS:
        return PageRules()
    view = PageTransform.of(page)
    level: list[Rule] = []
    upright: list[Rule] = []
    left = _MOST_SEGMENTS
    for index in range(count):
        path = pdfium.FPDFPage_GetObject(page, index)
        if pdfium.FPDFPageObj_GetType(path) != pdfium.FPDF_PAGEOBJ_PATH:
            continue
        left -= pdfium.FPDFPath_CountSegments(path)
        if left < 0:
            break
        for x0, y0, x1, y1 in _strokes(path, view):
            if y1 - y0 <= _THICKEST and x1 - x0 >= _SHORTEST:
                level.append(Rule((y0 + y1) / 2, x0, x1))
            elif x1 - x0 <= _THICKEST and y1 - y0 >= _SHORTEST:
                upright.append(Rule((x0 + x1) / 2, y0, y1))
    return PageRules(_merged(level), _merged(upright))


def _strokes(path: Any, view: PageTransform) -> Iterator[tuple[float, float, float, float]]:
    """Yield the rectangles, as shown, of a path's straight strokes, or of what it fills."""
    bounds = _bounds(path)
    if bounds is None:
        return
    left, bottom, right, top = bounds
    if min(right - left, top - bottom) <= _THICKEST:
        yield view.box(bounds)
        return
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
    if not stroke.value and pdfium.FPDFPath_CountSegments(path) <= _OF_RECTANGLE:
        return
    for points in _outlines(path):
        if stroke.value:
            for one, other in pairwise(points):
                yield view.box(_around((one, other)))
        elif fill.value and len(points) > 1:
            yield view.box(_around(points))


def _bounds(path: Any) -> tuple[float, float, float, float] | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(path, left, bottom, right, top):
        return None
    return left.value, bottom.value, right.value, top.value


def _outlines(path: Any) -> Iterator[list[Point]]:
    """Yield the points of each part of a path; one with a curve is left out."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(path, matrix)
    points: list[Point] = []
    curved = False
    for index in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            if points and not curved:
                yield points
            points, curved = [], False
        curved = curved or kind == pdfium.FPDF_SEGMENT_BEZIERTO
        points.append(_point(segment, matrix))
        if pdfium.FPDFPathSegment_GetClose(segment):
            points.append(points[0])
    if points and not curved:
        yield points


def _point(segment: Any, matrix: Any) -> Point:
    x, y = ctypes.c_float(), ctypes.c_float()
    pdfium.FPDFPathSegment_GetPoint(segment, x, y)
    return (
        matrix.a * x.value + matrix.c * y.value + matrix.e,
        matrix.b * x.value + matrix.d * y.value + matrix.f,
    )


def _around(points: list[Point] | tuple[Point, ...]) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _merged(rules: list[Rule]) -> tuple[Rule, ...]:
    """Return rules, those joined that go on in one line: each cell may have its own border."""
    merged: list[Rule] = []
    for rule in sorted(rules, key=_place):
        last = merged[-1] if merged else None
        near = last is not None and abs(rule.at - last.at) <= 1 and rule.start - last.end <= _JOINED
        if last is not None and near:
            merged[-1] = Rule(last.at, min(last.start, rule.start), max(last.end, rule.end))
        else:
            merged.append(rule)
    return tuple(merged)


def _place(rule: Rule) -> tuple[int, float]:
    return round(rule.at), rule.start
