"""Compute the reader of text lines in 8 bits: `resources/models/line-reader`.

    python -m venv export && export/bin/pip install -c constraints.txt . onnx
    export/bin/python -m training.export_line_reader resources/models/line-reader PICTURE…

PICTURES show pages of print, in the languages that people have: the ranges of what the model
computes are taken from lines on them, and other lines tell how often both read the same.

The convolutions, three quarters of the time, are computed in 8 bits in fixed ranges, a scale for
each channel of the weights; the last layer, which tells 18,710 characters apart, in ranges found
anew for each line. One bit of the weights is left unused, so that processors without VNNI do not
overflow and read the same.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_rag.parsing.ocr.page_pictures import page_picture
from desktop_rag.parsing.ocr.recognizer import Recognizer, package_models
from training.export_embedder import sha256

ORIGINAL = "PP-OCRv6_rec_small.onnx"
ORIGINAL_SHA256 = "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884"
_CALIBRATED, _COMPARED = 100, 250  # lines
_LEAST_ALIKE = 0.995  # of the characters
_OPSET = 17  # the first one with layer norms; scales for each channel begin at 13
# What ONNX Runtime would make of a convolution here, its quantizer does not know.
_UNKNOWN_FUSIONS = ("ConvActivationFusion", "MatmulTransposeFusion")

Line = NDArray[np.float32]  # 1 × 3 × 48 × width, as the model is given it


class _Recorder:
    """Stands for a model's session, and keeps what it is given."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self.lines: list[Line] = []

    def __call__(self, line: Line) -> Any:
        self.lines.append(line.copy())
        return self._session(line)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("out", type=Path)
    asked.add_argument("pictures", type=Path, nargs="+")
    given = asked.parse_args()
    original = package_models() / ORIGINAL
    if sha256(original) != ORIGINAL_SHA256:
        raise SystemExit(f"{original} is not the model that this script knows.")
    lines = shuffled_lines(original, given.pictures)
    if len(lines) < _CALIBRATED + _COMPARED:
        raise SystemExit(f"{len(lines)} lines are too few.")
    calibrated, compared = lines[:_CALIBRATED], lines[_CALIBRATED:][:_COMPARED]
    given.out.mkdir(parents=True, exist_ok=True)
    write_quantized(original, given.out / "model.onnx", calibrated)
    alike = characters_alike(original, given.out / "model.onnx", compared)
    print(f"of {len(compared)} lines, {100 * alike:.2f} % of the characters are read the same")
    if alike < _LEAST_ALIKE:
        raise SystemExit("It does not read what the original reads.")
    write_card(given.out, alike)


def shuffled_lines(model: Path, pictures: Sequence[Path]) -> list[Line]:
    """Return the lines on pictures as the model is given them, always in the same order."""
    recognizer = Recognizer(model)
    reader = recognizer._reader  # noqa: SLF001
    recorder = reader.session = _Recorder(reader.session)
    for path in sorted(pictures):
        recognizer.page(page_picture(path, 1))
    order = sorted(range(len(recorder.lines)), key=lambda at: recorder.lines[at].tobytes())
    random.Random(1).shuffle(order)  # threads read in any order
    return [recorder.lines[at] for at in order]


def write_quantized(original: Path, out: Path, lines: Sequence[Line]) -> None:
    """Write the model in 8 bits, with the ranges that it computes in for these lines."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic, quantize_static

    with tempfile.TemporaryDirectory() as scratch:
        fused, convolved = Path(scratch) / "fused.onnx", Path(scratch) / "convolved.onnx"
        last = write_fused(original, fused)
        quantize_static(
            fused,
            convolved,
            _Ranges(lines),
            op_types_to_quantize=["Conv"],
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            extra_options={"CalibMovingAverage": True},
        )
        quantize_dynamic(
            convolved,
            out,
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            nodes_to_quantize=[last],
        )
    made, source = onnx.load(out), onnx.load(original)
    del made.metadata_props[:]
    made.metadata_props.extend(source.metadata_props)  # the characters
    onnx.save(made, out)


def write_fused(original: Path, out: Path) -> str:
    """Write the model with its activations and norms as one step each; return the last layer."""
    import onnx
    import onnxruntime
    from onnx import version_converter

    newer = out.with_suffix(".newer")
    onnx.save(version_converter.convert_version(onnx.load(original), _OPSET), newer)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(out)
    onnxruntime.InferenceSession(newer, options, disabled_optimizers=list(_UNKNOWN_FUSIONS))
    graph = onnx.load(out).graph
    widths = {each.name: max(each.dims, default=0) for each in graph.initializer}
    layers = [node for node in graph.node if node.op_type == "MatMul"]
    return str(max(layers, key=lambda node: widths.get(node.input[1], 0)).name)


class _Ranges:
    """Gives the quantizer one line after the other."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines: Iterator[Line] = iter(lines)

    def get_next(self) -> dict[str, Line] | None:
        """Return what the model is given next; nothing at the end."""
        line = next(self._lines, None)
        return None if line is None else {"x": line}

    def __len__(self) -> int:
        return _CALIBRATED


def characters_alike(original: Path, made: Path, lines: Sequence[Line]) -> float:
    """Return which share of the original's characters the other reads, too."""
    total = same = 0
    for ours, theirs in zip(readings(made, lines), readings(original, lines), strict=True):
        total += len(theirs)
        blocks = SequenceMatcher(None, theirs, ours, autojunk=False).get_matching_blocks()
        same += sum(block.size for block in blocks)
    return same / total


def readings(model: Path, lines: Sequence[Line]) -> Iterator[str]:
    """Yield what a model reads in lines."""
    reader = Recognizer(model)._reader  # noqa: SLF001
    for line in lines:
        found, _ = reader.postprocess_op(
            reader.session(line), False, wh_ratio_list=[1.0], max_wh_ratio=1.0
        )
        yield str(found[0][0])


def write_card(out: Path, alike: float) -> None:
    """Write what the program checks and a reader wants to know."""
    model = out / "model.onnx"
    card = {
        "name": out.name,
        "kind": "text recognition",
        "title": "PP-OCRv6 small, reader of text lines",
        "licence": "Apache-2.0",
        "source": "PaddleOCR's PP-OCRv6_rec_small, by way of rapidocr 3.10 "
        f"(sha256 {ORIGINAL_SHA256})",
        "made": "training/export_line_reader.py",
        "number_format": "int8",
        "dimensions": 18710,
        "max_tokens": 0,
        "scripts": ["latin", "cjk"],
        "files": {model.name: {"sha256": sha256(model), "bytes": model.stat().st_size}},
        "quality": {
            "measure": "characters read as the original reads them, in percent",
            "lines of print": round(100 * alike, 2),
        },
    }
    (out / "card.json").write_text(json.dumps(card, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
