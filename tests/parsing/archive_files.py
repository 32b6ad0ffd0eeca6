"""Archives made in code: whole ones, locked ones, and some that lie."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Mapping

Content = str | bytes
_TABLE = [zlib.crc32(bytes([n]), 0xFFFFFFFF) ^ 0xFFFFFFFF for n in range(256)]


def zipped(files: Mapping[str, Content], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip with these files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def tarred(
    files: Mapping[str, Content], packing: str = "", links: Mapping[str, str] | None = None
) -> bytes:
    """Return a tar archive with these files, packed as gz, bz2 or xz where that is said."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=f"w:{packing}") as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            raw = content.encode() if isinstance(content, str) else content
            head = tarfile.TarInfo(name)
            head.size = len(raw)
            archive.addfile(head, io.BytesIO(raw))
        for name, target in (links or {}).items():
            head = tarfile.TarInfo(name)
            head.type, head.linkname = tarfile.SYMTYPE, target
            archive.addfile(head)
    return made.getvalue()


class _Named(zipfile.ZipInfo):
    """A file whose name is in an encoding that the archive does not tell."""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:  # noqa: N802 - the library's name
        return self.filename.encode("cp437"), 0


def named_in(encoding: str, files: Mapping[str, Content]) -> bytes:
    """Return a zip whose names are in an encoding that it does not tell."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(_Named(name.encode(encoding).decode("cp437")), content)
    return made.getvalue()


def locked_zip(files: Mapping[str, Content], password: str, plain: Mapping[str, Content]) -> bytes:
    """Return a zip of which some files are encrypted as PKZIP does it, and some are not."""
    raws = {name: each.encode() if isinstance(each, str) else each for name, each in files.items()}
    whole = zipped({**raws, **plain}, zipfile.ZIP_STORED)
    parts, directory = b"", b""
    with zipfile.ZipFile(io.BytesIO(whole)) as old:
        for info in old.infolist():
            content, flags = old.read(info), 0
            if info.filename in raws:
                head = bytes(11) + bytes([info.CRC >> 24])
                content, flags = _encrypted(head + content, password.encode()), 1
            name = info.filename.encode()
            told = (flags, 0, 0, 0, info.CRC, len(content), info.file_size, len(name), 0)
            directory += struct.pack("<4sHHHHHHLLLHHHHHLL", b"PK\1\2", 20, 20, *told, 0, 0, 0, 0,
                                     len(parts)) + name  # fmt: skip
            parts += struct.pack("<4sHHHHHLLLHH", b"PK\3\4", 20, *told) + name + content
    count = len(raws) + len(plain)
    told_last = 0, 0, count, count, len(directory), len(parts), 0
    return parts + directory + struct.pack("<4sHHHHLLH", b"PK\5\6", *told_last)


def _encrypted(plain: bytes, password: bytes) -> bytes:
    keys = [0x12345678, 0x23456789, 0x34567890]

    def update(byte: int) -> None:
        keys[0] = _step(keys[0], byte)
        keys[1] = ((keys[1] + (keys[0] & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
        keys[2] = _step(keys[2], keys[1] >> 24)

    for byte in password:
        update(byte)
    made = bytearray()
    for byte in plain:
        key = keys[2] | 2
        made.append(byte ^ ((key * (key ^ 1)) >> 8) & 0xFF)
        update(byte)
    return bytes(made)


def _step(crc: int, byte: int) -> int:
    return (crc >> 8) ^ _TABLE[(crc ^ byte) & 0xFF]
