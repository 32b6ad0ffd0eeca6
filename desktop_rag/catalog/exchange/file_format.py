"""The form of an exported knowledge base: a zip with these members, and what its manifest says.

Every `.jsonl` member is one JSON value a line, in UTF-8. Chunks stand in the order of their
documents, which say how many they have; files name their document by its number, from 0. All else
stands in ascending order, each line once: sources, files and exclusions by path, keys as they are.
Exclusions are the paths of files and folders that the user took out to stay out; form 1 has none.
Documents tell their metadata since form 3, and boxes may stand on the page after their chunk's.
Form 4 has what the knowledge base is prepared for, and what was derived for that from documents:
`prepared.jsonl` says of which document, for which way, by which recipe and how many derived texts
there are, which stand in that order in `derived.jsonl`. They name the chunks they were made from by
their places in the document, and other derived texts by their places among those, all from 0.
Form 5 has at most one adaptation of the query vectors, of the model that made the vectors; its map
is a little-endian float16 matrix, row by row, in base64.
`embeddings.npy` is a little-endian float16 matrix with a row for each key of `keys.jsonl`.

Anybody may have written it: length and range of each value belong to its type.
"""

from __future__ import annotations

import struct
from typing import Annotated, Any

from msgspec import Meta, Struct

from desktop_rag.catalog.provenance import MARK
from desktop_rag.core.types import BlockKind, FileStatus, LocatorKind

FORMAT = 5  # raise it when an older program could not read the file rightly
SUFFIX = ".ragkb"

MANIFEST = "manifest.json"
SOURCES = "sources.jsonl"
DOCUMENTS = "documents.jsonl"
CHUNKS = "chunks.jsonl"
FILES = "files.jsonl"
EXCLUSIONS = "exclusions.jsonl"
PREPARATIONS = "preparations.jsonl"
PREPARED = "prepared.jsonl"
DERIVED = "derived.jsonl"
ADAPTATION = "adaptation.jsonl"
KEYS = "keys.jsonl"
VECTORS = "embeddings.npy"

SHORTEST = {
    SOURCES: 30, DOCUMENTS: 80, CHUNKS: 120, FILES: 90, EXCLUSIONS: 3, KEYS: 34, PREPARATIONS: 30,
    PREPARED: 40, DERIVED: 40, ADAPTATION: 150,
}  # fmt: skip
"""How many bytes a line of each member has at least: its names alone are so many."""

_COUNTED = (SOURCES, DOCUMENTS, CHUNKS, FILES, KEYS)
_SINCE = {
    EXCLUSIONS: 2,
    PREPARATIONS: 4,
    PREPARED: 4,
    DERIVED: 4,
    ADAPTATION: 5,
}  # the form in which a member came
_MAGIC = b"\x93NUMPY\1\0"
_COUNTED_PLACES = (LocatorKind.PAGE, LocatorKind.SLIDE, LocatorKind.ROW, LocatorKind.LINE)
_NEVER_STORED = (
    FileStatus.QUEUED, FileStatus.UNCHANGED, FileStatus.MOVED, FileStatus.DELETED,
)  # fmt: skip

SIZE = 16  # bytes of a key
_LARGEST = (1 << 63) - 1  # what SQLite can hold
_MANY = 1 << 31
_FAR = 1e9  # PDF points, or seconds
_LONGEST_PATH = 32_767  # of any system
_UNICODE = r"\A[\0-\ud7ff\ue000-\U0010ffff]*\Z"

Text = Annotated[str, Meta(pattern=_UNICODE)]
Label = Annotated[Text, Meta(max_length=100)]
Glob = Annotated[Text, Meta(max_length=_LONGEST_PATH)]
AnyPath = Annotated[str, Meta(pattern=r"\A[^\0\ud800-\udfff]+\Z", max_length=_LONGEST_PATH)]
Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{8,128}\Z")]
Key = Annotated[str, Meta(pattern=rf"\A[0-9a-f]{{{2 * SIZE}}}\Z")]
Count = Annotated[int, Meta(ge=0, le=_MANY)]
Ordinal = Annotated[int, Meta(ge=1, le=_MANY)]
Size = Annotated[int, Meta(ge=0, le=_LARGEST)]
Way = Annotated[str, Meta(pattern=r"\A[a-z_]{1,50}\Z")]
Percent = Annotated[float, Meta(ge=-100, le=100)]
Points = Annotated[float, Meta(ge=-_FAR, le=_FAR)]


class InvalidFieldError(ValueError):
    """A value is not what it has to be; the message says how, in a few words."""


class ExportFormat(Struct, frozen=True):
    """The number of the form in which a file is written."""

    format: Annotated[int, Meta(ge=1, le=1 << 40)]


class ExportManifest(ExportFormat, frozen=True, forbid_unknown_fields=True):
    """What an export says of itself; `counts` are the lines of each counted member."""

    program: Label
    name: Label
    fingerprint: Annotated[Text, Meta(max_length=1000)]
    dimensions: Annotated[int, Meta(ge=1, le=1 << 14)]
    counts: dict[str, Annotated[int, Meta(ge=0, le=1 << 40)]]

    def __post_init__(self) -> None:
        if self.counts.keys() != set(_counted(self.format)):
            raise InvalidFieldError("other members are counted")

    @property
    def total(self) -> int:
        """How many lines there are altogether."""
        return sum(self.counts.values())


class ExportSourceRow(Struct, forbid_unknown_fields=True):
    """A folder or file that the knowledge base follows; `exclude` are globs."""

    path: AnyPath
    is_folder: bool
    exclude: tuple[Glob, ...]


class ExportDocumentRow(Struct, forbid_unknown_fields=True):
    """A document, and how many chunks it has."""

    hash: Digest
    recipe: Annotated[str, Meta(pattern=rf"\A[^{MARK}\ud800-\udfff]*\Z", max_length=200)]
    title: Text
    text: Text
    pages: Count | None
    notes: tuple[Text, ...]
    chunks: Ordinal
    metadata: dict[str, Any] | None = None  # since form 3


class ExportBoxRow(Struct, array_like=True, forbid_unknown_fields=True):
    """A box: its corners, its range, and its page where that is not the chunk's (since form 3)."""

    x0: Points
    y0: Points
    x1: Points
    y1: Points
    start: Count
    end: Count
    page: Ordinal | None = None


class ExportLocatorRow(Struct, array_like=True, forbid_unknown_fields=True):
    """Where a chunk stands."""

    kind: LocatorKind
    value: Ordinal | Text
    start: Count | None
    end: Count | None
    cells: Label | None
    boxes: tuple[ExportBoxRow, ...]

    def __post_init__(self) -> None:
        if (self.start is None) != (self.end is None):
            raise InvalidFieldError("a range has one end")
        ranges = ((box.start, box.end) for box in self.boxes)
        _require_ranges((self.start or 0, self.end or 0), *ranges)
        if self.kind in _COUNTED_PLACES and isinstance(self.value, str):
            raise InvalidFieldError("a place has no number")


class ExportChunkRow(Struct, forbid_unknown_fields=True):
    """A chunk; `big` is the range that is read when it matched."""

    kind: BlockKind
    text: Text
    context: Text
    section: Text
    locator: ExportLocatorRow
    big: tuple[Count, Count]
    key: Digest

    def __post_init__(self) -> None:
        _require_ranges(self.big)


class ExportFileRow(Struct, forbid_unknown_fields=True):
    """A file and what became of it; `document` is a number, from 0."""

    path: AnyPath
    size: Size | None
    mtime_ns: Annotated[int, Meta(ge=-_LARGEST, le=_LARGEST)] | None
    hash: Annotated[str, Meta(pattern=r"\A([0-9a-f]{8,128})?\Z")] | None
    status: FileStatus
    reason: Annotated[Text, Meta(max_length=10_000)]
    document: Size | None
    seconds: Annotated[float, Meta(ge=0, le=_FAR)]

    def __post_init__(self) -> None:
        is_ready = self.status is FileStatus.READY
        is_seen = self.size is not None
        is_stamped = is_seen == (self.mtime_ns is not None)
        is_whole = is_ready == (self.document is not None) and (is_seen or not is_ready)
        if self.status in _NEVER_STORED or not is_stamped or not is_whole:
            raise InvalidFieldError("its state is none that a file can be in")


class ExportPreparationRow(Struct, forbid_unknown_fields=True):
    """A way that the knowledge base is prepared for; `model` is empty where none writes."""

    way: Way
    model: Label
    is_paused: bool


class ExportPreparedRow(Struct, forbid_unknown_fields=True):
    """A document that is wholly prepared for a way; `texts` is how many derived texts it has."""

    document: Size
    way: Way
    recipe: Annotated[Text, Meta(max_length=300)]
    texts: Count


class ExportDerivedRow(Struct, forbid_unknown_fields=True):
    """A derived text; `children` come before it among those of its document and way."""

    text: Annotated[Text, Meta(min_length=1, max_length=100_000)]
    level: Annotated[int, Meta(ge=0, le=20)]
    sources: Annotated[tuple[Count, ...], Meta(min_length=1)]
    children: tuple[Count, ...]


class ExportAdaptationRow(Struct, forbid_unknown_fields=True):
    """What was measured of an adaptation, and its map where that was worth keeping."""

    source: Annotated[Text, Meta(max_length=1000)]
    documents: Count
    trained: Count
    held_out: Count
    recall_before: Percent
    recall_after: Percent
    gain_low: Percent
    gain_high: Percent
    vector_before: Percent
    vector_after: Percent
    query_map: Annotated[str, Meta(pattern=r"\A[A-Za-z0-9+/]+=*\Z")] | None


def _require_ranges(*ranges: tuple[int, ...]) -> None:
    if any(start > end for start, end in ranges):
        raise InvalidFieldError("a range ends before it begins")


def members(form: int) -> tuple[str, ...]:
    """Return the members of a file in one of the forms."""
    return (MANIFEST, *_counted(form), VECTORS)


def _counted(form: int) -> tuple[str, ...]:
    return (*_COUNTED, *(member for member, since in _SINCE.items() if since <= form))


def float16_npy_header(shape: tuple[int, int]) -> bytes:
    """Return how numpy's file of a float16 matrix begins, always in the same bytes.

    numpy's own reader is not for files of strangers: a broken header makes it tokenize Python.
    """
    described = f"{{'descr': '<f2', 'fortran_order': False, 'shape': {shape}, }}"
    length = -(-(len(_MAGIC) + 2 + len(described) + 1) // 64) * 64 - len(_MAGIC) - 2
    text = described.ljust(length - 1) + "\n"
    return _MAGIC + struct.pack("<H", length) + text.encode("ascii")
