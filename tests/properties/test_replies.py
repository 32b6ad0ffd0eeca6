"""Whatever a reader's process says, taken over as it may be, costs its file and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.parsed_document import Block, ParsedDocument
from desktop_rag.parsing.sandbox.parser_pool import ParserPool
from testing.narrowing import narrow

BLOCK = {"kind": "text", "text": "It is a text.", "place": ["line", 1, None], "level": 0,
         "boxes": [], "rows": [], "header": ""}  # fmt: skip
WHOLE = {"title": "", "blocks": [BLOCK], "pages": None, "notes": []}
FAR = float("inf")  # which JSON has here, and which is no number of anything
CHANGED: tuple[dict[str, Any], ...] = (
    {"level": FAR}, {"boxes": [[1, 2, 3, 4, 5, 6, FAR]]}, {"place": ["nowhere", 1, None]},
    {"rows": [["a"]]}, {"text": None, "kind": []},
)  # fmt: skip


def said(request: bytes) -> bytes:
    """Answer with what stands in the file that is asked for: a reader that somebody took over."""
    return Path(json.loads(request)).read_bytes()


def replies() -> Iterator[bytes]:
    yield from (b"", b"\xff", b"[" * 200_000, b'{"a":' * 200_000, b"1" * 10_000, b"null", b"{}")
    yield json.dumps(WHOLE | {"pages": FAR}).encode()
    yield json.dumps(WHOLE | {"blocks": {"a": 1}}).encode()
    for change in CHANGED:
        yield json.dumps(WHOLE | {"blocks": [BLOCK | change]}).encode()
        yield json.dumps([BLOCK | change]).encode()


@pytest.fixture
def pool() -> Iterator[ParserPool]:
    made = ParserPool(2, 20.0, 800, said)
    yield made
    made.close()


def test_any_reply_is_a_document_or_costs_its_file(pool: ParserPool, tmp_path: Path) -> None:
    paths = []
    for number, reply in enumerate(replies()):
        paths.append(tmp_path / f"{number:03}")
        paths[-1].write_bytes(reply)
    for path, outcome, _ in pool.run(paths, CancelToken()):
        if isinstance(outcome, FileProblem):
            assert outcome.status is FileStatus.FAILED, path.read_bytes()[:200]
            assert outcome.remedy.endswith(".")
        else:
            assert all(isinstance(block, Block) for block in narrow(outcome, ParsedDocument).blocks)
