"""The recogniser: finds the lines of text on a page's picture and reads them.

The models are PaddleOCR's PP-OCRv6 (Apache-2.0). One marks where text is, as slanted rectangles;
the package of RapidOCR carries it. One reads what stands in each, cut out and made level; it is
built in, in 8 bits (`training/export_line_reader.py`). Nothing is fetched. A page that lies on its
side or its head is turned first: which way, its lines' direction and how surely they can be read
tell.
"""

from __future__ import annotations

import math
import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_rag.core.paths import resources
from desktop_rag.parsing.ocr.page_pictures import PagePicture, Pixels
from desktop_rag.parsing.ocr.recognized_page import LONGEST_LINE, RecognizedLine, RecognizedPage
from desktop_rag.parsing.reading_order import TALL

Quads = NDArray[np.float32]  # lines × corners (from the top left, clockwise) × (x, y), in pixels

_DETECTION = "PP-OCRv6_det_small.onnx"
_THREADS = min(4, os.cpu_count() or 1)
# Pixels in which text is looked for: as many as usual, as many at most.
_USUAL_PIXELS, _MOST_PIXELS = 1_600_000, 5_000_000
_SHORT_SIDE = 736
_SMALL_SIDE, _LARGEST_ENLARGEMENT = 1000, 3.0  # smaller pictures are enlarged
_MOST_SLENDER = 8  # times as long as wide: slenderer pictures get a margin
_LOWEST_LINE = 13  # pixels: where lines are lower, they are looked for once more
_LEAST_SURE, _LEAST_SURE_ALONE = 0.5, 0.9  # what is less sure is no text, a single letter sooner
_SURE = 0.85  # what is as sure stands upright
_SAMPLE = 8
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_WIDE = "[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_SPACE_IN_WIDE = re.compile(rf"(?<={_WIDE})\s+(?={_WIDE})")


@dataclass(frozen=True, slots=True)
class _Reading:
    """What stands in a rectangle, and how sure that is."""

    text: str
    confidence: float


class Recognizer:
    """Reads pages; loads its models when made, which takes half a second.

    `line_reader` names another model of PP-OCRv6 than the built-in one.
    """

    def __init__(self, line_reader: Path | None = None) -> None:
        self._detector = _detector()
        self._reader = _line_reader(line_reader or built_in_line_reader())
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="recognizer")

    def page(self, picture: PagePicture) -> RecognizedPage:
        """Return what stands on a page."""
        pixels, scale = _prepared(picture.pixels)
        quads = self._found(pixels)
        readings = self._read(pixels, quads)
        quarters = self._quarters(pixels, quads, readings)
        if quarters:
            pixels = np.ascontiguousarray(np.rot90(pixels, -quarters))
            quads = self._found(pixels)
            readings = self._read(pixels, quads)
        self._read_upwards(pixels, quads, readings)
        slope = _slope(quads)
        points = picture.width / picture.pixels.shape[1] / scale
        page = RecognizedPage(picture.width, picture.height, 90.0 * quarters - slope, ())
        placed = _placed(quads, pixels, slope)
        lines = _lines(placed * points + _offset(page), readings)
        return RecognizedPage(page.width, page.height, page.turn, tuple(lines))

    def _found(self, pixels: Pixels) -> Quads:
        """Return where text is; small print is looked for a second time, in more pixels."""
        usual = self._detected(pixels, _USUAL_PIXELS)
        if len(usual) == 0:
            return usual
        height, width = pixels.shape[:2]
        shrunk = min(1.0, math.sqrt(_USUAL_PIXELS / (width * height)))
        if shrunk < 1 and median(_sides(usual).min(axis=1)) * shrunk < _LOWEST_LINE:
            return self._detected(pixels, _MOST_PIXELS)
        return usual

    def _detected(self, pixels: Pixels, most: int) -> Quads:
        import cv2

        height, width = pixels.shape[:2]
        shrunk = min(1.0, math.sqrt(most / (width * height)))
        if min(width, height) * shrunk < _SHORT_SIDE:
            shrunk = min(1.0, _SHORT_SIDE / min(width, height))
            shrunk = min(shrunk, math.sqrt(_MOST_PIXELS / (width * height)))
        size = max(32, round(width * shrunk)), max(32, round(height * shrunk))
        seen = pixels if shrunk == 1 else cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        boxes = self._detector(seen).boxes
        if boxes is None or len(boxes) == 0:
            return np.zeros((0, 4, 2), np.float32)
        ratio = np.array([width / seen.shape[1], height / seen.shape[0]], np.float32)
        return np.asarray(boxes, np.float32) * ratio

    def _read(self, pixels: Pixels, quads: Quads, *, turned: bool = False) -> list[_Reading]:
        """Return what stands in each rectangle; `turned` reads it from its other end."""
        step = -1 if turned else 1

        def read(quad: NDArray[np.float32]) -> _Reading:
            return self._reading(_cut(pixels, quad)[::step, ::step])

        return list(self._threads.map(read, quads))

    def _reading(self, cut: Pixels) -> _Reading:
        from rapidocr.ch_ppocr_rec import TextRecInput

        if min(cut.shape[:2]) < 2:
            return _Reading("", 0.0)
        cut = np.ascontiguousarray(cut)
        found = self._reader(TextRecInput(img=[cut]))
        return _Reading(_tidy(found.txts[0]), float(found.scores[0]))

    def _read_upwards(self, pixels: Pixels, quads: Quads, readings: list[_Reading]) -> None:
        """Read what stands on its side from below as well, where it was not sure from above."""
        tall = _sides(quads)[:, 1] > TALL * _sides(quads)[:, 0]
        unsure = [at for at in np.flatnonzero(tall) if readings[at].confidence < _SURE]
        for at, other in zip(unsure, self._read(pixels, quads[unsure], turned=True), strict=True):
            readings[at] = max(readings[at], other, key=lambda each: each.confidence)

    def _quarters(self, pixels: Pixels, quads: Quads, readings: Sequence[_Reading]) -> int:
        """Return how many quarter turns, clockwise, set the page upright.

        RapidOCR reads a tall rectangle as if the page were turned three quarters.
        """
        if len(quads) == 0:
            return 0
        sides = _sides(quads)
        tall = sides[:, 1] > TALL * sides[:, 0]
        lies = sides[tall, 1].sum() > 1.5 * sides[~tall, 0].sum()
        sample = [at for at in np.argsort(-sides.max(axis=1)) if tall[at] == lies][:_SAMPLE]
        usual = _confidence([readings[at] for at in sample])
        if usual > _SURE:
            return 3 if lies else 0
        other = _confidence(self._read(pixels, quads[sample], turned=True))
        if max(usual, other) < _LEAST_SURE + 0.1:
            return 0  # no text, or one that is written from top to bottom
        if other > usual:
            return 1 if lies else 2
        return 3 if lies else 0


def built_in_line_reader() -> Path:
    """Return the file of the model that reads lines."""
    return resources() / "models" / "line-reader" / "model.onnx"


def package_models() -> Path:
    """Return the folder of the models that RapidOCR's package carries."""
    import rapidocr

    return Path(rapidocr.__file__).parent / "models"


def _detector() -> Any:
    """Return RapidOCR's detector; it searches a page in several threads."""
    import cv2

    cv2.setNumThreads(1)
    params = {
        "Det.model_path": str(package_models() / _DETECTION),
        "Det.limit_type": "max",
        "Det.limit_side_len": 1_000_000,
        "Det.max_candidates": 3000,
    }
    return _engine(_THREADS, params)._load_det_model()  # noqa: SLF001


def _line_reader(model: Path) -> Any:
    """Return RapidOCR's reader of lines; it reads one in a thread."""
    params = {
        "Rec.model_path": str(model),
        "Rec.rec_batch_num": 1,
        "Rec.rec_img_shape": [3, 48, 160],  # short pieces are not drawn out to more
    }
    return _engine(1, params)._load_rec_model()  # noqa: SLF001


def _engine(threads: int, params: dict[str, Any]) -> Any:
    """Return RapidOCR, whose models take so many threads; it loads them when asked."""
    from rapidocr import RapidOCR

    shared = {
        "Global.log_level": "critical",
        "EngineConfig.onnxruntime.intra_op_num_threads": threads,
        "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,
    }
    return RapidOCR(params=shared | params)


def _prepared(pixels: Pixels) -> tuple[Pixels, float]:
    """Return a picture fit to be looked at: enlarged by a factor, not too slender.

    Margins are added on both sides, so that its middle stays its middle.
    """
    import cv2

    height, width = pixels.shape[:2]
    scale = min(max(1.0, _SMALL_SIDE / max(width, height)), _LARGEST_ENLARGEMENT)
    if scale > 1:
        size = round(width * scale), round(height * scale)
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_CUBIC), np.uint8)
        height, width = pixels.shape[:2]
    least = max(width, height) // _MOST_SLENDER + 1
    side, end = max(0, least - width + 1) // 2, max(0, least - height + 1) // 2
    if side or end:
        wider = cv2.copyMakeBorder(pixels, end, end, side, side, cv2.BORDER_REPLICATE)
        pixels = np.asarray(wider, np.uint8)
    return pixels, scale


def _cut(pixels: Pixels, quad: NDArray[np.float32]) -> Pixels:
    """Return what stands in a rectangle, level; of a tall one as if turned three quarters."""
    from rapidocr.utils.process_img import get_rotate_crop_image

    if _sides(quad[None]).min() < 2:
        return np.zeros((0, 0, 3), np.uint8)
    return np.asarray(get_rotate_crop_image(pixels, quad.copy()), np.uint8)


def _sides(quads: Quads) -> NDArray[np.float32]:
    """Return each rectangle's length along its upper edge and along its left one."""
    across = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    down = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    return np.stack([across, down], axis=1)


def _slope(quads: Quads) -> float:
    """Return by how many degrees lines fall to the right: the longer half's median."""
    if len(quads) == 0:
        return 0.0
    edges = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    longest = edges[np.argsort(-lengths)[: max(1, len(edges) // 2)]]
    degrees = float(np.median(np.degrees(np.arctan2(longest[:, 1], longest[:, 0]))))
    return degrees if 0.3 < abs(degrees) < 30 else 0.0


def _placed(quads: Quads, pixels: Pixels, slope: float) -> NDArray[np.float64]:
    """Return each rectangle as x0, y0, x1, y1 from the middle of the level page, in pixels."""
    height, width = pixels.shape[:2]
    sine, cosine = math.sin(math.radians(slope)), math.cos(math.radians(slope))
    middles = quads.mean(axis=1) - np.array([width / 2, height / 2])
    x = middles[:, 0] * cosine + middles[:, 1] * sine
    y = middles[:, 1] * cosine - middles[:, 0] * sine
    half = _sides(quads) / 2
    return np.stack([x - half[:, 0], y - half[:, 1], x + half[:, 0], y + half[:, 1]], axis=1)


def _offset(page: RecognizedPage) -> NDArray[np.float64]:
    """Return where the middle of the level page is, in points, for both ends of a rectangle."""
    wide, high = page.level_size
    return np.array([wide / 2, high / 2] * 2)


def _lines(placed: NDArray[np.float64], readings: Sequence[_Reading]) -> Iterator[RecognizedLine]:
    for box, reading in zip(placed.tolist(), readings, strict=True):
        alone = len(reading.text) == 1 and not reading.text.isdigit()
        least = _LEAST_SURE_ALONE if alone else _LEAST_SURE
        if reading.text and reading.confidence >= least:
            x0, y0, x1, y1 = box
            yield RecognizedLine(reading.text, x0, y0, x1, y1, min(reading.confidence, 1.0))


def _confidence(readings: Sequence[_Reading]) -> float:
    """Return how sure readings are on the average."""
    return float(np.mean([each.confidence for each in readings] or [0.0]))


def _tidy(text: str) -> str:
    """Return text as a PDF would give it: no space within Chinese, none at the ends."""
    text = _CONTROL.sub("", unicodedata.normalize("NFC", text))
    return _SPACE_IN_WIDE.sub("", " ".join(text.split()))[:LONGEST_LINE]
