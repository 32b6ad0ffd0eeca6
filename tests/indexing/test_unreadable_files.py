"""What may not be read: denied, told, and nothing lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.filesystem import LocalFileSystem
from desktop_rag.core.types import FileStatus
from desktop_rag.indexing.parse_stage import ParseContext, ParseStage, Unusable
from desktop_rag.indexing.reconcile import ReconcileTask, reconcile
from tests.indexing.indexed_folder import IndexedFolder, files, prose


def test_a_folder_that_may_not_be_read_is_denied_and_loses_nothing(library: IndexedFolder) -> None:
    library.write("open.txt", prose("harbour"))
    closed = library.write("closed/secret.txt", prose("mountain")).parent
    library.index()
    _let_others_enter(library.docs)
    closed.chmod(0o000)
    outcome = library.index() if os.geteuid() else _planned_by_nobody(library)
    closed.chmod(0o755)
    assert outcome["closed"] is FileStatus.DENIED
    assert "closed/secret.txt" not in outcome
    assert library.finds("mountain") == {"closed/secret.txt"}


def _let_others_enter(folder: Path) -> None:
    """Open the way to a test's folder, which pytest keeps to its user."""
    for each in (folder, *folder.parents):
        if each.stat().st_mode & 0o077 == 0:
            each.chmod(0o755)


def _planned_by_nobody(library: IndexedFolder) -> dict[str, FileStatus]:
    """Make the plan as a user without rights, where the test runs as root."""
    scope = library.workspace.indexer.scope(library.kb)
    aim = ReconcileTask(library.kb, scope, (str(library.docs),), "", LocalFileSystem())
    catalog = library.workspace.catalog
    catalog.files.under(library.kb)  # open the connection with our own rights
    os.seteuid(65534)
    try:
        events = reconcile(catalog, aim, CancelToken())
    finally:
        os.seteuid(0)
    return {library.name(e.path): e.status for e in files(events)}


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="the system has no such users")
def test_a_file_that_may_not_be_read_is_denied(
    library: IndexedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = library.write("secret.txt", prose("harbour"))
    path.chmod(0o000)
    space = library.workspace
    # A child would be started without our rights, and could not even read its own program.
    monkeypatch.setattr(space.parsers, "reach", LocalFileSystem())
    tools = ParseContext(
        space.catalog, space.parsers, library.embedder.count_tokens, space.settings
    )
    intake = ParseStage(tools, library.kb, (), {}, is_patient=True)
    _let_others_enter(library.docs)
    me = os.geteuid()
    os.seteuid(me or 65534)
    try:
        taken = intake._looked_at(str(path))
    finally:
        os.seteuid(me)
    assert isinstance(taken, Unusable)
    assert taken.status is FileStatus.DENIED
    assert "may not be read" in taken.reason
