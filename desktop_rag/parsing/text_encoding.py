"""Turn bytes of unknown encoding into text.

A declared charset's name means one of the text encodings that are read, or nothing. Names are
matched as browsers match them (the WHATWG's labels), then by Python's own aliases. What Python
calls a codec is often none of a text (`base64`, `zip`, `idna`), so the list is of what is allowed.

Order of trust: a byte order mark, UTF-16 by its zero bytes, UTF-8, what the file declares where
the bytes look like that, then the East Asian encodings by where their common characters lie, and
single-byte ones last.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass

from charset_normalizer import from_bytes

# ruff: noqa: SIM905 - long lists of names read best as one text
# Bytes below 0x80 are ASCII here, or nearly so.
_ON_ASCII = frozenset(
    """ascii utf-8 utf-8-sig cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp856 cp857 cp858 cp860 cp861
    cp862 cp863 cp864 cp865 cp866 cp869 cp874 cp932 cp949 cp950 cp1006 cp1125 cp1250 cp1251 cp1252
    cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 hp-roman8 iso8859-1 iso8859-2 iso8859-3 iso8859-4
    iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10 iso8859-11 iso8859-13 iso8859-14
    iso8859-15 iso8859-16 koi8-r koi8-t koi8-u kz1048 mac-arabic mac-croatian mac-cyrillic mac-farsi
    mac-greek mac-iceland mac-latin2 mac-roman mac-romanian mac-turkish palmos ptcp154 tis-620
    big5 big5hkscs euc_jp euc_jis_2004 euc_jisx0213 euc_kr gb18030 gb2312 gbk johab shift_jis
    shift_jis_2004 shift_jisx0213""".split()
)
MULTIBYTE = frozenset(
    "cp932 cp949 cp950 big5 big5hkscs euc_jp euc_jis_2004 euc_jisx0213 euc_kr gb18030 gb2312 gbk"
    " johab shift_jis shift_jis_2004 shift_jisx0213".split()
)
EBCDIC = frozenset("cp037 cp273 cp424 cp500 cp875 cp1026 cp1140".split())
# ASCII bytes that switch to other characters where these marks stand.
SWITCHED = {
    "utf-7": b"+",
    "hz": b"~{",
    "iso2022_kr": b"\x0e",
    **dict.fromkeys(
        ("iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_3",
         "iso2022_jp_ext"), b"\x1b",
    ),
}  # fmt: skip
WIDE = frozenset("utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be".split())
LATIN = frozenset(
    """ascii cp1252 iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-9 iso8859-10 iso8859-13
    iso8859-14 iso8859-15 iso8859-16 cp1250 cp1254 cp1257 cp437 cp850 cp852 cp858 mac-roman
    mac-iceland hp-roman8""".split()
)
_ALLOWED = _ON_ASCII | EBCDIC | WIDE | SWITCHED.keys()

# What browsers read names as, where that is more than what the name says.
_WIDER = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874",
    "tis-620": "cp874", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932",
    "euc_kr": "cp949", "big5": "big5hkscs", "utf-8-sig": "utf-8",
}  # fmt: skip
_LABELS = {
    "x-user-defined": "cp1252", "unicode": "utf-16", "iso-10646-ucs-2": "utf-16", "ucs-2": "utf-16",
    "unicodefffe": "utf-16-be", "x-gbk": "gb18030", "csgb2312": "gb18030", "gb_2312": "gb18030",
    "cn-gb": "gb18030", "x-euc-cn": "gb18030", "hz-gb-2312": "hz", "cn-big5": "big5hkscs",
    "x-x-big5": "big5hkscs", "x-sjis": "cp932", "sjis": "cp932", "windows-31j": "cp932",
    "x-ms-cp932": "cp932", "x-euc-jp": "euc_jp", "ks_c_5601-1989": "cp949", "windows-949": "cp949",
    "ksc5601": "cp949", "dos-874": "cp874", "windows-874": "cp874", "x-mac-roman": "mac-roman",
    "mac": "mac-roman", "x-mac-cyrillic": "mac-cyrillic", "x-mac-ukrainian": "mac-cyrillic",
    "koi": "koi8-r", "koi8": "koi8-r", "koi8-ru": "koi8-u", "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8", "logical": "iso8859-8", "visual": "iso8859-8",
    "dos-862": "cp862", "dos-720": "cp720", "unicode-1-1-utf-8": "utf-8",
    "x-unicode20utf8": "utf-8",
    "unicode11utf8": "utf-8", "unicode20utf8": "utf-8", "unicode-1-1-utf-7": "utf-7",
    "cp936": "gb18030", "ms936": "gb18030", "tcvn": "cp1258", "ansi": "cp1252",
}  # fmt: skip
_PREFIXED = re.compile(r"(?:x-|ibm-?|ccsid|windows-?|win-?|cp-?|ms-?|dos-?)0*(\d{3,5})")
_LONGEST = 60
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
_FOREIGN = re.compile(rb"[\x80-\xff]")
_SHORT = 8  # so few foreign bytes may be UTF-8 by chance
_MOST_LATIN = 0.75
_STRANGE = frozenset(("Cc", "Cn", "Co", "Cs"))
_UNLIKELY = _STRANGE | {"So", "Sk", "Sm"}
# A capital inside of a word, or after a small letter: what Cyrillic is in the wrong encoding.
_TURNED = re.compile("(?<=[а-яё])[А-ЯЁ]|(?<=[α-ω])[Α-Ω]|(?<=[à-öø-ÿ])[À-ÖØ-Þ]")
_KANA = "\u3040-\u30ff"
_SIMPLIFIED = "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要"
_TRADITIONAL = "的一是了我不人在他有這個上們來到時大地為子中你說生國年著就那和要"
_KOREAN = "이다는을의에가고하한지를은어로기사도리인아"
_LEAST_ASIAN = 0.03
_PLAINLY_ASIAN = 0.1
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


def codec_of(declared: str | None) -> str | None:
    """Return the Python name of the encoding that is declared; None when it is no text's."""
    if not declared or len(declared) > _LONGEST or not declared.isascii():
        return None
    label = re.sub(r"[\s\"';,]+", "", declared).lower()
    name = _LABELS.get(label) or _looked_up(label)
    if name is None and (match := _PREFIXED.fullmatch(label)):
        name = _looked_up(f"cp{match.group(1)}") or _looked_up(f"cp{match.group(1):0>3}")
    return _WIDER.get(name, name) if name else None


def _looked_up(label: str) -> str | None:
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        return None
    return name if name in _ALLOWED else None


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


def decode(raw: bytes, declared: str | None = None) -> str:
    """Return the text of `raw`; never raises: what can't be read becomes U+FFFD."""
    return raw.decode(encoding_of(raw, declared), "replace").lstrip("\ufeff")


def encoding_of(raw: bytes, declared: str | None = None) -> str:
    """Return the name of the encoding of `raw`, also told by its first 200,000 bytes."""
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return name
    told = _from_first_foreign(raw)
    return _wide(raw) or _declared(told, declared) or _eight_bit(told)


def _from_first_foreign(raw: bytes) -> bytes:
    """Return bytes from the line on that tells their encoding, if much ASCII stands before it."""
    found = None if not raw[:_SAMPLE].isascii() else _FOREIGN.search(raw, _SAMPLE)
    return raw[raw.rfind(b"\n", 0, found.start()) + 1 :] if found else raw


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
    """Return the declared encoding if it is a text's and the bytes look like it."""
    name = codec_of(declared)
    sample = raw[:_SAMPLE]
    if name is None:
        return None
    if name in SWITCHED:
        return name if _is_switched(sample, name) else None
    if sample.isascii():
        return None  # whatever ASCII is in: that is found below
    if name in WIDE:
        return _declared_wide(sample, name)
    foreign = sum(byte > 0x7F for byte in sample)
    is_short = name in MULTIBYTE and foreign < _SHORT
    if name != "utf-8" and not is_short and _broken(raw, "utf-8") == 0:
        return "utf-8"
    if name in EBCDIC:
        return name if _is_ebcdic(sample, name) else None
    if _broken(raw, name) > _TOLERATED or _is_another(sample, name, foreign):
        return None
    if name in MULTIBYTE:
        return name if not _is_scattered(sample) else None
    return name if name == "utf-8" or _is_likely(sample, name, foreign) else None


def _is_another(sample: bytes, name: str, foreign: int) -> bool:
    """Say whether bytes look far more like an East Asian encoding than like the declared one."""
    if foreign < 2 * _SHORT or name == "cp874":
        return False  # bytes that are none of Thai's are many: they would have told
    scores = {each.name: _score(sample, each) for each in _ASIAN}
    return max(scores.values()) > 2 * scores.get(name, 0.0) + _PLAINLY_ASIAN


def _is_switched(sample: bytes, name: str) -> bool:
    """Say whether ASCII bytes switch to other characters, and rightly."""
    if SWITCHED[name] not in sample or _broken(sample, name) > 0:
        return False
    # "1 + 1" is no UTF-7: there each switch tells something that ASCII can't.
    switches = re.findall(rb"\+[A-Za-z0-9+/]*-?", sample) if name == "utf-7" else []
    return all(each == b"+-" or not each.decode(name, "replace").isascii() for each in switches)


def _declared_wide(sample: bytes, name: str) -> str | None:
    """Return UTF-16 for text of few ASCII letters (Chinese, say) that is declared so."""
    latin = sum(0x20 <= byte < 0x7F for byte in sample)
    if not name.startswith("utf-16") or latin > len(sample) * _MOST_LATIN:
        return None
    for each in (name.replace("utf-16", "utf-16-le") if name == "utf-16" else name, "utf-16-be"):
        text = sample[: len(sample) // 2 * 2].decode(each, "replace")
        strange = sum(unicodedata.category(char) in _STRANGE for char in text)
        is_another = _is_another(sample, each, len(sample))
        if strange <= len(text) * 0.02 and not is_another:
            return each
    return None


def _is_ebcdic(sample: bytes, name: str) -> bool:
    """Say whether bytes make words in EBCDIC: ASCII ones make controls and signs."""
    text = sample.decode(name, "replace").replace("\x85", "\n")
    words = sum(char.isalnum() or char in " \n\r\t.,-" for char in text)
    controls = sum(unicodedata.category(char) == "Cc" and char not in "\n\r\t" for char in text)
    return words >= len(text) * 0.8 and controls <= len(text) * 0.02


def _is_scattered(sample: bytes) -> bool:
    """Say whether foreign bytes stand alone among letters, as in Latin text."""
    runs = [len(run) for run in re.findall(rb"[\x80-\xff]+", sample)]
    return len(runs) > 2 and runs.count(1) > len(runs) * 0.8


def _is_likely(sample: bytes, name: str, foreign: int) -> bool:
    """Say whether a single-byte encoding makes words of bytes."""
    letters = sum(byte > 0x7F or chr(byte).isalpha() for byte in sample)
    if name in LATIN and foreign > letters * _MOSTLY_FOREIGN and foreign >= _SHORT:
        return False
    text = sample.decode(name, "replace")
    odd = sum(char > "\x7f" and unicodedata.category(char) in _UNLIKELY for char in text)
    odd += len(_TURNED.findall(text))
    controls = sum(char < " " and char not in "\n\r\t\f\x1b" for char in text)
    return odd <= max(1, foreign * 0.2) and controls <= len(text) * 0.01


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
    except UnicodeError:
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
