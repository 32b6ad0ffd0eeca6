"""Damaged files that were read wrongly once, each as small as it could be made."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing import format_registry
from testing.sample_folder import SAMPLES

PROSE = "The ships sail at seven every morning."


def end_of(path: Path) -> FileStatus:
    try:
        format_registry.parse(path)
    except FileProblem as problem:
        return problem.status
    return FileStatus.READY


@pytest.mark.parametrize(
    "name",
    ["idna", "punycode", "undefined", "base64", "rot13", "zip", "quopri", "uu", "hex"],
)
@pytest.mark.parametrize("suffix", [".html", ".eml"])
def test_a_declared_encoding_that_is_none_of_a_text_is_passed_over(
    tmp_path: Path, name: str, suffix: str
) -> None:
    path = tmp_path / f"it{suffix}"
    page = f'<html><meta charset="{name}"><p>{PROSE} Caf\u00e9.</p></html>'
    mail = f'Subject: x\nContent-Type: text/plain; charset="{name}"\n\n{PROSE} Caf\u00e9.\n'
    path.write_text(page if suffix == ".html" else mail, encoding="utf-8")
    assert f"{PROSE} Café." in format_registry.parse(path).blocks[-1].text


def test_a_head_whose_base64_is_cut_stays_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "it.eml"
    path.write_text(f"Subject: =?utf-8?b?{'/' * 77}?=\n\n{PROSE}\n")
    assert format_registry.parse(path).blocks[-1].text == PROSE


def test_a_package_that_leads_before_its_beginning_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "it.pptx"
    raw = (SAMPLES / "Lighthouse project.pptx").read_bytes()
    path.write_bytes(raw[:1000] + raw[9192:])
    assert end_of(path) is not FileStatus.FAILED


def test_a_part_that_says_that_it_is_encrypted_is_damage(tmp_path: Path) -> None:
    made, path = io.BytesIO((SAMPLES / "Lease agreement.docx").read_bytes()), tmp_path / "it.docx"
    with zipfile.ZipFile(made) as archive:
        at = next(each for each in archive.infolist() if each.filename == "word/document.xml")
    raw = bytearray(made.getvalue())
    entry = raw.index(b"PK\x01\x02", archive.start_dir)
    while raw[entry + 46 : entry + 46 + len(at.filename)] != at.filename.encode():
        entry = raw.index(b"PK\x01\x02", entry + 4)
    raw[entry + 8] |= 1
    raw[at.header_offset + 6] |= 1
    path.write_bytes(raw)
    assert end_of(path) in (FileStatus.CORRUPT, FileStatus.ENCRYPTED)


@pytest.mark.parametrize("end", ["?>", ">", "7>", ' x="y">', ""])
def test_a_declaration_of_xml_that_is_damaged_is_left_out(tmp_path: Path, end: str) -> None:
    path = tmp_path / "it.xhtml"
    path.write_text(f'<?xml version="1.0" encoding="utf-8"{end}<html><body><p>{PROSE}</p></body>')
    assert format_registry.parse(path).blocks[-1].text == PROSE
