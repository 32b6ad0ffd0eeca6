"""A real HTTP server on loopback that speaks Ollama's protocol and says what it is told to.

    with OllamaDouble() as ollama:
        ollama.say("Paris [1].", Script("slow", wait=2.0), fail(500, "out of memory"))
        ...                              # talk to ollama.url
        assert ollama.chats[0].messages[-1]["content"] == "..."

Replies come from a queue, then from a function of the request; or from a real language model, where
its `generator` is made one (`llama.LlamaGenerator`). It speaks as its `version` of Ollama does.
"""

from testing.ollama_double.models import DoubleModel
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.script import Reply, Script, fail
from testing.ollama_double.server import OllamaDouble, refused_url

__all__ = ["DoubleModel", "OllamaDouble", "Recorded", "Reply", "Script", "fail", "refused_url"]
