"""Whether the files of a vector graph fit together: hnswlib reads them without looking.

A kill while Chroma writes may leave a file short. Its reader then walks through whatever lies in
memory, which sometimes crashes it and sometimes not (chroma#7238).

A look at a Chroma folder from a child process: a damaged one may crash whoever opens it.
"""

from __future__ import annotations

import multiprocessing
import struct
import sys
from pathlib import Path

import numpy as np

SECONDS = 60.0
_QUERIES, _HITS = 50, 500
_HEADER = struct.Struct("<i4Q")  # version, offset, room for, elements, bytes an element, more
_HEADER_BYTES = 100
_KNOWN_VERSION = 1
_LENGTH = struct.Struct("<I")
_ROUNDING = 0.01  # vectors are kept as float16


def opens_in_child(folder: Path, dimensions: int, seconds: float = SECONDS) -> bool:
    """Say whether a child process could open and query a Chroma folder, and lived."""
    child = multiprocessing.get_context("spawn").Process(
        target=_look, args=(str(folder), dimensions), daemon=True
    )
    child.start()
    child.join(seconds)
    if child.is_alive():
        child.kill()
        child.join()
    code = child.exitcode
    child.close()
    return code == 0


def _look(folder: str, dimensions: int) -> None:
    """Open the folder and ask much of it: in the child, which ends with a status."""
    import numpy as np

    from desktop_rag.core.errors import StoreDamaged
    from desktop_rag.index.chroma import ChromaIndex

    asked = np.random.default_rng(0).standard_normal((_QUERIES, dimensions))
    try:
        store = ChromaIndex.in_folder(Path(folder))
        store.ids()
        for vector in asked.astype(np.float32):
            store.nearest(vector, _HITS)
        store.close()
    except StoreDamaged:
        sys.exit(1)


def are_graph_files_whole(dense: Path) -> bool:
    """Say whether every graph below a Chroma folder is as long as its header says, or longer.

    A header of an unknown version is believed: the probe judges it.
    """
    return all(_is_whole(header.parent) for header in dense.glob("*/header.bin"))


def zero_unused_space(dense: Path, most: int | None = None) -> None:
    """Empty the room for vectors to come, in every graph of at most so many bytes below a folder.

    hnswlib writes that room as it found it in memory, with whatever lay there before: pieces of
    documents' texts, too.
    """
    for header in dense.glob("*/header.bin"):
        known = header.read_bytes()
        if len(known) < _HEADER_BYTES:
            continue
        version, _, _, elements, size = _HEADER.unpack_from(known)
        if version == _KNOWN_VERSION and (most is None or elements * size <= most):
            _empty(header.with_name("data_level0.bin"), elements * size)
            _empty(header.with_name("length.bin"), elements * _LENGTH.size)


def _empty(file: Path, start: int) -> None:
    """Write zeros from a place to the end, where there is anything else."""
    try:
        with file.open("r+b") as opened:
            opened.seek(start)
            rest = opened.read()
            if rest.strip(b"\0"):
                opened.seek(start)
                opened.write(bytes(len(rest)))
    except (FileNotFoundError, PermissionError):
        return  # not written yet, or (on Windows) in use: the next time


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
