from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from testing.ollama_double import OllamaDouble
from testing.ollama_double.server import refused_url
from testing.sample_folder import copied
from tests.whole_documents.documents_setup import DocumentsSetup, read_documents, write_documents


@pytest.fixture(scope="session")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("whole") / "documents"
    write_documents(folder)
    home = folder.parent / "home"
    read_documents(home, folder, refused_url())
    return home, folder


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.fixture
def bare(tmp_path: Path, read_once: tuple[Path, Path]) -> Iterator[DocumentsSetup]:
    """Documents on a machine without a language model."""
    home, folder = read_once
    made = DocumentsSetup.opened(copied(home, tmp_path / "home"), folder, refused_url())
    yield made
    made.workspace.close()


@pytest.fixture
def modelled(
    tmp_path: Path, read_once: tuple[Path, Path], double: OllamaDouble
) -> Iterator[DocumentsSetup]:
    """Documents beside a double of Ollama."""
    home, folder = read_once
    made = DocumentsSetup.opened(copied(home, tmp_path / "home"), folder, double.url)
    yield made
    made.workspace.close()
