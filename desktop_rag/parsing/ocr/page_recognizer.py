"""Text recognition in a child process, as documents may be hostile and the models take much memory.

`RecognitionRequestHandler` runs in the child: a page's key, then what stands on it. Each page is a
request of its own, so that a limit of time and a stop hold for a page. `PageRecognizer` asks the
child; no other process loads the recogniser.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.secret import NO_PASSWORD, Secret
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.ocr.page_pictures import PagePicture, page_picture, page_picture_in
from desktop_rag.parsing.ocr.recognized_page import (
    LONGEST_PAGE,
    RecognizedPage,
    pack_page,
    unpack_page,
)
from desktop_rag.parsing.sandbox.child_process import ChildProcess

if TYPE_CHECKING:
    from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPage
    from desktop_rag.parsing.ocr.recognizer import Recognizer

VERSION = 1  # of what is recognised: raising it has every page recognised anew
_SECONDS = 120.0
_MEGABYTES = 2048

_KEY = re.compile(rb"[0-9a-f]{64}")

_Known = tuple[str, int, int]  # a file as it was: its path, its size, when it was written


class RecognitionRequestHandler:
    """Answers `["key" | "lines", path, page, password]`, JSON in; pages count from 1.

    The last page's picture is kept for the next request, which usually asks for its lines; and
    what lies in a file, for those of its further numbers.
    """

    def __init__(self) -> None:
        self._recognizer: Recognizer | None = None
        self._kept: tuple[_Known, int, PagePicture] | None = None
        self._embedded: tuple[_Known, dict[int, EmbeddedPage]] | None = None

    def answer(self, request: bytes) -> bytes:
        """Do what a request asks."""
        verb, path, page, password = json.loads(request)
        picture = self._picture(Path(str(path)), int(page), Secret(password))
        if verb == "key":
            return hashlib.sha256(f"{VERSION} {picture.digest()}".encode()).hexdigest().encode()
        if self._recognizer is None:
            from desktop_rag.parsing.ocr.recognizer import Recognizer

            self._recognizer = Recognizer()
        self._kept = None
        return pack_page(self._recognizer.page(picture))

    def _picture(self, path: Path, page: int, password: Secret) -> PagePicture:
        try:
            stat = path.stat()
            known = (str(path), stat.st_size, stat.st_mtime_ns)
            if self._kept is None or self._kept[:2] != (known, page):
                self._kept = None
                self._kept = (known, page, self._picture_of(known, path, page, password))
        except FileNotFoundError as error:
            raise file_problems.vanished() from error
        except PermissionError as error:
            raise file_problems.denied() from error
        return self._kept[2]

    def _picture_of(self, known: _Known, path: Path, page: int, password: Secret) -> PagePicture:
        """Return a page of a file; those of a text are the pictures in it."""
        from desktop_rag.parsing.format_registry import embedded_pages, is_drawn
        from desktop_rag.parsing.formats.office_encryption import decrypted

        if self._embedded is None or self._embedded[0] != known or page not in self._embedded[1]:
            self._embedded = None
            with decrypted(path, password) as plain:
                if is_drawn(plain):
                    return page_picture(plain, page, password)
                self._embedded = (known, embedded_pages(plain, page))
        found = self._embedded[1][page]
        return page_picture_in(found.raw, found.page)


class PageRecognizer:
    """Asks one child process; it starts with the first request, ends with `close`.

    Pages count from 1. A request raises `FileProblem` where a page can't be looked at, takes more
    than `seconds` or too much memory: that concerns this page alone. The folders `shut` are closed
    to the child. For one thread at a time.
    """

    def __init__(self, shut: tuple[str, ...] = (), seconds: float = _SECONDS) -> None:
        handler = RecognitionRequestHandler()
        self._child = ChildProcess(handler.answer, seconds, _MEGABYTES, shut)

    def picture_key(
        self,
        path: Path,
        page: int,
        token: CancelToken | None = None,
        *,
        password: Secret = NO_PASSWORD,
    ) -> str:
        """Return what a page's result is remembered by: 64 hexadecimal digits.

        The same pixels, read by the same version, have the same key in whatever file.
        """
        reply = self._ask(token, "key", path, page, password)
        if _KEY.fullmatch(reply) is None:
            raise self._nonsense()
        return reply.decode()

    def recognize(
        self,
        path: Path,
        page: int,
        token: CancelToken | None = None,
        *,
        password: Secret = NO_PASSWORD,
    ) -> RecognizedPage:
        """Return what stands on a page; after its key was asked for, it is not drawn again."""
        try:
            return unpack_page(self._ask(token, "lines", path, page, password))
        except ValueError as error:
            raise self._nonsense() from error

    def close(self) -> None:
        """End the child process; harmless when called again."""
        self._child.stop()

    def _ask(
        self, token: CancelToken | None, verb: str, path: Path, page: int, password: Secret
    ) -> bytes:
        request = json.dumps([verb, str(path), page, password.text]).encode()
        parts = self._child.parts(request, token or CancelToken(), most=LONGEST_PAGE)
        return b"".join(parts)

    def _nonsense(self) -> FileProblem:
        self._child.stop()
        return file_problems.crashed("its reader made no sense")
