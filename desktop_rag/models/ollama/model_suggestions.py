"""Models of Ollama's library that suit a computer, by the memory that they need."""

from __future__ import annotations

from desktop_rag.core.ollama_records import Suggestion

_GB = 1_000_000_000


SUGGESTED = (
    Suggestion("qwen2.5:1.5b", "Small and quick, for computers with little memory", _GB, 4 * _GB),
    Suggestion("llama3.2:3b", "Quick, good English", 2 * _GB, 8 * _GB),
    Suggestion("qwen3:4b", "Good English and Chinese", int(2.6 * _GB), 8 * _GB),
    Suggestion("qwen3:8b", "Better answers, slower without a GPU", int(5.2 * _GB), 16 * _GB),
    Suggestion("qwen3:14b", "For computers with a good GPU", int(9.3 * _GB), 32 * _GB),
    Suggestion(
        "bge-m3", "Finds passages in a hundred languages", int(1.2 * _GB), 4 * _GB, "embedder"
    ),
)


def best_for_this_computer() -> Suggestion:
    """Return the language model to fetch first: good on a processor, and it fits."""
    usual = {"qwen3:4b", "llama3.2:3b", "qwen2.5:1.5b"}
    fitting = [each for each in SUGGESTED if each.name in usual and each.fits]
    return fitting[-1] if fitting else SUGGESTED[0]
