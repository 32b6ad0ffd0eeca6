"""The main job from the first file to the cited answer, typed in a process without a network.

Run by `test_offline` inside `tests.network_guard`'s own network: prints one JSON object.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from testing.ollama_double import OllamaDouble
from tests.system.terminal import Terminal, Typed

QUESTION = "What is the monthly rent?"


def main(home: Path, documents: Path) -> None:
    """Index, search, ask without and with a language model, look after the rest."""
    quiet = Terminal(home, is_forked=False)
    done = {
        "index": quiet.type("index", documents, "--json"),
        "search": quiet.type("search", QUESTION, "--json"),
        "quoted": quiet.type("ask", QUESTION, "--json"),
        "rebuild": quiet.type("kb", "rebuild", "--json"),
        "models": quiet.type("models", "--json"),
        "doctor": quiet.type("doctor", "--json"),
    }
    with OllamaDouble() as ollama:
        done["written"] = Terminal(home, ollama.url, is_forked=False).type(
            "ask", QUESTION, "--json"
        )
        asked = [chat.path for chat in ollama.chats]
    sys.stdout.write(json.dumps({name: told(each) for name, each in done.items()}) + "\n")
    sys.stdout.write(json.dumps(asked) + "\n")


def told(typed: Typed) -> dict[str, object]:
    """Return what a test looks at."""
    return {"status": typed.status, "last": typed.lines[-1:], "err": typed.err[-2000:]}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
