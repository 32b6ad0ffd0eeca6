"""Models that suit a computer."""

from __future__ import annotations

import psutil
import pytest

from desktop_rag.core import ollama_records
from desktop_rag.models.ollama import model_suggestions


@pytest.mark.parametrize(
    ("gigabytes", "name"),
    [(2, "qwen2.5:1.5b"), (4, "qwen2.5:1.5b"), (7.6, "qwen3:4b"), (16, "qwen3:4b")],
)
def test_the_first_to_fetch_fits_the_memory(
    monkeypatch: pytest.MonkeyPatch, gigabytes: float, name: str
) -> None:
    memory = type("Memory", (), {"total": int(gigabytes * 1e9)})()
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory)
    assert model_suggestions.best_for_this_computer().name == name


def test_each_needs_more_memory_than_it_takes_on_disk() -> None:
    names = [each.name for each in model_suggestions.SUGGESTED]
    assert len(set(names)) == len(names)
    assert all(each.memory > each.size for each in model_suggestions.SUGGESTED)
    assert ollama_records.total_memory() > 0
