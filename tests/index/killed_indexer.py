"""A program that indexes until it is killed.

    python -m tests.index.killed_indexer FOLDER START STOP

Each document that is stored is named on standard output; with `STOP`, the process kills itself
in that step of the outbox's way: `stored`, `lexical`, `opened`, `dense`.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.outbox import Outbox
from desktop_rag.index.bm25 import Bm25Index
from desktop_rag.index.chroma_process import ChromaFolder
from desktop_rag.index.chroma_replica import ChromaReplica
from tests.catalog.stored_documents import many, put
from tests.index.index_checks import opened


def die(*_: Any, **__: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(home: Path, start: int, stop: str) -> None:
    catalog = Catalog.open(home)
    kb = catalog.kbs.ensure("default").id
    indexes = opened(home, catalog)
    indexes.open_all()
    deaths = {"stored": (Bm25Index, "apply"), "lexical": (Outbox, "done")}
    deaths |= {"opened": (ChromaFolder, "add"), "dense": (ChromaReplica, "_measure")}
    if stop in deaths:
        setattr(*deaths[stop], die)
    for n in range(start, start + 10_000):
        put(catalog, kb, f"/d/{n}", many(f"file{n}", 40))
        sys.stdout.write(f"{n}\n")
        sys.stdout.flush()
        indexes.of(kb).sync()
        indexes.of(kb).replica.feed()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "")
