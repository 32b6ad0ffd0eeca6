"""Where language models are usually served on this computer, and what was found there."""

from __future__ import annotations

from dataclasses import dataclass

OLLAMA = "http://127.0.0.1:11434"

ADDRESSES: tuple[str, ...] = (
    OLLAMA,
    "http://127.0.0.1:1234",  # LM Studio
    "http://127.0.0.1:8080",  # llama.cpp's llama-server
    "http://127.0.0.1:8000",  # vLLM
)
"""The addresses that are looked at when a person sets a language model up, and at no other time."""

OTHER_PORTS = (1234, 8080, 8000)
"""Where LM Studio, llama.cpp and vLLM listen unless told otherwise."""


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server that answers on this computer: what it is called, and its models that can answer."""

    url: str
    title: str
    is_ollama: bool
    models: tuple[str, ...]
