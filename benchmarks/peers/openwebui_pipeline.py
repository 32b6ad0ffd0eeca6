"""Open WebUI as it is installed from its package, without its window: its server, asked by HTTP.

Files are uploaded as they are when they are attached to a chat: its own loader (pypdf, a document a
page), its splitter (1000 characters, 100 of overlap), its default embedder, which is
all-MiniLM-L6-v2 (sentence-transformers, single precision), Chroma. A question is asked of all their
collections. Its hybrid search is off, as by default. Nobody signs in; no language model is asked.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

from benchmarks.peers.protocol import FoundPassage, serve

PACKAGES = ("open-webui", "chromadb", "sentence-transformers", "torch", "pypdf")
_START = 300  # seconds that it may take to start
_SETTINGS = {
    "WEBUI_AUTH": "False",
    "OFFLINE_MODE": "True",
    "ENABLE_OLLAMA_API": "False",
    "ENABLE_OPENAI_API": "False",
    "WEBUI_SECRET_KEY": "benchmark",
}


class OpenWebUi:
    """A server of its own and its client."""

    def __init__(self, model: Path, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        own = {"DATA_DIR": str(folder), "RAG_EMBEDDING_MODEL": str(model)}
        serving = ["serve", "--host", "127.0.0.1", "--port", str(port)]
        command = [sys.executable, "-c", "from open_webui import app; app()", *serving]
        environment = os.environ | _SETTINGS | own
        self._server = subprocess.Popen(command, env=environment, stdout=2, cwd=folder)
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=None, trust_env=False
        )
        try:
            self._wait()
        except RuntimeError:
            self.close()
            raise
        signed_in = self._post("/api/v1/auths/signin", json={"email": "", "password": ""})
        self._client.headers["Authorization"] = f"Bearer {signed_in['token']}"
        self._paths: dict[str, str] = {}

    def index(self, paths: Sequence[Path]) -> int:
        """Read, split, embed and store these files; return 0: it does not tell how many."""
        for path in paths:
            with path.open("rb") as content:
                made = self._post(
                    "/api/v1/files/",
                    params={"process": True, "process_in_background": False},
                    files={"file": (path.name, content, "application/pdf")},
                )
            self._paths[made["id"]] = str(path)
        return 0

    def search(self, question: str, count: int) -> Sequence[FoundPassage]:
        """Return the places of the best passages, best first."""
        names = [f"file-{each}" for each in self._paths]
        asked = {"collection_names": names, "query": question, "k": count}
        found = self._post("/api/v1/retrieval/query/collection", json=asked)
        return [
            FoundPassage(self._paths[each["file_id"]], int(each["page"]) + 1)
            for each in found["metadatas"][0]
        ]

    def close(self) -> None:
        """End the server."""
        self._server.terminate()
        self._server.wait()

    def _wait(self) -> None:
        until = time.monotonic() + _START
        while self._server.poll() is None and time.monotonic() < until:
            try:
                if self._client.get("/health").is_success:
                    return
            except httpx.TransportError:
                time.sleep(0.5)
        raise RuntimeError("Open WebUI did not start.")

    def _post(self, path: str, **given: Any) -> dict[str, Any]:
        reply = self._client.post(path, **given)
        if not reply.is_success:
            raise RuntimeError(f"{path}: {reply.status_code} {reply.text[:500]}")
        made: dict[str, Any] = reply.json()
        return made


if __name__ == "__main__":
    serve(OpenWebUi, PACKAGES)
