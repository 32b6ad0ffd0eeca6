"""Files with a password: made anew by each test, with a text that says what it is."""

from __future__ import annotations

import hashlib
import io
import struct
from dataclasses import replace
from pathlib import Path

import docx
import openpyxl
import pptx
from msoffcrypto.format.ooxml import OOXMLFile

from tests.parsing.old_office_samples import biff, compound_file, workbook_stream
from tests.parsing.sample_files import one_page, paragraph, rc4

PASSWORD = "Straße 港口 7"
SENTENCE = "The lighthouse keeper counts forty-two ships every evening."


def locked(plain: bytes, path: Path, password: str = PASSWORD) -> Path:
    """Write an Office file of today so that only a password opens it."""
    with path.open("wb") as file:
        OOXMLFile(io.BytesIO(plain)).encrypt(password, file)
    return path


def locked_word(path: Path, sentence: str = SENTENCE, password: str = PASSWORD) -> Path:
    made, document = io.BytesIO(), docx.Document()
    document.add_paragraph(sentence)
    document.save(made)
    return locked(made.getvalue(), path, password)


def locked_slides(path: Path) -> Path:
    made, slides = io.BytesIO(), pptx.Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[0])
    slide.shapes.title.text = SENTENCE
    slides.save(made)
    return locked(made.getvalue(), path)


def locked_workbook(path: Path) -> Path:
    made, book = io.BytesIO(), openpyxl.Workbook()
    book.worksheets[0].append([SENTENCE])
    book.save(made)
    return locked(made.getvalue(), path)


def locked_pdf(path: Path, password: str = "harbour", sentence: str = SENTENCE) -> Path:
    return replace(one_page(*paragraph(700, sentence)), password=password).write(path)


def locked_old_workbook(path: Path, password: str = PASSWORD) -> Path:
    """Write an Excel 97 file under RC4 ([MS-OFFCRYPTO] 2.3.6): all but the records' heads."""
    salt, check = bytes(range(16)), bytes(range(16, 32))
    short = hashlib.md5(password.encode("utf-16-le")).digest()[:5]
    base = hashlib.md5((short + salt) * 16).digest()[:5]

    def key(block: int) -> bytes:
        return hashlib.md5(base + struct.pack("<I", block)).digest()

    verifier = rc4(key(0), check + hashlib.md5(check).digest())
    told = struct.pack("<HHH", 1, 1, 1) + salt + verifier
    plain = workbook_stream({"Ships": [[SENTENCE]]}, more=biff(0x2F, told))
    noise = b"".join(rc4(key(n), bytes(1024)) for n in range(len(plain) // 1024 + 1))
    made, at = bytearray(plain), 0
    while at + 4 <= len(plain):
        kind, length = struct.unpack_from("<HH", plain, at)
        start = at + 4 + (4 if kind == 0x85 else 0)  # where a sheet begins is told openly
        if kind not in (0x809, 0x2F):
            for place in range(start, at + 4 + length):
                made[place] ^= noise[place]
        at += 4 + length
    path.write_bytes(compound_file({"Workbook": bytes(made)}))
    return path
