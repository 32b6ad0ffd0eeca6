"""Reading through a pool of processes whose parser does what files make it do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox.parser_pool import ParseOutcome, ParserPool
from testing import misbehaving_parser


@pytest.fixture
def pool() -> Iterator[ParserPool]:
    made = ParserPool(2, 1.0, 400, misbehaving_parser.answer)
    yield made
    made.close()


def outcomes(pool: ParserPool, *names: str) -> dict[str, ParseOutcome]:
    found = pool.run((Path(name) for name in names), CancelToken())
    return {path.name: outcome for path, outcome, _ in found}


def text(outcome: ParseOutcome) -> str:
    assert isinstance(outcome, ParsedDocument), outcome
    return outcome.blocks[0].text


def status(outcome: ParseOutcome) -> FileStatus:
    assert isinstance(outcome, FileProblem)
    return outcome.status
