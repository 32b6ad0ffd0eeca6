"""The embeddings of pieces in 4 bits, which lie in a file of their own."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.core import paths
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.models.embedding_table import BLOCK, EmbeddingTable, open_table, row_type
from desktop_rag.models.model_card import TABLE
from desktop_rag.models.model_loader import BUILT_IN_EMBEDDER
from desktop_rag.models.onnx_embedder import OnnxEmbedder

BUILT_IN = paths.resources() / "models" / BUILT_IN_EMBEDDER


def test_each_weight_is_its_number_by_its_blocks_scale(tmp_path: Path) -> None:
    rows = np.zeros(3, row_type(2 * BLOCK))
    rows["scales"][1] = (0.5, 2.0)
    rows["weights"][1] = 0x88  # 8 stands for 0
    rows["weights"][1, 0] = 0xF0  # the low half comes first
    rows["weights"][1, BLOCK // 2] = 0x79
    np.save(tmp_path / "table.npy", rows)
    found = EmbeddingTable(tmp_path / "table.npy").embeddings([1, 0, 1])
    assert found.shape == (3, 2 * BLOCK)
    assert found.dtype == np.float32
    assert np.array_equal(found[0], found[2])
    assert found[0, :2].tolist() == [-4.0, 3.5]
    assert found[0, BLOCK : BLOCK + 2].tolist() == [2.0, -2.0]
    assert np.count_nonzero(found[0]) == 4
    assert not found[1].any()


def test_a_text_without_pieces_has_no_rows() -> None:
    assert open_table(BUILT_IN / TABLE).embeddings([]).shape == (0, 384)


def test_everybody_reads_one_table() -> None:
    assert open_table(BUILT_IN / TABLE) is open_table(BUILT_IN / TABLE)


@pytest.mark.parametrize("harm", ["flip", "cut", "remove"])
def test_a_harmed_table_is_told_before_anything_is_embedded(tmp_path: Path, harm: str) -> None:
    shutil.copytree(BUILT_IN, tmp_path / "model")
    file = tmp_path / "model" / TABLE
    raw = bytearray(file.read_bytes())
    raw[len(raw) // 2] ^= 255
    file.unlink()
    if harm != "remove":
        file.write_bytes(raw if harm == "flip" else raw[:-100])
    with pytest.raises(ModelUnavailable, match=r"embeddings\.npy") as told:
        OnnxEmbedder(tmp_path / "model").embed(["text"])
    assert told.value.remedy
