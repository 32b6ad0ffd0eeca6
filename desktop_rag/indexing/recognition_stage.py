"""Recognises the text of pages that hold none: one page after the other, when nothing else waits.

What is found is kept in the catalog page by page, so that a run that ends is gone on with by the
next one, and a page is recognised once. When all of a file's pages are known it is read again, with
them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.recognized_pages import UnreadPages
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.filesystem import FileSystem
from desktop_rag.core.secret import NO_PASSWORD, Secret
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.indexing.password_store import PasswordStore
from desktop_rag.parsing.ocr.page_recognizer import PageRecognizer
from desktop_rag.parsing.ocr.recognized_page import RecognizedPage, pack_page, unpack_page

_log = logging.getLogger(__name__)
MakeRecognizer = Callable[[], PageRecognizer]
_GLANCE = 0.25  # seconds between looks at whether to stop


@dataclass(frozen=True, slots=True)
class PageStep:
    """A page that is being recognised: the `number`th of `total` unread ones of a file."""

    path: str
    number: int
    total: int


@dataclass(frozen=True, slots=True)
class RecognizedContent:
    """A file of whose content all pages were tried, with what was found on them, by number."""

    path: str
    content_hash: str
    pages: Mapping[int, RecognizedPage]


@dataclass(slots=True)
class RecognitionStage:
    """Recognises what waits in one knowledge base; in its `turn`, so that no two do at a time.

    A file that changed, or that can't be reached, is passed over: it stays as it is.
    """

    catalog: Catalog
    make_recognizer: MakeRecognizer
    reach: FileSystem
    kb: KbId
    turn: Lock
    passwords: PasswordStore | None = None
    _recognizer: PageRecognizer | None = None
    _passed: set[str] = field(default_factory=set)

    def waiting(self) -> list[UnreadPages]:
        """Return the files that wait, by path."""
        found = self.catalog.recognized.waiting(self.kb)
        return [each for each in found if each.path not in self._passed]

    def steps(self, token: CancelToken) -> Iterator[PageStep | RecognizedContent]:
        """Yield each page before it is recognised, and each file after its pages.

        A file whose content was given is given once, whether it still waits or not.
        """
        try:
            yield from self._steps(token)
        finally:
            if self._recognizer is not None:
                self._recognizer.close()
                self._recognizer = None

    def _steps(self, token: CancelToken) -> Iterator[PageStep | RecognizedContent]:
        while waiting := self.waiting():
            unread = waiting[0]
            self._passed.add(unread.path)
            known = self.catalog.recognized.of(unread.content_hash)
            for number, page in enumerate(unread.pages, 1):
                if page in known:
                    continue
                if not self._is_there(unread, token):
                    break
                yield PageStep(unread.path, number, len(unread.pages))
                self._recognize(unread, page, token)
            else:
                yield RecognizedContent(
                    unread.path, unread.content_hash, self._found(unread.content_hash)
                )

    def _is_there(self, unread: UnreadPages, token: CancelToken) -> bool:
        """Say whether the file is as it was when its content was looked at."""
        row = self.catalog.files.get(self.kb, unread.path)
        if row is None or row.stamp is None or row.stamp.content_hash != unread.content_hash:
            return False
        try:
            now = self.reach.look(unread.path, token)
        except FileProblem:
            return False
        return now is not None and (now.size, now.mtime_ns) == (row.stamp.size, row.stamp.mtime_ns)

    def _recognize(self, unread: UnreadPages, page: int, token: CancelToken) -> None:
        """Keep what is found on a page, or that nothing could be."""
        path, picture = Path(unread.path), ""
        if self._recognizer is None:
            self._recognizer = self.make_recognizer()
        recognizer = self._recognizer
        try:
            with self._taking_turns(token):
                password = self._password(unread.content_hash, token)
                picture = recognizer.picture_key(path, page, token, password=password)
                found = self.catalog.recognized.of_picture(picture)
                if found is None:
                    found = pack_page(recognizer.recognize(path, page, token, password=password))
        except FileProblem as problem:
            if not self._is_there(unread, token):
                return
            why = (
                problem if problem.status is FileStatus.FAILED else problem.status
            )  # names no text
            _log.warning("a page can't be recognised: %s", why)
            found = None
        self.catalog.recognized.put(unread.content_hash, page, picture, found)

    def _password(self, content_hash: str, token: CancelToken) -> Secret:
        return self.passwords.of(content_hash, token) if self.passwords else NO_PASSWORD

    @contextmanager
    def _taking_turns(self, token: CancelToken) -> Iterator[None]:
        while not self.turn.acquire(timeout=_GLANCE):
            token.check()
        try:
            token.check()
            yield
        finally:
            self.turn.release()

    def _found(self, content_hash: str) -> dict[int, RecognizedPage]:
        kept = self.catalog.recognized.of(content_hash)
        return {number: unpack_page(found) for number, found in kept.items() if found is not None}
