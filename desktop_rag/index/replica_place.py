"""Where Chroma's copy of a knowledge base lies, a folder or a collection, and how it is opened."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import dataclass

from desktop_rag.core.errors import StoreDamaged
from desktop_rag.index.chroma import are_graph_files_whole
from desktop_rag.index.chroma_on_server import ChromaOnServer
from desktop_rag.index.chroma_process import ChromaEnded, ChromaFolder, ChromaProcess
from desktop_rag.index.chroma_server import ServerAddress
from desktop_rag.index.manifest import ChromaManifest, IndexFolder, Seal

ChromaHandle = ChromaOnServer | ChromaFolder


@dataclass(frozen=True, slots=True)
class ReplicaPlace:
    """A folder that `process` holds; a collection, where there is an address of `server`."""

    folder: IndexFolder
    process: ChromaProcess
    server: ServerAddress

    def open(self, manifest: ChromaManifest, dimensions: int) -> tuple[ChromaHandle, bool]:
        """Open the copy; return it, and whether it is as a clean end left it.

        A folder without its seal is opened only if its process survives being asked much.
        """
        if manifest.server:
            return self.on_server(manifest), True
        folder = self.folder.index(manifest.folder)
        is_new = not folder.exists()
        seal = self.folder.break_chroma_seal(manifest.folder)
        if seal is Seal.BROKEN and not is_new:
            raise StoreDamaged("The files of the vector index are not as they were left.")
        if seal is Seal.INTACT and not is_new:
            with suppress(ChromaEnded):  # perhaps over another folder
                return self.process.open(folder), True
        if is_new:
            return self.process.open(folder), False
        if not are_graph_files_whole(folder):
            raise StoreDamaged("The vector index was cut short.")
        with ExitStack() as undo:
            opened = self.process.open(folder)
            undo.callback(opened.close)
            opened.probe(dimensions)
            undo.pop_all()
        return opened, False

    def on_server(self, manifest: ChromaManifest) -> ChromaOnServer:
        """Open the collection; on a server that was set before without token and certificate."""
        is_own = manifest.server == self.server.url
        address = self.server if is_own else ServerAddress(manifest.server)
        return ChromaOnServer(address, f"desktop-rag-{manifest.folder}")
