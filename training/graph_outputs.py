"""Have an ONNX model give out a value of its graph that it only computes until then.

    python -m training.graph_outputs resources/models/multilingual-e5-small/model.onnx l11.seen 384

A message of protocol buffers that stands in a file twice is read as one, its lists joined
(protobuf.dev, "Last One Wins"): a few bytes at the file's end name the output, and nothing before
them changes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

_GRAPH, _OUTPUT = 7, 12  # fields of ModelProto and GraphProto (onnx.proto)
_NAME, _TYPE, _TENSOR, _SHAPE, _DIMENSION, _AXIS = 1, 2, 1, 2, 1, 2
_FLOAT = b"\x08\x01"  # TypeProto.Tensor.elem_type
_SIZE = b"\x08"  # TensorShapeProto.Dimension.dim_value


def add_output(model: Path, name: str, width: int) -> None:
    """Add a value of single precision and shape `(batch, length, width)` to a model's outputs."""
    axes = b"".join(_message(_DIMENSION, _message(_AXIS, each)) for each in (b"batch", b"length"))
    shape = axes + _message(_DIMENSION, _SIZE + _number(width))
    tensor = _message(_TENSOR, _FLOAT + _message(_SHAPE, shape))
    output = _message(_NAME, name.encode()) + _message(_TYPE, tensor)
    with model.open("ab") as file:
        file.write(_message(_GRAPH, _message(_OUTPUT, output)))


def _message(field: int, content: bytes) -> bytes:
    return _number(field << 3 | 2) + _number(len(content)) + content


def _number(value: int) -> bytes:
    """Return a whole number in 7 bits a byte, the lowest first."""
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes([*made, value])


def main() -> None:
    """Add the output asked for."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("model", type=Path)
    asked.add_argument("name")
    asked.add_argument("width", type=int)
    given = asked.parse_args()
    add_output(given.model, given.name, given.width)


if __name__ == "__main__":
    main()
