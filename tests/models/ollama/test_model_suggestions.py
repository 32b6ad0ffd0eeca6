"""Models that suit a computer."""

from __future__ import annotations

import psutil
import pytest

from desktop_rag.core import ollama_records
from desktop_rag.core.hardware import Gpu, Hardware
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


@pytest.mark.parametrize(
    ("gigabytes", "gpu", "names", "recommended"),
    [
        (2, 0, ("qwen2.5:1.5b", "qwen3:1.7b"), "qwen2.5:1.5b"),
        (4, 0, ("qwen2.5:1.5b", "qwen3:1.7b"), "qwen2.5:1.5b"),
        (7.6, 0, ("qwen3:1.7b", "llama3.2:3b", "qwen3:4b"), "qwen3:4b"),
        (16, 0, ("llama3.2:3b", "qwen3:4b", "qwen3:8b"), "qwen3:4b"),
        (16, 8, ("llama3.2:3b", "qwen3:4b", "qwen3:8b"), "qwen3:8b"),
        (64, 0, ("qwen3:4b", "qwen3:8b", "qwen3:14b"), "qwen3:4b"),
        (64, 4, ("qwen3:4b", "qwen3:8b", "qwen3:14b"), "qwen3:4b"),
        (64, 24, ("qwen3:4b", "qwen3:8b", "qwen3:14b"), "qwen3:14b"),
    ],
)
def test_two_or_three_are_offered_that_fit_memory_and_gpu(
    gigabytes: float, gpu: float, names: tuple[str, ...], recommended: str
) -> None:
    gpus = (Gpu("a GPU", int(gpu * 1e9)),) if gpu else ()
    offer = model_suggestions.offer_for(Hardware(int(gigabytes * 1e9), 4, gpus))
    assert tuple(each.name for each in offer.models) == names
    assert offer.recommended.name == recommended
    assert all(each.languages for each in offer.models)
