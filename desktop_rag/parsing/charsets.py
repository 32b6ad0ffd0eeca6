"""What a declared charset's name means: one of the text encodings that are read, or nothing.

Names are matched as browsers match them (the WHATWG's labels), then by Python's own aliases. What
Python calls a codec is often none of a text (`base64`, `zip`, `idna`), so the list is of what is
allowed.
"""

from __future__ import annotations

import codecs
import re

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
