"""Make the program's private environment; only Python's own library is needed to run this.

The environment is `.venv` in the checkout. It is made anew when the Python changes and brought up
to date when `pyproject.toml` or `constraints.txt` do.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import packages

ROOT = Path(__file__).resolve().parent.parent
WINDOWS = os.name == "nt"

# What Qt needs to paint without a screen, and, with one, to open a window (Debian's names).
OFFSCREEN = (
    "libegl1 libgl1 libfontconfig1 libfreetype6 libglib2.0-0 libxkbcommon0 libx11-6 libdbus-1-3"
)
WINDOW = (
    "libxcb-icccm4 libxcb-keysyms1 libxcb-cursor0 libxcb-image0 libxcb-randr0 libxcb-render-util0 "
    "libxcb-shape0 libxcb-sync1 libxcb-xfixes0 libxcb-xkb1 libxkbcommon-x11-0 libx11-xcb1"
)
FONTS = "fonts-noto-cjk fonts-dejavu-core"
_PAINTS = (
    "from PySide6 import QtGui; QtGui.QGuiApplication([]); assert QtGui.QFontDatabase.families()"
)
_PAINTS_CHINESE = (
    "from PySide6.QtGui import QFontDatabase as Fonts, QGuiApplication; QGuiApplication([]); "
    "assert Fonts.families(Fonts.WritingSystem.SimplifiedChinese)"
)


def has_display() -> bool:
    """Say whether a window can be shown here."""
    if WINDOWS or sys.platform == "darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@dataclass(frozen=True)
class Environment:
    """A private environment in a folder; `extra` names what of pyproject's extras is in it."""

    folder: Path
    extra: str = ""

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / ("Scripts/python.exe" if WINDOWS else "bin/python")

    def bring_up_to_date(self) -> None:
        """Make it, when it is not there or not what `pyproject.toml` says."""
        if sys.version_info < (3, 11):
            sys.exit(
                "Desktop RAG needs Python 3.11 or newer. Start this file with one: python3.11 …"
            )
        stamp = self.folder / "installed"
        installed = stamp.read_text().split() if self.python.exists() and stamp.exists() else []
        if self._fingerprint() in installed:
            return
        self._make()
        self._install()
        # With the tests' tools in it, it serves those who want none, too.
        plain = Environment(self.folder)
        stamp.write_text(f"{self._fingerprint()} {plain._fingerprint()}\n")

    def _fingerprint(self) -> str:
        """Name what would be installed: the Python, the dependencies and the extras."""
        made = hashlib.sha256(f"{sys.version} {ROOT} {self.extra}".encode())
        for name in ("pyproject.toml", "constraints.txt"):
            made.update((ROOT / name).read_bytes())
        return made.hexdigest()

    def _make(self) -> None:
        # Without pip inside: Debian's python3 has no ensurepip unless python3-venv is installed.
        print(f"Making the private environment {self.folder.relative_to(ROOT)} …", flush=True)
        run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(self.folder)])

    def _install(self) -> None:
        print("Installing Desktop RAG and what it needs (about 1.5 GB on disk) …", flush=True)
        target = f"{ROOT}[{self.extra}]" if self.extra else str(ROOT)
        wanted = [["-e", target]]
        if alone := self._alone():
            wanted.append(["--no-deps", *alone])
        for each in wanted:
            if not packages.install(self.python, ["-c", str(ROOT / "constraints.txt"), *each]):
                sys.exit("Not all could be installed; what is missing stands above.")

    def _alone(self) -> list[str]:
        """Return what is installed for an extra without what it depends on."""
        import tomllib  # not in the older Pythons that are told to step aside

        told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        named: list[str] = told["tool"]["desktop-rag"].get(f"{self.extra}-alone", [])
        return named


VENV = Environment(ROOT / ".venv").folder
PYTHON = Environment(VENV).python


def set_up(*, test: bool) -> None:
    """Make `.venv` and install the program; the tests' tools too when `test`."""
    Environment(VENV, "test" if test else "").bring_up_to_date()
    if not sys.platform.startswith("linux"):
        return
    if not _qt_can(_PAINTS):
        _install_system_libraries(required=test or has_display())
    elif test and not _qt_can(_PAINTS_CHINESE):
        _install_system_libraries(required=False)


def _install_system_libraries(*, required: bool) -> None:
    """Install the libraries that Qt wants, or print the command that would.

    On a machine without a display the program works on the command line without them: then they
    are only spoken of.
    """
    packages = f"{OFFSCREEN} {FONTS}" + (f" {WINDOW}" if has_display() else "")
    install = f"apt-get install -y --no-install-recommends {packages}"
    root = _as_root()
    if root is None or not shutil.which("apt-get"):
        command = f"sudo {install}" if shutil.which("apt-get") else f"(by your names) {packages}"
        print(f"The window needs system libraries. Run this, then start again:\n  {command}\n")
        if required:
            sys.exit(1)
        return
    print("Installing the system libraries that Qt needs …", flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    run([*root, "apt-get", "update", "-qq"], env=environment, quiet=True)
    run([*root, *install.split(), "-qq"], env=environment, quiet=True)
    if required and not _qt_can(_PAINTS):
        sys.exit("Qt still cannot start. `.venv/bin/desktop-rag doctor` says what is missing.")


def _as_root() -> list[str] | None:
    """Return what to put before a command to run it as root, None where that may not be."""
    if os.geteuid() == 0:
        return []
    if not shutil.which("sudo"):
        return None
    asked = subprocess.run(["sudo", "-n", "true"], check=False, capture_output=True)
    return ["sudo", "-n"] if asked.returncode == 0 else None


def _qt_can(paint: str) -> bool:
    """Try Qt as it will be used: on the screen if there is one, else offscreen."""
    environment = dict(os.environ)
    if not has_display():
        environment["QT_QPA_PLATFORM"] = "offscreen"
    tried = subprocess.run(
        [str(PYTHON), "-c", paint], env=environment, capture_output=True, check=False
    )
    return tried.returncode == 0


def run(command: list[str], env: dict[str, str] | None = None, *, quiet: bool = False) -> None:
    """Run a command; end with its status, and a sentence, when it fails."""
    out = subprocess.DEVNULL if quiet else None
    ended = subprocess.run(command, env=env, check=False, stdin=subprocess.DEVNULL, stdout=out)
    if ended.returncode != 0:
        sys.exit(f"This step failed (status {ended.returncode}):\n  {' '.join(command)}")
