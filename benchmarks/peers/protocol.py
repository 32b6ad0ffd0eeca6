"""How a pipeline is driven: one JSON object a line, through its standard input and output.

The driver asks `{"index": [paths]}` or `{"search": question, "count": 5}`; every reply holds the
seconds that the work took, measured here. The first line that a pipeline writes says that its
models are loaded, and which versions it runs.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Protocol


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """Where a passage stands: its file as it was given to be indexed, and its page, from 1."""

    path: str
    page: int


class Pipeline(Protocol):
    """What a peer does; its models are loaded when it is made."""

    def index(self, paths: Sequence[Path]) -> int:
        """Read, split, embed and store these files; return the number of passages, 0 if unknown."""

    def search(self, question: str, count: int) -> Sequence[FoundPassage]:
        """Return the places of the best passages, best first."""

    def close(self) -> None:
        """Write what is not yet written."""


def serve(opened: Callable[[Path, Path], Pipeline], packages: Sequence[str]) -> None:
    """Open a pipeline with the model and the folder of the command line, and do what is asked.

    What libraries print goes to standard error.
    """
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    start = time.perf_counter()
    pipeline = opened(Path(sys.argv[1]), Path(sys.argv[2]))
    taken = time.perf_counter() - start
    _write(replies, {"seconds": taken, "versions": {name: version(name) for name in packages}})
    try:
        for line in sys.stdin:
            _write(replies, _reply(pipeline, json.loads(line)))
    finally:
        pipeline.close()


def _reply(pipeline: Pipeline, asked: dict[str, Any]) -> dict[str, Any]:
    start = time.perf_counter()
    if "index" in asked:
        passages = pipeline.index([Path(each) for each in asked["index"]])
        return {"seconds": time.perf_counter() - start, "passages": passages}
    found = pipeline.search(asked["search"], asked["count"])
    taken = time.perf_counter() - start
    return {"seconds": taken, "found": [asdict(each) for each in found]}


def _write(replies: IO[str], reply: dict[str, Any]) -> None:
    replies.write(json.dumps(reply) + "\n")
    replies.flush()
