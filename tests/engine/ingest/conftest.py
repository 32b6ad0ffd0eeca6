from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.ingest.library import Library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path)
    yield made
    made.close()
