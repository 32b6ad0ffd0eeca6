"""Takes queued files through stamp, hash, parser and chunker, in a thread of its own.

It runs a little ahead of the embedder, so that parsing and embedding go on side by side. What it
gives is not stored yet: it reads the catalog but writes nothing.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.provenance import opened, recognized
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRead, FileStamp, NewDocument
from desktop_rag.core.errors import Cancelled, FileProblem
from desktop_rag.core.filesystem import FileInfo, FileSystem
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import DocumentId, FileStatus, KbId
from desktop_rag.indexing import chunker
from desktop_rag.indexing.password_store import PasswordStore
from desktop_rag.indexing.recognition_stage import RecognizedContent
from desktop_rag.indexing.text_units import CountTokens
from desktop_rag.parsing import file_problems, format_registry
from desktop_rag.parsing.format_detection import is_archive_name
from desktop_rag.parsing.ocr.recognized_page import RecognizedPage
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox.document_stream import LongDocument
from desktop_rag.parsing.sandbox.parser_pool import (
    ParseOutcome,
    ParserPool,
    ParseTask,
    PasswordCandidate,
)

_AHEAD = 1000  # chunks that may wait for the embedder
_GLANCE = 0.1  # seconds between looks at whether to stop
_MEGABYTE = 1024 * 1024
_NONE_RECOGNIZED: Mapping[str, RecognizedContent] = {}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file that was read and cut: its chunks must be embedded and stored."""

    read: FileRead
    document: NewDocument
    unread_pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedLong:
    """A file that was read and is too long to be held: it is cut, embedded and stored in pieces."""

    read: FileRead
    document: LongDocument
    recipe: str


@dataclass(frozen=True, slots=True)
class KnownContent:
    """A file whose content is a document already."""

    read: FileRead
    document_id: DocumentId
    recipe: str


@dataclass(frozen=True, slots=True)
class Unusable:
    """A file that gives no text, and why."""

    read: FileRead
    status: FileStatus
    reason: str
    unread_pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Gone:
    """A file that went away before it was read."""

    path: str


@dataclass(frozen=True, slots=True)
class Deferred:
    """A file to be taken again: written to meanwhile (`is_restless`), or a twin is being read."""

    path: str
    is_restless: bool


@dataclass(frozen=True, slots=True)
class Unreached:
    """A file that nobody could look at: what is known of it is kept, and it waits as it is."""

    path: str
    reason: str


StageResult = Prepared | PreparedLong | KnownContent | Unusable | Unreached | Gone | Deferred
UnusableContents = dict[
    tuple[str, str], Unusable
]  # by content, and by the name's ending: it may decide


@dataclass(frozen=True, slots=True)
class ParseContext:
    """What the intake works with."""

    catalog: Catalog
    parsers: ParserPool
    count_tokens: CountTokens
    settings: Settings
    passwords: PasswordStore | None = None

    @property
    def reach(self) -> FileSystem:
        """What looks at files."""
        return self.parsers.reach

    @property
    def recipe(self) -> str:
        """Name how files are read now."""
        return recipe_under(self.settings)


def recipe_under(settings: Settings) -> str:
    """Name how files are read under these settings: parsers, chunker and its sizes."""
    sizes = settings.chunking
    versions = f"{format_registry.VERSION}.{chunker.VERSION}"
    return f"{versions}:{sizes.small_tokens}/{sizes.big_tokens}/{sizes.overlap_tokens}"


def recipe_of(path: str, recipe: str, *, opens_archives: bool) -> str:
    """Return the recipe of one file: of what may be an archive that is looked into, another."""
    return opened(recipe) if opens_archives and is_archive_name(Path(path)) else recipe


@dataclass(frozen=True, slots=True)
class _Candidates:
    """The passwords that are tried on one file, if it has one."""

    passwords: PasswordStore
    path: str
    content_hash: str
    former_hash: str
    token: CancelToken

    def __iter__(self) -> Iterator[PasswordCandidate]:
        return self.passwords.candidates(self.path, self.content_hash, self.former_hash, self.token)

    def confirm(self, candidate: PasswordCandidate) -> None:
        """Remember what opened the file."""
        self.passwords.confirm(self.path, self.content_hash, candidate, self.token)


class ParseStage:
    """A thread that reads one knowledge base's files; use it as a context manager.

    Leaving the context stops it, with its parsers, within half a second. A file that is written to
    while it is read is given as `Deferred` if `is_patient`, else as it was. `hopeless` is what was
    found of contents that give no text: copies of them are not read again. Files of `contents`
    are read with what was recognised on their pages, if their content is still the same.
    """

    def __init__(
        self,
        tools: ParseContext,
        kb: KbId,
        paths: Iterable[str],
        hopeless: UnusableContents,
        *,
        is_patient: bool,
        contents: Mapping[str, RecognizedContent] = _NONE_RECOGNIZED,
    ) -> None:
        self._contents = contents
        self._tools = tools
        self._kb = kb
        self._paths = paths
        self._hopeless = hopeless
        self._is_patient = is_patient
        self._opens_archives = tools.catalog.kbs.opens_archives(kb)
        self._stamps: dict[Path, FileStamp] = {}
        self._hashes: set[str] = set()
        self._stop = CancelToken()
        self._out: deque[StageResult] = deque()
        self._changed = threading.Condition()
        self._is_over = False
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="intake", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.cancel()
        self._thread.join()

    def take(self, seconds: float) -> StageResult | None:
        """Return the next file, None when none comes within `seconds`; raise what went wrong."""
        with self._changed:
            if not self._out and not self._is_over:
                self._changed.wait(seconds)
            if self._out:
                self._changed.notify_all()
                return self._out.popleft()
        if self._error is not None:
            raise self._error
        return None

    @property
    def is_done(self) -> bool:
        """Whether every file was taken."""
        return self._is_over and not self._out and self._error is None

    @property
    def current(self) -> str:
        """The file that has been with the parsers the longest, empty when there is none."""
        return next((str(path) for path in list(self._stamps)), "")

    def _work(self) -> None:
        try:
            for path, outcome, seconds in self._tools.parsers.run(self._unparsed(), self._stop):
                self._give(self._judged(path, outcome, seconds))
        except Cancelled:
            return
        except Exception as error:  # noqa: BLE001 - `take` raises it in the caller's thread
            self._error = error
        finally:
            with self._changed:
                self._is_over = True
                self._changed.notify_all()

    def _give(self, taken: StageResult) -> None:
        """Hand a file over, once there is room for it."""
        with self._changed:
            while self._out and sum(map(_weight, self._out)) >= _AHEAD:
                self._stop.check()
                self._changed.wait(_GLANCE)
            self._out.append(taken)
            self._changed.notify_all()

    def _unparsed(self) -> Iterator[ParseTask]:
        """Yield the files that need a parser; give the others as they are."""
        for path in self._paths:
            self._stop.check()
            taken = self._looked_at(path)
            if isinstance(taken, FileStamp):
                self._stamps[Path(path)] = taken
                pages, candidates = self._pages(path, taken), self._candidates(path, taken)
                yield ParseTask(
                    Path(path), pages, candidates=candidates, opens_archives=self._opens_archives
                )
            else:
                self._give(taken)

    def _looked_at(self, path: str) -> StageResult | FileStamp:
        """Return what can be said of a file without parsing it, else its stamp."""
        try:
            found = self._tools.reach.look(path, self._stop)
        except FileProblem as problem:
            return Unreached(path, problem.sentence)
        if found is None:
            return Gone(path)
        try:
            stamp = self._stamped(found)
        except FileNotFoundError:
            return Gone(path)
        except FileProblem as problem:
            if problem.status is FileStatus.TIMEOUT:
                return Unreached(path, problem.sentence)
            return self._unusable(path, FileStamp(found.size, found.mtime_ns), problem)
        recipe = self._recipe(path, stamp)
        document_id = self._tools.catalog.documents.find(stamp.content_hash, recipe)
        if document_id is not None:
            return KnownContent(FileRead(self._kb, path, stamp), document_id, recipe)
        twin = self._hopeless.get(_content(path, stamp))
        if twin is not None and not self._is_tried(path, stamp) and not self._is_entered(path):
            return replace(twin, read=FileRead(self._kb, path, stamp))
        if stamp.content_hash and stamp.content_hash in self._hashes:
            return Deferred(path, is_restless=False)
        self._hashes.add(stamp.content_hash)
        return stamp

    def _pages(self, path: str, stamp: FileStamp) -> Mapping[int, RecognizedPage]:
        """Return what was recognised on the pages of a file, if that is still its content."""
        return self._contents[path].pages if self._is_tried(path, stamp) else {}

    def _is_tried(self, path: str, stamp: FileStamp) -> bool:
        """Say whether recognition tried all pages of a file's content, in this run."""
        content = self._contents.get(path)
        return content is not None and content.content_hash == stamp.content_hash

    def _is_entered(self, path: str) -> bool:
        passwords = self._tools.passwords
        return passwords is not None and passwords.is_entered(path)

    def _candidates(self, path: str, stamp: FileStamp) -> _Candidates | None:
        """Return what may open a file, its former content's password among it."""
        passwords = self._tools.passwords
        if passwords is None:
            return None
        row = self._tools.catalog.files.get(self._kb, path)
        former = row.stamp.content_hash if row is not None and row.stamp is not None else ""
        return _Candidates(passwords, path, stamp.content_hash, former, self._stop)

    def _recipe(self, path: str, stamp: FileStamp | None) -> str:
        recipe = recipe_of(path, self._tools.recipe, opens_archives=self._opens_archives)
        return recognized(recipe) if stamp is not None and self._pages(path, stamp) else recipe

    def _stamped(self, found: FileInfo) -> FileStamp:
        """Return a file's stamp; without hash where its name promises nothing that is read."""
        most = self._tools.settings.ingest.max_megabytes
        if found.size > most * _MEGABYTE:
            size = f"{found.size / _MEGABYTE:.1f}"
            raise file_problems.too_large(
                Phrase("The file has {0} MiB; files above {1} MiB are not read.", size, most)
            )
        stamp = FileStamp(found.size, found.mtime_ns)
        is_opened = self._opens_archives and is_archive_name(Path(found.path))
        if not is_opened and Path(found.path).suffix.lower() not in format_registry.EXTENSIONS:
            return stamp
        return replace(stamp, content_hash=self._hash(found.path))

    def _hash(self, path: str) -> str:
        try:
            return self._tools.reach.content_hash(path, self._stop)
        except FileNotFoundError:
            raise
        except PermissionError as error:
            raise file_problems.denied() from error
        except OSError as error:
            raise file_problems.unreadable(error.strerror or type(error).__name__) from error

    def _judged(self, path: Path, outcome: ParseOutcome, seconds: float) -> StageResult:
        """Return a parsed file cut into chunks, or what else became of it."""
        name, stamp = str(path), self._stamps.pop(path)
        try:
            now = self._tools.reach.look(name, self._stop)
        except FileProblem as problem:
            return Unreached(name, problem.sentence)
        if now is None:
            return Gone(name)
        if self._is_patient and (now.size, now.mtime_ns) != (stamp.size, stamp.mtime_ns):
            return Deferred(name, is_restless=True)
        try:
            if isinstance(outcome, FileProblem):
                raise outcome
            stamp = replace(stamp, content_hash=stamp.content_hash or self._hash(name))
            return self._cut(FileRead(self._kb, name, stamp, seconds), outcome)
        except FileNotFoundError:
            return Gone(name)
        except FileProblem as problem:
            if problem.status is FileStatus.NEEDS_OCR and self._is_tried(name, stamp):
                problem = file_problems.not_recognized(problem)
            unusable = self._unusable(name, stamp, problem, seconds)
            if stamp.content_hash and problem.status is not FileStatus.DENIED:
                self._hopeless[_content(name, stamp)] = unusable
            return unusable

    def _cut(
        self, read: FileRead, parsed: ParsedDocument | LongDocument
    ) -> Prepared | PreparedLong:
        tools = self._tools
        if isinstance(parsed, LongDocument):
            return PreparedLong(read, parsed, self._recipe(read.path, read.stamp))
        stem = Path(read.path).stem
        text, chunks = chunker.chunk_document(
            parsed, stem, tools.settings.chunking, tools.count_tokens
        )
        if not chunks:
            raise file_problems.too_little_text(parsed.notes)
        document = NewDocument(
            content_hash=read.stamp.content_hash if read.stamp else "",
            recipe=self._recipe(read.path, read.stamp),
            title=parsed.title,  # not the name: other files, of other names, may have this content
            text=text,
            pages=parsed.pages,
            notes=parsed.notes,
            chunks=chunks,
            metadata=parsed.metadata,
        )
        return Prepared(read, document, parsed.unread_pages)

    def _unusable(
        self, path: str, stamp: FileStamp | None, problem: FileProblem, seconds: float = 0.0
    ) -> Unusable:
        read = FileRead(self._kb, path, stamp, seconds)
        return Unusable(read, problem.status, problem.sentence, problem.unread_pages)


def _content(path: str, stamp: FileStamp) -> tuple[str, str]:
    return stamp.content_hash, Path(path).suffix.lower()


def _weight(taken: StageResult) -> int:
    """Return about how much a file that waits takes up, in chunks."""
    if isinstance(taken, PreparedLong):
        return _AHEAD
    return len(taken.document.chunks) if isinstance(taken, Prepared) else 1
