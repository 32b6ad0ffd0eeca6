"""A catalog, and its indexes, in a folder of the test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import KbId
from desktop_rag.index.indexes import EXACT_UPTO, IndexManager
from tests.catalog.stored_documents import IDENTITY
from tests.index.index_checks import chroma_process


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


@pytest.fixture(params=[EXACT_UPTO, 0], ids=["compared", "chroma"])
def indexes(home: Path, catalog: Catalog, request: pytest.FixtureRequest) -> Iterator[IndexManager]:
    """As in a small knowledge base, whose vectors are compared, and as in a large one."""
    opened = IndexManager(
        home, catalog, IDENTITY, exact_upto=request.param, process=chroma_process()
    )
    yield opened
    opened.close()
