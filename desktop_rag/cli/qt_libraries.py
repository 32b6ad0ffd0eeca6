"""The system's libraries that Qt needs on Linux: which of them are missing, before Qt looks.

Where one is missing, the import names it and no other, and without those of the screen the process
is aborted. Names are those of Qt for Python's own libraries (`ldd`), packages those of Debian.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

Loads = Callable[[str], bool]

_EVERYWHERE = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
}
_X11 = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
_WAYLAND = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}
KNOWN = _EVERYWHERE | _X11 | _WAYLAND
"""What each library is in, as a package of Debian."""
_LIBRARIES = ("QtGui.abi3.so", "QtWidgets.abi3.so")


def loads(library: str) -> bool:
    """Say whether the system can load a library, by its name or its path."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing_libraries(
    environment: Mapping[str, str] = os.environ, load: Loads = loads
) -> tuple[str, ...]:
    """Return all libraries that a window lacks; nothing where Qt finds its own, as in a bundle."""
    if not sys.platform.startswith("linux") or getattr(sys, "frozen", False):
        return ()
    plugin, names = _screen(environment, load)
    missing = tuple(name for name in _EVERYWHERE | names if not load(name))
    return () if missing and all(map(load, _parts(plugin))) else missing


def install_command(missing: tuple[str, ...]) -> str:
    """Return how Debian and its relatives install them, "" elsewhere."""
    if not Path("/etc/debian_version").exists():
        return ""
    return f"sudo apt install {' '.join(KNOWN[name] for name in missing)}"


def _screen(environment: Mapping[str, str], load: Loads) -> tuple[str, dict[str, str]]:
    """Return the plug-in that Qt will take for the screen, and the libraries it needs."""
    chosen = environment.get("QT_QPA_PLATFORM", "").partition(":")[0].partition(";")[0]
    has_wayland = bool(environment.get("WAYLAND_DISPLAY")) and all(map(load, _WAYLAND))
    if chosen.startswith("wayland") or (not chosen and has_wayland):
        return "", _WAYLAND
    if chosen in ("", "xcb"):
        return "libqxcb.so", _X11
    return "", {}


def _parts(plugin: str) -> list[str]:
    """Return the files of Qt's that a window loads."""
    found = importlib.util.find_spec("PySide6")
    folder = Path((found.submodule_search_locations or [""])[0] if found else "")
    names = [*_LIBRARIES, *([f"Qt/plugins/platforms/{plugin}"] if plugin else [])]
    return [str(folder / name) for name in names]
