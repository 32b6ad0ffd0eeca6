"""Models of Ollama's library that suit a computer, by the memory that they need."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.core.hardware import Hardware
from desktop_rag.core.ollama_records import SPARE, Suggestion

_GB = 1_000_000_000
_QWEN_3 = "English, Chinese and some 100 other languages."

SUGGESTED = (
    Suggestion(
        "qwen2.5:1.5b",
        "Small and quick, for computers with little memory",
        _GB,
        4 * _GB,
        languages="English, Chinese and some 27 other languages.",
    ),
    Suggestion(
        "qwen3:1.7b",
        "Small, for computers with little memory",
        int(1.4 * _GB),
        4 * _GB,
        languages=_QWEN_3,
    ),
    Suggestion(
        "llama3.2:3b",
        "Quick, good English",
        2 * _GB,
        8 * _GB,
        languages="English, German, French, Italian, Portuguese, Hindi, Spanish and Thai.",
    ),
    Suggestion("qwen3:4b", "Good English and Chinese", int(2.6 * _GB), 8 * _GB, languages=_QWEN_3),
    Suggestion(
        "qwen3:8b",
        "Better answers, slower without a GPU",
        int(5.2 * _GB),
        16 * _GB,
        languages=_QWEN_3,
    ),
    Suggestion(
        "qwen3:14b", "For computers with a good GPU", int(9.3 * _GB), 32 * _GB, languages=_QWEN_3
    ),
    Suggestion(
        "bge-m3", "Finds passages in a hundred languages", int(1.2 * _GB), 4 * _GB, "embedder"
    ),
)
_GOOD_ON_PROCESSORS = {"qwen3:4b", "llama3.2:3b", "qwen2.5:1.5b"}
_MOST_OFFERED = 3
_BESIDE_WEIGHTS = 1.3  # of a model's size: what a context of 8,192 tokens takes beside it, and more


@dataclass(frozen=True, slots=True)
class ModelOffer:
    """Two or three language models that suit a computer, smallest first; one is recommended."""

    models: tuple[Suggestion, ...]
    recommended: Suggestion


def best_for_this_computer() -> Suggestion:
    """Return the language model to fetch first: good on a processor, and it fits."""
    fitting = [each for each in SUGGESTED if each.name in _GOOD_ON_PROCESSORS and each.fits]
    return fitting[-1] if fitting else SUGGESTED[0]


def offer_for(hardware: Hardware) -> ModelOffer:
    """Return what to offer: the largest that fit the memory; the smallest two where none does.

    Recommended is the largest that fits into a GPU's memory, or else is good on a processor.
    """
    models = [each for each in SUGGESTED if each.kind == "language"]
    fitting = [each for each in models if hardware.memory >= each.memory * SPARE]
    offered = tuple((fitting or models[:2])[-_MOST_OFFERED:])
    by_gpu = [each for each in offered if each.size * _BESIDE_WEIGHTS <= hardware.gpu_memory]
    by_processor = [each for each in offered if each.name in _GOOD_ON_PROCESSORS]
    best = max([*by_gpu[-1:], *by_processor[-1:]], key=_size)
    return ModelOffer(offered, best)


def _size(suggestion: Suggestion) -> int:
    return suggestion.size
