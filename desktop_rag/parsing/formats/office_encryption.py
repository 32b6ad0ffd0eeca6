"""Open Office files that have a password, new ones and those of before 2007, with msoffcrypto.

ECMA-376 (agile and standard), RC4, RC4 with CryptoAPI, and Excel's XOR. What is decrypted lies in
the process's own temporary folder until it is read; on Linux without a name.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.secret import Secret
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.odf_encryption import plain_package
from desktop_rag.parsing.formats.ooxml_package import DAMAGE

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK\x03\x04"


@contextmanager
def decrypted(path: Path, password: Secret) -> Iterator[Path]:
    """Give a path to read: the file's own, or that of its content without the password.

    Raises `wrong_password`, or `corrupt` where what is encrypted is damaged.
    """
    plain = _without(path, password) if password else None
    if plain is None:
        yield path
        return
    with _held(plain, path.suffix) as place:
        yield place


def _without(path: Path, password: Secret) -> bytes | memoryview | None:
    """Return a file's content without its password; None where it has none that is known."""
    with path.open("rb") as file:
        head = file.read(len(_OLE))
    if head == _OLE:
        return _plain(path, password)
    return plain_package(path, password) if head.startswith(_ZIP) else None


def _plain(path: Path, password: Secret) -> memoryview | None:
    from msoffcrypto import OfficeFile
    from msoffcrypto.exceptions import DecryptionError, FileFormatError, InvalidKeyError, ParseError

    made = io.BytesIO()
    with path.open("rb") as source:
        try:
            file: Any = OfficeFile(source)
            if not file.is_encrypted():
                return None
            _load_key(file, password)
            file.decrypt(made)
        except FileFormatError:
            return None
        except InvalidKeyError as error:
            raise file_problems.wrong_password() from error
        except PermissionError as error:
            raise _no_place() from error
        except (DecryptionError, ParseError, *DAMAGE) as error:
            raise file_problems.corrupt() from error
    return made.getbuffer()


def _load_key(file: Any, password: Secret) -> None:
    """Have the password checked; old formats do that by themselves."""
    if file.format == "ooxml":
        file.load_key(password=password.text, verify_password=True)
    else:
        file.load_key(password=password.text)


@contextmanager
def _held(content: bytes | memoryview, suffix: str) -> Iterator[Path]:
    """Give a path at which bytes can be read until the context ends."""
    with _folder() as folder:
        copy = Path(folder, f"document{suffix}")
        copy.write_bytes(content)
        if sys.platform != "linux":
            yield copy
            return
        with copy.open("rb") as file:
            copy.unlink()  # from here on a kill leaves nothing of it
            yield Path(f"/proc/self/fd/{file.fileno()}")


def _folder() -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix="desktop-rag-")
    except PermissionError as error:
        raise _no_place() from error


def _no_place() -> FileProblem:
    """Say that nothing may be written: a kernel without Landlock (see `linux_confinement`)."""
    return file_problems.protected("This system gives its reader no place to unpack it.")
