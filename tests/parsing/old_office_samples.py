"""Write small files of old Office and Outlook, as their specifications describe them."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


# Compound files ([MS-CFB]).


@dataclass
class _Node:
    name: str
    content: bytes | None = None  # None for a storage
    inside: dict[str, _Node] = field(default_factory=dict)
    number: int = 0
    right: int = _FREE
    start: int = _END


def compound_file(streams: Mapping[str, bytes]) -> bytes:
    """Return a compound file of streams by their paths (`storage/stream`)."""
    root = _Node("Root Entry")
    for path, content in streams.items():
        at = root
        *folders, name = path.split("/")
        for folder in folders:
            at = at.inside.setdefault(folder, _Node(folder))
        at.inside[name] = _Node(name, content)
    nodes = _numbered(root)
    sectors: list[bytes] = []
    fat: list[int] = []
    mini, mini_fat = b"", list[int]()
    for node in nodes:
        if node.content and len(node.content) < _CUTOFF:
            node.start = len(mini_fat)
            mini += _padded(node.content, _MINI)
            mini_fat += _chain(node.start, len(mini) // _MINI)
        elif node.content:
            node.start = _stored(node.content, sectors, fat)
    root.start = _stored(mini, sectors, fat) if mini else _END
    packed = struct.pack(f"<{len(mini_fat)}I", *mini_fat)
    mini_start = _stored(_padded(packed, _SECTOR, b"\xff"), sectors, fat) if mini else _END
    mini_count = (len(packed) + _SECTOR - 1) // _SECTOR
    entries = b"".join(_entry(node, len(mini)) for node in nodes)
    directory = _stored(_padded(entries, _SECTOR), sectors, fat)
    count = len(fat) // (_SECTOR // 4 - 1) + 1  # sectors of the table, itself among them
    places = list(range(len(fat), len(fat) + count))
    fat += [_FAT] * count
    table = _padded(struct.pack(f"<{len(fat)}I", *fat), _SECTOR, b"\xff")
    head = struct.pack(
        "<8s16sHHHHH6xIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", bytes(16), 0x3E, 3, 0xFFFE, 9, 6,
        0, count, directory, 0, _CUTOFF, mini_start, mini_count, _END, 0, 0,
    )[:76]  # fmt: skip
    listed = struct.pack("<109I", *(places + [_FREE] * 109)[:109])
    return head + listed + b"".join(sectors) + table


def _numbered(root: _Node) -> list[_Node]:
    nodes, waiting = list[_Node](), [root]
    while waiting:
        node = waiting.pop(0)
        node.number = len(nodes)
        nodes.append(node)
        waiting += node.inside.values()
    return nodes


def _entry(node: _Node, mini_size: int) -> bytes:
    """Return a directory's entry; siblings are linked one to the right of the other."""
    kind = 5 if node.number == 0 else 1 if node.content is None else 2
    size = mini_size if kind == 5 else len(node.content or b"")
    ordered = sorted(node.inside.values(), key=lambda each: (len(each.name), each.name.upper()))
    child = ordered[0].number if ordered else _FREE
    for one, two in pairwise(ordered):
        one.right = two.number
    name = node.name.encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII16sIQQIQ",
        name, len(name) + 2, kind, 1, _FREE, node.right, child, bytes(16), 0, 0, 0,
        node.start if kind != 1 else 0, size,
    )  # fmt: skip


def _stored(content: bytes, sectors: list[bytes], fat: list[int]) -> int:
    start = len(fat)
    content = _padded(content, _SECTOR)
    sectors += [content[at : at + _SECTOR] for at in range(0, len(content), _SECTOR)]
    fat += _chain(start, start + len(content) // _SECTOR)
    return start


def _chain(start: int, end: int) -> list[int]:
    return [*range(start + 1, end), _END]


def _padded(content: bytes, size: int, by: bytes = b"\0") -> bytes:
    return content + by * (-len(content) % size)


# Word ([MS-DOC]): a head, the text, and a table of one piece.


def word_file(text: str, *, is_encrypted: bool = False, formulas: int = 0) -> bytes:
    """Return a Word 97 file of paragraphs that end in `\\r`; cells and rows end in `\\a`."""
    head = bytearray(0x600)
    struct.pack_into("<HHHHHH", head, 0, 0xA5EC, 0xC1, 0, 0x409, 0, 0x0200 | is_encrypted << 8)
    struct.pack_into("<H", head, 32, 14)
    struct.pack_into("<H", head, 62, 22)
    struct.pack_into("<I", head, 0x4C, len(text))
    struct.pack_into("<H", head, 152, 0x5D)
    piece = struct.pack("<IIHIH", 0, len(text), 0, 0x600, 0)
    table = b"\x02" + struct.pack("<I", len(piece)) + piece
    struct.pack_into("<II", head, 0x1A2, 0, len(table))
    struct.pack_into("<I", head, 24, 0x600)
    struct.pack_into("<I", head, 28, 0x600 + 2 * len(text))
    content = bytes(head) + text.encode("utf-16-le")
    objects = {f"ObjectPool/_{at}/Equation Native": b"\x1c\0" for at in range(formulas)}
    return compound_file({"WordDocument": content.ljust(4096, b"\0"), "1Table": table} | objects)


# PowerPoint ([MS-PPT]): records, a directory of where they are, and the place of the last save.


def presentation(
    slides: Sequence[Mapping[int, str]],
    notes: Mapping[int, str] | None = None,
    *,
    is_encrypted: bool = False,
) -> bytes:
    """Return a presentation whose slides have texts by their kinds (0 titles, 1 bodies, 4 others).

    Titles and bodies stand in the outline, and the slides' shapes refer to them.
    """
    parts = {1: b""}
    listed, noted = b"", b""
    for number, texts in enumerate(slides, start=1):
        listed += record(1011, struct.pack("<IIIII", number + 1, 0, 0, 255 + number, 0))
        boxes, at = b"", 0
        for kind, text in texts.items():
            own = record(3999, struct.pack("<I", kind)) + record(4000, text.encode("utf-16-le"))
            if kind in (0, 1):
                listed += own
                own, at = record(3998, struct.pack("<I", at)), at + 1
            boxes += container(0xF004, record(0xF00D, own))
        parts[number + 1] = container(1006, record(1007, bytes(24)), _drawing(boxes))
    for number, text in (notes or {}).items():
        key = 100 + number
        noted += record(1011, struct.pack("<IIIII", key, 0, 0, 255 + number, 0))
        own = record(3999, struct.pack("<I", 2)) + record(4000, text.encode("utf-16-le"))
        box = container(0xF004, record(0xF00D, own))
        facts = record(1009, struct.pack("<II", 255 + number, 0))
        parts[key] = container(1008, facts, _drawing(box))
    parts[1] = container(1000, container(4080, listed), container(4080, noted, instance=2))
    return _saved(parts, is_encrypted=is_encrypted)


def table_slide(rows: Sequence[Sequence[str]]) -> bytes:
    """Return a presentation of one slide that is a table."""
    shapes = container(0xF004, record(0xF122, struct.pack("<HI", 0x039F, 1)))
    for top, row in enumerate(rows):
        for left, text in enumerate(row):
            anchor = record(0xF00F, struct.pack("<4i", left * 10, top * 10, left * 10, top * 10))
            box = record(0xF00D, record(4000, text.encode("utf-16-le")))
            shapes += container(0xF004, anchor, box)
    slide = container(1006, _drawing(container(0xF003, shapes)))
    listed = record(1011, struct.pack("<IIIII", 2, 0, 0, 256, 0))
    return _saved({1: container(1000, container(4080, listed)), 2: slide}, is_encrypted=False)


def record(kind: int, content: bytes, version: int = 0, instance: int = 0) -> bytes:
    return struct.pack("<HHI", version | instance << 4, kind, len(content)) + content


def container(kind: int, *inside: bytes, instance: int = 0) -> bytes:
    return record(kind, b"".join(inside), 0xF, instance)


def _drawing(shapes: bytes) -> bytes:
    return container(1036, container(0xF002, container(0xF003, shapes)))


def _saved(parts: Mapping[int, bytes], *, is_encrypted: bool) -> bytes:
    stream, places = b"", {}
    for key, part in parts.items():
        places[key] = len(stream)
        stream += part
    directory = len(stream)
    listed = (struct.pack("<II", key | 1 << 20, place) for key, place in places.items())
    stream += record(6002, b"".join(listed))
    save = len(stream)
    stream += record(4085, struct.pack("<IIIIII", 256, 0, 0, directory, 1, 200))
    token = 0xF3D1C4DF if is_encrypted else 0xE391C05F
    user = record(4086, struct.pack("<III", 20, token, save))
    return compound_file({"Current User": user, "PowerPoint Document": stream})


# Excel 97 ([MS-XLS]): records of a number and a length.

Cell = str | float | bool | tuple[float, str]  # a number may come with its format


def old_workbook(
    sheets: Mapping[str, Sequence[Sequence[Cell]]], hidden: str = "", more: bytes = b""
) -> bytes:
    """Return an Excel 97 file of sheets by their names; `hidden` names one that is not shown.

    `more` are records that stand before the sheets.
    """
    return compound_file({"Workbook": workbook_stream(sheets, hidden, more)})


def workbook_stream(
    sheets: Mapping[str, Sequence[Sequence[Cell]]], hidden: str = "", more: bytes = b""
) -> bytes:
    """Return the stream of `old_workbook`."""
    codes = list(dict.fromkeys(c[1] for s in sheets.values() for row in s for c in row
                               if isinstance(c, tuple)))  # fmt: skip
    style = {code: 1 + at for at, code in enumerate(codes)}
    bodies = []
    for rows in sheets.values():
        body = biff(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
        for number, row in enumerate(rows):
            for column, cell in enumerate(row):
                body += _biff_cell(number, column, cell, style)
        bodies.append(body + biff(0x0A, b""))
    formats = b"".join(
        biff(0x41E, struct.pack("<HHB", 164 + at, len(code), 0) + code.encode("latin-1"))
        for at, code in enumerate(codes)
    )
    numbers = [0, *range(164, 164 + len(codes))]
    formats += b"".join(biff(0xE0, struct.pack("<HH16x", 0, each)) for each in numbers)
    head = biff(0x809, struct.pack("<HHHHII", 0x600, 0x05, 0, 0, 0, 0))
    head += more + biff(0x42, struct.pack("<H", 1200)) + formats
    names = [(name, name.encode("utf-16-le")) for name in sheets]
    at = len(head) + sum(12 + len(raw) for _, raw in names) + 4
    for (name, raw), body in zip(names, bodies, strict=True):
        head += biff(0x85, struct.pack("<IBBBB", at, name == hidden, 0, len(name), 1) + raw)
        at += len(body)
    return head + biff(0x0A, b"") + b"".join(bodies)


def biff(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def _biff_cell(row: int, column: int, cell: Cell, style: Mapping[str, int]) -> bytes:
    value, code = cell if isinstance(cell, tuple) else (cell, "")
    head = struct.pack("<HHH", row, column, style.get(code, 0))
    if isinstance(value, bool):
        return biff(0x205, head + struct.pack("<BB", value, 0))
    if isinstance(value, str):
        raw = value.encode("utf-16-le")
        return biff(0x204, head + struct.pack("<HB", len(value), 1) + raw) if value else b""
    return biff(0x203, head + struct.pack("<d", value))


# Excel's binary workbook ([MS-XLSB]).

_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled'
    '.main"/></Types>'
)
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def binary_workbook(
    sheets: Mapping[str, Sequence[tuple[int, int, bytes]]],
    codes: Sequence[str] = (),
    strings: Sequence[str] = (),
) -> bytes:
    """Return an .xlsb of sheets, each of records at rows and columns (see `bin_cell`)."""
    parts = {"[Content_Types].xml": _TYPES.encode()}
    parts["_rels/.rels"] = _relations({"a": ("officeDocument", "xl/workbook.bin")})
    names = list(sheets)
    listed = {f"s{at}": ("worksheet", f"worksheets/sheet{at}.bin") for at in range(len(names))}
    others = {"t": ("styles", "styles.bin"), "u": ("sharedStrings", "sharedStrings.bin")}
    parts["xl/_rels/workbook.bin.rels"] = _relations({**listed, **others})
    parts["xl/workbook.bin"] = bin_record(153, bytes(8)) + b"".join(
        bin_record(156, struct.pack("<II", 0, at + 1) + wide(f"s{at}") + wide(name))
        for at, name in enumerate(names)
    )
    formats = b"".join(
        bin_record(44, struct.pack("<H", 164 + at) + wide(code)) for at, code in enumerate(codes)
    )
    styles = [0, *range(164, 164 + len(codes))]
    entries = b"".join(bin_record(47, struct.pack("<HH12x", 0, each)) for each in styles)
    parts["xl/styles.bin"] = formats + bin_record(617, b"") + entries + bin_record(618, b"")
    parts["xl/sharedStrings.bin"] = b"".join(bin_record(19, b"\0" + wide(s)) for s in strings)
    for at, name in enumerate(names):
        last, body = -1, b""
        for row, _, cell in sheets[name]:
            body += bin_record(0, struct.pack("<I", row)) if row != last else b""
            body, last = body + cell, row
        parts[f"xl/worksheets/sheet{at}.bin"] = body
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    return made.getvalue()


def bin_cell(
    row: int, column: int, kind: int, value: bytes, style: int = 0
) -> tuple[int, int, bytes]:
    """Return a cell of a kind of record: 2 RK, 4 boolean, 5 real, 6 text, 7 shared text."""
    return row, column, bin_record(kind, struct.pack("<II", column, style) + value)


def bin_record(kind: int, content: bytes) -> bytes:
    number = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    length, rest = b"", len(content)
    while True:
        rest, low = rest >> 7, rest & 0x7F
        length += bytes([low | (0x80 if rest else 0)])
        if not rest:
            return number + length + content


def wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def _relations(parts: Mapping[str, tuple[str, str]]) -> bytes:
    each = "".join(
        f'<Relationship Id="{key}" Type="{_RELATED}/{kind}" Target="{target}"/>'
        for key, (kind, target) in parts.items()
    )
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{space}">{each}</Relationships>'.encode()


# Outlook ([MS-OXMSG]).


def outlook_mail(
    texts: Mapping[int, str | bytes],
    attachments: Sequence[tuple[str, bytes | Mapping[str, bytes]]] = (),
    numbers: Mapping[int, int] | None = None,
    *,
    ids: Mapping[int, str] | None = None,
) -> bytes:
    """Return an Outlook mail of properties by their numbers; an attachment may be a mail's.

    `ids` are the names by which a page shows attachments, by their order from 0.
    """
    streams = mail_streams(texts, attachments, numbers)
    for at, name in (ids or {}).items():
        path, raw = _property(0x3712, name)
        streams[f"__attach_version1.0_#{at:08X}/{path}"] = raw
    return compound_file(streams)


def mail_streams(
    texts: Mapping[int, str | bytes],
    attachments: Sequence[tuple[str, bytes | Mapping[str, bytes]]] = (),
    numbers: Mapping[int, int] | None = None,
    *,
    head: int = 32,
) -> dict[str, bytes]:
    """Return the streams of a mail by their paths; that of a mail within one has a head of 24."""
    made = {"__properties_version1.0": bytes(head) + _numbers(numbers or {})}
    for number, text in texts.items():
        made.update([_property(number, text)])
    for at, (name, content) in enumerate(attachments):
        folder = f"__attach_version1.0_#{at:08X}/"
        made[f"{folder}__properties_version1.0"] = bytes(8)
        own = [_property(0x3707, name)]
        if isinstance(content, bytes):
            own.append(_property(0x3701, content))
        else:
            own += [(f"__substg1.0_3701000D/{path}", raw) for path, raw in content.items()]
        made.update((folder + path, raw) for path, raw in own)
    return made


def _numbers(numbers: Mapping[int, int]) -> bytes:
    return b"".join(struct.pack("<HHIQ", 3, at, 6, value) for at, value in numbers.items())


def _property(number: int, value: str | bytes) -> tuple[str, bytes]:
    kind = "0102" if isinstance(value, bytes) else "001F"
    raw = value if isinstance(value, bytes) else value.encode("utf-16-le")
    return f"__substg1.0_{number:04X}{kind}", raw
