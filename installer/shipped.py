"""What of PyInstaller's finds goes into the build, and where it came from."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path, PurePath

# As PyInstaller lists a file: its place in the build, its place here, its kind.
Entry = tuple[str, str, str]
SOURCES = "sources.tsv"

# Qt's plug-ins that a window of widgets on a desktop has no use for.
_UNUSED = re.compile(
    r"/plugins/(egldeviceintegrations|generic|networkinformation|tls|sqldrivers|qmltooling)/"
    r"|/plugins/platforms/\w*q(eglfs|linuxfb|minimalegl|vkkhrdisplay|vnc)\b"
    r"|/plugins/platformthemes/libqgtk3\b"  # with it would come the whole of GTK
    r"|/plugins/imageformats/\w*q(tga|tiff|wbmp|webp|pdf)\b"
)
_TRANSLATION = re.compile(r"PySide6/(Qt/)?translations/")
_LANGUAGES = re.compile(r"_(zh_CN|en)\.qm$")
_SOURCE_CODE = re.compile(r"\.(py|pyx|pxd|cpp|c|h|hpp|pyi|ipynb)$")  # Python's is there, compiled
_CODE_IN_USE = re.compile(r"(^|/)cv2/[\w.-]+\.py$")  # OpenCV's loader, which reads it as a file
# The parts of Qt that may be in a build. All of them are under the LGPL; some others are under the
# GPL alone, so whoever adds one looks its licence up first.
_QT_ALLOWED = frozenset({
    "Core", "DBus", "Gui", "Network", "OpenGL", "PrintSupport", "Svg", "WaylandClient", "Widgets",
    "WlShellIntegration", "XcbQpa",
})  # fmt: skip
_OPENED = frozenset({"libonnxruntime_providers_shared.so"})  # by name, and missed with a warning
_COPYLEFT = re.compile(r"^lib(readline|history|gdbm)")  # under the GPL
_QT_LIBRARY = re.compile(r"^(?:lib)?Qt6?([A-Z]\w*?)(?:\.abi3)?\.(?:so|pyd|dll|dylib)")


def needed(binaries: Iterable[Entry]) -> list[Entry]:
    """Return the libraries that the program can reach; one that may not ship ends the build."""
    kept = [each for each in binaries if not _UNUSED.search(_place(each))]
    if sys.platform == "linux":
        kept = _reached(kept)
    refuse_copyleft(kept)
    return kept


def refuse_copyleft(binaries: Iterable[Entry]) -> None:
    """End the build when a library is among them that can't be shipped under the Apache License."""
    wrong = [each[0] for each in binaries if not _may_ship(PurePath(each[0]).name)]
    if wrong:
        raise SystemExit(f"These are not among the libraries that may ship: {', '.join(wrong)}")


def used(files: Iterable[Entry]) -> list[Entry]:
    """Return the data files without source code, tests and languages the window does not speak."""
    return [each for each in files if _is_used(_place(each))]


def write_sources(folder: Path, lists: Iterable[Iterable[Entry]]) -> None:
    """Write down where each file of the build came from, for the list of licences."""
    rows = sorted({(each[0], str(each[1])) for entries in lists for each in entries if each[1]})
    text = "".join(f"{place}\t{source}\n" for place, source in rows)
    (folder / SOURCES).write_text(text, encoding="utf-8")


def _may_ship(name: str) -> bool:
    found = _QT_LIBRARY.match(name)
    return not _COPYLEFT.match(name) and (found is None or found[1] in _QT_ALLOWED)


def _place(entry: Entry) -> str:
    return entry[0].replace("\\", "/")


def _is_used(place: str) -> bool:
    if _TRANSLATION.search(place):
        return bool(_LANGUAGES.search(place))
    is_code = _SOURCE_CODE.search(place) and not _CODE_IN_USE.search(place)
    return not (_UNUSED.search(place) or is_code or "/tests/" in place)


def _reached(binaries: list[Entry]) -> list[Entry]:
    """Leave out shared libraries that nothing refers to any more, and links to them."""
    from PyInstaller.depend.bindepend import get_imports

    asking = [each for each in binaries if not _is_shared(each)]
    reached = _OPENED | {name for each in asking for name, _ in get_imports(each[1])}
    kept = [each for each in binaries if not _is_shared(each) or PurePath(each[0]).name in reached]
    places = {each[0] for each in kept if each[2] != "SYMLINK"}
    return [each for each in kept if each[2] != "SYMLINK" or _target(each) in places]


def _is_shared(entry: Entry) -> bool:
    """Say whether a library is there for others: at the top, or in a folder of such.

    ONNX Runtime's `capi` is one: beside the library that Python loads, a wheel has a second one of
    the same content for programs in C, and one for graphics cards.
    """
    place = PurePath(entry[0])
    if place.name.startswith("libpython"):
        return False  # the program itself opens it
    if entry[2] == "EXTENSION" or ".cpython-" in place.name:
        return False
    return len(place.parts) == 1 or place.parent.name in ("lib", "capi")


def _target(entry: Entry) -> str:
    return str(PurePath(entry[0]).parent / entry[1])
