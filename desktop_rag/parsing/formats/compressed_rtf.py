"""Unpack the RTF that Outlook stores for a mail, as [MS-OXRTFCP] describes it."""

from __future__ import annotations

import struct

_HEAD = struct.Struct("<4I")
_COMPRESSED, _PLAIN = 0x75465A4C, 0x414C454D
_SIZE = 4096  # of the ring of bytes that references point into
# What stands in that ring before the first byte.
_BEFORE = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)


def unpacked(raw: bytes) -> bytes:
    """Return the RTF; of one that is damaged what comes before that, of anything else nothing.

    Two bytes stand for seventeen at most, so that nothing swells beyond measure.
    """
    if len(raw) < _HEAD.size:
        return b""
    _, size, kind, _ = _HEAD.unpack_from(raw)
    if kind == _PLAIN:
        return raw[_HEAD.size : _HEAD.size + size]
    return _expanded(raw[_HEAD.size :])[:size] if kind == _COMPRESSED else b""


def _expanded(raw: bytes) -> bytes:
    ring = bytearray(_BEFORE.ljust(_SIZE, b"\0"))
    made, place, at = bytearray(), len(_BEFORE), 0
    while at < len(raw):
        control, at = raw[at], at + 1
        for bit in range(8):
            if not control >> bit & 1:
                run, at = raw[at : at + 1], at + 1
            else:
                reference, at = int.from_bytes(raw[at : at + 2], "big"), at + 2
                start = reference >> 4
                if at > len(raw) or start == place % _SIZE:
                    return bytes(made)
                run = _repeated(ring, start, place, (reference & 0xF) + 2)
            made += run
            for byte in run:
                ring[place % _SIZE] = byte
                place += 1
    return bytes(made)


def _repeated(ring: bytearray, start: int, place: int, length: int) -> bytes:
    """Return bytes of the ring; a run that reaches its own beginning repeats itself."""
    before = (place - start - 1) % _SIZE + 1
    run = bytes(ring[(start + at) % _SIZE] for at in range(min(length, before)))
    return (run * (length // len(run) + 1))[:length]
