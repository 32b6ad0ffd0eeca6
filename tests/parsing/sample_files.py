"""Small files made in code: a PDF written by hand, and the makers that tests share."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

_PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
_CHINESE = (
    "<</Type/Font/Subtype/Type0/BaseFont/{name}/Encoding/UniGB-UCS2-H/DescendantFonts["
    "<</Type/Font/Subtype/CIDFontType0/BaseFont/{name}/DW 1000"
    "/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>>>]>>"
)
_SHAPELESS = (
    "<</Type/Font/Subtype/Type3/FontBBox[0 -200 500 800]/FontMatrix[0.001 0 0 0.001 0 0]"
    "/CharProcs<<>>/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126/Resources<<>>"
    f"/Widths[{'500 ' * 95}]>>"
)


@dataclass(frozen=True)
class Put:
    """Text at a place, in points from the bottom left, as PDF has it; Chinese, too.

    What is not `drawn` has letters without a shape, as those of a font that a machine lacks.
    """

    x: float
    y: float
    text: str
    size: float = 12
    bold: bool = False
    drawn: bool = True


@dataclass(frozen=True)
class PdfPage:
    """A page of a PDF; `extra` goes into its dictionary, `/Rotate 90` say; `shapes` are drawn.

    `rules` are lines between two points. A `damaged` page is counted, and cannot be loaded.
    """

    puts: tuple[Put, ...] = ()
    extra: str = ""
    picture: bool = False
    shapes: int = 0
    damaged: bool = False
    rules: tuple[tuple[float, float, float, float], ...] = ()


@dataclass(frozen=True)
class Pdf:
    """A PDF to be written; a password, even an empty one, encrypts it (RC4, 40 bits).

    A line of its outline is a title, a level from 0, a page from 1, and points from the bottom.
    """

    pages: tuple[PdfPage, ...]
    title: str = ""
    password: str | None = None
    outline: tuple[tuple[str, int, int, float], ...] = ()
    objects: list[bytes] = field(default_factory=list)

    def write(self, path: Path) -> Path:
        """Write the file and return its path."""
        self.objects.clear()
        key, encrypt = self._key()
        kids = " ".join(f"{9 + 2 * n} 0 R" for n in range(len(self.pages)))
        first = 9 + 2 * len(self.pages)
        outlines = f"/Outlines {first} 0 R" if self.outline else ""
        self._add(f"<</Type/Catalog/Pages 2 0 R{outlines}>>")
        self._add(f"<</Type/Pages/Kids[{kids}]/Count {len(self.pages)}/MediaBox[0 0 600 800]>>")
        self._add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
        self._add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>")
        title = rc4(_object_key(key, 5), self.title.encode()) if key else self.title.encode()
        self._add(f"<</Title<{title.hex()}>>>")
        self._add(_SHAPELESS)
        self._add(_CHINESE.format(name="STSong-Light"))
        self._add(_CHINESE.format(name="STSong-Bold"))
        for number, page in enumerate(self.pages):
            content = 10 + 2 * number
            self._add(
                "null"
                if page.damaged
                else f"<</Type/Page/Parent 2 0 R/Contents {content} 0 R{page.extra}"
                "/Resources<</Font<</F0 3 0 R/F1 4 0 R/F2 6 0 R/C0 7 0 R/C1 8 0 R>>>>>>"
            )
            stream = _content(page)
            stream = rc4(_object_key(key, content), stream) if key else stream
            self.objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream))
        if self.outline:
            self._add_outline(first)
        path.write_bytes(self._body(encrypt))
        return path

    def _add_outline(self, root: int) -> None:
        """Add the outline's lines, each below the last one of a lower level."""
        levels = [-1, *(level for _, level, _, _ in self.outline)]
        parents = [
            max((n for n in range(at) if levels[n] < levels[at]), default=0)
            for at in range(len(levels))
        ]
        for at, level in enumerate(levels):
            below = [n for n in range(1, len(levels)) if parents[n] == at]
            said = f"/First {root + below[0]} 0 R/Last {root + below[-1]} 0 R" if below else ""
            if level >= 0:
                title, _, page, y = self.outline[at - 1]
                beside = [n for n in range(1, len(levels)) if parents[n] == parents[at]]
                mine = beside.index(at)
                said += f"/Parent {root + parents[at]} 0 R"
                said += f"/Next {root + beside[mine + 1]} 0 R" if mine + 1 < len(beside) else ""
                said += f"/Prev {root + beside[mine - 1]} 0 R" if mine else ""
                said += f"/Title<FEFF{title.encode('utf-16-be').hex()}>"
                said += f"/Dest[{7 + 2 * page} 0 R/XYZ 0 {y} 0]"
            self._add(f"<<{said}>>")

    def _add(self, text: str) -> None:
        self.objects.append(text.encode("latin-1"))

    def _key(self) -> tuple[bytes, str]:
        if self.password is None:
            return b"", ""
        padded = (self.password.encode() + _PAD)[:32]
        owner = rc4(hashlib.md5(padded).digest()[:5], padded)
        identity = bytes(16)
        permissions = (-4).to_bytes(4, "little", signed=True)
        key = hashlib.md5(padded + owner + permissions + identity).digest()[:5]
        user = rc4(key, _PAD)
        zero = identity.hex()
        return key, (
            f"/ID[<{zero}><{zero}>]"
            f"/Encrypt<</Filter/Standard/V 1/R 2/O<{owner.hex()}>/U<{user.hex()}>/P -4>>"
        )

    def _body(self, encrypt: str) -> bytes:
        made, offsets = b"%PDF-1.4\n", []
        for number, each in enumerate(self.objects, start=1):
            offsets.append(len(made))
            made += b"%d 0 obj\n%s\nendobj\n" % (number, each)
        table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        size = len(offsets) + 1
        trailer = f"<</Size {size}/Root 1 0 R/Info 5 0 R{encrypt}>>".encode()
        return made + (
            b"xref\n0 %d\n0000000000 65535 f \n%strailer%s\nstartxref\n%d\n%%%%EOF"
            % (size, table, trailer, len(made))
        )


def _content(page: PdfPage) -> bytes:
    lines = []
    if page.picture:
        lines.append("q 500 0 0 700 50 50 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q")
    lines += ["72 72 m 90 90 l S"] * page.shapes
    lines += [f"{x0} {y0} m {x1} {y1} l S" for x0, y0, x1, y1 in page.rules]
    for put in page.puts:
        text = put.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        font = "F2" if not put.drawn else "F1" if put.bold else "F0"
        shown = f"({text})"
        if not text.isascii():
            font = "C1" if put.bold else "C0"
            shown = f"<{put.text.encode('utf-16-be').hex()}>"
        lines.append(f"BT /{font} {put.size} Tf {put.x} {put.y} Td {shown} Tj ET")
    return "\n".join(lines).encode("latin-1")


def _object_key(key: bytes, number: int) -> bytes:
    return hashlib.md5(key + number.to_bytes(3, "little") + bytes(2)).digest()[: len(key) + 5]


def rc4(key: bytes, raw: bytes) -> bytes:
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    made, i, j = bytearray(), 0, 0
    for byte in raw:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        made.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(made)


def one_page(*puts: Put) -> Pdf:
    """Return a PDF of one page."""
    return Pdf((PdfPage(puts),))


def paragraph(top: float, *lines: str) -> tuple[Put, ...]:
    """Return lines of running text, 14 points apart, from the left margin."""
    return tuple(Put(50, top - 14 * at, line) for at, line in enumerate(lines))
