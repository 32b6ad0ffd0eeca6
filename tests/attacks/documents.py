"""Hostile and damaged documents against the real parsers, in the confined child that reads them."""

from __future__ import annotations

import encodings
import io
import pkgutil
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from email import message_from_string
from encodings.aliases import aliases
from random import Random
from typing import Any

import docx
import openpyxl
import pptx

from desktop_rag.parsing.formats import mail
from desktop_rag.parsing.formats.html import from_html
from desktop_rag.parsing.text_encoding import decode
from tests.attacks.confined_reading import Read, read_files
from tests.attacks.report import Attack, Report, Task

_MOST_SECONDS = 30.0  # some ten on a machine that does nothing else
_MOST_MEGABYTES = 500.0
_NS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


# Workbooks that are small as files.


def package(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip of parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()


def workbook(
    rows: str,
    strings: str = "",
    *,
    before: str = "",
    styles: str = "",
    columns: str = "",
    sheets: int = 1,
) -> bytes:
    """Return a workbook whose sheets hold `rows`, the XML of a sheet's data."""
    listed = "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="r1"/>' for n in range(1, sheets + 1))
    kinds = "".join(
        f'<Relationship Id="r{at}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(
            [("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml"),
             ("styles", "styles.xml")], start=1,
        )
    )  # fmt: skip
    office = f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    main = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    types = "".join(
        f'<Override PartName="/xl/{part}" ContentType="{main}.{kind}+xml"/>'
        for part, kind in (
            ("workbook.xml", "sheet.main"), ("worksheets/sheet1.xml", "worksheet"),
            ("sharedStrings.xml", "sharedStrings"), ("styles.xml", "styles"),
        )
    )  # fmt: skip
    empty = f'<styleSheet xmlns="{_NS}"/>'
    return package({
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">{types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{office}</Relationships>',
        "xl/workbook.xml": (
            f'<workbook xmlns="{_NS}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{_PACKAGE}/relationships">{kinds}</Relationships>'
        ),
        "xl/sharedStrings.xml": f'<sst xmlns="{_NS}">{strings}</sst>',
        "xl/styles.xml": styles or empty,
        "xl/worksheets/sheet1.xml": (
            f'{before}<worksheet xmlns="{_NS}"><dimension ref="A1:XFD1048576"/>{columns}'
            f"<sheetData>{rows}</sheetData></worksheet>"
        ),
    })  # fmt: skip


_HELLO = '<c r="A1" t="inlineStr"><is><t>A sound beginning of the sheet</t></is></c>'
_QUICK = frozenset(
    ("row-99999999999", "row-1048576", "row-negative", "column-ZZZZ", "shared-string", "entities",
     "sheets"),
)  # fmt: skip
_FIRST = f'<row r="1">{_HELLO}</row>'


def _entities() -> str:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    return f'<!DOCTYPE w [<!ENTITY e0 "lol">{levels}]>'


def _bombs() -> Iterator[tuple[str, Callable[[], bytes]]]:
    number = '<c r="{}{}"><v>1</v></c>'
    long = "<si><t>" + "word " * 6500 + "</t></si>"
    shared = '<c t="s"><v>0</v></c>'
    yield (
        "row-99999999999",
        lambda: workbook(f'{_FIRST}<row r="99999999999">{number.format("A", 99999999999)}</row>'),
    )
    yield (
        "row-1048576",
        lambda: workbook(f'{_FIRST}<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'),
    )
    yield "row-negative", lambda: workbook(f'{_FIRST}<row r="-5"><c><v>7</v></c></row>')
    yield "column-ZZZZ", lambda: workbook(f'{_FIRST}<row r="2"><c r="ZZZ2"><v>7</v></c></row>')
    yield (
        "last-column-in-each-row",
        lambda: workbook(
            _FIRST
            + "".join(f'<row r="{n}"><c r="XFD{n}"><v>{n}</v></c></row>' for n in range(2, 60_000))
        ),
    )
    yield (
        "every-other-row",
        lambda: workbook(
            _FIRST
            + "".join(
                f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>' for n in range(3, 900_000, 20)
            )
        ),
    )
    yield "shared-string", lambda: workbook(_FIRST + f"<row>{shared * 16_000}</row>" * 160, long)
    yield "short-cells", lambda: workbook(_FIRST + f"<row>{'<c><v>1</v></c>' * 16_000}</row>" * 700)
    yield (
        "one-row-of-cells",
        lambda: workbook(f"{_FIRST}<row>{'<c><v>1</v></c>' * 9_000_000}</row>"),
    )
    yield "empty-rows", lambda: workbook(_FIRST + "<row/>" * 30_000_000)
    yield "empty-cells", lambda: workbook(f"{_FIRST}<row>{'<c/>' * 40_000_000}</row>")
    yield "strings", lambda: workbook(_FIRST, "<si><t>a</t></si>" * 10_000_000)
    yield (
        "long-text",
        lambda: workbook(
            f"{_FIRST}<row><c t='inlineStr'><is><t>{'x' * 180_000_000}</t></is></c></row>"
        ),
    )
    yield "long-attribute", lambda: workbook(f"{_FIRST}<row r='{'1' * 150_000_000}'/>")
    yield "deep", lambda: workbook(_FIRST + "<a>" * 15_000_000)
    yield (
        "columns",
        lambda: workbook(_FIRST, before="", columns=f"<cols>{'<col/>' * 20_000_000}</cols>"),
    )
    many = f"<cellXfs>{'<xf/>' * 30_000_000}</cellXfs>"
    yield (
        "styles",
        lambda: workbook(_FIRST, styles=f'<styleSheet xmlns="{_NS}">{many}</styleSheet>'),
    )
    yield "sheets", lambda: workbook(_FIRST, sheets=400_000)
    yield (
        "entities",
        lambda: workbook(_FIRST.replace("A sound", "&e11; A sound"), before=_entities()),
    )
    yield "names-repeated", lambda: workbook(
        _FIRST
        + "<row r='3'>" + "".join(
            f"<c t='inlineStr'><is><t>{'column' * 12} {n}</t></is></c>" for n in range(1000)
        ) + "</row>" + f"<row>{'<c><v>1</v></c>' * 1000}</row>" * 3000
    )  # fmt: skip


def _try_workbooks(report: Report, task: Task) -> None:
    files = {f"{name}.xlsx": make for name, make in _bombs() if name in _QUICK or not task.is_quick}
    read: dict[str, Read] = {}
    if task.is_quick:
        made = {name: make() for name, make in files.items()}
        read = read_files(report, made, task.folder / "workbooks")
    for name, make in files.items():
        with report.attempt(name):
            found = read[name] if read else _read_one(report, task, name, make())
            report.expect(found.seconds <= _MOST_SECONDS, f"{found.seconds} s")
            if name == "entities.xlsx":
                report.expect(found.status == "corrupt", found.status)
            elif name == "columns.xlsx":  # all that is read of it lies before its cells
                report.expect("only the beginning of it was read" in str(found.notes), found.status)
            else:
                report.expect("A sound beginning" in found.text, f"{found.status} {found.notes}")
    _expect_little_memory(report)


def _expect_little_memory(report: Report) -> None:
    with report.attempt("memory"):
        report.expect(0 < report.peaks.get("parser", 0) <= _MOST_MEGABYTES, f"{report.peaks} MiB")


def _read_one(report: Report, task: Task, name: str, content: bytes) -> Read:
    """Read one file in a child of its own, so that its memory is its own."""
    return read_files(report, {name: content}, task.folder / name.replace(".", "-"))[name]


# Charsets that are declared.

_ASCII = "The meeting is moved to 3 + 4 = 7 o'clock; see C:\\new\\folder, ~{this} ^ list.\n" * 3
_DECLARED = {
    "会议纪要：本公司去年的收入增长了百分之十二。": "gb2312 gbk gb18030 hz utf-16le",
    "會議紀要：本公司去年的收入增長了百分之十二，主要來自新的客戶和市場。": "big5 big5-hkscs",
    "議事録：昨年の売上高は十二パーセント増加しました。": "shift_jis euc-jp iso-2022-jp",
    "회의록: 작년의 매출은 새로운 고객과 시장 덕분에 증가했습니다.": "euc-kr ks_c_5601-1987 johab",
    "В прошлом году выручка компании выросла на двенадцать процентов.": "koi8-r windows-1251 cp866",
    "في العام الماضي ارتفعت إيرادات الشركة بنسبة اثني عشر": "windows-1256 iso-8859-6",
    "בשנה שעברה הכנסות החברה גדלו בשנים עשר אחוזים": "windows-1255 iso-8859-8",
    "รายได้ของบริษัทเพิ่มขึ้นร้อยละสิบสอง": "tis-620 cp874",
    "N\u0103m ngo\u00e1i c\u00f4ng ty t\u0103ng m\u01b0\u01a1i \u0111\u00f4 la.": "windows-1258",
    "Übung macht den Meister, sagt man in größeren Städten.": "iso-8859-1 cp850 cp037 cp1140",
}


def _names() -> list[str]:
    """Return every name of a codec that Python knows, and spellings of each."""
    known = set(aliases) | set(aliases.values())
    known |= {each.name for each in pkgutil.iter_modules(encodings.__path__)}
    known |= {"quoted-printable", "x-user-defined", "x-unknown", "8bit", "7bit", "binary"}
    spelt = {each.replace("_", "-") for each in known} | {each.upper() for each in known}
    return sorted(known | spelt | {f'"{each}"' for each in known})


def _try_charsets(report: Report, _task: Task) -> None:
    for name in _names():
        with report.attempt(name):
            report.expect(decode(_ASCII.encode(), name) == _ASCII, "ASCII is misread")
            mail = f"Subject: =?{name.strip(chr(34))}?Q?The_plan?=\n"
            report.expect(_subject(mail) == "The plan", "a mail's subject is misread")
    for text, declared in _DECLARED.items():
        for name in declared.split():
            with report.attempt(f"rightly {name}"):
                raw = text.encode("utf-16-le" if name == "utf-16le" else name)
                report.expect(decode(raw, name) == text, f"read as {decode(raw, name)[:40]}")
        for name in ("base64", "undefined", "cp500", "us-ascii", "utf-16", "iso-8859-1"):
            with report.attempt(f"UTF-8 as {name}"):
                report.expect(decode(text.encode(), name) == text, "UTF-8 is misread")


def _subject(text: str) -> str:
    return mail.header(message_from_string(text), "Subject")


# Mails and web pages.

_BODY = b"\n\nThe body of the mail is here, and long enough.\n"


def _mails() -> Iterator[tuple[str, bytes]]:
    subject = b"Subject: s\n"
    mixed = subject + b"Content-Type: multipart/mixed; boundary=b\n\n"
    yield "header of 10 MB", b"Subject: " + b"a" * 10_000_000 + _BODY
    yield "folded header", b"Subject: " + b"a\n " * 1_000_000 + _BODY
    yield "encoded words", b"Subject: " + b"=?utf-8?Q?a?= " * 700_000 + _BODY
    yield "half encoded", b"Subject: " + b"=?" * 5_000_000 + _BODY
    yield "parameters", subject + b"Content-Type: text/plain" + b"; a=b" * 2_000_000 + _BODY
    yield "quotes", subject + b'Content-Type: text/plain; name="' + b'\\";' * 3_000_000 + _BODY
    yield "no end", mixed + b"--b\n" * 500_000 + _BODY
    yield "nested mails", b"Content-Type: message/rfc822\n\n" * 5000 + subject + _BODY
    yield (
        "nested parts",
        b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(5000)
        )
        + _BODY,
    )
    yield "attachments", mixed + b"".join(
        b"--b\nContent-Disposition: attachment; filename=%d.html\n\n<p>Text %d of many.</p>\n"
        % (n, n) for n in range(20_000)
    )  # fmt: skip
    yield "paragraphs", subject + b"\n" + b"".join(b"Line %d here\n\n" % n for n in range(80_000))


def _try_mails(report: Report, task: Task) -> None:
    slow = {"paragraphs", "nested parts", "folded header"} if task.is_quick else set()
    mails = {f"{name}.eml": content for name, content in _mails() if name not in slow}
    found = read_files(report, mails, task.folder / "mails")
    for name in mails:
        with report.attempt(name):
            report.expect(found[name].status == "ready", f"{found[name].notes}")
            report.expect(found[name].seconds <= _MOST_SECONDS, f"{found[name].seconds} s")
    with report.attempt("a note of what was not read"):
        report.expect("500 parts" in " ".join(found["attachments.eml"].notes), "no note")
    _expect_little_memory(report)


def _try_hidden(report: Report, task: Task) -> None:
    styles = (
        "display:none", "display : none!important", "visibility:hidden", "font-size:0",
        "font-size:0.0em", "opacity:0", "position:absolute;left:-5000px", "text-indent:-999em",
        "position:fixed;top:-9999px", "height:0;overflow:hidden", "mso-hide:all",
        "color:white;background-color:white",
    )  # fmt: skip
    seen = "<p>Everybody can see this sentence of the page.</p>"
    for style in styles:
        for page in (
            f"{seen}<p style='{style}'>Secret <b>words</b></p>",
            f"<style>.x{{{style}}}</style>{seen}<div><p class='y x'>Secret words</p></div>",
            f"<style>#x, .z {{{style}}}</style>{seen}<section id=x><p>Secret</p></section>",
            f"<style>div{{{style}}}</style>{seen}<div>Secret</div>",
        ):
            with report.attempt(page):
                blocks = from_html(page.encode()).blocks
                text = " ".join(block.text for block in blocks)
                report.expect("Secret" not in text, "it is quoted")
                report.expect("Everybody" in text, "what is visible was lost")
    bombs = {
        "rules.html": "<style>" + ".a{display:none}" * 100_000 + "</style>" + seen,
        "classes.html": f"<style>.a{{display:none}}</style><p class='{'b ' * 2_000_000}'>x{seen}",
        "open.html": "<style>" + "@media{" * 200_000 + "</style>" + seen,
        "comment.html": "<style>" + "/*" * 250_000 + "</style>" + seen,
        "at.html": "<style>" + "@" * 500_000 + "</style>" + seen,
        "no-brace.html": "<style>" + "a" * 500_000 + "</style>" + seen,
        "selectors.html": "<style>" + "a," * 240_000 + "{display:none}</style>" + seen,
        "styles.html": "".join(f"<p style='color:red;{';' * 500}'>{n}" for n in range(20_000))
        + seen,
    }
    if task.is_quick:
        del bombs["styles.html"], bombs["classes.html"]
    files = {name: page.encode() for name, page in bombs.items()}
    for name, found in read_files(report, files, task.folder / "pages").items():
        with report.attempt(name):
            report.expect(found.status == "ready", f"{found.status} {found.notes}")
            report.expect(found.seconds <= _MOST_SECONDS, f"{found.seconds} s")


# Office files of which a part is damaged.


def _office_files() -> dict[str, bytes]:
    """Return one file of each kind, each with a sentence in its main text, and side parts."""
    word: Any = docx.Document()
    word.add_heading(_SENTENCE, 1)
    word.add_paragraph("The next one.", style="List Number")
    word.sections[0].header.paragraphs[0].text = "A header"
    word.sections[0].footer.paragraphs[0].text = "A footer"
    word.add_comment(word.paragraphs[0].runs, text="A comment")
    slides: Any = pptx.Presentation()
    for text in (_SENTENCE, "The second slide"):
        slide = slides.slides.add_slide(slides.slide_layouts[5])
        slide.shapes.title.text = text
        slide.notes_slide.notes_text_frame.text = f"Notes on {text}"
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = _SENTENCE
    book.create_sheet("Second")["B2"] = 0.5
    made = {}
    for name, each in (("a.docx", word), ("a.pptx", slides), ("a.xlsx", book)):
        held = io.BytesIO()
        each.save(held)
        made[name] = held.getvalue()
    return made


_SENTENCE = "The sentence that has to be found again"
_MAIN = re.compile(r"word/document\.xml|ppt/slides/slide1\.xml|xl/worksheets/sheet1\.xml")
_SPARED = re.compile(r"xl/sharedStrings\.xml")


def _variants(content: bytes, random: Random) -> Iterator[tuple[str, bytes]]:
    """Yield a package with each of its side parts dropped, cut, and with a bit flipped in turn."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
        packed = {info.filename: info.compress_size for info in archive.infolist()}
    for name, part in parts.items():
        if _MAIN.fullmatch(name) or _SPARED.fullmatch(name):
            continue
        flipped = bytearray(part)
        flipped[random.randrange(len(part))] ^= 1 << random.randrange(7)
        yield f"drop {name}", package({each: parts[each] for each in parts if each != name})
        yield f"cut {name}", package(parts | {name: part[: len(part) // 2]})
        yield f"flip {name}", package(parts | {name: bytes(flipped)})
        at = content.find(name.encode()) + len(name) + packed[name] // 8
        torn = bytearray(content)
        torn[at : at + 4] = b"\0\1\2\3"
        yield f"tear {name}", bytes(torn)
    yield "no directory", content[: content.rindex(b"PK\x01\x02") - 40]


def _try_damaged(report: Report, task: Task) -> None:
    random = Random(task.seed)
    files: dict[str, tuple[str, bytes]] = {}
    for name, content in _office_files().items():
        made = list(_variants(content, random))
        if task.is_quick:
            made = random.sample(made, 4)
        for at, (what, variant) in enumerate(made):
            files[f"{at:03}{name}"] = (f"{name}, {what}", variant)
    given = {key: content for key, (_, content) in files.items()}
    found = read_files(report, given, task.folder / "damaged", 400)
    for key, (what, _) in files.items():
        with report.attempt(what):
            report.expect(found[key].status == "ready", f"{found[key].status} {found[key].notes}")
            report.expect(_SENTENCE in found[key].text, "the main text was lost")


def _try_spliced(report: Report, task: Task) -> None:
    office = _office_files()
    random, files = Random(task.seed), {}
    for name, content in office.items():
        for other, behind in office.items():
            files[f"joined-{other[2:]}-{name}"] = behind + content
            at = random.randrange(200, min(len(content), len(behind)))
            files[f"grafted-{other[2:]}-{name}"] = content[:at] + behind[at:]
            files[f"inside-{other[2:]}-{name}"] = content[:at] + behind + content[at:]
    if task.is_quick:
        files = dict(random.sample(sorted(files.items()), 6))
    for name, found in read_files(report, files, task.folder / "spliced").items():
        with report.attempt(name):
            report.expect(found.status in {"ready", "corrupt", "empty"}, f"{found}")


ATTACKS = (
    Attack("tiny workbooks", _try_workbooks),
    Attack("declared charsets", _try_charsets),
    Attack("mails without end", _try_mails),
    Attack("hidden text", _try_hidden),
    Attack("damaged side parts", _try_damaged),
    Attack("spliced packages", _try_spliced),
)
