"""The reply when nothing else is scripted: the first fenced passage's first sentence, with [1]."""

from __future__ import annotations

import re

from tests.ollama_double.recorded import Recorded

# A fence is a pair of tags with attributes, a Markdown fence, or a paragraph that starts with [1].
_FENCES = (
    re.compile(r"<(\w+)\s[^>]*>\s*(?P<text>.+?)\s*</\1>", re.DOTALL),
    re.compile(r"```[^\n]*\n(?P<text>.+?)```", re.DOTALL),
    re.compile(r"^\s*\[1\]\s*(?P<text>.+?)(?:\n\s*\n|\n\s*\[2\]|\Z)", re.DOTALL | re.MULTILINE),
)
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？]|$)", re.DOTALL)
_LEAST = 25  # characters that make a sentence worth quoting


def quote_first(request: Recorded) -> str:
    """Return the first sentence of the first passage, marked [1]."""
    passage = _first_passage(request.prompt)
    if not passage:
        return "I have no passage to quote from."
    sentences = [" ".join(found.split()) for found in _SENTENCE.findall(passage)]
    long = [sentence for sentence in sentences if len(sentence) >= _LEAST]
    sentence = (long or [s for s in sentences if s] or [passage])[0]
    return f"{sentence} [1]"


def _first_passage(prompt: str) -> str:
    for fence in _FENCES:
        found = fence.search(prompt)
        if found:
            return found["text"].strip()
    return ""
