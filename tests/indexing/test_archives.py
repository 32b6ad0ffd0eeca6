"""Archives are looked into where their knowledge base is told to, and nowhere else."""

from __future__ import annotations

import docx
import pytest

from desktop_rag.commands import index_files, kb_actions
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError
from desktop_rag.core.requests import IndexRequest, KbRequest
from desktop_rag.core.secret import Secret
from desktop_rag.core.types import FileStatus
from tests.indexing.indexed_folder import KB, IndexedFolder, files, prose
from tests.parsing.archive_files import locked_zip, tarred, zipped

OTTER = "The otter sleeps on its back and holds a stone against its chest."
READY, UNCHANGED, UNSUPPORTED = FileStatus.READY, FileStatus.UNCHANGED, FileStatus.UNSUPPORTED


def switch(library: IndexedFolder, how: str, kb: str = KB) -> None:
    list(kb_actions.run(library.workspace, KbRequest("archives", kb, switch=how), CancelToken()))


def pack(library: IndexedFolder) -> None:
    (library.docs / "a.zip").write_bytes(zipped({"notes/otter.txt": OTTER}))
    (library.docs / "b.tar.gz").write_bytes(tarred({"heron.txt": prose("heron")}, "gz"))


def test_archives_wait_for_the_switch(library: IndexedFolder) -> None:
    pack(library)
    library.write("notes.md", prose("weather"))
    assert library.index() == {
        "a.zip": UNSUPPORTED, "b.tar.gz": UNSUPPORTED, "notes.md": READY,
    }  # fmt: skip
    switch(library, "on")
    assert library.index() == {"a.zip": READY, "b.tar.gz": READY, "notes.md": UNCHANGED}
    assert library.finds("otter") == {"a.zip"}
    (chunk,) = library.chunks(library.docs / "a.zip")
    assert (chunk.locator.value, chunk.section) == ("notes/otter.txt", "notes/otter.txt")
    assert set(library.index().values()) == {UNCHANGED}
    assert library.is_sound()


def test_what_was_read_in_them_goes_at_once_when_they_are_closed(library: IndexedFolder) -> None:
    pack(library)
    switch(library, "on")
    library.index()
    switch(library, "off")
    assert library.finds("otter") == library.finds("heron") == set()
    assert not library.chunks(library.docs / "a.zip")
    assert library.is_sound()
    assert library.index() == {"a.zip": UNSUPPORTED, "b.tar.gz": UNSUPPORTED}
    assert library.index() == {"a.zip": UNSUPPORTED, "b.tar.gz": UNSUPPORTED}


def test_archives_that_an_older_version_met_are_taken_up(library: IndexedFolder) -> None:
    pack(library)
    library.index()
    with library.workspace.catalog.database.write() as tx:
        tx.execute("UPDATE files SET reason = 'Files of this kind (.zip) are not read.'")
    switch(library, "on")
    assert set(library.index().values()) == {READY}


def test_another_knowledge_base_opens_none_of_them(library: IndexedFolder) -> None:
    pack(library)
    switch(library, "on")
    library.index()
    request = IndexRequest("other", (str(library.docs),))
    other = files(list(index_files.run(library.workspace, request, CancelToken())))
    assert {each.status for each in other} == {UNSUPPORTED}
    assert library.finds("otter") == {"a.zip"}


def test_what_an_import_brought_stays(library: IndexedFolder) -> None:
    pack(library)
    switch(library, "on")
    library.index()
    file, token = str(library.home.parent / "a.ragkb"), CancelToken()
    list(kb_actions.run(library.workspace, KbRequest("export", KB, file), token))
    list(kb_actions.run(library.workspace, KbRequest("import", "copy", file), token))
    switch(library, "off", "copy")
    catalog = library.workspace.catalog
    assert all(row.chunks for row in catalog.files.under(catalog.kbs.names()["copy"]))


def test_a_run_that_was_under_way_is_set_right_by_the_next(library: IndexedFolder) -> None:
    pack(library)
    switch(library, "on")
    library.index()
    catalog = library.workspace.catalog
    with catalog.database.write() as tx:  # as if its files had been stored after the switch
        tx.execute("UPDATE knowledge_bases SET opens_archives = 0")
    assert set(library.index().values()) == {UNSUPPORTED}


def test_a_document_that_is_named_so_is_read_in_either_way(library: IndexedFolder) -> None:
    document = docx.Document()
    document.add_paragraph(OTTER)
    document.save(str(library.docs / "a.zip"))
    assert library.index() == {"a.zip": READY}
    switch(library, "on")
    assert set(library.index().values()) <= {READY, UNCHANGED}
    assert library.index() == {"a.zip": UNCHANGED}
    switch(library, "off")
    assert library.index() == {"a.zip": READY}
    assert library.finds("otter") == {"a.zip"}


def test_a_locked_archive_is_read_once_its_password_is_entered(library: IndexedFolder) -> None:
    raw = locked_zip({"otter.txt": OTTER}, "harbour 4711", {})
    (library.docs / "a.zip").write_bytes(raw)
    switch(library, "on")
    assert library.index() == {"a.zip": FileStatus.ENCRYPTED}
    switch(library, "off")
    assert library.index() == {"a.zip": UNSUPPORTED}
    switch(library, "on")
    assert library.index(password=Secret("harbour 4711")) == {"a.zip": READY}


def test_the_switch_is_on_or_off(library: IndexedFolder) -> None:
    with pytest.raises(UsageError, match="looked into"):
        switch(library, "default")
    assert not library.workspace.catalog.kbs.get(KB).opens_archives
    switch(library, "on")
    assert library.workspace.catalog.kbs.get(KB).opens_archives
