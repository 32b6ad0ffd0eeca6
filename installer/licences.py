"""Say whose work is in a build: `licences/THIRD-PARTY.md`, and each licence's text beside it.

Run by the build's own Python: licences.py SOURCES FOLDER. A package under the GPL or AGPL alone
ends the build.
"""

from __future__ import annotations

import importlib.metadata
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path

HERE = Path(__file__).resolve().parent
_TEXT = re.compile(r"(licen[cs]e|copying|notice|authors|third.?party)", re.IGNORECASE)
_COPYLEFT = re.compile(r"\b(A?GPL|Affero|GNU General Public)", re.IGNORECASE)
_LESSER = re.compile(r"\bLGPL|Lesser General|exception|\bOR\b", re.IGNORECASE)
# What a package's metadata leaves out, and its own licence file says.
_KNOWN = {
    "PySide6_Essentials": "LGPL-3.0-only",
    "shiboken6": "LGPL-3.0-only",
    "pyinstaller": "GPL-2.0-or-later with the bootloader exception; its run-time hooks: Apache-2.0",
}
_HEAD = f"""# What Desktop RAG is made with

Desktop RAG is under the Apache License 2.0. This build carries the works below, each under the
licence named; the texts lie in this folder.

- **Python {platform.python_version()}**: PSF License Agreement.
- **Qt and PySide6**: GNU Lesser General Public License 3. They are separate shared libraries in
  `_internal/PySide6`, which may be replaced by others of the same interface. Their sources are at
  https://download.qt.io and https://code.qt.io/pyside/pyside-setup.git.
- **PyInstaller's bootloader**: GPL 2 with an exception that lets programs of any licence be built
  with it. PyInstaller itself is not part of the build.
- **multilingual-e5-small**, the sentence encoder in `_internal/desktop_rag/resources/models`, by
  Liang Wang and others: MIT.
- **all-MiniLM-L6-v2**, the one of earlier versions, of which the reranker there is made as well:
  Apache License 2.0.
- **PP-OCRv6**, the models of text recognition in `_internal/rapidocr/models` and, in 8 bits, in
  `_internal/desktop_rag/resources/models/line-reader`, by the PaddleOCR project: Apache License
  2.0.
- **FFmpeg** (https://ffmpeg.org), which OpenCV links to: GNU Lesser General Public License 2.1. It
  lies in shared libraries of its own (`libav…`, `libsw…`), which may be replaced by others of the
  same interface. Its sources are at https://ffmpeg.org/releases.
- **GEOS** (https://libgeos.org), which Shapely links to: GNU Lesser General Public License 2.1. It
  is a shared library of its own (`libgeos…`), as those are. Its sources are at
  https://download.osgeo.org/geos.
"""


@dataclass(frozen=True)
class Work:
    """A work in the build."""

    name: str
    version: str
    licence: str
    home: str


def main() -> None:
    """Write the folder of licences for the files that a build was made from."""
    sources, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    files = [Path(line.split("\t")[1]) for line in sources.read_text("utf-8").splitlines()]
    found = distributions(files)
    works = [described(each) for each in found]
    refuse_copyleft(works)
    for each in found:
        copy_texts(each, folder)
    for text in (HERE / "licences").iterdir():
        shutil.copy(text, folder)
    packages = system_packages(files, folder / "system")
    told = _HEAD + _table(works) + _system(packages)
    (folder / "THIRD-PARTY.md").write_text(told, encoding="utf-8")


def distributions(files: Iterable[Path]) -> list[Distribution]:
    """Return the Python packages that files belong to, by name; the program itself is left out."""
    owner = {
        str(each.locate_file(file)): each
        for each in importlib.metadata.distributions()
        for file in each.files or ()
    }
    hits = {owner[str(file)].name: owner[str(file)] for file in files if str(file) in owner}
    return [hits[name] for name in sorted(hits, key=str.lower) if name != "desktop-rag"]


def described(of: Distribution) -> Work:
    """Return what a package's metadata says of it."""
    told = of.metadata
    classes = [c.split(" :: ")[-1] for c in told.get_all("Classifier") or () if "License ::" in c]
    short = (told["License"] or "").strip().split("\n")[0]
    licence = told["License-Expression"] or "; ".join(classes)
    licence = _KNOWN.get(of.name) or licence or (short if len(short) < 100 else "")
    return Work(of.name, of.version, licence or "see its text", _home(of))


def refuse_copyleft(works: Iterable[Work]) -> None:
    """End the build when something is in it that can't be shipped under the Apache License."""
    wrong = [w for w in works if _COPYLEFT.search(w.licence) and not _LESSER.search(w.licence)]
    if wrong:
        told = ", ".join(f"{each.name} ({each.licence})" for each in wrong)
        sys.exit(f"These may not be in the build: {told}")


def copy_texts(of: Distribution, folder: Path) -> None:
    """Copy a package's licence texts to a folder of its name."""
    for file in of.files or ():
        if _TEXT.search(file.name) and file.suffix not in (".py", ".pyc", ".pyi", ".so"):
            source = Path(str(of.locate_file(file)))
            if source.is_file():
                target = folder / of.name / file.name
                target.parent.mkdir(exist_ok=True)
                shutil.copy(source, target)


def system_packages(files: Iterable[Path], folder: Path) -> list[str]:
    """Return the system's packages whose libraries are in the build; copy what they say."""
    if not shutil.which("dpkg-query"):
        return []
    packages = sorted({name for file in files if _is_system(file) for name in _package(file)})
    for name in packages:
        text = Path("/usr/share/doc") / name / "copyright"
        if text.is_file():
            folder.mkdir(exist_ok=True)
            shutil.copy(text, folder / f"{name}.txt")
    return packages


def _is_system(file: Path) -> bool:
    return file.is_absolute() and file.parts[1] in ("lib", "lib64", "usr")


def _package(file: Path) -> set[str]:
    """Return the package that installed a file (Debian lists it by its real or its old place)."""
    for place in (file, file.resolve(), Path("/") / Path(*file.resolve().parts[2:])):
        asked = subprocess.run(
            ["dpkg-query", "--search", str(place)], capture_output=True, text=True, check=False
        )
        if asked.returncode == 0:
            return {asked.stdout.split(":")[0]}
    return set()


def _home(of: Distribution) -> str:
    """Return the address at which a package's authors present it."""
    told = of.metadata
    links = (each.split(", ", 1) for each in told.get_all("Project-URL") or ())
    by_label = {label.lower(): address for label, address in links}
    wanted = ("homepage", "home", "source", "source code", "repository", "github")
    return told["Home-page"] or next((by_label[w] for w in wanted if w in by_label), "")


def _table(works: Iterable[Work]) -> str:
    rows = "".join(f"| {w.name} | {w.version} | {w.licence} | {w.home} |\n" for w in works)
    return f"\n| Package | Version | Licence | Home |\n|---|---|---|---|\n{rows}"


def _system(packages: list[str]) -> str:
    if not packages:
        return ""
    names = ", ".join(packages)
    return f"\nLibraries of the system this was built on (`system/`, by package): {names}.\n"


if __name__ == "__main__":
    main()
