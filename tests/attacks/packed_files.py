"""ZIP and TAR archives that somebody made to do harm, with one honest file in front.

Bombs (flat, nested, overlapping as Fifield's of 2019), sizes that lie, heads without end, names and
links that lead out. Each must be read as far as it goes, or refused by name; nothing is written
beside it.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import tarfile
import zlib
from collections.abc import Callable, Iterator

from tests.attacks.confined_reading import read_files
from tests.attacks.report import Attack, Report, Task
from tests.attacks.sample_documents import SENTENCE
from tests.parsing.archive_files import Content, tarred, zipped

_MOST_SECONDS = 60.0
_MOST_MEGABYTES = 1600.0
_MEGABYTE = 1_000_000
_QUICK = {"flat.zip", "overlapping.zip", "names.tar", "long names.tar"}
_ENDS = {"ready", "too_large", "corrupt"}
_HONEST: dict[str, Content] = {"a.txt": SENTENCE}
_LINE = f"{SENTENCE} ".encode()


def _hostile() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield archives by name, each with how it is made."""
    yield "flat.zip", lambda: zipped(_HONEST | {"b.txt": bytes(1500 * _MEGABYTE)})
    yield "overlapping.zip", lambda: _overlapping(120, 21 * _MEGABYTE)
    yield "nested.zip", lambda: zipped(_HONEST | _nested(3))
    yield "many.zip", lambda: zipped(_HONEST | {f"{n}.txt": "" for n in range(200_000)})
    yield (
        "long names.zip",
        lambda: zipped(_HONEST | {"x" * 60_000 + f"{n}.txt": SENTENCE for n in range(300)}),
    )
    yield "sizes.zip", lambda: _with_sizes(0xFFFFFFFE)
    yield "small sizes.zip", lambda: _with_sizes(1)
    yield "bytes.txt.gz", lambda: gzip.compress(bytes(1500 * _MEGABYTE), 1)
    yield "bytes.txt.bz2", lambda: bz2.compress(_LINE) + bz2.compress(bytes(400 * _MEGABYTE)) * 9
    yield "bytes.txt.xz", lambda: lzma.compress(bytes(1000 * _MEGABYTE), preset=0)
    yield "members.txt.gz", lambda: gzip.compress(_LINE) + gzip.compress(b"") * 500_000
    yield "bomb.tgz", lambda: gzip.compress(tarred(_HONEST | {"b.txt": bytes(900 * _MEGABYTE)}), 1)
    yield (
        "names.tar",
        lambda: tarred(
            _HONEST | {"../" * 9 + "b.txt": SENTENCE, "/b.txt": SENTENCE, "C:\\b.txt": SENTENCE},
            links={"passwd.txt": "/etc/passwd", "self.txt": "self.txt", "up": "../.."},
        ),
    )
    yield (
        "devices.tar",
        lambda: _tar(
            *(_head(f"{n}.txt", kind) for n, kind in enumerate((b"1", b"3", b"4", b"6", b"Z") * 99))
        ),
    )
    long_name = _head("././@LongLink", b"L", 5) + _block(b"b.txt")
    yield "long names.tar", lambda: _tar(*[long_name] * 9999)
    yield "heads.tar", lambda: _tar(*[_head("b.txt", b"0")] * 300_000)
    yield "heads of heads.tar", lambda: _tar(*[_head("b", b"x", 9) + _block(b"9 a=bcde\n")] * 9999)
    yield "claims.tar", lambda: _tar(_head("b.txt", b"0", 0o77777777777))
    yield "pax claims.tar", lambda: _tar(_head("b", b"x", 0o77777777777))
    yield "below zero.tar", lambda: _tar(_head("b.txt", b"0", -1536))
    yield "pax below zero.tar", lambda: _tar(_head("b", b"x", 13) + _block(b"13 size=-2048\n"))
    yield "sparse.tar", lambda: _tar(_sparse(1 << 40))


def _nested(depth: int) -> dict[str, Content]:
    """Return sixteen zips of sixteen zips and so on, each of a file of zeros."""
    inner = zipped({"b.txt": bytes(20 * _MEGABYTE)} if depth == 0 else _nested(depth - 1))
    return {f"{n}.zip": inner for n in range(16)}


def _block(raw: bytes) -> bytes:
    return raw.ljust(-(-len(raw) // 512) * 512, b"\0")


def _head(name: str, kind: bytes, size: int = 0) -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, "a.txt"
    info.size = size
    return _summed(info.tobuf(tarfile.GNU_FORMAT))


def _summed(head: bytes) -> bytes:
    """Return a head with the right checksum."""
    blank = head[:148] + b" " * 8 + head[156:]
    return head[:148] + b"%06o\0 " % sum(blank[:512]) + head[156:]


def _sparse(size: int) -> bytes:
    """Return a sparse file of a few bytes that says it is so large."""
    head = bytearray(_head("b.txt", b"S", 512))
    for at, number in ((386, 0), (398, 512)):
        head[at : at + 12] = b"%011o\0" % number
    head[483:495] = b"\x80" + size.to_bytes(11, "big")
    return _summed(bytes(head)) + _block(SENTENCE.encode())


def _tar(*heads: bytes) -> bytes:
    """Return an archive of an honest file and what follows it."""
    honest = tarred(_HONEST)[:1024]
    return honest + b"".join(heads) + bytes(1024)


def _with_sizes(size: int) -> bytes:
    """Return a zip whose directory lies of a file's unpacked size."""
    raw = bytearray(zipped(_HONEST | {"b.txt": _LINE * 1000}))
    at = raw.rindex(b"PK\1\2")
    struct.pack_into("<L", raw, at + 24, size)
    return bytes(raw)


def _overlapping(count: int, size: int) -> bytes:
    """Return a zip of files that share one stream of zeros, each quoting the heads of the next."""
    packer, plain = zlib.compressobj(9, zlib.DEFLATED, -15), bytes(size)
    body, checked, length = packer.compress(plain) + packer.flush(), zlib.crc32(plain), size
    told: list[tuple[bytes, int]] = []
    for number in reversed(range(count)):
        name = f"{number:04}.txt".encode()
        said = struct.pack("<HHHHLLLHH", 0, 8, 0, 0, checked, len(body), length, len(name), 0)
        head = struct.pack("<4sH", b"PK\3\4", 20) + said + name
        entry = struct.pack("<4sHH", b"PK\1\2", 20, 20) + said + struct.pack("<HHHL", 0, 0, 0, 0)
        told.append((entry, len(head) + len(body)))
        quoted = struct.pack("<BHH", 0, len(head), len(head) ^ 0xFFFF) + head
        whole, body = head + body, quoted + body
        checked = zlib.crc32(plain, zlib.crc32(head))
        plain, length = head + plain, length + len(head)
    directory = b"".join(
        entry + struct.pack("<L", len(whole) - behind) + f"{count - 1 - at:04}.txt".encode()
        for at, (entry, behind) in enumerate(told)
    )
    last = struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, count, count, len(directory), len(whole), 0)
    return whole + directory + last


def _try_archives(report: Report, task: Task) -> None:
    for name, make in _hostile():
        if task.is_quick and name not in _QUICK:
            continue
        with report.attempt(name):
            folder = task.folder / name.replace(".", "-")
            found = read_files(report, {name: make()}, folder)[name]
            report.expect(found.status in _ENDS, f"{found.status} {found.notes}")
            report.expect(found.seconds <= _MOST_SECONDS, f"{found.seconds} s")
            report.expect([each.name for each in folder.iterdir()] == [name], "it wrote beside it")
            if found.status == "ready":
                report.expect(SENTENCE in found.text, "what stands beside it was lost")
                report.expect("root:" not in found.text, "what a link leads to was read")
    with report.attempt("memory"):
        report.expect(report.peaks.get("parser", 0) <= _MOST_MEGABYTES, f"{report.peaks} MiB")


ATTACKS = (Attack("packed files", _try_archives),)
