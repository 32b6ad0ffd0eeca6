"""Ollama: a language model on this computer, over its HTTP interface and nothing else.

`OllamaChat` talks to one model, `OllamaServer` tells what a server has, `resolve_host` where it is.
"""

from desktop_rag.engine.models.ollama.address import is_loopback, resolve_host
from desktop_rag.engine.models.ollama.chat import OllamaChat
from desktop_rag.engine.models.ollama.embedding import OllamaEmbedder
from desktop_rag.engine.models.ollama.errors import Silent
from desktop_rag.engine.models.ollama.installed import (
    InstalledModel,
    PullProgress,
    RunningModel,
)
from desktop_rag.engine.models.ollama.server import OllamaServer

__all__ = [
    "InstalledModel",
    "OllamaChat",
    "OllamaEmbedder",
    "OllamaServer",
    "PullProgress",
    "RunningModel",
    "Silent",
    "is_loopback",
    "resolve_host",
]
