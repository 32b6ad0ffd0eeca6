"""The form of an exported knowledge base: a zip with these members, and what its manifest says.

Every `.jsonl` member is one JSON value a line, in UTF-8. Chunks stand in the order of their
documents, which say how many they have; files name their document by its number, from 0. All else
stands in ascending order, each line once: sources, files and exclusions by path, keys as they are.
Exclusions are the paths of files and folders that the user took out to stay out; form 1 has none.
`embeddings.npy` is a little-endian float16 matrix with a row for each key of `keys.jsonl`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from desktop_rag.catalog.exchange import validation

FORMAT = 2  # raise it when an older program could not read the file rightly
SUFFIX = ".ragkb"

MANIFEST = "manifest.json"
SOURCES = "sources.jsonl"
DOCUMENTS = "documents.jsonl"
CHUNKS = "chunks.jsonl"
FILES = "files.jsonl"
EXCLUSIONS = "exclusions.jsonl"
KEYS = "keys.jsonl"
VECTORS = "embeddings.npy"

SHORTEST = {SOURCES: 30, DOCUMENTS: 80, CHUNKS: 120, FILES: 90, EXCLUSIONS: 3, KEYS: 34}
"""How many bytes a line of each member has at least: its names alone are so many."""

_COUNTED = (SOURCES, DOCUMENTS, CHUNKS, FILES, KEYS)
_SINCE = {EXCLUSIONS: 2}  # the form in which a member came
_MAGIC = b"\x93NUMPY\1\0"
_MOST = 1 << 40
_WIDEST = 1 << 14


@dataclass(frozen=True, slots=True)
class ExportManifest:
    """What an export says of itself; `counts` are the lines of each counted member."""

    name: str
    program: str
    fingerprint: str
    dimensions: int
    counts: dict[str, int]

    @property
    def total(self) -> int:
        """How many lines there are altogether."""
        return sum(self.counts.values())

    def as_json(self) -> dict[str, Any]:
        """Return the manifest as it is written."""
        return {
            "format": FORMAT,
            "program": self.program,
            "name": self.name,
            "fingerprint": self.fingerprint,
            "dimensions": self.dimensions,
            "counts": self.counts,
        }


def format_of(value: Any) -> int:
    """Return the number of the form in which the rest of a file is written."""
    return validation.number(value.get("format") if isinstance(value, dict) else None, 1, _MOST)


def members(form: int) -> tuple[str, ...]:
    """Return the members of a file in one of the forms."""
    return (MANIFEST, *_counted(form), VECTORS)


def _counted(form: int) -> tuple[str, ...]:
    return (*_COUNTED, *(member for member, since in _SINCE.items() if since <= form))


def manifest_of(value: Any) -> ExportManifest:
    """Read `ExportManifest.as_json`'s form, or an older one."""
    row = validation.record(
        value, "format", "program", "name", "fingerprint", "dimensions", "counts"
    )
    counts = validation.record(row["counts"], *_counted(format_of(value)))
    return ExportManifest(
        name=validation.text(row["name"], 100),
        program=validation.text(row["program"], 100),
        fingerprint=validation.text(row["fingerprint"], 1000),
        dimensions=validation.number(row["dimensions"], 1, _WIDEST),
        counts={name: validation.number(count, 0, _MOST) for name, count in counts.items()},
    )


def float16_npy_header(shape: tuple[int, int]) -> bytes:
    """Return how numpy's file of a float16 matrix begins, always in the same bytes.

    numpy's own reader is not for files of strangers: a broken header makes it tokenize Python.
    """
    described = f"{{'descr': '<f2', 'fortran_order': False, 'shape': {shape}, }}"
    length = -(-(len(_MAGIC) + 2 + len(described) + 1) // 64) * 64 - len(_MAGIC) - 2
    text = described.ljust(length - 1) + "\n"
    return _MAGIC + struct.pack("<H", length) + text.encode("ascii")
