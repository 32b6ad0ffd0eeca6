from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import file_actions, remove
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event, ListingRow
from desktop_rag.core.requests import FilesRequest, RemoveRequest
from desktop_rag.core.secret import Secret
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import FileStatus
from desktop_rag.indexing.key_ring import KeyRing, KeyRingAway
from desktop_rag.parsing import file_problems
from tests.indexing.indexed_folder import KB, IndexedFolder, files, notices
from tests.memory_key_ring import MemoryKeyRing
from tests.parsing.locked_files import locked_old_workbook, locked_pdf

READY, ENCRYPTED = FileStatus.READY, FileStatus.ENCRYPTED
HARBOUR = Secret("harbour-Zürich")


@pytest.fixture
def key_ring(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[MemoryKeyRing]]:
    name = f"{MemoryKeyRing.__module__}.{MemoryKeyRing.__qualname__}"
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", name)
    MemoryKeyRing.clear()
    yield MemoryKeyRing
    MemoryKeyRing.clear()


def decide(library: IndexedFolder, action: str, *paths: Path) -> list[Event]:
    request = FilesRequest(action, KB, tuple(map(str, paths)))
    return list(file_actions.run(library.workspace, request, CancelToken()))


def places(library: IndexedFolder) -> dict[str, str]:
    rows = [each.values for each in decide(library, "passwords") if isinstance(each, ListingRow)]
    return {library.name(str(row["path"])): str(row["password"]) for row in rows}


def reopened(library: IndexedFolder) -> None:
    """Open the data folder again, as the next start of the program does."""
    library.workspace.close()
    library.workspace = open_workspace(library.home, Settings())
    library.use(Settings())


def everything_written(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_password_opens_a_file_and_its_copies_until_the_program_ends(
    library: IndexedFolder,
) -> None:
    path = locked_pdf(library.docs / "a.pdf", HARBOUR.text)
    assert library.index() == {"a.pdf": ENCRYPTED}
    assert library.index(path, password=HARBOUR) == {"a.pdf": READY}
    assert library.finds("lighthouse") == {"a.pdf"}
    assert places(library) == {"a.pdf": "run"}
    shutil.copy(path, library.docs / "copy.pdf")
    assert library.index()["copy.pdf"] is READY
    reopened(library)
    assert places(library) == {}


def test_a_wrong_password_is_said_to_be_wrong_and_forgotten(library: IndexedFolder) -> None:
    path = locked_pdf(library.docs / "a.pdf", HARBOUR.text)
    (told,) = files(library.run(path, password=Secret("wrong")))
    assert told.status is ENCRYPTED
    assert told.reason == file_problems.wrong_password().sentence
    (told,) = files(library.run(path, retry=True))
    assert told.reason == file_problems.encrypted().sentence
    assert places(library) == {}


def test_a_password_that_opened_one_file_is_tried_on_the_others(library: IndexedFolder) -> None:
    first = locked_pdf(library.docs / "a.pdf", HARBOUR.text, "One lighthouse stands in the north.")
    library.index(first, password=HARBOUR)
    locked_pdf(library.docs / "b.pdf", HARBOUR.text, "Two lighthouses stand in the south.")
    locked_pdf(library.docs / "c.pdf", "another", "Three lighthouses stand in the west.")
    found = library.index()
    assert (found["b.pdf"], found["c.pdf"]) == (READY, ENCRYPTED)


def test_of_a_folder_all_locked_files_are_opened(library: IndexedFolder) -> None:
    locked_pdf(library.docs / "a.pdf", HARBOUR.text)
    locked_old_workbook(library.docs / "b.xls", HARBOUR.text)
    library.write("c.txt", "A plain text about the harbour and its lighthouse.")
    found = library.index(password=HARBOUR)
    assert set(found.values()) == {READY}
    assert set(places(library)) == {"a.pdf", "b.xls"}


def test_a_kept_password_opens_a_changed_file_after_a_restart(
    library: IndexedFolder, key_ring: type[MemoryKeyRing]
) -> None:
    path = locked_pdf(library.docs / "a.pdf", HARBOUR.text)
    library.index(path, password=HARBOUR, keeps_password=True)
    assert places(library) == {"a.pdf": "key ring"}
    reopened(library)
    locked_pdf(path, HARBOUR.text, "The second lighthouse was built of granite in the spring.")
    assert library.index() == {"a.pdf": READY}
    assert library.finds("granite") == {"a.pdf"}


def test_the_key_ring_is_asked_for_nothing_that_it_does_not_have(
    library: IndexedFolder, key_ring: type[MemoryKeyRing]
) -> None:
    locked_pdf(library.docs / "a.pdf", HARBOUR.text)
    library.write("c.txt", "A plain text about the harbour and its lighthouse.")
    library.index()
    reopened(library)
    library.index(retry=True)
    assert places(library) == {}
    assert key_ring.asked == 0


def test_forgetting_takes_a_password_out_of_the_key_ring(
    library: IndexedFolder, key_ring: type[MemoryKeyRing]
) -> None:
    path = locked_pdf(library.docs / "a.pdf", HARBOUR.text)
    library.index(path, password=HARBOUR, keeps_password=True)
    assert list(key_ring.kept.values()) == [HARBOUR.text]
    (told,) = decide(library, "forget_passwords", path)
    assert told.as_json() == {"path": str(path), "password": "forgotten"}
    assert key_ring.kept == {}
    assert places(library) == {}
    assert library.finds("lighthouse") == {"a.pdf"}  # what was read stays


def test_removing_the_last_file_of_a_content_forgets_its_password(
    library: IndexedFolder, key_ring: type[MemoryKeyRing]
) -> None:
    path = locked_pdf(library.docs / "a.pdf", HARBOUR.text)
    copy = Path(shutil.copy(path, library.docs / "copy.pdf"))
    library.index(password=HARBOUR, keeps_password=True)
    for each, left in ((path, 1), (copy, 0)):
        request = RemoveRequest(KB, (str(each),))
        list(remove.run(library.workspace, request, CancelToken()))
        assert len(key_ring.kept) == left


def test_a_key_ring_that_refuses_costs_the_keeping_not_the_file(
    library: IndexedFolder, key_ring: type[MemoryKeyRing]
) -> None:
    key_ring.locked = True
    path = locked_pdf(library.docs / "a.pdf", HARBOUR.text)
    events = library.run(path, password=HARBOUR, keeps_password=True)
    assert [each.status for each in files(events)] == [READY]
    assert [each for each in notices(events) if each.startswith("The password could not be kept.")]
    assert places(library) == {"a.pdf": "run"}


def test_without_a_key_ring_it_is_said_why_nothing_can_be_kept() -> None:
    with pytest.raises(KeyRingAway, match="no key ring"):
        KeyRing().require(CancelToken())


def test_a_silent_key_ring_is_waited_for_once(key_ring: type[MemoryKeyRing]) -> None:
    key_ring.silence.clear()
    ring = KeyRing(patience=0.3)
    for _ in range(2):
        with pytest.raises(KeyRingAway, match="does not answer"):
            ring.get("a name", CancelToken())
    assert key_ring.asked == 1


def test_nothing_below_the_data_folder_holds_the_password(
    library: IndexedFolder, key_ring: type[MemoryKeyRing]
) -> None:
    path = locked_pdf(library.docs / "a.pdf", HARBOUR.text)
    wrong = Secret("a wrong one 4711")
    events = library.run(path, password=wrong)
    events += library.run(path, password=HARBOUR, keeps_password=True)
    library.workspace.close()
    written = everything_written(library.home) + repr(events).encode()
    for secret in (HARBOUR, wrong):
        assert secret.text.encode() not in written
        assert secret.text.encode("utf-16-le") not in written
    library.workspace = open_workspace(library.home, Settings())
