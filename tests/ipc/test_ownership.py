"""A data folder's lock whose file is deleted, and sockets whose names somebody else holds."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import OwnedElsewhere, UserError
from desktop_rag.ipc import client, ownership
from tests.ipc.scripted_owner import SEARCH, Work, owner, sent

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows deletes no locked file")


def _nothing(name: Path) -> None:
    del name


def _file(name: Path) -> None:
    name.write_text("mine")


def _link(name: Path) -> None:
    (name.parent / "elsewhere").mkdir(mode=0o700)
    name.symlink_to(name.parent / "elsewhere")


def _dangling_link(name: Path) -> None:
    name.symlink_to(name.parent / "nowhere")


def _open_folder(name: Path) -> None:
    name.mkdir()
    name.chmod(0o777)


def _folder_of_another(name: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a folder to another user")
    name.mkdir(mode=0o777)
    os.chown(name, 65534, 65534)


SQUATS = [
    _nothing, _file, _link, _dangling_link, _open_folder, _folder_of_another,
]  # fmt: skip


@pytest.fixture(params=["runtime", "temporary"])
def squatted(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The name of our folder for sockets, in the session's folder or, without one, in `/tmp`."""
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR" if request.param == "runtime" else "TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return place / f"desktop-rag-{os.getuid()}"


@pytest.mark.parametrize("length", [0, 120], ids=["short", "long"])
@pytest.mark.parametrize("squat", SQUATS)
def test_a_name_that_another_holds_neither_stops_a_start_nor_is_trusted(
    squatted: Path, tmp_path: Path, squat: Callable[[Path], None], length: int
) -> None:
    squat(squatted)
    data_dir = tmp_path / f"home{'x' * length}"
    here = owner(data_dir, Work())
    try:
        known = ownership.read_address(data_dir)
        assert known is not None
        if squat is not _nothing:
            assert Path(known.address).parent != squatted
        assert ownership.is_private(Path(known.address).parent)
        assert sent(data_dir, SEARCH)[-1] == {"end": 0}
    finally:
        here.close()
    assert not Path(known.address).exists()
    left = {each.name for each in squatted.parent.iterdir()}
    assert left <= {squatted.name, "elsewhere"}  # nothing that was made for it is left behind


def test_a_socket_that_another_could_have_made_is_not_spoken_to(tmp_path: Path) -> None:
    data_dir = ownership.make_folder(tmp_path / "home")
    place = tmp_path / "open"
    place.mkdir()
    place.chmod(0o777)
    with socket.socket(socket.AF_UNIX) as hostile:
        hostile.bind(str(place / "owner.sock"))
        hostile.listen()
        ownership.write_address(
            data_dir, ownership.OwnerAddress(str(place / "owner.sock"), 4711, "window", 1)
        )
        with pytest.raises(client.OwnerGone):
            client.connect(data_dir)
        lock = ownership.FolderLock(data_dir)
        assert lock.acquire()  # and it is no owner that is alive
        lock.release()


@pytest.fixture(params=["folder and file", "file alone"])
def locks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With the folder's own lock, and without, as on a network drive."""
    if request.param == "file alone":
        monkeypatch.setattr(ownership, "_locked_folder", lambda _: None)
    return str(request.param)


def _delete(path: Path) -> None:
    path.unlink()


def _replace(path: Path) -> None:
    path.with_name("other").write_text("")
    path.with_name("other").replace(path)


@pytest.mark.parametrize("attack", [_delete, _replace])
@pytest.mark.usefixtures("locks")
def test_deleting_the_lock_s_file_lets_nobody_else_in(
    tmp_path: Path, attack: Callable[[Path], None]
) -> None:
    here = owner(tmp_path, Work())
    try:
        attack(tmp_path / "owner.lock")
        assert not ownership.FolderLock(tmp_path).acquire()
        assert not ownership.FolderLock(tmp_path).acquire()
        assert sent(tmp_path, SEARCH)[-1] == {"end": 0}
        here._lock.require()
        assert not ownership.FolderLock(tmp_path).acquire()
    finally:
        here.close()
    again = ownership.FolderLock(tmp_path)
    assert again.acquire()
    again.release()


def test_an_owner_locks_a_deleted_file_anew_before_it_writes(tmp_path: Path) -> None:
    here = owner(tmp_path, Work())
    try:
        (tmp_path / "owner.lock").unlink()
        here._lock.require()
        with pytest.raises(Timeout):  # as an earlier version would take it
            FileLock(tmp_path / "owner.lock").acquire(timeout=0)
    finally:
        here.close()


@pytest.mark.slow
def test_who_was_robbed_of_the_folder_writes_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ownership, "_locked_folder", lambda _: None)
    work = Work()
    here = owner(tmp_path, work)
    here._stop_listening()  # so that nobody can ask whether it is alive
    catalog = Catalog.open(tmp_path)
    catalog.database.before_write = here._lock.require
    catalog.kbs.ensure("before")
    (tmp_path / "owner.lock").unlink()
    robber = ownership.FolderLock(tmp_path)
    assert robber.acquire()
    ownership.write_address(
        tmp_path, ownership.OwnerAddress("/elsewhere/owner.sock", 4711, "window", 1)
    )
    for _ in range(2):
        with pytest.raises(OwnedElsewhere, match="taken over"):
            catalog.kbs.ensure("after")
    assert [each.name for each in catalog.kbs.all()] == ["before"]
    catalog.close()
    here.close()
    assert not work.closed.is_set()  # what closing would write is the robber's to write
    assert ownership.read_address(tmp_path) is not None
    robber.release()


@pytest.mark.parametrize("left", [b"", b"short"])
def test_a_key_that_anybody_could_guess_is_made_anew(tmp_path: Path, left: bytes) -> None:
    (ownership.make_folder(tmp_path / "home") / "owner.key").write_bytes(left)
    key = ownership.shared_key(tmp_path / "home")
    assert len(key) == 32
    assert ownership.shared_key(tmp_path / "home") == key


def test_a_copy_of_the_folder_is_not_the_folder_that_its_owner_has(tmp_path: Path) -> None:
    here = owner(tmp_path / "home", Work())
    try:
        shutil.copytree(
            tmp_path / "home", tmp_path / "copy", ignore=shutil.ignore_patterns("*.sock")
        )
        assert ownership.read_address(tmp_path / "home") is not None
        assert ownership.read_address(tmp_path / "copy") is None
        copied = ownership.FolderLock(tmp_path / "copy")
        assert copied.acquire(), "nobody has it"
        copied.release()
    finally:
        here.close()


def test_a_look_that_failed_once_leaves_nobody_writing_without_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = ownership.FolderLock(tmp_path / "home")
    assert lock.acquire()

    def fail(_: Path) -> int:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as away:
        away.setattr(ownership, "_identities", lambda *paths: [None] * len(paths))
        away.setattr(ownership, "_locked_folder", fail)
        with pytest.raises(UserError):
            lock.require()
    lock.require()
    assert not ownership.FolderLock(tmp_path / "home").acquire(), "it was locked again"
    lock.release()
