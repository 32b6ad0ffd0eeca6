"""What strategies and presets are called, where the strategies themselves are not at hand."""

from __future__ import annotations

from desktop_rag.core.phrases import Phrase

_TITLES = {
    "study_best": "Best practices, most accurate",
    "study_balanced": "Best practices, balanced",
    "efficient_rag": "EfficientRAG",
    "prompt_rag": "Table of contents (Prompt-RAG)",
    "raptor": "Tree of summaries (RAPTOR)",
    "multi_head": "Attention heads (Multi-Head RAG)",
    "entity_graph": "Graph of entities (HippoRAG)",
    "iter_retgen": "Iterative retrieval and generation (ITER-RETGEN)",
    "ircot": "Interleaved retrieval and reasoning (IRCoT)",
    "self_ask": "Self-Ask",
    "react": "ReAct",
    "dsp": "Demonstrate, search, predict (DSP)",
    "flare_direct": "FLARE, direct",
    "flare_instruct": "FLARE, instructed",
    "self_rag": "Self-reflection (Self-RAG)",
    "crag": "Corrective retrieval (CRAG)",
    "adaptive": "Adaptive routing (Adaptive-RAG)",
    "summarise": Phrase("Summary of whole documents"),
    "compare": Phrase("Comparison of documents"),
    "each": Phrase("A question to each document"),
    "single_pass_cot": "Single pass, chain of thought",
}


def strategy_title(name: str) -> str:
    """Return the title of a strategy or preset: a kept answer's, or one that runs elsewhere."""
    return _TITLES.get(name, name.replace("_", " ").capitalize())
