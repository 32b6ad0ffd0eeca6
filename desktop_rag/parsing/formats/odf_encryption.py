"""Open OpenDocument files that have a password, as [ODF 1.2, part 3] and LibreOffice up to 24.1 do.

Each part is compressed, then encrypted with AES in CBC mode under a key that PBKDF2 makes of the
password. Blowfish, of before 2011, and the single encrypted package of LibreOffice 24.2 are not
read.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import io
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.secret import Secret
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.ooxml_package import DAMAGE, raise_the_disks
from desktop_rag.parsing.formats.xml_tree import LARGEST, attribute, descendants, read_tree

MANIFEST = "META-INF/manifest.xml"
_PARTS = ("mimetype", "content.xml", "styles.xml", "meta.xml")
_LONGEST_MANIFEST = 2_000_000
_AES, _PBKDF2 = "aes256-cbc", "pbkdf2"  # what their names end in
_HASHES = {"sha256": "sha256", "sha1": "sha1", "": "sha1"}
_CHECKED = 1024  # bytes of a part that its checksum is of
_MOST_ROUNDS = 2_000_000  # of hashing a password
_BLOCK = 16


@dataclass(frozen=True, slots=True)
class _Locked:
    """How a part is encrypted."""

    start_hash: str
    salt: bytes
    rounds: int
    vector: bytes
    checksum_hash: str
    checksum: bytes


def locked_problem(manifest: bytes) -> FileProblem:
    """Return what to say of a file whose manifest tells of encryption."""
    if f"#{_AES}".encode() in manifest:
        return file_problems.encrypted()
    return file_problems.protected("The document is encrypted in a way that is not read.")


def plain_package(path: Path, password: Secret) -> bytes | None:
    """Return a package of a file's texts without the password; None where it has none."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            if MANIFEST not in names or archive.getinfo(MANIFEST).file_size > _LONGEST_MANIFEST:
                return None
            manifest = archive.read(MANIFEST)
            if b"encryption-data" not in manifest:
                return None
            locked = _locked_parts(manifest)
            if not locked:
                raise locked_problem(b"")
            return _unlocked(archive, locked, password)
    except DAMAGE as error:
        raise_the_disks(error)
        raise file_problems.corrupt("The document is damaged.") from error


def _unlocked(archive: zipfile.ZipFile, locked: Mapping[str, _Locked], password: Secret) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as plain:
        for name in set(_PARTS) & set(archive.namelist()):
            if archive.getinfo(name).file_size > LARGEST:
                raise file_problems.too_large("The file holds more XML than is read at once.")
            raw = archive.read(name)
            plain.writestr(name, _opened(raw, locked[name], password) if name in locked else raw)
    return made.getvalue()


def _locked_parts(manifest: bytes) -> dict[str, _Locked]:
    """Return the parts that are encrypted in the way that is read here."""
    root, _ = read_tree(manifest)
    entries = descendants(root, "file-entry") if root is not None else ()
    found = {attribute(each, "full-path"): _how(each) for each in entries}
    return {name: how for name, how in found.items() if how is not None}


def _how(entry: etree._Element) -> _Locked | None:
    data, algorithm, derivation, start = (
        next(descendants(entry, name), None)
        for name in ("encryption-data", "algorithm", "key-derivation", "start-key-generation")
    )
    if data is None or algorithm is None or derivation is None:
        return None
    is_known = attribute(algorithm, "algorithm-name").lower().endswith(f"#{_AES}")
    name = attribute(derivation, "key-derivation-name").lower()
    rounds = int(attribute(derivation, "iteration-count") or 1024)
    if not (is_known and name.endswith(_PBKDF2) and 0 < rounds <= _MOST_ROUNDS):
        return None
    started = attribute(start, "start-key-generation-name") if start is not None else ""
    checked = attribute(data, "checksum-type").rpartition("#")[2].lower().removesuffix("-1k")
    try:
        return _Locked(
            _HASHES[started.rpartition("#")[2].lower()],
            base64.b64decode(attribute(derivation, "salt")),
            rounds,
            base64.b64decode(attribute(algorithm, "initialisation-vector")),
            _HASHES[checked.removeprefix("sha1/").removesuffix("/1k")],
            base64.b64decode(attribute(data, "checksum")),
        )
    except (KeyError, binascii.Error):
        return None


def _opened(raw: bytes, how: _Locked, password: Secret) -> bytes:
    """Return a part's text; `wrong_password` where its checksum says so."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    start = hashlib.new(how.start_hash, password.text.encode()).digest()
    key = hashlib.pbkdf2_hmac("sha1", start, how.salt, how.rounds, 32)
    decryptor = Cipher(algorithms.AES(key), modes.CBC(how.vector)).decryptor()
    packed = decryptor.update(raw[: len(raw) // _BLOCK * _BLOCK]) + decryptor.finalize()
    padding = packed[-1] if packed else 0
    packed = packed[:-padding] if 0 < padding <= _BLOCK else packed
    made = hashlib.new(how.checksum_hash, packed[:_CHECKED]).digest()
    if not hmac.compare_digest(made, how.checksum):
        raise file_problems.wrong_password()
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    text = inflater.decompress(packed, LARGEST)
    if inflater.unconsumed_tail:
        raise file_problems.too_large("The file holds more XML than is read at once.")
    return text
