"""Files and folders that are there for one run: a kill leaves them, the next start doesn't.

unfinished-<chance>.json   the path of one hidden `.part` file; gone when that is written
scratch-<chance>           a folder inside the data folder for one run; gone when that ends

A file for each, so that those who write at the same time, in whatever thread, meet nowhere.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SUFFIX = ".part"
_LONGEST = 40  # of a name's letters: of some, four bytes each
_SCRATCH = "scratch-"


@contextmanager
def noting_temp_file(data_dir: Path, path: Path) -> Iterator[None]:
    """Remember a file while the body writes it, so that it goes even if this process is killed."""
    note = data_dir / f"unfinished-{secrets.token_hex(8)}.json"
    try:
        note.write_text(json.dumps(str(path)), encoding="utf-8")
        yield
    finally:
        _forget(note)


@contextmanager
def scratch_folder(data_dir: Path) -> Iterator[Path]:
    """Make a folder that is there while the body runs."""
    folder = data_dir / f"{_SCRATCH}{secrets.token_hex(8)}"
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def hidden_path(path: Path) -> Path:
    """Return a free name beside a file, for what will take its place when it is whole."""
    return path.with_name(f".{path.name[:_LONGEST]}.{secrets.token_hex(4)}{SUFFIX}")


def delete_leftovers(data_dir: Path) -> None:
    """Delete what a killed process left; the caller owns the folder, so nobody writes it now."""
    for note in data_dir.glob("unfinished-*.json"):
        left = _read(note)
        if left is not None:
            with suppress(OSError):  # its drive is away, say
                left.unlink(missing_ok=True)
        if left is None or not _may_be_there(left):
            _forget(note)
    for scratch in data_dir.glob(f"{_SCRATCH}*"):
        shutil.rmtree(scratch, ignore_errors=True)


def _forget(note: Path) -> None:
    """Delete a note; where another program holds it, as a scanner does, the next start does."""
    with suppress(OSError):
        note.unlink(missing_ok=True)


def _may_be_there(path: Path) -> bool:
    """Say whether a file may still be there: also when its drive can't be asked."""
    try:
        return path.exists() or not path.parent.exists()
    except OSError:
        return True


def _read(note: Path) -> Path | None:
    """Return the file that a note names; None where it names none that is ours."""
    try:
        found = Path(json.loads(note.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    is_ours = found.name.startswith(".") and found.suffix == SUFFIX
    return found if is_ours else None
