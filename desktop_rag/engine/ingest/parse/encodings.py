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
_SAMPLE = 100_000
# A text with this share of broken characters among its foreign ones is still in its encoding.
_TOLERATED = 0.002

_KANA = "\u3040-\u30ff"
_SIMPLIFIED = "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要"
_TRADITIONAL = "的一是了我不人在他有這個上們來到時大地為子中你說生國年著就那和要"
_KOREAN = "이다는을의에가고하한지를은어로기사도리인아"


@dataclass(frozen=True, slots=True)
class _Asian:
    """An encoding, its language's commonest characters, and the lead bytes of its common ones."""

    name: str
    commonest: re.Pattern[str]
    leads: range


_ASIAN = (
    _Asian("gb18030", re.compile(f"[{_SIMPLIFIED}]"), range(0xB0, 0xD8)),
    _Asian("cp932", re.compile(f"[{_KANA}]"), range(0x88, 0x98)),
    _Asian("euc_jp", re.compile(f"[{_KANA}]"), range(0xB0, 0xD0)),
    _Asian("big5hkscs", re.compile(f"[{_TRADITIONAL}]"), range(0xA4, 0xC7)),
    _Asian("cp949", re.compile(f"[{_KOREAN}]"), range(0xB0, 0xC9)),
    _Asian("utf-16-le", re.compile(f"[{_SIMPLIFIED}{_TRADITIONAL}{_KANA}{_KOREAN}]"), range(0)),
    _Asian("utf-16-be", re.compile(f"[{_SIMPLIFIED}{_TRADITIONAL}{_KANA}{_KOREAN}]"), range(0)),
)
_LEAST_ASIAN = 0.03
_EVERYDAY = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffee“”‘’…—·]")

# Where Latin letters with marks lie, likeliest first: Windows, old Macs, DOS, central Europe.
_LATIN = ("cp1252", "mac_roman", "cp850", "cp1250", "iso8859_2", "cp1257", "cp1254")
_OTHER = ["cp1251", "koi8_r", "cp866", "cp1253", "cp1255", "cp1256", "mac_cyrillic", "iso8859_5"]
_NATURAL = re.compile(
    "(?<![A-Z])(?<=[a-zà-öø-ÿ])[à-öø-ÿßšžœčřěůąćęłńśźżőűăşţğı](?![A-Z])"  # inside a word
    "|(?<![a-zA-Z])[¿¡«“‘„–—•·°§©®€£À-ÖØ-ÞŠŽŒČŘ]|(?<![A-Z])[à-öø-ÿšžœ](?![A-Z])"
    "|(?<=[A-Z])[À-ÖØ-ÞŠŽŒ](?![a-z])|’|[»”“…–—°ºª§©®€£•·½¼\u00a0](?![a-zA-Z])"
)
_MOSTLY_FOREIGN = 0.4
# What Python calls encodings, too: of bytes to bytes, of names of hosts, of literals.
_OF_NO_TEXT = frozenset(
    ("base64", "bz2", "hex", "quopri", "rot-13", "uu", "zlib", "idna", "punycode", "undefined",
     "unicode-escape", "raw-unicode-escape", "mbcs", "oem")
)  # fmt: skip


def decode(raw: bytes, declared: str | None = None) -> str:
    """Return the text of `raw`; never raises: what can't be read becomes U+FFFD."""
    return raw.decode(encoding_of(raw, declared), "replace").lstrip("\ufeff")


def encoding_of(raw: bytes, declared: str | None = None) -> str:
    """Return the name of the encoding of `raw`, also told by its first 200,000 bytes."""
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return name
    return _wide(raw) or _declared(raw, declared) or _eight_bit(raw)


def is_binary(raw: bytes) -> bool:
    """Say whether `raw` (the first bytes of a file) is no text in any encoding."""
    if not raw or raw.startswith(tuple(mark for mark, _ in _MARKS)) or _wide(raw):
        return False
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\v\x1b\x08" for byte in raw)
    if controls <= len(raw) * 0.02 and raw.count(0) <= 1:
        return False
    return not (_asian(raw) or "").startswith("utf-16")


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
    except (LookupError, ValueError):  # no encoding, or not even a name
        return None
    if name in _OF_NO_TEXT:
        return None
    name = {"gb2312": "gb18030", "gbk": "gb18030", "iso8859-1": "cp1252"}.get(name, name)
    if name.startswith(("utf-16", "utf-32")):
        return None  # it was read as bytes up to here, so it is not that
    return name if _broken(raw, name) <= _TOLERATED else None


def _eight_bit(raw: bytes) -> str:
    sample = raw[:_SAMPLE]
    if b"\x1b$" in sample and _broken(raw, "iso2022_jp") == 0:
        return "iso2022_jp"
    if _broken(raw, "utf-8") <= _TOLERATED:
        return "utf-8"
    return _asian(sample) or _single(sample)


def _broken(raw: bytes, name: str) -> float:
    """Return the share of the foreign characters that don't fit an encoding."""
    sample = raw[:_SAMPLE]
    try:
        codecs.getincrementaldecoder(name)("strict").decode(sample, final=len(raw) <= _SAMPLE)
    except UnicodeDecodeError:
        pass
    else:
        return 0.0
    text = sample.decode(name, "replace")
    foreign = sum(char > "\x7f" for char in text)
    return text.count("\ufffd") / max(1, foreign)


def _asian(raw: bytes) -> str | None:
    """Return the East Asian encoding whose common characters are there, if one's are."""
    scores = [_score(raw, each) for each in _ASIAN]
    best = max(scores)
    return _ASIAN[scores.index(best)].name if best > _LEAST_ASIAN else None


def _score(raw: bytes, encoding: _Asian) -> float:
    """Return how much bytes look like a language in an encoding, 0 when they don't fit it."""
    if _broken(raw, encoding.name) > _TOLERATED:
        return 0.0
    text = raw[:_SAMPLE].decode(encoding.name, "replace")
    foreign = [char for char in text if char > "\x7f"]
    if len(foreign) * 8 < len(raw) - len(foreign):
        return 0.0  # Latin text with a few marked letters
    everyday = sum(map(bool, map(_EVERYDAY.match, foreign))) / len(foreign)
    commonest = len(encoding.commonest.findall(text)) / len(foreign)
    leading = sum(char.encode(encoding.name, "replace")[0] in encoding.leads for char in foreign)
    return (commonest + 0.2 * leading / len(foreign)) * everyday**4


def _single(raw: bytes) -> str:
    """Return a single-byte encoding: a Latin one if its letters make words, else the likeliest."""
    letters = sum(byte > 0x7F or chr(byte).isalpha() for byte in raw)
    foreign = sum(byte > 0x7F for byte in raw)
    if foreign > letters * _MOSTLY_FOREIGN:
        best = from_bytes(raw, cp_isolation=_OTHER).best()
        if best is not None:
            return str(best.encoding)
    shares = [_natural(raw, name) for name in _LATIN]
    return _LATIN[shares.index(max(shares))]


def _natural(raw: bytes, name: str) -> float:
    """Return the share of the foreign characters that stand where such letters stand in words."""
    if _broken(raw, name) > _TOLERATED:
        return 0.0
    text = raw.decode(name, "replace")
    foreign = sum(char > "\x7f" for char in text)
    return len(_NATURAL.findall(text)) / max(1, foreign)
