"""Ollama: a language model on this computer, over its HTTP interface and nothing else.

`OllamaChat` talks to one model, `OllamaServer` tells what a server has, `resolve_host` where it is.
"""

from desktop_rag.core.ollama_records import InstalledModel, RunningModel
from desktop_rag.models.ollama.address import is_loopback, resolve_host
from desktop_rag.models.ollama.chat_model import OllamaChat
from desktop_rag.models.ollama.embedder import OllamaEmbedder
from desktop_rag.models.ollama.model_info import PullProgress
from desktop_rag.models.ollama.server import OllamaServer
from desktop_rag.models.ollama.server_errors import ServerSilent

__all__ = [
    "InstalledModel",
    "OllamaChat",
    "OllamaEmbedder",
    "OllamaServer",
    "PullProgress",
    "RunningModel",
    "ServerSilent",
    "is_loopback",
    "resolve_host",
]
