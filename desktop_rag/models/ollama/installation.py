"""Ollama on this computer: whether it is installed, how it is installed, and starting it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from desktop_rag.core.errors import UserError
from desktop_rag.core.file_permissions import usual_umask
from desktop_rag.core.ollama_records import Installation
from desktop_rag.core.phrases import Phrase
from desktop_rag.models.ollama.address import VARIABLE, is_loopback

_PLACES = {
    "linux": (
        "/usr/local/bin/ollama",
        "/usr/bin/ollama",
        "/opt/ollama/bin/ollama",
        "~/.local/bin/ollama",
        "/snap/bin/ollama",
    ),
    "darwin": (
        "/usr/local/bin/ollama",
        "/opt/homebrew/bin/ollama",
        "/Applications/Ollama.app/Contents/Resources/ollama",
        "~/Applications/Ollama.app/Contents/Resources/ollama",
    ),
    "win32": (
        "$LOCALAPPDATA/Programs/Ollama/ollama.exe",
        "$ProgramFiles/Ollama/ollama.exe",
    ),
}
_SERVICES = (
    "/etc/systemd/system/ollama.service",
    "/usr/lib/systemd/system/ollama.service",
    "/lib/systemd/system/ollama.service",
)
_LIBRARIES = "LD_LIBRARY_PATH"
_STARTED: list[subprocess.Popen[bytes]] = []  # it goes on when this program has ended


class StartedServer:
    """An `ollama serve` that was started here."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        _STARTED.append(process)

    @property
    def exit_status(self) -> int | None:
        """What it ended with; None while it runs."""
        return self._process.poll()

    def stop(self) -> None:
        """End it."""
        if self.exit_status is None:
            self._process.terminate()


def find_installation(
    environ: Mapping[str, str] | None = None, system: str = sys.platform, root: Path = Path("/")
) -> Installation:
    """Look where Ollama is put on this system, on the path first. `root` is for tests."""
    variables = os.environ if environ is None else environ
    program = shutil.which("ollama", path=variables.get("PATH", ""))
    places = [_filled(each, variables, root) for each in _PLACES.get(system, ())]
    found = program or next((str(each) for each in places if _is_file(each)), "")
    if found:
        is_served = system == "linux" and any(_is_file(_below(root, each)) for each in _SERVICES)
        return Installation(found, "sudo systemctl start ollama" if is_served else "")
    return _how_to_install(variables, system, root)


def start_server(program: str, url: str) -> StartedServer:
    """Start Ollama where `url` says, so that it stays when this program ends.

    Raises `UserError` where it can't be started, or `url` is another computer.
    """
    if not is_loopback(url):
        raise UserError(
            Phrase("Ollama is set to {0}, which is another computer.", url),
            "Start it there, or set the address to this one.",
        )
    try:
        with usual_umask():
            return StartedServer(_detached([program, "serve"], _environment(url)))
    except OSError as error:
        raise UserError(
            Phrase("{0} could not be started: {1}.", program, error.strerror or "not a program"),
            "Start Ollama yourself: it is found by itself.",
        ) from error


def ended_at_once(status: int) -> UserError:
    """Return the error of a server that ended before it answered."""
    return UserError(
        Phrase("Ollama ended again by itself, with status {0}.", status),
        "Run `ollama serve` in a terminal to see why.",
    )


def _environment(url: str) -> dict[str, str]:
    """Return the user's own environment; a frozen program's names its own libraries."""
    environ = dict(os.environ) | {VARIABLE: url}
    if getattr(sys, "frozen", False):
        environ.pop(_LIBRARIES, None)
        if f"{_LIBRARIES}_ORIG" in environ:
            environ[_LIBRARIES] = environ.pop(f"{_LIBRARIES}_ORIG")
    return environ


def _detached(words: list[str], environ: dict[str, str]) -> subprocess.Popen[bytes]:
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    flags |= getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return subprocess.Popen(  # noqa: S603 - the program that was found above, and a word of ours
        words,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        creationflags=flags,
    )


def _how_to_install(environ: Mapping[str, str], system: str, root: Path) -> Installation:
    if system == "win32":
        return Installation(
            command="winget install --id Ollama.Ollama --exact",
            effect="Windows' own package manager fetches Ollama's installer and runs it.",
        )
    if system == "darwin":
        has_brew = shutil.which("brew", path=environ.get("PATH", "")) is not None
        return Installation(
            command="brew install ollama" if has_brew else "",
            effect="Homebrew fetches Ollama and installs it." if has_brew else "",
        )
    if "arch" in _distribution(root):
        return Installation(
            command="sudo pacman -S ollama",
            effect="Your distribution's own package is installed. It asks for your password.",
        )
    return Installation(
        command="curl -fsSL https://ollama.com/install.sh | sh",
        effect="Ollama's own script is fetched and run. It asks for your password, puts Ollama "
        "below /usr/local, makes a user “ollama” for it, has the system start it now and at every "
        "start, and installs a driver where it finds an NVIDIA GPU without one.",
    )


def _distribution(root: Path) -> set[str]:
    """Return the names of a Linux distribution and of those that it is like."""
    try:
        lines = (root / "etc" / "os-release").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return set()
    told = {key: value.strip("\"'") for key, _, value in (each.partition("=") for each in lines)}
    return {*told.get("ID", "").split(), *told.get("ID_LIKE", "").split()}


def _filled(place: str, environ: Mapping[str, str], root: Path) -> Path:
    """Return a place with a variable's folder or the user's own put in."""
    head, _, rest = place.partition("/")
    if head == "~":
        return Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home(), rest)
    if head.startswith("$"):
        return Path(environ.get(head[1:]) or "/nowhere", rest)
    return _below(root, place)


def _is_file(place: Path) -> bool:
    """Say whether a file is there, as far as one may look."""
    try:
        return place.is_file()
    except OSError:
        return False


def _below(root: Path, place: str) -> Path:
    return root / place.lstrip("/")
