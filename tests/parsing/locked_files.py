"""Files with a password: made anew by each test, with a text that says what it is."""

from __future__ import annotations

import base64
import hashlib
import io
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import docx
import openpyxl
import pptx
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from msoffcrypto.format.ooxml import OOXMLFile
from olefile import OleFileIO

from tests.parsing.old_office_samples import biff, compound_file, workbook_stream
from tests.parsing.open_documents import odf_parts, packed
from tests.parsing.sample_files import one_page, paragraph, rc4

PASSWORD = "Straße 港口 7"
SENTENCE = "The lighthouse keeper counts forty-two ships every evening."
_P = f"<text:p>{SENTENCE}</text:p>"
_ODF_MANIFEST = """<manifest:manifest
 xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">
<manifest:file-entry manifest:full-path="content.xml" manifest:size="1">
<manifest:encryption-data manifest:checksum="{check}"
 manifest:checksum-type="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0#sha256-1k">
<manifest:algorithm manifest:algorithm-name="http://www.w3.org/2001/04/xmlenc#aes256-cbc"
 manifest:initialisation-vector="{vector}"/>
<manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:key-size="32"
 manifest:iteration-count="100000" manifest:salt="{salt}"/>
<manifest:start-key-generation manifest:key-size="32"
 manifest:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256"/>
</manifest:encryption-data></manifest:file-entry></manifest:manifest>"""


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


def with_encryption_info(path: Path, change: Callable[[str], str]) -> Path:
    """Write an encrypted package anew, with what it says of its encryption, XML, changed."""
    with OleFileIO(path) as held:
        told = held.openstream("EncryptionInfo").read()
        content = held.openstream("EncryptedPackage").read()
    changed = told[:8] + change(told[8:].decode()).encode()
    path.write_bytes(compound_file({"EncryptionInfo": changed, "EncryptedPackage": content}))
    return path


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


def locked_odf(path: Path, kind: str = "text", password: str = PASSWORD) -> Path:
    """Write an OpenDocument file whose content is encrypted as LibreOffice 24.1 does."""
    table = f"<table:table><table:table-row><table:table-cell>{_P}</table:table-cell>"
    table += "</table:table-row></table:table>"
    parts: dict[str, str | bytes] = {**odf_parts(kind, table if kind == "spreadsheet" else _P)}
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed_text = packer.compress(str(parts["content.xml"]).encode()) + packer.flush()
    salt, vector = bytes(range(16)), bytes(range(16, 32))
    start = hashlib.sha256(password.encode()).digest()
    key = hashlib.pbkdf2_hmac("sha1", start, salt, 100_000, 32)
    encryptor = Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor()
    padding = 16 - len(packed_text) % 16
    filled = packed_text + bytes(padding - 1) + bytes([padding])
    parts["content.xml"] = encryptor.update(filled) + encryptor.finalize()
    check = base64.b64encode(hashlib.sha256(packed_text[:1024]).digest()).decode()
    parts["META-INF/manifest.xml"] = _ODF_MANIFEST.format(
        check=check,
        salt=base64.b64encode(salt).decode(),
        vector=base64.b64encode(vector).decode(),
    )
    path.write_bytes(packed(parts))
    return path
