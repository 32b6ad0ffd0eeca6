"""Exported files, taken apart and put together again, and workspaces to import them into."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event
from desktop_rag.core.requests import IndexRequest, KbRequest, SearchRequest
from desktop_rag.core.settings import Settings
from desktop_rag.workspace import Lazy, Workspace
from tests.indexing.indexed_folder import CountingEmbedder, prose

Parts = dict[str, bytes]
Change = Callable[[Any], Any]


@contextmanager
def opened(home: Path) -> Iterator[tuple[Workspace, CountingEmbedder]]:
    """Open a data folder whose embedder counts."""
    workspace = open_workspace(home, Settings())
    counting = CountingEmbedder(workspace.models.embedder)
    models = replace(workspace.models, lazy_embedder=Lazy(lambda: counting))
    try:
        yield replace(workspace, models=models), counting
    finally:
        workspace.close()


def documents(folder: Path) -> Path:
    """Write a few documents: one of them twice, and one without text."""
    folder.mkdir()
    for topic in ("harbour", "mountain", "差旅报销"):
        text = f"# On the {topic}\n\n{prose(topic, 40)}\n\n## More\n\n{prose(f'{topic} too', 9)}"
        (folder / f"{topic}.md").write_text(text, encoding="utf-8")
    (folder / "copy.md").write_bytes((folder / "harbour.md").read_bytes())
    (folder / "table.csv").write_text("name,price\nsoup,8.50\ntrout,24.00\n", encoding="utf-8")
    (folder / "empty.txt").write_text("", encoding="utf-8")
    return folder


def done(workspace: Workspace, request: Any, token: CancelToken | None = None) -> list[Event]:
    return list(perform(workspace, request, token or CancelToken()))


def indexed(workspace: Workspace, folder: Path, kb: str = "default") -> None:
    done(workspace, IndexRequest(kb, (str(folder),)))


def exported(workspace: Workspace, file: Path, kb: str = "default") -> dict[str, Any]:
    return done(workspace, KbRequest("export", kb, str(file)))[-1].as_json()


def imported(workspace: Workspace, file: Path, kb: str = "", *follow: Path) -> dict[str, Any]:
    request = KbRequest("import", kb, str(file), follow=tuple(map(str, follow)))
    return done(workspace, request)[-1].as_json()


def found(workspace: Workspace, query: str, kb: str = "default") -> list[dict[str, Any]]:
    """Search, and return all but the chunks' numbers, which differ from catalog to catalog."""
    rows = [event.as_json() for event in done(workspace, SearchRequest((kb,), query))]
    assert rows
    return [{key: value for key, value in row.items() if key != "chunk_id"} for row in rows]


def dump(workspace: Workspace) -> list[tuple[Any, ...]]:
    """Return every row of the catalog."""
    tx = workspace.catalog.database.read()
    tables = [name for (name,) in tx.execute("SELECT name FROM sqlite_master WHERE type='table'")]
    return [
        (table, *row)
        for table in tables
        if table != "sqlite_sequence"
        for row in tx.execute(f"SELECT * FROM {table} ORDER BY rowid")
    ]


def parts_of(file: Path) -> Parts:
    with ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(file: Path, parts: Parts) -> Path:
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file


def with_line(member: str, change: Change, at: int = 0) -> Callable[[Parts], Parts]:
    """Return a change of one line's value."""

    def changed(parts: Parts) -> Parts:
        lines = parts[member].splitlines(keepends=True)
        lines[at] = json.dumps(change(json.loads(lines[at]))).encode() + b"\n"
        return parts | {member: b"".join(lines)}

    return changed


def with_fields(member: str, **fields: Any) -> Callable[[Parts], Parts]:
    return with_line(member, lambda row: row | fields)


def with_manifest(**fields: Any) -> Callable[[Parts], Parts]:
    def changed(parts: Parts) -> Parts:
        row = json.loads(parts["manifest.json"]) | fields
        return parts | {"manifest.json": json.dumps(row).encode()}

    return changed


def with_vectors(change: Change) -> Callable[[Parts], Parts]:
    def changed(parts: Parts) -> Parts:
        out = io.BytesIO()
        made = change(np.load(io.BytesIO(parts["embeddings.npy"]), allow_pickle=False))
        np.save(out, made, allow_pickle=True)
        return parts | {"embeddings.npy": out.getvalue()}

    return changed
