"""Indexing a folder, stage by stage, each beside what its bare library takes for the same work."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchmarks.result_table import Measurement
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.events import IndexDone
from desktop_rag.core.paths import resources
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.indexing.chunker import chunk_document
from desktop_rag.models.model_loader import BUILT_IN_EMBEDDER
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import Embedder
from desktop_rag.parsing.format_registry import parse
from desktop_rag.workspace import Workspace

T = TypeVar("T")


def measure(documents: Path, folder: Path) -> list[Measurement]:
    """Index `documents` into an empty data folder; return its rows."""
    paths = sorted(path for path in documents.rglob("*") if path.is_file())
    workspace = open_workspace(folder, Settings())
    try:
        embedder = workspace.models.embedder
        embedder.embed(["warm"])
        bare_parse, _ = timed(lambda: [_bare_parse(path) for path in paths])
        alone, done = timed(lambda: _index(workspace, documents))
        texts = _texts(paths, embedder)
        run_bare = _bare_model(texts)
        bare_embed, _ = timed(run_bare)
        ours_embed, _ = timed(lambda: embedder.embed(texts))
        ours_parse, _ = timed(lambda: list(workspace.parsers.run(paths, CancelToken())))
        again, _ = timed(lambda: _index(workspace, documents))
    finally:
        workspace.close()
    floor = bare_parse + bare_embed
    return [
        Measurement("files indexed", float(sum(done.files.values())), "files"),
        Measurement("chunks made", float(done.chunks), "chunks"),
        Measurement(
            "parse, two warm child processes", ours_parse, "s", bare_parse, "bare parser, one core"
        ),
        Measurement("embed the chunks", ours_embed, "s", bare_embed, "bare onnxruntime"),
        Measurement(
            "index the folder", alone, "s", floor, "bare parser + bare model", "ratio ≤ 1.4"
        ),
        Measurement("rate", done.chunks / alone, "chunks/s"),
        Measurement("index it again, unchanged", again, "s"),
    ]


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that `work` took, and what it gave."""
    start = time.perf_counter()
    made = work()
    return time.perf_counter() - start, made


def _index(workspace: Workspace, documents: Path) -> IndexDone:
    request = IndexRequest("bench", (str(documents),))
    last = list(index_files.run(workspace, request, CancelToken()))[-1]
    assert isinstance(last, IndexDone)
    return last


def _bare_parse(path: Path) -> int:
    """Read a file with the library alone: pypdfium2's text and rectangles, else our parser."""
    if path.suffix.lower() != ".pdf":
        try:
            return len(parse(path).blocks)
        except FileProblem:
            return 0
    import pypdfium2

    pages = 0
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            text = page.get_textpage()
            text.get_text_range()
            for number in range(text.count_rects()):
                text.get_rect(number)
            pages += 1
    return pages


def _texts(paths: list[Path], embedder: Embedder) -> list[str]:
    """Return what the embedder reads of these files' chunks."""
    texts: list[str] = []
    for path in paths:
        try:
            _, chunks = chunk_document(
                parse(path), path.stem, Settings().chunking, embedder.count_tokens
            )
        except FileProblem:
            continue
        texts += [f"{chunk.context}\n{chunk.text}" for chunk in chunks]
    return sorted(set(texts))


def _bare_model(texts: list[str]) -> Callable[[], None]:
    """Return what runs the ONNX session alone over the same texts, by length, 16 a batch."""
    import onnxruntime

    embedder = OnnxEmbedder(resources() / "models" / BUILT_IN_EMBEDDER)
    session = onnxruntime.InferenceSession(str(embedder.card.folder / "model.onnx"))
    counts = [min(count, embedder.max_tokens) for count in embedder.count_tokens(texts)]
    chance, width = np.random.default_rng(1), embedder.dimensions

    def run() -> None:
        made = [chance.random((count, width), np.float32) for count in sorted(counts)]
        for start in range(0, len(made), 16):
            batch = made[start : start + 16]
            fed = np.zeros((len(batch), len(batch[-1]), width), np.float32)
            mask = np.zeros(fed.shape[:2], np.int64)
            for row, each in enumerate(batch):
                fed[row, : len(each)], mask[row, : len(each)] = each, 1
            session.run(None, {"embeddings": fed, "attention_mask": mask})

    return run
