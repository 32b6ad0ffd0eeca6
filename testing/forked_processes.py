"""Processes of the program that begin with their modules loaded, so that a test need not wait.

Each parser process imports for a third of a second, each process of Chroma for one second, and the
tests start thousands of them. They are forked from a process that did nothing but import; what they
confine themselves to, hold and answer is the same.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from desktop_rag.index import chroma_process
from desktop_rag.parsing.sandbox import child_process

_LOADED = [
    "chromadb",
    "desktop_rag.index.chroma_worker",
    "desktop_rag.parsing.format_registry",
    "desktop_rag.parsing.formats.plain_text",
    "desktop_rag.parsing.sandbox.document_stream",
    # What a command imports on its way, see `forked_commands`.
    "desktop_rag.__main__",
    "desktop_rag.catalog.recovery.coordinator",
    "desktop_rag.cli.main",
    "desktop_rag.cli.printers",
    "desktop_rag.commands.ask",
    "desktop_rag.commands.index_files",
    "desktop_rag.commands.search",
    "desktop_rag.core.logs",
    "desktop_rag.index.chroma_replica",
    "desktop_rag.models.embedding_table",
    "desktop_rag.models.ollama.http_client",
    "desktop_rag.runtime",
    "onnxruntime",
    "tantivy",
    "tokenizers",
]


def load_first() -> None:
    """Name what the process that is forked imports; it does so once, when it is first needed."""
    multiprocessing.get_context("forkserver").set_forkserver_preload(_LOADED)


@contextmanager
def processes_are_forked() -> Iterator[None]:
    """Let processes that are started meanwhile be forked; on Linux alone is that safe."""
    if sys.platform != "linux":
        yield
        return
    load_first()
    with ExitStack() as patched:
        for module in (child_process, chroma_process):
            patched.enter_context(patch.object(module, "_START_METHOD", "forkserver"))
        yield
