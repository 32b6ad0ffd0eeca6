"""Files that are being written outside the data folder: a kill leaves them, the next start doesn't.

unfinished.json   the paths, each a hidden `.part` file; gone when there are none
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SUFFIX = ".part"
_FILE = "unfinished.json"


@contextmanager
def noted(data_dir: Path, path: Path) -> Iterator[None]:
    """Remember a file while the body writes it, so that it goes even if this process is killed."""
    _write(data_dir, [*_read(data_dir), str(path)])
    try:
        yield
    finally:
        _write(data_dir, [each for each in _read(data_dir) if each != str(path)])


def sweep(data_dir: Path) -> None:
    """Delete what a killed process left; the caller owns the folder, so nobody writes it now."""
    left = [Path(each) for each in _read(data_dir)]
    for path in left:
        if path.name.startswith(".") and path.suffix == SUFFIX:
            with suppress(OSError):  # its drive is away, say
                path.unlink(missing_ok=True)
    if left:
        _write(data_dir, [str(path) for path in left if _is_there(path)])


def _is_there(path: Path) -> bool:
    """Say whether a file may still be there: also when its drive can't be asked."""
    try:
        return path.exists() or not path.parent.exists()
    except OSError:
        return True


def _read(data_dir: Path) -> list[str]:
    try:
        found = json.loads((data_dir / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _write(data_dir: Path, paths: list[str]) -> None:
    target = data_dir / _FILE
    if not paths:
        target.unlink(missing_ok=True)
        return
    draft = target.with_suffix(".new")
    try:
        draft.write_text(json.dumps(paths), encoding="utf-8")
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
