"""A data folder and a folder of documents to try ingest on, all parts real."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.events import Event, FileDone, IndexDone, IndexProgress, Notice
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import FileStatus
from desktop_rag.indexing.pipeline import Indexer
from desktop_rag.indexing.recognition_stage import MakeRecognizer
from desktop_rag.models.protocols import Embedder, Vectors
from desktop_rag.workspace import Workspace

KB = "default"


def prose(topic: str, sentences: int = 6) -> str:
    """Return a paragraph that speaks of a topic, each sentence different."""
    return " ".join(f"Sentence {i} of this text tells about the {topic}." for i in range(sentences))


class CountingEmbedder:
    """The workspace's embedder, which also says how many texts it was given."""

    def __init__(self, real: Embedder) -> None:
        self.real = real
        self.embedded: list[str] = []
        self.fingerprint = real.fingerprint
        self.dimensions = real.dimensions
        self.max_tokens = real.max_tokens
        self.trust = real.trust

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        self.embedded.extend(texts)
        return self.real.embed(texts, token)

    def embed_query(self, text: str) -> Vectors:
        return self.real.embed_query(text)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self.real.count_tokens(texts)


class IndexedFolder:
    """One knowledge base in `root/home`, of documents in `root/docs`."""

    def __init__(self, root: Path, settings: Settings | None = None) -> None:
        self.home = root / "home"
        self.docs = root / "docs"
        self.docs.mkdir(exist_ok=True)
        self.workspace: Workspace = open_workspace(self.home, settings or Settings())
        self.kb = self.workspace.catalog.kbs.ensure(KB).id
        self.embedder = CountingEmbedder(self.workspace.models.embedder)
        self.make_recognizer: MakeRecognizer | None = None
        self.use(self.workspace.settings)

    def use(self, settings: Settings) -> None:
        """Go on under other settings."""
        space = self.workspace
        indexer = Indexer(
            space.catalog,
            space.indexes,
            self.embedder,
            space.parsers,
            settings,
            turns=space.turns,
            make_recognizer=self.make_recognizer,
            passwords=space.passwords,
        )
        lazy = type(space.lazy_indexer)(lambda: indexer)
        self.workspace = replace(space, settings=settings, lazy_indexer=lazy)

    def write(self, name: str, text: str) -> Path:
        path = self.docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run(
        self, *paths: Path | str, token: CancelToken | None = None, **options: Any
    ) -> list[Event]:
        """Index paths (the whole folder when none is named) and return every event."""
        return list(self.start(*paths, token=token, **options))

    def start(
        self, *paths: Path | str, token: CancelToken | None = None, **options: Any
    ) -> Iterator[Event]:
        """Index paths as `run` does, event by event."""
        request = IndexRequest(KB, tuple(map(str, paths or (self.docs,))), **options)
        return index_files.run(self.workspace, request, token or CancelToken())

    def index(self, *paths: Path | str, **options: Any) -> dict[str, FileStatus]:
        """Index paths and return the outcomes, by path below the folder of documents."""
        return {self.name(done.path): done.status for done in files(self.run(*paths, **options))}

    def name(self, path: str) -> str:
        return path.removeprefix(f"{self.docs}/")

    def chunks(self, path: Path) -> list[StoredChunk]:
        row = self.workspace.catalog.files.get(self.kb, str(path))
        if row is None or row.document_id is None:
            return []
        return self.workspace.catalog.documents.chunks(row.document_id)

    def finds(self, word: str) -> set[str]:
        """Return the names of the files that the lexical index finds for a word."""
        space = self.workspace
        hits = space.indexes.of(self.kb).lexical(word, 50)
        chunks = space.catalog.documents.get_chunks([chunk for chunk, _ in hits])
        documents = {chunk.document_id for chunk in chunks.values()}
        paths = space.catalog.documents.paths(documents, [self.kb])
        return {self.name(path) for each in paths.values() for path in each}

    def is_sound(self) -> bool:
        return self.workspace.indexes.of(self.kb).check() is None

    def close(self) -> None:
        self.workspace.close()


def files(events: Sequence[Event]) -> list[FileDone]:
    return [event for event in events if isinstance(event, FileDone)]


def done(events: Sequence[Event]) -> IndexDone:
    last = events[-1]
    assert isinstance(last, IndexDone)
    return last


def notices(events: Sequence[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Notice)]


def progress(events: Sequence[Event]) -> list[IndexProgress]:
    return [event for event in events if isinstance(event, IndexProgress)]


class Watching:
    """`index --watch` in a thread of its own; `until` waits for outcomes."""

    def __init__(self, library: IndexedFolder, *, everything: bool = False) -> None:
        self.token = CancelToken()
        self.events: list[Event] = []
        self.error: BaseException | None = None
        paths = () if everything else (str(library.docs),)
        request = IndexRequest(KB, paths, watch=True)
        self._events: Iterator[Event] = index_files.run(library.workspace, request, self.token)
        self._library = library
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            for event in self._events:
                self.events.append(event)
        except BaseException as error:  # noqa: BLE001
            self.error = error

    def outcomes(self) -> list[tuple[str, str]]:
        return [(self._library.name(e.path), e.status.value) for e in files(list(self.events))]

    def until(self, *wanted: tuple[str, str], seconds: float = 20.0) -> None:
        """Wait until all outcomes were seen."""
        waiter = threading.Event()
        for _ in range(int(seconds * 20)):
            if set(wanted) <= set(self.outcomes()):
                return
            waiter.wait(0.05)
        raise AssertionError(f"{wanted} not among {self.outcomes()}, error {self.error!r}")

    def rounds(self, n: int, seconds: float = 20.0) -> None:
        """Wait until `n` updates have ended."""
        waiter = threading.Event()
        for _ in range(int(seconds * 20)):
            if sum(isinstance(event, IndexDone) for event in list(self.events)) >= n:
                return
            waiter.wait(0.05)
        raise AssertionError(f"fewer than {n} rounds: {self.outcomes()}, error {self.error!r}")

    def stop(self) -> None:
        self.token.cancel()
        self._thread.join(10)
        assert not self._thread.is_alive()
