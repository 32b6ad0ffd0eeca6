from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.indexing.indexed_folder import IndexedFolder


@pytest.fixture
def library(tmp_path: Path) -> Iterator[IndexedFolder]:
    made = IndexedFolder(tmp_path)
    yield made
    made.close()
