"""Code pages of RTF, by their numbers and by the sets of signs that its fonts name."""

from __future__ import annotations

import re

from desktop_rag.parsing.text_encoding import codec_of

CHARSETS = {
    77: "mac-roman", 78: "cp932", 79: "cp949", 80: "gb18030", 81: "big5hkscs", 128: "cp932",
    129: "cp949", 130: "johab", 134: "gb18030", 136: "big5hkscs", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
_CODEPAGES = {
    10000: "mac-roman", 10001: "cp932", 10002: "big5hkscs", 10003: "cp949", 10006: "mac-greek",
    10007: "mac-cyrillic", 10008: "gb18030", 10029: "mac-latin2", 10081: "mac-turkish",
    65001: "utf-8",
}  # fmt: skip
PLATFORMS = {b"ansi": "cp1252", b"mac": "mac-roman", b"pc": "cp437", b"pca": "cp850"}
SYMBOL_FONT = "symbol"  # its letters are signs, of which bullets are known

# Control words and symbols that stand for a character.
SIGNS = {
    b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
    b"rdblquote": "”", b"bullet": "•", b"tab": " ", b"emspace": " ", b"enspace": " ",
    b"qmspace": " ", b"line": " ", b"lbr": " ", b"softline": " ", b"column": " ", b"nestcell": " ",
    b"nestrow": " ",
}  # fmt: skip
SYMBOLS = {b"~": " ", b"_": "-", b"{": "{", b"}": "}", b"\\": "\\"}
_HALF = re.compile("[\ud800-\udfff]")  # of a character


def whole(text: str) -> str:
    """Return text whose characters that came in halves are whole."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def codepage(number: int) -> str:
    """Return the codec of a code page; nothing of an unknown one."""
    return _CODEPAGES.get(number) or codec_of(f"cp{number}") or ""


def text_of(raw: bytes, codec: str) -> str:
    """Return text; of signs in a font of symbols the bullets, the letters as they are."""
    if codec == SYMBOL_FONT:
        return raw.replace(b"\xb7", b"\x95").decode("cp1252", "replace")
    return raw.decode(codec, "replace")


def bytes_of(digits: bytes) -> bytes:
    """Return what hexadecimal digits stand for; of damaged ones nothing."""
    try:
        return bytes.fromhex(digits.decode("ascii", "replace"))
    except ValueError:
        return b""
