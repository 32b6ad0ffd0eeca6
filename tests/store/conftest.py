"""A catalog, and its indexes, in a folder of the test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.core.types import KbId
from desktop_rag.store.catalog import Catalog
from desktop_rag.store.indexes import Indexes
from tests.store.made import DIMENSIONS, MODEL


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def catalog(home: Path) -> Iterator[Catalog]:
    opened = Catalog.open(home)
    yield opened
    opened.close()


@pytest.fixture
def kb(catalog: Catalog) -> KbId:
    return catalog.kbs.ensure("default").id


@pytest.fixture
def indexes(home: Path, catalog: Catalog) -> Iterator[Indexes]:
    opened = Indexes(home, catalog, MODEL, DIMENSIONS)
    yield opened
    opened.close()
