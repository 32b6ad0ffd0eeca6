"""The codec: what was written down or sent becomes the program's frozen values again, checked.

A class says what belongs to it: names, types and, with `msgspec.Meta`, ranges and lengths.
"""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


class DecodeError(ValueError):
    """A value is not of the kind that it has to be; the message says where and how, for the log."""


def decode(raw: Any, kind: type[T], *, strict: bool = True) -> T:
    """Return what JSON gave as a value of a kind: lists as tuples, objects as dataclasses.

    Names that the kind lacks are passed over. Without `strict`, `"12"` is a number as well.
    """
    import msgspec  # takes some 12 ms: who decodes nothing does not wait for it

    try:
        return msgspec.convert(raw, kind, strict=strict)
    except (msgspec.ValidationError, UnicodeError) as error:  # of a lone surrogate for a name
        raise DecodeError(str(error)) from error
