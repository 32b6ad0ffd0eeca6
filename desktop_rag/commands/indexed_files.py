"""The files of knowledge bases that a path names: itself, or all below a folder."""

from __future__ import annotations

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.filesystem import is_at_or_below
from desktop_rag.core.phrases import Phrase
from desktop_rag.workspace import Workspace


def elsewhere(workspace: Workspace, path: str) -> str:
    """Return what to do about a path that the asked knowledge bases do not have."""
    names = tuple(kb.name for kb in workspace.catalog.kbs.all())
    having = [name for name in names if files_at(workspace, (name,), path)]
    if having:
        return Phrase("It is in another knowledge base: --kb {0}.", having[0])
    return "Add it with `index` first."


def files_at(workspace: Workspace, kbs: tuple[str, ...], path: str) -> list[FileRow]:
    """Return the files at or below a path, each once, however many knowledge bases have it."""
    found: dict[str, FileRow] = {}
    for name in kbs:
        for row in workspace.catalog.files.under(workspace.catalog.kbs.get(name).id, path):
            if is_at_or_below(row.path, path):
                found.setdefault(row.path, row)
    return list(found.values())
