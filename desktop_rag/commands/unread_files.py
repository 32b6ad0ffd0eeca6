"""What an answer says of the files that it could not come from: those that are not read.

“Not found” would be false while the file that holds the answer waits, or cannot be read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.events import AwaitedFiles, Notice, NoticeCode
from desktop_rag.core.phrases import Phrase, joined
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.index.tokenizer import search_terms

_SILENT = {FileStatus.EMPTY, FileStatus.UNSUPPORTED}  # there is nothing to be read in them
_CODE = NoticeCode.UNREAD_FILES
_NAMED = 3  # files
_MOST_ALIKE = 20  # unread files; what more are called tells nothing
_TELLING = re.compile(r".{4,}|.*\d|[^\x00-\u2e7f]")
_ASKING = frozenset(search_terms("what which when where does about that this with from have many"))


@dataclass(frozen=True, slots=True)
class UnreadFiles:
    """How many files wait, how many could not be read, and those of each that fit the question.

    `next_up` is a file that waits, whether its name fits or not; "" where none does.
    """

    waiting: int
    waiting_fit: tuple[str, ...]
    failed: int
    failed_fit: tuple[str, ...]
    next_up: str = ""

    @property
    def awaited(self) -> AwaitedFiles | None:
        """What an answer waits for."""
        return AwaitedFiles(self.waiting, self.waiting_fit) if self.waiting else None

    def notices(self, *, is_refused: bool) -> Iterator[Notice]:
        """Yield what is to be said of them.

        Files that wait are always counted, and one of them is named. Files that could not be read
        are, where nothing was found or where their names fit the question.
        """
        if self.waiting:
            yield Notice(_waiting(self.waiting, self.waiting_fit or (self.next_up,)))
        if self.failed and (self.failed_fit or is_refused):
            yield Notice(joined(_failed(self.failed), _named(self.failed_fit)))


NOTHING_UNREAD = UnreadFiles(0, (), 0, ())


def unread_files(catalog: Catalog, kbs: Sequence[KbId], question: str) -> UnreadFiles:
    """Return what is not read of some knowledge bases."""
    unread = [each for kb in kbs for each in catalog.files.unread(kb) if each[1] not in _SILENT]
    waiting = [path for path, status in unread if status is FileStatus.QUEUED]
    failed = [path for path, status in unread if status is not FileStatus.QUEUED]
    fit = (tuple(fitting(question, paths)) for paths in (waiting, failed))
    next_up = waiting[0] if waiting else ""
    return UnreadFiles(len(waiting), next(fit), len(failed), next(fit), next_up)


def fitting(question: str, paths: Sequence[str]) -> list[str]:
    """Return the paths whose names, or folders' names, share most telling words with a question."""
    asked = {each for each in search_terms(question) if _tells(each)}
    words = {path: asked & set(search_terms(_name(path))) for path in paths} if asked else {}
    common = Counter(word for found in words.values() for word in found)
    fit = {
        path: len([word for word in found if common[word] <= _MOST_ALIKE])
        for path, found in words.items()
    }
    ordered = sorted((path for path, count in fit.items() if count), key=lambda path: -fit[path])
    return ordered[:_NAMED]


def _tells(word: str) -> bool:
    return word not in _ASKING and _TELLING.match(word) is not None


def _name(path: str) -> str:
    """Return a file's name without its ending, and its folder's."""
    pure = PurePath(path)
    return f"{pure.parent.name} {pure.stem}"


def _waiting(count: int, paths: Sequence[str]) -> Phrase:
    if count == 1:
        told = "One file is not read yet, {0}: the answer may stand in it."
        return Phrase(told, _listed(paths), code=_CODE)
    told = "{0} files are not read yet, among them {1}: the answer may stand in them."
    return Phrase(told, count, _listed(paths), code=_CODE)


def _failed(count: int) -> Phrase:
    if count == 1:
        return Phrase("One file could not be read: the answer may stand in it.", code=_CODE)
    return Phrase("{0} files could not be read: the answer may stand in them.", count, code=_CODE)


def _named(paths: Sequence[str]) -> str:
    if len(paths) > 1:
        return Phrase("By their names these could be some: {0}.", _listed(paths))
    return Phrase("By its name this could be one: {0}.", _listed(paths)) if paths else ""


def _listed(paths: Sequence[str]) -> str:
    return ", ".join(PurePath(each).name for each in paths)
