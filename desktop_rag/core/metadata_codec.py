"""What a document says of itself as plain values, for a pipe, an export and a shared base."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import astuple

from desktop_rag.core import codec
from desktop_rag.core.document_metadata import LONGEST_VALUE, MOST_NAMES, DocumentMetadata

_FAR = 1e11  # seconds: some three thousand years
_Value = Annotated[str, Meta(max_length=LONGEST_VALUE)]
_Values = Annotated[tuple[_Value, ...], Meta(max_length=MOST_NAMES)]
_Date = Annotated[float, Meta(ge=-_FAR, le=_FAR)] | None


class _MetadataRow(Struct):
    """`DocumentMetadata`, field by field."""

    authors: _Values = ()
    recipients: _Values = ()
    keywords: _Values = ()
    subject: _Value = ""
    created: _Date = None
    modified: _Date = None
    language: _Value = ""


def pack_metadata(metadata: DocumentMetadata) -> dict[str, Any]:
    """Return what `unpack_metadata` reads, of types that JSON has."""
    return asdict(metadata)


def unpack_metadata(value: Any) -> DocumentMetadata:
    """Read what `pack_metadata` made; a ValueError where it is something else."""
    return DocumentMetadata(*astuple(codec.decode(value, _MetadataRow)))
