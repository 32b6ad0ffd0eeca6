from __future__ import annotations

import shutil
import struct
from pathlib import Path

import pytest

from desktop_rag.core.types import ChunkId
from desktop_rag.index import chroma
from desktop_rag.index.chroma import ChromaIndex
from tests.index.test_chroma import record


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a collection whose first thousand vectors lie in the graph's files."""
    folder = tmp_path_factory.mktemp("graph")
    store = ChromaIndex.in_folder(folder)
    store.add(map(record, range(1200)))
    store.delete(list(map(ChunkId, range(50))))
    store.close()
    return folder


def test_what_chroma_wrote_fits_together(whole: Path) -> None:
    assert list(whole.glob("*/header.bin"))
    assert chroma.are_graph_files_whole(whole)


def test_a_folder_without_a_graph_fits(tmp_path: Path) -> None:
    assert chroma.are_graph_files_whole(tmp_path)


@pytest.mark.parametrize("name", ["header.bin", "data_level0.bin", "length.bin", "link_lists.bin"])
@pytest.mark.parametrize("keep", [0.0, 0.25, 0.5, 0.9999])
def test_a_short_file_does_not_fit(whole: Path, tmp_path: Path, name: str, keep: float) -> None:
    shutil.copytree(whole, tmp_path / "copy")
    (file,) = (tmp_path / "copy").rglob(name)
    file.write_bytes(file.read_bytes()[: int(file.stat().st_size * keep)])
    assert not chroma.are_graph_files_whole(tmp_path / "copy")


@pytest.mark.parametrize("name", ["data_level0.bin", "length.bin", "link_lists.bin"])
def test_a_missing_file_does_not_fit(whole: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(whole, tmp_path / "copy")
    (file,) = (tmp_path / "copy").rglob(name)
    file.unlink()
    assert not chroma.are_graph_files_whole(tmp_path / "copy")


def test_lengths_that_are_not_those_of_our_vectors_do_not_fit(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "copy")
    (file,) = (tmp_path / "copy").rglob("length.bin")
    file.write_bytes(bytes(range(256)) * (file.stat().st_size // 256 + 1))
    assert not chroma.are_graph_files_whole(tmp_path / "copy")


def test_what_lay_in_memory_is_not_left_in_the_room_for_vectors_to_come(
    whole: Path, tmp_path: Path
) -> None:
    shutil.copytree(whole, tmp_path / "copy")
    (header,) = (tmp_path / "copy").rglob("header.bin")
    _, _, _, elements, size = struct.unpack_from("<i4Q", header.read_bytes())
    vectors = header.with_name("data_level0.bin")
    used = vectors.read_bytes()[: elements * size]
    vectors.write_bytes(used + b"a piece of somebody's contract" * 100)
    chroma.zero_unused_space(tmp_path / "copy")
    assert vectors.read_bytes() == used + bytes(3000)
    assert chroma.are_graph_files_whole(tmp_path / "copy")
