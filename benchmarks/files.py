"""The table of very many files: shown, sorted by each column, filtered, scrolled to its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.result_table import Measurement
from benchmarks.window_process import NOBODY, in_window
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.paths import canonical
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import FileStatus
from desktop_rag.workspace import Workspace

_PER_FOLDER = 200
_REAL = 20  # files that are indexed; the others' rows say that they hold the same
_PROBLEM_EVERY = 50
_REASON = "The file is damaged. Open it in its own program and save it anew."
_ENDINGS = ("txt", "md", "csv", "html")
_ACTS = {
    "shown": "from the click to its rows",
    "sorted": "sorted, the slowest of its columns",
    "filtered": "from the last key of a filter to its rows",
}


def measure(files: int, folder: Path) -> list[Measurement]:
    """Fill a catalog with so many files, and go through the table in the real window."""
    documents, data_dir = folder / "documents", folder / "data"
    paths = write(documents, files)
    know(data_dir, documents, paths)
    given = {"host": NOBODY, "data_dir": str(data_dir), "files": files}
    made = in_window("files", given)
    name, floor = f"a table of {files:,} files", "a bare QTableView over a list"
    rows = [
        Measurement(
            f"{name}: {text}", made[act]["seconds"], "s", made[f"bare {act}"]["seconds"], floor
        )
        for act, text in _ACTS.items()
    ]
    acts = [*_ACTS, "scrolled"]
    return rows + [
        Measurement(
            f"{name}: latest frame while it is {act}",
            made[act]["max"],
            "ms late",
            made[f"bare {act}"]["max"],
            floor,
            "≤ 100 ms",
        )
        for act in acts
    ]


def write(folder: Path, files: int) -> list[Path]:
    """Write so many small files into subfolders, their names in no order."""
    made = []
    for number in range(files):
        ending = _ENDINGS[number * 7 % len(_ENDINGS)]
        name = f"{['note', 'report', 'letter'][number % 3]} {number * 7919 % files:06}.{ending}"
        path = folder / f"{number // _PER_FOLDER:03}" / name
        if number % _PER_FOLDER == 0:
            path.parent.mkdir(parents=True)
        text = f"Entry {number}. The lamps of lighthouse {number} were lit again in spring.\n"
        path.write_text(text, encoding="utf-8")
        made.append(path)
    return made


def know(data_dir: Path, folder: Path, paths: list[Path]) -> None:
    """Index some files for real, and enter the others beside them, as if they had been read."""
    workspace = open_workspace(data_dir, Settings())
    try:
        real = IndexRequest("default", tuple(str(path) for path in paths[:_REAL]))
        for _ in index_files.run(workspace, real, CancelToken()):
            pass
        kb = workspace.catalog.kbs.get("default").id
        for path in paths[:_REAL]:
            workspace.catalog.kbs.remove_source(kb, canonical(path))
        workspace.catalog.kbs.add_source(kb, canonical(folder), is_folder=True)
        _enter(workspace, kb, paths[_REAL:])
    finally:
        workspace.close()


def _enter(workspace: Workspace, kb: int, paths: list[Path]) -> None:
    catalog = workspace.catalog
    read = catalog.database.read().execute("SELECT id, content_hash FROM documents").fetchall()
    rows: list[tuple[Any, ...]] = []
    for number, path in enumerate(paths):
        at, (document, content) = path.stat(), read[number % len(read)]
        is_bad = number % _PROBLEM_EVERY == 0
        status = FileStatus.CORRUPT if is_bad else FileStatus.READY
        reason, held = (_REASON, None) if is_bad else ("", document)
        stamp = (at.st_size, at.st_mtime_ns, content)
        rows.append((kb, canonical(path), *stamp, status, reason, held, number % 97 / 10))
    with catalog.database.write() as tx:
        tx.executemany(
            "INSERT INTO files (kb, path, size, mtime_ns, content_hash, status, reason,"
            " document_id, seconds, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
            rows,
        )
