"""Servers that speak OpenAI's protocol: LM Studio, llama.cpp's `llama-server`, vLLM and others.

`OpenAIChat` talks to one model, `OpenAIServer` tells what a server has. No key is ever sent.
"""

from desktop_rag.models.openai_compatible.chat_model import OpenAIChat
from desktop_rag.models.openai_compatible.server import OpenAIServer

__all__ = ["OpenAIChat", "OpenAIServer"]
