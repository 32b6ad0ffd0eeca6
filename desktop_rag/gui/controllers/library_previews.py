"""What an import, a removal or a join would do, found out before the user is asked.

Of an import: what it would follow on this computer. Of a removal: what would go. Of a join: what is
shared on the server.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.requests import KbRequest, RemoveRequest
from desktop_rag.gui.controllers.data_folder import DataFolder

KEEP, LOSE = "keep", "lose"
_FEW = 20


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """A file to import; `places` are what it followed that is on this computer, too."""

    file: str
    places: tuple[str, ...] = ()

    def request(self, follow: tuple[str, ...] = ()) -> KbRequest:
        """Return what imports it, and goes on following some of the places."""
        return KbRequest("import", "", self.file, numbers=True, follow=follow)


def preview_import(folder: DataFolder, file: str, token: CancelToken) -> ImportPreview:
    """Find out what a file to import would follow here."""
    from desktop_rag.commands.export_import import followed_paths_here

    return ImportPreview(file, followed_paths_here(folder.get(token), Path(file), token))


@dataclass(frozen=True, slots=True)
class JoinableBase:
    """A knowledge base on the shared Chroma server; `here` is what it is called here already."""

    shared_name: str
    here: str = ""


def joinable_bases(folder: DataFolder, token: CancelToken) -> tuple[JoinableBase, ...]:
    """List what is shared on the server, by name; a `UserError` where it can't be asked."""
    from desktop_rag.commands import share_kb

    workspace = folder.get(token)
    listed = share_kb.listed(workspace)
    names = {kb.id: kb.name for kb in workspace.catalog.kbs.all()}
    here = {each.shared_name: names.get(each.kb, "") for each in workspace.catalog.shares.all()}
    return tuple(JoinableBase(base.name, here.get(base.name, "")) for base in listed)


@dataclass(frozen=True, slots=True)
class RemovalPreview:
    """Files and folders of `kb` that are to go; no paths: the knowledge base itself.

    `conversations` and `notes` count those that quote what goes, `questions` the saved test
    questions that it answers.
    """

    kb: str
    paths: tuple[str, ...]
    files: int = 0
    passages: int = 0
    conversations: int = 0
    questions: int = 0
    notes: int = 0

    @property
    def needs_asking(self) -> bool:
        """Say whether it takes so much along that a word is due first."""
        return not self.paths or self.files > _FEW or self.quoting > 0

    @property
    def quoting(self) -> int:
        """How much there is that quotes what goes, or rests on it."""
        return self.conversations + self.notes + self.questions

    def request(self, quotes: str) -> RemoveRequest | KbRequest:
        """Return what does it; `quotes` is `keep` or `lose`."""
        if self.paths:
            return RemoveRequest(self.kb, self.paths, quotes=quotes)
        return KbRequest("delete", self.kb, quotes=quotes)


def preview_removal(
    folder: DataFolder, removal: RemovalPreview, token: CancelToken
) -> RemovalPreview:
    """Count the files that would go, and the conversations that quote them."""
    from desktop_rag.catalog.citation_redaction import RemovedDocuments

    catalog = folder.get(token).catalog
    kb = catalog.kbs.names().get(removal.kb)
    if kb is None:
        return removal
    rows: dict[str, FileRow] = {}
    for path in removal.paths or (None,):
        rows.update((row.path, row) for row in catalog.files.under(kb, path))
    documents = {row.document_id for row in rows.values() if row.document_id is not None}
    removed = RemovedDocuments.of(rows, documents)
    quoting, noted = catalog.quotes.quoting(removed), catalog.quotes.notes_quoting(removed)
    passages = sum(row.chunks for row in rows.values())
    resting = catalog.questions.resting_on(rows, documents)
    return RemovalPreview(
        removal.kb,
        removal.paths,
        len(rows),
        passages,
        len(quoting),
        questions=len(resting),
        notes=noted,
    )
