"""What is missing is said, all of it, before Qt ends the process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import PySide6
import pytest

from desktop_rag.cli import main as program
from desktop_rag.cli import qt_libraries
from desktop_rag.cli.qt_libraries import KNOWN, install_command, missing_libraries

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt brings its own")
X11 = {"DISPLAY": ":0"}


def _without(*names: str) -> qt_libraries.Loads:
    def load(library: str) -> bool:
        return library not in names and not library.startswith("/")

    return load


def test_nothing_is_missing_where_the_window_runs() -> None:
    assert missing_libraries() == ()


def test_all_that_is_missing_is_named() -> None:
    gone = ("libEGL.so.1", "libxcb-cursor.so.0", "libxcb-icccm.so.4")
    assert missing_libraries(X11, _without(*gone)) == gone


def test_only_what_the_screen_needs_is_missed() -> None:
    gone = _without("libxcb-cursor.so.0")
    assert missing_libraries({"WAYLAND_DISPLAY": "wayland-0"}, gone) == ()
    assert missing_libraries({"QT_QPA_PLATFORM": "offscreen"}, gone) == ()
    assert missing_libraries(X11 | {"QT_QPA_PLATFORM": "xcb"}, gone) == ("libxcb-cursor.so.0",)
    no_wayland = _without("libxcb-cursor.so.0", "libwayland-client.so.0")
    assert missing_libraries({"WAYLAND_DISPLAY": "wayland-0"} | X11, no_wayland) == (
        "libxcb-cursor.so.0",
    )


def test_qt_is_believed_where_it_finds_them_itself() -> None:
    assert missing_libraries(X11, lambda library: library.startswith("/")) == ()


def test_debian_is_told_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "exists", lambda _: True)
    told = install_command(("libEGL.so.1", "libxcb-cursor.so.0"))
    assert told == "sudo apt install libegl1 libxcb-cursor0"


def test_the_program_says_it_and_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(qt_libraries, "missing_libraries", lambda: ("libEGL.so.1", "libGL.so.1"))
    assert program.main(["--data-dir", str(tmp_path / "home"), "open"]) == 1
    told = capsys.readouterr().err
    assert "lacks: libEGL.so.1, libGL.so.1." in told
    assert "Commands work without them" in told


def test_the_list_is_what_qt_needs() -> None:
    """By `ldd`: what Qt's own libraries name and is neither Qt's nor every system's."""
    folder = Path(PySide6.__file__).parent
    needed = set()
    for name in ("QtGui.abi3.so", "QtWidgets.abi3.so", "Qt/plugins/platforms/libqxcb.so"):
        asked = subprocess.run(
            ["ldd", str(folder / name)], check=True, capture_output=True, text=True
        )
        needed |= {line.split()[0] for line in asked.stdout.splitlines() if "PySide6" not in line}
    graphic = {each for each in needed if each.startswith(("libxcb", "libxkb", "libEGL", "libGL."))}
    assert graphic - {"libxcb-util.so.1"} <= set(KNOWN)  # that one comes with libxcb-image
