"""An environment of its own for each peer, made from its pinned requirements when they change."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = Path(__file__).resolve().parent / "requirements"
_CONSTRAINTS = ROOT / "constraints.txt"  # for torch


def python_of(name: str, folder: Path) -> Path:
    """Return the interpreter of a peer's environment in `folder`, which is made where needed."""
    place = folder.resolve() / name
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = place / "installed"
    fingerprint = _fingerprint(name)
    if not (python.exists() and stamp.exists() and stamp.read_text() == fingerprint):
        print(f"{name}: making its environment in {place} …", flush=True)
        subprocess.run(
            [sys.executable, "-m", "venv", "--clear", "--without-pip", place], check=True
        )
        _install(python, REQUIREMENTS / f"{name}.txt")
        stamp.write_text(fingerprint)
    return python


def _fingerprint(name: str) -> str:
    made = hashlib.sha256(sys.version.encode())
    for file in (REQUIREMENTS / f"{name}.txt", _CONSTRAINTS):
        made.update(file.read_bytes())
    return made.hexdigest()


def _install(python: Path, requirements: Path) -> None:
    if str(ROOT / "installer") not in sys.path:  # scripts, not a package
        sys.path.append(str(ROOT / "installer"))
    import packages

    if not packages.install(python, ["-c", str(_CONSTRAINTS), "-r", str(requirements)]):
        raise SystemExit(f"Not all of {requirements.name} could be installed; see above.")
