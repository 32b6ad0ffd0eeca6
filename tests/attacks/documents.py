"""Hostile and damaged documents against the real parsers, in the confined child that reads them.

`python -m tests.attacks.documents FOLDER` reads a folder's files so and prints a JSON line a file.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.attacks.memory import measured
from tests.attacks.report import Attack, Report, Task

_MOST_SECONDS = 10.0
_MOST_MEGABYTES = 500.0
_NS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


@dataclass(frozen=True)
class Read:
    """What became of one file."""

    name: str
    status: str
    seconds: float
    text: str
    notes: tuple[str, ...]


def read_files(
    report: Report, files: Mapping[str, bytes], folder: Path, seconds: float = 120
) -> dict[str, Read]:
    """Read files in a confined child, one after another; note the memory that it took."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    made = measured(
        [sys.executable, "-m", "tests.attacks.documents", str(folder)],
        seconds,
        most_megabytes=3000,
        environment={**os.environ, "PYTHONUTF8": "1"},
        folder=Path(__file__).parents[2],
    )
    report.note_peaks({"parser": made.peaks.get("child", 0.0)})
    report.expect(made.status == 0, f"the reading ended with {made.status}: {made.errors[-300:]}")
    told = [json.loads(line) for line in made.output.splitlines()]
    return {each["name"]: Read(**{**each, "notes": tuple(each["notes"])}) for each in told}


def _serve(folder: Path) -> None:
    """Read the files of a folder in one confined child and print what became of each."""
    from desktop_rag.core.cancel import CancelToken
    from desktop_rag.engine.ingest.parse.blocks import ParsedDocument
    from desktop_rag.engine.ingest.supervisor import ParserPool

    pool = ParserPool(1, 60.0, 2048)
    try:
        for path, outcome, seconds in pool.run(sorted(folder.iterdir()), CancelToken()):
            is_read = isinstance(outcome, ParsedDocument)
            line = {
                "name": path.name,
                "status": "ready" if is_read else str(outcome.status),
                "seconds": round(seconds, 2),
                "text": "\n".join(b.text for b in outcome.blocks)[:4000] if is_read else "",
                "notes": outcome.notes if is_read else [outcome.what],
            }
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
    finally:
        pool.close()


# Workbooks that are small as files.


def package(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip of parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()


def workbook(
    rows: str, strings: str = "", *, before: str = "", styles: str = "", sheets: int = 1
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
            f'{before}<worksheet xmlns="{_NS}"><dimension ref="A1:XFD1048576"/>'
            f"<sheetData>{rows}</sheetData></worksheet>"
        ),
    })  # fmt: skip


_HELLO = '<c r="A1" t="inlineStr"><is><t>A sound beginning of the sheet</t></is></c>'
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
    yield "columns", lambda: workbook(_FIRST, before="").replace(b"", b"")
    yield (
        "styles",
        lambda: workbook(
            _FIRST,
            styles=f'<styleSheet xmlns="{_NS}"><cellXfs>{"<xf/>" * 30_000_000}</cellXfs></styleSheet>',
        ),
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
    slow = {"one-row-of-cells", "empty-cells", "deep", "empty-rows", "strings", "styles"}
    for name, make in _bombs():
        if task.is_quick and name in slow:
            continue
        with report.attempt(name):
            content = make()
            found = read_files(report, {f"{name}.xlsx": content}, task.folder / name)[
                f"{name}.xlsx"
            ]
            print(
                name,
                len(content),
                found.status,
                found.seconds,
                len(found.text),
                found.notes,
                report.peaks,
            )
            report.expect(found.seconds <= _MOST_SECONDS, f"{found.seconds} s")
            report.expect(found.status in {"ready", "too_large", "corrupt"}, found.status)
            if found.status == "ready":
                report.expect("A sound beginning" in found.text, "its beginning was lost")
    report.expect(report.peaks.get("parser", 0) <= _MOST_MEGABYTES, f"{report.peaks} MiB")


ATTACKS = (Attack("tiny workbooks", _try_workbooks),)

if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
