"""Turn bytes of unknown encoding into text.

Order of trust: a byte order mark, UTF-16 by its zero bytes, what the file declares, UTF-8, then
the East Asian encodings by where their common characters lie, and single-byte ones last.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 200_000
# A western text in UTF-8 with this share of broken characters is still UTF-8.
_TOLERATED = 0.002


@dataclass(frozen=True, slots=True)
class _Asian:
    """An encoding and the ranges in which nearly all characters of real text in it lie."""

    name: str
    common: re.Pattern[str]


_ASIAN = (
    # Kana: Japanese text has them, Chinese text has not.
    _Asian("cp932", re.compile("[\u3040-\u30ff]")),
    _Asian("euc_jp", re.compile("[\u3040-\u30ff]")),
    _Asian(
        "gb18030", re.compile("[的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要]")
    ),
    _Asian(
        "big5hkscs",
        re.compile("[的一是了我不人在他有這個上們來到時大地為子中你說生國年著就那和要]"),
    ),
    _Asian("cp949", re.compile("[이다는을의에가고하한지를은어로기사도리인아]")),
)
_WESTERN = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r",
    "iso8859_2", "iso8859_15", "mac_roman", "cp437", "cp850", "cp866",
]  # fmt: skip


def decode(raw: bytes, declared: str | None = None) -> str:
    """Return the text of `raw`; never raises: what can't be read becomes U+FFFD."""
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return raw.decode(name, "replace").lstrip("\ufeff")
    name = _wide(raw) or _declared(raw, declared) or _eight_bit(raw)
    return raw.decode(name, "replace").lstrip("\ufeff")


def is_binary(raw: bytes) -> bool:
    """Say whether `raw` (the first bytes of a file) is no text in any encoding."""
    if not raw or raw.startswith(tuple(mark for mark, _ in _MARKS)) or _wide(raw):
        return False
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\v\x1b\x08" for byte in raw)
    return controls > len(raw) * 0.02 or raw.count(0) > 1


def _wide(raw: bytes) -> str | None:
    """Return UTF-16 of either order when the zero bytes of Latin text or spaces tell it."""
    sample = raw[:4096]
    if len(sample) < 4 or b"\0" not in sample:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if max(even, odd) < len(sample) * 0.02 or min(even, odd) * 8 > max(even, odd):
        return None
    name = "utf-16-le" if odd > even else "utf-16-be"
    text = raw[: len(sample) // 2 * 2].decode(name, "replace")
    strange = sum(char == "\ufffd" or (char < " " and char not in "\t\n\r\f") for char in text)
    return name if strange * 20 < len(text) else None


def _declared(raw: bytes, declared: str | None) -> str | None:
    """Return the declared encoding if Python knows it and the bytes fit it."""
    if not declared:
        return None
    try:
        name = codecs.lookup(declared.strip().strip("\"'")).name
    except LookupError:
        return None
    name = {"gb2312": "gb18030", "gbk": "gb18030", "iso8859-1": "cp1252"}.get(name, name)
    if name.startswith(("utf-16", "utf-32")):
        return None  # read as bytes up to here, so it is not that
    return name if _broken(raw, name) <= _TOLERATED else None


def _eight_bit(raw: bytes) -> str:
    if b"\x1b$" in raw[:_SAMPLE] and _broken(raw, "iso2022_jp") == 0:
        return "iso2022_jp"
    if _broken(raw, "utf-8") <= _TOLERATED:
        return "utf-8"
    return _asian(raw) or _western(raw)


def _broken(raw: bytes, name: str) -> float:
    """Return the share of the non-ASCII characters that don't fit an encoding."""
    sample = raw[:_SAMPLE]
    try:
        codecs.getincrementaldecoder(name)("strict").decode(sample, final=False)
    except UnicodeDecodeError:
        pass
    else:
        return 0.0
    text = sample.decode(name, "replace")
    foreign = sum(char > "\x7f" for char in text)
    return text.count("\ufffd") / max(1, foreign)


def _asian(raw: bytes) -> str | None:
    """Return the East Asian encoding whose commonest characters are there, if one's are."""
    best, best_share = None, 0.0
    for each in _ASIAN:
        if _broken(raw, each.name) > _TOLERATED:
            continue
        text = raw[:_SAMPLE].decode(each.name, "replace")
        wide = sum(char > "\x7f" for char in text)
        share = len(each.common.findall(text)) / max(1, wide) * _plausible(text)
        if share > best_share:
            best, best_share = each.name, share
    return best if best_share > 0.02 else None


def _plausible(text: str) -> float:
    """Return the share of the foreign characters that everyday East Asian text has."""
    foreign = [char for char in text if char > "\x7f"]
    usual = sum(
        "\u4e00" <= char <= "\u9fff" or "\u3000" <= char <= "\u30ff" or "\uac00" <= char <= "\ud7a3"
        or "\uff00" <= char <= "\uffee" or char in "“”‘’…—·"
        for char in foreign
    )  # fmt: skip
    return (usual / max(1, len(foreign))) ** 4


def _western(raw: bytes) -> str:
    """Return a single-byte encoding; Windows' western one unless another fits clearly better."""
    best = from_bytes(raw[:_SAMPLE], cp_isolation=_WESTERN).best()
    if best is None:
        return "cp1252" if _broken(raw, "cp1252") == 0 else "latin-1"
    return str(best.encoding)
