"""Documents whose inner structures swell: formulas, charts, pictures, rules, outlines, passwords.

Each is a whole file that a small one could become; all have to be read, or refused by name.
"""

from __future__ import annotations

import base64
import io
import re
import struct
import zipfile
from collections.abc import Callable, Iterator
from random import Random

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.secret import Secret
from desktop_rag.core.settings import Ingest
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.sandbox.parser_pool import ParserPool, ParseTask
from desktop_rag.parsing.text_language import SAMPLE
from tests.attacks.confined_reading import read_files
from tests.attacks.pictured_documents import swollen_documents
from tests.attacks.report import Attack, Report, Task
from tests.attacks.sample_documents import FORMULA, MATHML, SENTENCE, pdf, picture, slides, word
from tests.parsing.locked_files import PASSWORD, locked_word, with_encryption_info
from tests.parsing.locked_files import SENTENCE as LOCKED
from tests.parsing.open_documents import epub_parts, packed, page

_MOST_SECONDS = 30.0
_MOST_MEGABYTES = 1600.0
_BOMB = (
    '<!DOCTYPE encryption [<!ENTITY e0 "1">'
    + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    + "]>"
)
_QUICK = {"formula 10,000 deep.docx", "math in math.html", "outline in a circle.pdf"}
_ENDS = {"ready", "too_large", "corrupt", "needs_ocr"}
_RUN = "<r><t>x+</t></r>"
_SPACE = 'xmlns="http://www.w3.org/1998/Math/MathML"'


def _swollen() -> Iterator[tuple[str, Callable[[], bytes]]]:
    row = f"<mrow>{'<mi>x</mi><mo>+</mo>' * 300_000}</mrow>"
    yield "formula 10,000 deep.docx", lambda: _with_deep(5000)
    yield "formula 800 deep.docx", lambda: _with_deep(400)
    yield "formula of 10 MB.docx", lambda: word(_RUN * 600_000)
    yield "formula of one word.docx", lambda: word(f"<r><t>{'x' * 10_000_000}</t></r>")
    yield "formulas.docx", lambda: word(*[FORMULA] * 10_000)
    yield "math 10,000 deep.html", lambda: _page("<mrow>" * 10_000 + "x" + "</mrow>" * 10_000)
    yield "math of 10 MB.html", lambda: _page(row)
    yield "math in math.html", lambda: _page(f"<math {_SPACE}>" * 3000 + "x" + "</math>" * 3000)
    yield "formulas.html", lambda: _page(f"</math>{MATHML}" * 20_000)
    yield "metadata in metadata.epub", lambda: _book("<metadata>" * 20_000, "</metadata>" * 20_000)
    yield "subjects.epub", lambda: _book("<dc:subject>sea " * 1500, "</dc:subject>" * 1500)
    yield "points.pptx", lambda: _with_points(1_000_000)
    yield "series.pptx", lambda: _with_series(20_000)
    yield "pictures.docx", lambda: _with_pictures(100_000)
    yield "pictures shown.docx", lambda: _with_pictures(1, 100_000)
    yield "rules.pdf", lambda: pdf(_TEXT + b"50 50 m 550 50 l S\n50 50 m 50 700 l S\n" * 500_000)
    yield "outline in a circle.pdf", lambda: pdf(_TEXT, _CIRCLE)
    yield from swollen_documents()
    yield "words.txt", lambda: _odd_text(Random(5)).encode("utf-8", "replace")


_TEXT = f"BT /F0 10 Tf 50 720 Td ({SENTENCE}) Tj ET\n".encode()
_CIRCLE = [
    "<</Type/Outlines/First 7 0 R/Last 8 0 R/Count 99999999>>",
    "<</Title(One)/Parent 6 0 R/Next 8 0 R/First 6 0 R/Last 7 0 R/Dest[3 0 R/Fit]>>",
    "<</Title(Two)/Parent 8 0 R/Next 7 0 R/First 8 0 R/Last 8 0 R/Dest[3 0 R/Fit]>>",
]


def _with_deep(count: int) -> bytes:
    """Return a Word file with a formula of fractions, each in the next one's numerator."""
    pattern = re.compile(rb"<(\w+:)?num>.*</(?:\w+:)?num>", re.DOTALL)

    def nested(found: re.Match[bytes]) -> bytes:
        space = found[1] or b""
        begin, end = b"<%sf><%snum>" % (space, space), b"</%snum></%sf>" % (space, space)
        return found[0].replace(
            b"x+",
            b"x+</%st></%sr>" % (space, space)
            + begin * count
            + end * count
            + b"<%sr><%st>" % (space, space),
        )

    made = word(f"<f><num>{_RUN}</num></f>")
    return _changed(made, "word/document.xml", lambda part: pattern.sub(nested, part))


def _page(inside: str) -> bytes:
    return f"<p>{SENTENCE}</p><p><math {_SPACE}>{inside}</math></p><p>{SENTENCE}</p>".encode()


def _book(begin: str, end: str) -> bytes:
    documents = {"a.xhtml": page(f"<p>{SENTENCE}</p>")}
    return packed(epub_parts(documents, metadata=f"{begin}<dc:title>Harbour</dc:title>{end}"))


def _with_points(count: int) -> bytes:
    points = "".join(f'<c:pt idx="{n}"><c:v>{n}</c:v></c:pt>' for n in range(count)).encode()
    return _changed(slides(), "ppt/charts/chart", lambda part: re.sub(
        rb'<c:pt idx="0">.*?</c:pt>', lambda _: points, part, flags=re.DOTALL
    ))  # fmt: skip


def _with_series(count: int) -> bytes:
    return _changed(slides(), "ppt/charts/chart", lambda part: re.sub(
        rb"<c:ser>.*</c:ser>", lambda found: found.group() * count, part, flags=re.DOTALL
    ))  # fmt: skip


def _with_pictures(parts: int, shown: int = 0) -> bytes:
    """Return a Word file with so many pictures, each shown, and one shown as often as asked."""
    links = "".join(
        f'<Relationship Id="p{n}" Type="x/image" Target="media/p{n}.png"/>' for n in range(parts)
    )
    marks = [f'<w:r><w:drawing><blip embed="p{n}"/></w:drawing></w:r>' for n in range(parts)]
    marks = [each.replace("<blip embed", _BLIP) for each in marks] * max(shown, 1)
    made = _changed(word(), "word/_rels/document.xml.rels", lambda part: part.replace(
        b"</Relationships>", f"{links}</Relationships>".encode()
    ))  # fmt: skip
    body = f"<w:p>{''.join(marks)}<w:r><w:t>{SENTENCE}</w:t></w:r></w:p></w:body>".encode()
    made = _changed(made, "word/document.xml", lambda part: part.replace(b"</w:body>", body))
    held = io.BytesIO(made)
    whole = picture().getvalue()
    with zipfile.ZipFile(held, "a") as archive:
        for number in range(parts):
            raw = whole + struct.pack("<I", number)  # no two are alike
            archive.writestr(zipfile.ZipInfo(f"word/media/p{number}.png"), raw)
    return held.getvalue()


_BLIP = (
    '<a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://'
    'schemas.openxmlformats.org/officeDocument/2006/relationships" r:embed'
)


def _changed(raw: bytes, start: str, change: Callable[[bytes], bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(made, "w", 8) as new:
        for name in old.namelist():
            part = old.read(name)
            new.writestr(name, change(part) if name.startswith(start) else part)
    return made.getvalue()


def _odd_text(draw: Random) -> str:
    """Return text in which a language is hard to tell: signs of all scripts, and none."""
    every = [chr(n) for n in range(0xA0, 0x2FFFF) if chr(n).isprintable() and chr(n).isalpha()]
    mixed = "".join(draw.choices([*every, " "], k=SAMPLE))
    return "\n\n".join((SENTENCE, "a@" * SAMPLE, mixed, "e\u0301\u0323" * SAMPLE))


def _try_swollen(report: Report, task: Task) -> None:
    for name, make in _swollen():
        if task.is_quick and name not in _QUICK:
            continue
        with report.attempt(name):
            found = read_files(report, {name: make()}, task.folder / name.replace(".", "-"))[name]
            report.expect(found.status in _ENDS, f"{found.status} {found.notes}")
            report.expect(found.seconds <= _MOST_SECONDS, f"{found.seconds} s")
            if found.status == "ready":
                report.expect(SENTENCE in found.text, "what stands beside it was lost")
    with report.attempt("memory"):
        report.expect(report.peaks.get("parser", 0) <= _MOST_MEGABYTES, f"{report.peaks} MiB")


# Passwords: what is said of an encrypted package stands in plain XML beside it.


_ROUNDS = re.compile(r'spinCount="\d+"')
_SALT = re.compile(r'saltValue="[^"]*"')
_LONG = base64.b64encode(bytes(3_000_000)).decode()
_BOMB = (
    '<!DOCTYPE encryption [<!ENTITY e0 "1">'
    + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    + "]>"
)
_LIES: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "2^31 rounds": lambda xml: _ROUNDS.sub('spinCount="2147483648"', xml),
    "10 million rounds": lambda xml: _ROUNDS.sub('spinCount="10000000"', xml),
    "no rounds": lambda xml: _ROUNDS.sub('spinCount="-1"', xml),
    "rounds of letters": lambda xml: _ROUNDS.sub('spinCount="many"', xml),
    "a long salt": lambda xml: _SALT.sub(f'saltValue="{_LONG}"', xml),
    "no salt": lambda xml: _SALT.sub('saltValue=""', xml),
    "an unknown hash": lambda xml: xml.replace("SHA512", "MD5"),
    "no end": lambda xml: xml[: len(xml) // 2],
    "no XML": lambda xml: "\0" * len(xml),
    "deep": lambda xml: re.sub(r"(<encryption\b[^>]*>)", r"\1" + "<a>" * 100_000, xml, count=1),
    "deep and whole": lambda xml: re.sub(
        r"(<encryption\b[^>]*>)", r"\1" + "<a>" * 20_000 + "</a>" * 20_000, xml, count=1
    ),
    "entities": lambda xml: re.sub(
        r"<encryption\b", _BOMB.replace("\\", r"\\") + "<encryption", xml, count=1
    ).replace('keyBits="256"', 'keyBits="&e9;"'),
}


def _try_passwords(report: Report, task: Task) -> None:
    names = ("no end", "deep and whole") if task.is_quick else tuple(_LIES)
    changes = {name: _LIES[name] for name in names}
    raw = locked_word(task.folder / "locked.docx").read_bytes()
    paths = [task.folder / f"{name}.docx" for name in changes]
    for path in paths:
        path.write_bytes(raw)
        with_encryption_info(path, changes[path.stem])
    tasks = [ParseTask(path, {}, Secret(PASSWORD)) for path in paths]
    pool = ParserPool(1, Ingest().parse_seconds, Ingest().parse_megabytes)
    try:
        for path, outcome, seconds in pool.run(tasks, CancelToken()):
            with report.attempt(path.stem):
                report.expect(seconds <= 4 * _MOST_SECONDS, f"{seconds} s")
                if path.stem == "as it is":
                    report.expect(LOCKED in str(outcome), f"not read: {outcome}")
                elif not isinstance(outcome, FileProblem):
                    report.expect(holds=False, finding="it was read")
                else:
                    named = outcome.status in {FileStatus.CORRUPT, FileStatus.ENCRYPTED}
                    report.expect(named, f"{outcome.status} {outcome.what}")
    finally:
        pool.close()


ATTACKS = (
    Attack("swollen structures", _try_swollen),
    Attack("lies about encryption", _try_passwords),
)
