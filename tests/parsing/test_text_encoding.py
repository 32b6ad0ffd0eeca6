from __future__ import annotations

import pytest

from desktop_rag.parsing.text_encoding import decode, is_binary

CHINESE = "会议纪要：本公司去年的收入增长了百分之十二，主要来自新的客户和市场。"
TRADITIONAL = "會議紀要：本公司去年的收入增長了百分之十二，主要來自新的客戶和市場。"
JAPANESE = "議事録：昨年の売上高は十二パーセント増加しました。新しい顧客のためです。"
KOREAN = "회의록: 작년의 매출은 새로운 고객과 시장 덕분에 십이 퍼센트 증가했습니다."
SPANISH = "El año pasado la compañía vendió más: ¿quién lo habría pensado?"
FRENCH = "L’été dernier, « l’œuvre » a été achevée à Noël, où elle coûtait 20 €."
GERMAN = "Übung macht den Meister, sagt man in größeren Städten."
RUSSIAN = "В прошлом году выручка компании выросла на двенадцать процентов."
GREEK = "Πέρυσι τα έσοδα της εταιρείας αυξήθηκαν κατά δώδεκα τοις εκατό."
POLISH = "W zeszłym roku przychody spółki wzrosły, więc zażółć gęślą jaźń."


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (CHINESE, "gb18030"), (CHINESE, "utf-8"), (CHINESE, "utf-16"), (CHINESE, "utf-16-le"),
        (CHINESE, "utf-16-be"), (TRADITIONAL, "big5"), (TRADITIONAL, "utf-16-le"),
        (JAPANESE, "cp932"), (JAPANESE, "euc_jp"), (JAPANESE, "iso2022_jp"),
        (JAPANESE, "utf-16-be"), (KOREAN, "cp949"), (SPANISH, "cp1252"), (SPANISH, "latin-1"),
        (SPANISH, "mac_roman"), (SPANISH, "cp850"), (SPANISH, "utf-16-le"), (FRENCH, "cp1252"),
        (FRENCH, "utf-8-sig"), (GERMAN, "latin-1"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8_r"),
        (GREEK, "cp1253"), (POLISH, "cp1250"), (GERMAN, "utf-32"),
    ],
)  # fmt: skip
def test_text_is_read_in_its_encoding(text: str, name: str) -> None:
    assert decode(text.encode(name)) == text


def test_short_japanese_names_without_kana_are_read() -> None:
    table = "名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n"
    assert decode(table.encode("cp932")) == table


def test_a_declaration_is_believed_where_it_fits() -> None:
    assert decode("naïve café".encode("mac_roman"), "macintosh") == "naïve café"
    assert decode(CHINESE.encode("gbk"), "gb2312") == CHINESE
    assert decode(CHINESE.encode("utf-8"), "utf-16") == CHINESE
    assert decode(CHINESE.encode("utf-8"), "no-such-thing") == CHINESE


@pytest.mark.parametrize(
    "name",
    ["quoted-printable", "base64", "zip", "rot13", "undefined", "unicode_escape", "idna", "hex",
     "punycode", "raw_unicode_escape", "mbcs", "bz2", "uu", "cp037", "IBM500", "'cp1140'", "utf-7",
     "UTF-16", "utf-16le", "utf-32", "hz", "johab", "shift_jis_2004", "x-user-defined", "\0", "é"],
)  # fmt: skip
def test_a_name_that_is_no_texts_encoding_does_not_spoil_ascii(name: str) -> None:
    text = "See C:\\new\\folder at 3 + 4 = 7 o'clock, ~{or} ^later.\n"
    assert decode(text.encode(), name) == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (GERMAN, "cp037"), (GERMAN, "cp1140"), (CHINESE, "utf-7"), (CHINESE, "hz"),
        (CHINESE, "utf-16-le"), (KOREAN, "iso2022_kr"), (KOREAN, "johab"), (RUSSIAN, "cp866"),
        (JAPANESE, "shift_jis"), (TRADITIONAL, "big5"), (POLISH, "cp852"), (GREEK, "iso8859_7"),
        ("אבני הבניין של החברה נמכרו בשנה שעברה", "iso8859_8"),
        ("ارتفعت إيرادات الشركة في العام الماضي", "cp1256"),
        ("รายได้ของบริษัทเพิ่มขึ้นร้อยละสิบสอง", "cp874"),
    ],
)  # fmt: skip
def test_text_is_read_in_the_encoding_that_is_rightly_declared(text: str, name: str) -> None:
    assert decode(text.encode(name), name) == text


@pytest.mark.parametrize("name", ["iso-8859-1", "koi8-r", "utf-16", "euc-kr", "cp500", "us-ascii"])
@pytest.mark.parametrize(
    ("text", "real"), [(CHINESE, "utf-8"), (CHINESE, "gbk"), (JAPANESE, "iso2022_jp")]
)
def test_a_declaration_that_does_not_look_so_is_not_believed(
    text: str, real: str, name: str
) -> None:
    assert decode(text.encode(real), name) == text


def test_one_broken_byte_does_not_change_the_encoding() -> None:
    raw = (CHINESE * 40).encode("utf-8") + b"\xff" + CHINESE.encode("utf-8")
    assert decode(raw) == CHINESE * 40 + "\ufffd" + CHINESE


def test_text_of_any_encoding_is_not_binary() -> None:
    for text, name in ((GERMAN, "utf-16-le"), (CHINESE, "utf-16-be"), (CHINESE, "gbk")):
        assert not is_binary(text.encode(name))
    assert is_binary(bytes(range(256)) * 10)
    assert is_binary(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01")
