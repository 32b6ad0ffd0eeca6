"""A request in OpenAI's protocol, put as the generators read it: in Ollama's words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from testing.ollama_double.recorded import Recorded


@dataclass(slots=True)
class RecordedCompletion(Recorded):
    """One request; `asked` is its body as it came, `body` the same in Ollama's words."""

    asked: dict[str, Any] = field(default_factory=dict)


def in_ollamas_words(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the body that Ollama would have been sent for the same."""
    options = {
        "num_predict": asked.get("max_tokens"),
        "temperature": asked.get("temperature"),
        "stop": asked.get("stop"),
    }
    form = asked.get("response_format") or {}
    told = asked.get("logprobs")
    is_number = isinstance(told, int) and not isinstance(told, bool)
    kwargs = asked.get("chat_template_kwargs") or {}
    return {
        "model": asked.get("model", ""),
        "messages": asked.get("messages") or [],
        "prompt": asked.get("prompt", ""),
        "raw": "prompt" in asked,
        "options": {name: value for name, value in options.items() if value is not None},
        "format": (form.get("json_schema") or {}).get("schema"),
        "logprobs": bool(told),
        "top_logprobs": told if is_number else asked.get("top_logprobs"),
        "think": kwargs.get("enable_thinking", True),
    }
