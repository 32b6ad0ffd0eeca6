"""Whether the files of a vector graph fit together: hnswlib reads them without looking.

A kill while Chroma writes may leave a file short. Its reader then walks through whatever lies in
memory, which sometimes crashes it and sometimes not (chroma#7238).
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

_HEADER = struct.Struct("<i4Q")  # version, offset, room for, elements, bytes an element, more
_HEADER_BYTES = 100
_KNOWN_VERSION = 1
_LENGTH = struct.Struct("<I")
_ROUNDING = 0.01  # vectors are kept as float16


def fits(dense: Path) -> bool:
    """Say whether every graph below a Chroma folder is as long as its header says, or longer.

    A header of an unknown version is believed: the probe judges it.
    """
    return all(_is_whole(header.parent) for header in dense.glob("*/header.bin"))


def _is_whole(folder: Path) -> bool:
    header = (folder / "header.bin").read_bytes()
    if len(header) < _HEADER_BYTES:
        return False
    version, _, _, elements, size = _HEADER.unpack_from(header)
    if version != _KNOWN_VERSION:
        return True
    try:
        return (
            (folder / "data_level0.bin").stat().st_size >= elements * size
            and _are_units((folder / "length.bin").read_bytes(), elements)
            and _holds_links((folder / "link_lists.bin").read_bytes(), elements)
        )
    except FileNotFoundError:
        return False


def _are_units(lengths: bytes, elements: int) -> bool:
    """Say whether every vector was of length 1, as ours are."""
    if len(lengths) < elements * _LENGTH.size:
        return False
    found = np.frombuffer(lengths, "<f4", elements)
    return bool(np.all(np.abs(found - 1.0) < _ROUNDING))


def _holds_links(links: bytes, elements: int) -> bool:
    """Say whether there is one list an element, each after its length in bytes."""
    at = 0
    for _ in range(elements):
        if at + _LENGTH.size > len(links):
            return False
        at += _LENGTH.size + int(_LENGTH.unpack_from(links, at)[0])
    return at <= len(links)
