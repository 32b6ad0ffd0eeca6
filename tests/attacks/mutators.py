"""Ways to damage a file, each a function of its bytes and of a seeded draw.

Some know nothing of the format; those for packages (Office files are zip archives of XML), PDF,
markup, tables and mail damage what their readers rely on. None makes more than a few MB.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable
from random import Random

from desktop_rag.parsing.format_detection import BY_EXTENSION, FileFormat

Change = Callable[[bytes, Random], bytes]

_NUMBER = re.compile(rb"\d+")
_MARKUP = (".xml", ".rels", ".xhtml", ".opf")  # endings of the parts that are changed
_HUGE = (b"-1", b"0", b"65536", b"2147483648", b"4294967295", b"99999999999999999999", b"1e999")
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0"
_LOCKED_ZIP = b"PK\x03\x04\x14\x00\x01"  # its files can't be changed one by one
_ENTITIES = (
    '<!DOCTYPE d [<!ENTITY a0 "lol lol lol ">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 9))
    + '<!ENTITY file SYSTEM "file:///etc/hostname">]>'
).encode()


def flip_bits(raw: bytes, draw: Random) -> bytes:
    """Flip one to forty bits."""
    made = bytearray(raw)
    for _ in range(draw.choice((1, 3, 10, 40))):
        made[draw.randrange(len(made))] ^= 1 << draw.randrange(8)
    return bytes(made)


def overwrite_a_run(raw: bytes, draw: Random) -> bytes:
    """Overwrite a run with one byte, or with any."""
    at, length = draw.randrange(len(raw)), draw.choice((4, 64, 2048))
    byte = draw.choice((b"\0", b"\xff", b"<", b"(", None))
    return (
        raw[:at] + (draw.randbytes(length) if byte is None else byte * length) + raw[at + length :]
    )


def insert_a_run(raw: bytes, draw: Random) -> bytes:
    """Put bytes in between, so that every offset behind them is wrong."""
    at = draw.randrange(len(raw))
    return raw[:at] + draw.randbytes(draw.choice((1, 7, 300))) + raw[at:]


def cut_off(raw: bytes, draw: Random) -> bytes:
    """Keep only the beginning, or only the end."""
    at = draw.randrange(1, len(raw))
    return raw[:at] if draw.random() < 0.8 else raw[at:]


def leave_out(raw: bytes, draw: Random) -> bytes:
    """Take a run out of the middle."""
    at = draw.randrange(len(raw))
    return raw[:at] + raw[at + draw.choice((1, 16, 512, 8192)) :]


def repeat_a_run(raw: bytes, draw: Random) -> bytes:
    """Repeat a run up to some 500 KB."""
    at, length = draw.randrange(len(raw)), draw.choice((1, 20, 400, 5000))
    run = raw[at : at + length]
    return raw[:at] + run * draw.choice((2, 30, max(2, 500_000 // len(run)))) + raw[at:]


def replace_numbers(raw: bytes, draw: Random) -> bytes:
    """Put numbers that nobody expects in place of a few that stand there."""
    places = list(_NUMBER.finditer(raw))
    for found in sorted(draw.sample(places, min(len(places), 5)), key=re.Match.start, reverse=True):
        raw = raw[: found.start()] + draw.choice(_HUGE) + raw[found.end() :]
    return raw


def begin_otherwise(raw: bytes, draw: Random) -> bytes:
    """Put byte order marks before the file: one, doubled, or one that contradicts another."""
    return draw.choice(_MARKS) + draw.choice((b"", *_MARKS)) + raw


def write_otherwise(raw: bytes, draw: Random) -> bytes:
    """Write a text in another encoding, without saying so."""
    text = raw.decode("utf-8", "replace")
    name = draw.choice(
        ("utf-16-le", "utf-16-be", "utf-32-le", "utf-7", "gb18030", "cp037", "koi8_r", "shift_jis")
    )
    return text.encode(name, "replace")


# Packages: zip archives of XML.


def repacked(raw: bytes, draw: Random, change: Callable[[str, bytes, Random], bytes]) -> bytes:
    """Pack an archive anew, with one of its parts changed: the text's own, more often than not."""
    parts = _parts(raw)
    ends = (*_MARKUP, ".bin") if "xl/workbook.bin" in parts else _MARKUP
    names = [name for name, part in parts.items() if part and name.endswith(ends)]
    heavy = sorted(names, key=lambda name: len(parts[name]))[-3:]
    name = draw.choice(heavy if draw.random() < 0.7 else names)
    return _packed(parts | {name: change(name, parts[name], draw)})


def damage_a_part(raw: bytes, draw: Random) -> bytes:
    """Damage one part's bytes, the archive around it being whole."""
    ways = (flip_bits, overwrite_a_run, insert_a_run, cut_off, leave_out, repeat_a_run)
    return repacked(raw, draw, lambda _, part, it: it.choice(ways)(part, it))


def change_numbers_of_a_part(raw: bytes, draw: Random) -> bytes:
    """Put huge, negative and missing numbers into one part."""
    return repacked(raw, draw, lambda _, part, it: replace_numbers(part, it))


def nest_a_part(raw: bytes, draw: Random) -> bytes:
    """Nest an element of one part thousands of times in itself."""

    def nest(_: str, part: bytes, it: Random) -> bytes:
        tags = list(re.finditer(rb"<(?:[\w]+:)?[\w]+>", part)) or list(re.finditer(rb"<b>", b"<b>"))
        found, times = it.choice(tags), it.choice((300, 20_000))
        name = found.group()[1:-1]
        inner = b"<%s>" % name * times + b"x" + b"</%s>" % name * times
        return part[: found.end()] + inner + part[found.end() :]

    return repacked(raw, draw, nest)


def swell_an_attribute(raw: bytes, draw: Random) -> bytes:
    """Give one element an attribute of two million letters."""

    def swell(_: str, part: bytes, it: Random) -> bytes:
        places = [found.end() for found in re.finditer(rb"<\w+(:\w+)?(?=[ />])", part)] or [0]
        at = it.choice(places)
        return part[:at] + b' swollen="' + b"A" * 2_000_000 + b'"' + part[at:]

    return repacked(raw, draw, swell)


def declare_entities(raw: bytes, draw: Random) -> bytes:
    """Declare entities that grow a hundred million times, or that name a file, and use one."""

    def declare(_: str, part: bytes, it: Random) -> bytes:
        used = it.choice((b"&a8;", b"&file;", b"&nothing;"))
        body = re.sub(rb"^\s*<\?xml[^>]*\?>", b"", part)
        at = [found.start() for found in re.finditer(rb"</[\w:]*t>", body)] or [len(body) // 2]
        place = it.choice(at)
        return b'<?xml version="1.0"?>' + _ENTITIES + body[:place] + used + body[place:]

    return repacked(raw, draw, declare)


def lose_a_part(raw: bytes, draw: Random) -> bytes:
    """Leave a part out, put one in the place of another, or name one twice."""
    parts = _parts(raw)
    one, two = draw.sample(sorted(parts), 2)
    way = draw.randrange(3)
    if way == 0:
        return _packed({name: part for name, part in parts.items() if name != one})
    if way == 1:
        return _packed(parts | {one: parts[two], two: parts[one]})
    return _packed(parts | {one.upper(): parts[two], f"../{one}": parts[one], f"/{two}": b"x"})


def lie_in_the_directory(raw: bytes, draw: Random) -> bytes:
    """Change what the archive's list says of a part: its size, its place, its packing, its name."""
    made, places = bytearray(raw), [found.start() for found in re.finditer(rb"PK\x01\x02", raw)]
    if not places:
        return flip_bits(raw, draw)
    at = draw.choice(places) + draw.choice((6, 8, 10, 16, 20, 24, 28, 42))
    made[at : at + 2] = draw.randbytes(2)
    return bytes(made[: len(raw)])


def pack_zeros(raw: bytes, draw: Random) -> bytes:
    """Let one part unpack to far more than it is packed."""
    return repacked(raw, draw, lambda _, part, it: part + bytes(it.choice((10, 60)) * 1_000_000))


def change_a_head(raw: bytes, draw: Random) -> bytes:
    """Change what a tar archive says of a file: its size, its kind, its name, with a right sum."""
    heads = [at for at in range(0, len(raw) - 512, 512) if raw[at + 257 : at + 262] == b"ustar"]
    if not heads:
        return flip_bits(raw, draw)
    made, at = bytearray(raw), draw.choice(heads)
    kinds = [bytes([kind]) for kind in b"012345678LKxgSZ"]
    field, told = draw.choice(
        [(156, draw.choice(kinds)), (124, b"%011o" % draw.randrange(1 << 33)), (124, b"\xff" * 12),
         (0, b"../" * 30), (0, draw.randbytes(99)), (257, bytes(8)), (345, draw.randbytes(100))]
    )  # fmt: skip
    made[at + field : at + field + len(told)] = told
    made[at + 148 : at + 156] = b" " * 8
    made[at + 148 : at + 156] = b"%06o\0 " % sum(made[at : at + 512])
    return bytes(made)


def _parts(raw: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _packed(parts: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), part, zipfile.ZIP_DEFLATED)
    return made.getvalue()


# PDF.


def loop_objects(raw: bytes, draw: Random) -> bytes:
    """Let references lead to other objects: to none, to their own, in a ring."""
    objects = re.findall(rb"(\d+) 0 obj", raw) or [b"1"]
    places = list(re.finditer(rb"(\d+) 0 R", raw))
    for found in sorted(draw.sample(places, min(len(places), 4)), key=re.Match.start, reverse=True):
        to = draw.choice([*objects, b"0", b"999999"])
        raw = raw[: found.start(1)] + to + raw[found.end(1) :]
    return raw


def lie_of_lengths(raw: bytes, draw: Random) -> bytes:
    """Let streams claim other lengths, the table of objects other places and sizes."""
    names = draw.choice((rb"/Length\s*(\d+)", rb"(\d{10}) \d{5} n", rb"startxref\s*(\d+)",
                         rb"/(?:Size|Count|N|First|W|Prev)\s*\[?\s*(\d+)"))  # fmt: skip
    places = list(re.finditer(names, raw)) or list(re.finditer(rb"(\d+) 0 obj", raw))
    for found in sorted(draw.sample(places, min(len(places), 3)), key=re.Match.start, reverse=True):
        raw = raw[: found.start(1)] + draw.choice(_HUGE) + raw[found.end(1) :]
    return raw


def nest_arrays(raw: bytes, draw: Random) -> bytes:
    """Open arrays, dictionaries or strings thousands of times, without closing them."""
    places = [found.end() for found in re.finditer(rb"<<|\[|stream\r?\n", raw)] or [0]
    at = draw.choice(places)
    return raw[:at] + draw.choice((b"[", b"<<", b"(", b"<</A ", b"q ")) * 50_000 + raw[at:]


def pack_a_stream(raw: bytes, draw: Random) -> bytes:
    """Put a stream that unpacks to 60 MB, twice packed, in the place of a page's content."""
    bomb = zlib.compress(zlib.compress(b"(a) Tj " * (60_000_000 // 7), 9), 9)
    places = list(re.finditer(rb"<<[^<>]*/Length[^<>]*>>\s*stream\r?\n", raw))
    if not places:
        return loop_objects(raw, draw)
    found = draw.choice(places)
    head = b"<</Filter[/FlateDecode/FlateDecode]/Length %d>>stream\n" % len(bomb)
    end = raw.find(b"endstream", found.end())
    return raw[: found.start()] + head + bomb + b"\n" + (raw[end:] if end > 0 else b"endstream")


# Markup, tables, mail: texts.


def nest_marks(raw: bytes, draw: Random) -> bytes:
    """Open what stands for a nested thing thousands of times, in the middle of a text."""
    mark = draw.choice(
        (b"<div>", b"<table><tr><td>", b"<ul><li>", b"<b><i>", b"> ", b"[", b"![a](", b"* " * 3,
         b"`", b"\n" + b"    " * 20 + b"- x", b"**_", b'"', b"<!--", b"<a href=", b"&#", b"| ")
    )  # fmt: skip
    at = draw.randrange(len(raw))
    return raw[:at] + mark * draw.choice((200, 5000)) + raw[at:]


def swell_a_line(raw: bytes, draw: Random) -> bytes:
    """Put a line of a megabyte into a text: letters, spaces, one sign, or separators."""
    sign = draw.choice((b"a", b" ", b"-", b",", b"\t", b"|", b'""', "中".encode(), b"a. ", b"\0"))
    at = draw.randrange(len(raw))
    return raw[:at] + sign * (1_000_000 // len(sign)) + raw[at:]


def declare_otherwise(raw: bytes, draw: Random) -> bytes:
    """Let a text declare another encoding than it has, one that is none of a text, too."""
    name = draw.choice(
        (b"utf-16", b"cp037", b"utf-7", b"hz", b"idna", b"x" * 300, b"\xff", b"big5")
    )
    for each in (rb"charset=\"?[\w-]+", rb"encoding=\"[\w-]+"):
        raw = re.sub(each, b"charset=" + name, raw)
    return b'<meta charset="' + name + b'">' + raw if b"<html" in raw[:500] else raw


def confuse_parts(raw: bytes, draw: Random) -> bytes:
    """Let a mail's parts begin and end where they don't, within each other, without end."""
    lines = raw.split(b"\n")
    parts = [line for line in lines if line.startswith(b"--")] or [b"--none"]
    heads = [
        b'Content-Type: multipart/mixed; boundary="%s"' % draw.choice(parts)[2:].strip(b"-\r"),
        b"Content-Type: message/rfc822", b"Content-Transfer-Encoding: base64",
        b"Content-Transfer-Encoding: uuencode", b'Content-Type: text/html; charset="unknown-8bit"',
        b"Content-Disposition: attachment; filename=../../../etc/passwd.txt",
        b"Subject: =?utf-8?b?" + b"/" * 77 + b"?=", b"X: " + b"=?a?q?b?= " * 2000,
        b"",
    ]  # fmt: skip
    for _ in range(draw.choice((1, 5, 200))):
        lines.insert(draw.randrange(len(lines)), draw.choice([*heads, *parts]))
    return b"\n".join(lines)


# Compound files: old Office, Outlook. RTF.


def lead_sectors_astray(raw: bytes, draw: Random) -> bytes:
    """Let chains of sectors lead elsewhere: into a circle, into each other, out of the file."""
    made = bytearray(raw.ljust(1024, b"\0"))
    table = 512 + 512 * int.from_bytes(made[76:80], "little")
    for _ in range(draw.choice((1, 3, 30))):
        at = table + 4 * draw.randrange(128)
        target = draw.choice((draw.randrange(128), 0, (at - table) // 4, 0xFFFFFFFE, 0xFFFFFFF0))
        if at + 4 <= len(made):
            made[at : at + 4] = target.to_bytes(4, "little")
    return bytes(made)


def lie_in_the_head(raw: bytes, draw: Random) -> bytes:
    """Change what a compound file's head says: sizes and numbers of sectors, where tables begin."""
    made = bytearray(raw.ljust(512, b"\0"))
    at = draw.choice((30, 32, 40, 44, 48, 56, 60, 64, 68, 72, 76, 80))
    number = draw.choice((0, 1, 2, 12, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF))
    made[at : at + 4] = number.to_bytes(4, "little")
    return bytes(made)


def lie_of_records(raw: bytes, draw: Random) -> bytes:
    """Put huge and small numbers where lengths, counts and places of records stand."""
    made = bytearray(raw)
    for _ in range(draw.choice((1, 5, 25))):
        at, size = draw.randrange(len(made)) & ~1, draw.choice((2, 4))
        number = draw.choice((0, 1, 0xFFFF, 0x7FFF, 0xFFFFFFFF, 0x7FFFFFFF, 0x10000))
        made[at : at + size] = (number & (1 << 8 * size) - 1).to_bytes(size, "little")
    return bytes(made[: len(raw)])


def swap_sectors(raw: bytes, draw: Random) -> bytes:
    """Exchange two sectors, or put one in the place of another."""
    sectors = [raw[at : at + 512] for at in range(0, len(raw), 512)]
    one, two = draw.randrange(len(sectors)), draw.randrange(len(sectors))
    if draw.random() < 0.5:
        sectors[one], sectors[two] = sectors[two], sectors[one]
    else:
        sectors[one] = sectors[two]
    return b"".join(sectors)


def confuse_groups(raw: bytes, draw: Random) -> bytes:
    """Open and close RTF's groups where none are, with bytes to skip and rows without end."""
    word = draw.choice(
        (b"{", b"}", b"{\\*\\x ", b"\\bin99999999 ", b"\\bin-5 ", b"\\u-99999?", b"\\uc100\\u65 ",
         b"\\trowd\\cell", b"\\cell", b"\\row", b"{\\fonttbl{\\f1\\fcharset128 x;}", b"\\f1\\'81",
         b"{\\stylesheet{\\s1 heading 1;}", b"\\s1\\par ", b"{\\footnote ", b"\\'8", b"\\ansicpg0 ",
         b"\\v ", b"{\\info{\\title ", b"\\" + b"a" * 5000)
    )  # fmt: skip
    at = draw.randrange(len(raw))
    return raw[:at] + word * draw.choice((1, 200, 20_000)) + raw[at:]


ANY = (
    flip_bits, overwrite_a_run, insert_a_run, cut_off, leave_out, repeat_a_run, replace_numbers,
    begin_otherwise,
)  # fmt: skip
PACKAGE = (
    damage_a_part, damage_a_part, change_numbers_of_a_part, nest_a_part, swell_an_attribute,
    declare_entities, lose_a_part, lie_in_the_directory, pack_zeros,
)  # fmt: skip
PDF = (loop_objects, loop_objects, lie_of_lengths, lie_of_lengths, nest_arrays, pack_a_stream)
TEXT = (write_otherwise, nest_marks, nest_marks, swell_a_line, declare_otherwise)
MAIL = (*TEXT, confuse_parts, confuse_parts)
COMPOUND = (lead_sectors_astray, lie_in_the_head, lie_of_records, lie_of_records, swap_sectors)
TAR = (change_a_head, change_a_head, change_a_head)
RTF = (*TEXT, confuse_groups, confuse_groups)


def changes_for(suffix: str, raw: bytes = b"") -> tuple[Change, ...]:
    """Return the ways that suit a file of this name; an encrypted package is a compound file."""
    if raw.startswith(_COMPOUND_FILE):
        return (*ANY, *COMPOUND)
    if BY_EXTENSION.get(suffix) is FileFormat.PICTURE:
        return ANY
    if raw.startswith(_LOCKED_ZIP):
        return (*ANY, lie_in_the_directory)
    own = {
        ".pdf": PDF, ".docx": PACKAGE, ".pptx": PACKAGE, ".xlsx": PACKAGE, ".xlsb": PACKAGE,
        ".eml": MAIL, ".rtf": RTF, **dict.fromkeys((".doc", ".ppt", ".xls", ".msg"), COMPOUND),
        ".odt": PACKAGE, ".odp": PACKAGE, ".ods": PACKAGE, ".epub": PACKAGE, ".mbox": MAIL,
        ".mhtml": MAIL, ".zip": PACKAGE, ".tar": TAR, ".tgz": (),
    }  # fmt: skip
    return (*ANY, *own.get(suffix, TEXT))


def splice(one: bytes, two: bytes, draw: Random) -> bytes:
    """Join the beginning of one file to the end of another."""
    return one[: draw.randrange(1, len(one))] + two[draw.randrange(len(two)) :]
