from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.index import chroma_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    if chroma_server.program() is None:
        pytest.skip("Chroma's own server program is not installed")
    with chroma_server.serving(tmp_path / "server") as url:
        yield url
