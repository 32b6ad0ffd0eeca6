"""What blocks whoever reads it: pipes, devices, drives that don't answer, links to elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.core import filesystem
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, FileProblem
from desktop_rag.core.filesystem import FileInfo
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing import file_problems, format_registry
from desktop_rag.parsing.sandbox.isolated_filesystem import IsolatedFileSystem
from tests.attacks import silent_drive
from tests.indexing.indexed_folder import IndexedFolder, notices, prose

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")


@pytest.fixture
def reach() -> Iterator[IsolatedFileSystem]:
    made = IsolatedFileSystem(1.0)
    yield made
    made.close()


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "docs" / "drive"
    folder.mkdir(parents=True)
    command = [sys.executable, "-m", "tests.attacks.silent_drive", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if server.stdout is None or server.stdout.readline() != b"mounted\n":
        server.wait()
        pytest.skip("no file system of our own can be mounted here")
    yield folder
    server.kill()
    server.communicate()
    silent_drive.unmount(str(folder))


def test_a_pipe_that_took_a_files_place_is_not_waited_for(
    tmp_path: Path, reach: IsolatedFileSystem
) -> None:
    pipe = tmp_path / "a.txt"
    os.mkfifo(pipe)
    for read in (filesystem.content_hash, reach.content_hash):
        with pytest.raises(FileNotFoundError):
            read(str(pipe), CancelToken())
    with pytest.raises(FileNotFoundError):
        reach.content_hash("/dev/zero", CancelToken())
    assert reach.look(str(pipe), CancelToken()) is None


def test_a_file_is_seen_and_hashed_as_it_is_directly(
    tmp_path: Path, reach: IsolatedFileSystem
) -> None:
    file, token = tmp_path / "a \udcff.txt", CancelToken()
    file.write_bytes(os.urandom(3_000_000))
    stat = file.stat()
    assert reach.look(str(file), token) == FileInfo(str(file), stat.st_size, stat.st_mtime_ns)
    assert reach.content_hash(str(file), token) == filesystem.content_hash(str(file), token)
    assert reach.sizes([str(file), "/nowhere"], token) == [3_000_000, 0]
    with pytest.raises(FileNotFoundError):
        reach.content_hash("/nowhere", token)


def test_a_read_that_blocks_costs_its_file_and_no_other(tmp_path: Path, drive: Path) -> None:
    settings = Settings()
    ingest = replace(settings.ingest, answer_seconds=1.0)
    library = IndexedFolder(tmp_path, replace(settings, ingest=ingest))
    library.write("aaa.txt", prose("harbour"))
    library.write("zzz.txt", prose("lighthouse"))
    found = library.index()
    assert found == {
        "aaa.txt": FileStatus.READY,
        "drive/dead.txt": FileStatus.TIMEOUT,
        "drive/gone": FileStatus.TIMEOUT,
        "drive/good.txt": FileStatus.READY,
        "zzz.txt": FileStatus.READY,
    }
    library.close()


@pytest.mark.slow
def test_a_drive_that_is_silent_again_and_again_is_passed_over(
    reach: IsolatedFileSystem, drive: Path
) -> None:
    dead, token = str(drive / "dead.txt"), CancelToken()
    began = time.monotonic()
    for _ in range(3):
        with pytest.raises(FileProblem):
            reach.content_hash(dead, token)
    awaited, began = time.monotonic() - began, time.monotonic()
    for _ in range(50):
        with pytest.raises(FileProblem) as silent:
            reach.content_hash(dead, token)
    assert silent.value.status is FileStatus.TIMEOUT
    assert time.monotonic() - began < awaited, "three were waited for, fifty are not"
    assert reach.look(__file__, token) is not None


def test_a_wait_for_a_drive_can_be_stopped(drive: Path) -> None:
    reach, token = IsolatedFileSystem(60.0), CancelToken()
    assert reach.look(__file__, token) is not None  # it has started
    with pytest.raises(Cancelled):
        reach.content_hash(str(drive / "dead.txt"), _soon(token))
    reach.close()


def _soon(token: CancelToken) -> CancelToken:
    threading.Timer(0.3, token.cancel).start()
    return token


def test_links_that_lead_out_are_told_and_not_followed(
    tmp_path: Path, library: IndexedFolder
) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text(prose("archive"))
    library.write("inside.txt", prose("harbour"))
    (library.docs / "out.txt").symlink_to(outside)
    (library.docs / "in.txt").symlink_to("inside.txt")
    (library.docs / "loop.txt").symlink_to("loop.txt")
    events = library.run()
    assert library.finds("archive") == set()
    assert library.finds("harbour") == {"inside.txt", "in.txt"}
    (told,) = [each for each in notices(events) if "not followed" in each]
    assert str(library.docs / "out.txt") in told
    assert "ingest.follow_links" in told


def test_links_that_lead_out_are_followed_when_asked(
    tmp_path: Path, library: IndexedFolder
) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text(prose("archive"))
    (library.docs / "out.txt").symlink_to(outside)
    settings = Settings()
    library.use(replace(settings, ingest=replace(settings.ingest, follow_links=True)))
    assert library.index() == {"out.txt": FileStatus.READY}
    library.use(settings)
    assert library.index() == {"out.txt": FileStatus.DELETED}


def test_a_link_that_was_added_itself_is_followed(tmp_path: Path, library: IndexedFolder) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text(prose("archive"))
    link = library.docs / "out.txt"
    link.symlink_to(outside)
    assert library.index(link) == {"out.txt": FileStatus.READY}


def test_a_folder_in_a_links_place_is_not_looked_into(
    tmp_path: Path, library: IndexedFolder
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.txt").write_text(prose("archive"))
    library.write("below/secret.txt", prose("harbour"))
    library.index()
    (library.docs / "below" / "secret.txt").unlink()
    (library.docs / "below").rmdir()
    (library.docs / "below").symlink_to(tmp_path / "other")
    target = str(library.docs / "below" / "secret.txt")  # as the watcher names it
    list(library.workspace.indexer.update(library.kb, CancelToken(), [target]))
    assert library.finds("archive") == set()


@pytest.mark.parametrize("verb", ["look", "content_hash"])
def test_a_drive_that_falls_silent_costs_no_text_that_is_known(
    library: IndexedFolder, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    for number in range(4):
        library.write(f"{number}.txt", prose(f"harbour{number}"))
    library.index()
    embedded = len(library.embedder.embedded)
    reach = library.workspace.parsers.reach
    asked = 0

    class Silent:
        """The same reach, which falls silent after some answers."""

        def __getattr__(self, name: str) -> object:
            return silent if name == verb else getattr(reach, name)

    def silent(path: str, token: CancelToken) -> object:
        nonlocal asked
        asked += 1
        if asked > 2:
            raise file_problems.drive_silent(20)
        return getattr(reach, verb)(path, token)

    with monkeypatch.context() as away:
        away.setattr(
            format_registry, "VERSION", format_registry.VERSION + 1
        )  # so that all are read anew
        away.setattr(library.workspace.parsers, "reach", Silent())
        outcomes = library.index()
    assert FileStatus.TIMEOUT in outcomes.values()
    for number in range(4):
        assert library.finds(f"harbour{number}") == {f"{number}.txt"}
    assert set(library.index().values()) <= {FileStatus.READY, FileStatus.UNCHANGED}
    assert len(library.embedder.embedded) == embedded, "no vector was lost either"
