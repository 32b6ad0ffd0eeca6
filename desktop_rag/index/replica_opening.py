"""How the folder of Chroma's copy of a knowledge base is opened, whatever became of it."""

from __future__ import annotations

from contextlib import ExitStack, suppress

from desktop_rag.core.errors import StoreDamaged
from desktop_rag.index.chroma import are_graph_files_whole
from desktop_rag.index.chroma_process import ChromaEnded, ChromaFolder, ChromaProcess
from desktop_rag.index.manifest import IndexFolder, Seal


def open_copy(
    folder: IndexFolder, name: str, process: ChromaProcess, dimensions: int
) -> tuple[ChromaFolder, bool]:
    """Open the copy of this name; return it, and whether it is as a clean end left it.

    One without its seal is opened only if its process survives being asked much.
    """
    path = folder.index(name)
    is_new = not path.exists()
    seal = folder.break_chroma_seal(name)
    if seal is Seal.BROKEN and not is_new:
        raise StoreDamaged("The files of the vector index are not as they were left.")
    if seal is Seal.INTACT and not is_new:
        with suppress(ChromaEnded):  # perhaps over another folder
            return process.open(path), True
    if is_new:
        return process.open(path), False
    if not are_graph_files_whole(path):
        raise StoreDamaged("The vector index was cut short.")
    with ExitStack() as undo:
        opened = process.open(path)
        undo.callback(opened.close)
        opened.probe(dimensions)
        undo.pop_all()
    return opened, False
