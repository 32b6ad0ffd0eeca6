"""A real HTTP server on loopback that speaks OpenAI's protocol, as one of its programs does.

    with OpenAIDouble(product="vLLM") as server:
        server.say("Paris [1].", Script("slow", wait=2.0), fail(500, "out of memory"))
        ...                              # talk to server.url

Replies come from where the double of Ollama has them; see `testing.ollama_double`.
"""

from testing.openai_double.server import LLAMA_CPP, LM_STUDIO, OTHER, VLLM, OpenAIDouble

__all__ = ["LLAMA_CPP", "LM_STUDIO", "OTHER", "VLLM", "OpenAIDouble"]
