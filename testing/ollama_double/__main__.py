"""Run the double by hand: `python -m testing.ollama_double --port 11434`.

Without `--reply` it answers by quoting the passages it is given, slowly, so that a person can
watch the program work (and make pictures of it) where no Ollama is installed. With `--real` a small
language model answers, if badly.
"""

from __future__ import annotations

import argparse
import sys
import threading
from contextlib import ExitStack
from dataclasses import replace

from testing.llama_server import LlamaServer
from testing.ollama_double.llama import LlamaGenerator
from testing.ollama_double.models import CHAT
from testing.ollama_double.quoting import quote_best
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.script import Script
from testing.ollama_double.server import OllamaDouble


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m testing.ollama_double", description=__doc__)
    parser.add_argument("--port", type=int, default=11434)
    parser.add_argument("--model", default=CHAT.name)
    parser.add_argument("--reply", help="say this to every question")
    parser.add_argument("--pace", type=float, default=0.05, help="seconds between tokens")
    parser.add_argument("--wait", type=float, default=0.4, help="seconds before the first token")
    parser.add_argument("--real", action="store_true", help="let a real language model answer")
    chosen = parser.parse_args()

    def reply(request: Recorded) -> Script:
        text = chosen.reply or quote_best(request)
        return Script(text, wait=chosen.wait, pace=chosen.pace)

    double = OllamaDouble(replace(CHAT, name=chosen.model), port=chosen.port)
    double.otherwise = reply
    with ExitStack() as running:
        if chosen.real:
            double.generator = LlamaGenerator(running.enter_context(LlamaServer()).url)
            double.ends_repetition = True
        running.enter_context(double)
        sys.stdout.write(f"OLLAMA_HOST={double.url}\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            sys.stdout.write("\n")


if __name__ == "__main__":
    main()
