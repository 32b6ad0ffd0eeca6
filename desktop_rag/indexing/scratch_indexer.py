"""Reads files of one folder into a catalog of their own, from which they are taken somewhere else.

It is the whole pipeline of a data folder, with its parsers, limits and care, without indexes:
nobody searches here. Nothing is left of it but what was taken out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.shares import SharedContent
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.events import Event
from desktop_rag.core.filesystem import FileSystem
from desktop_rag.core.settings import Settings
from desktop_rag.indexing.password_store import PasswordStore
from desktop_rag.indexing.pipeline import Indexer
from desktop_rag.indexing.reconcile import ReconcileTask, Survey, UpdateOptions, survey
from desktop_rag.models.protocols import Embedder
from desktop_rag.parsing.sandbox.parser_pool import ParserPool

_NAME = "scratch"


class ScratchIndexer:
    """One folder, read in parts into a catalog in the folder `place`; close it."""

    def __init__(
        self,
        place: Path,
        embedder: Embedder,
        parsers: ParserPool,
        settings: Settings,
        passwords: PasswordStore | None = None,
    ) -> None:
        self.catalog = Catalog.open(place)
        self.kb = self.catalog.kbs.create(_NAME).id
        self._reach = parsers.reach
        self._indexer = Indexer(
            self.catalog, None, embedder, parsers, settings, passwords=passwords
        )
        self.recipe = self._indexer.recipe

    def close(self) -> None:
        """Close the catalog."""
        self.catalog.close()

    @property
    def reach(self) -> FileSystem:
        """What looks at files."""
        return self._reach

    def follow(self, root: str, exclude: Sequence[str], closed: str) -> None:
        """Read this folder from now on, without what some globs stand for and a folder in it."""
        self.catalog.kbs.add_source(self.kb, root, is_folder=True, exclude=tuple(exclude))
        self.catalog.choices.exclude(self.kb, [closed])

    def survey(self, root: str, token: CancelToken) -> Survey:
        """Return what lies in the folder."""
        scope = self._indexer.scope(self.kb)
        aim = ReconcileTask(self.kb, scope, (root,), self.recipe, self._reach)
        return survey(aim, token)

    def read(self, paths: Sequence[str], token: CancelToken) -> Iterator[Event]:
        """Read files, as `Indexer.update` does; then they are in the catalog."""
        return self._indexer.update(self.kb, token, paths, UpdateOptions(awaits_chroma=False))

    def contents(self) -> dict[str, SharedContent]:
        """Return the files that have a document, by stored path."""
        return {each.path: each for each in self.catalog.shares.own_files(self.kb)}

    def row(self, path: str) -> FileRow | None:
        """Return what became of a file; None where it has gone."""
        return self.catalog.files.get(self.kb, path)

    def forget(self, paths: Sequence[str], token: CancelToken) -> None:
        """Take files out, with all that was read of them."""
        self._indexer.forget(self.kb, paths, token)
