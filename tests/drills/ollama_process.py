"""An Ollama in a process that can be killed.

python -m tests.drills.ollama_process PORT MODEL PACE
"""

from __future__ import annotations

import sys
import threading
from dataclasses import replace

from testing.ollama_double.models import CHAT
from testing.ollama_double.script import Script
from testing.ollama_double.server import OllamaDouble

TEXT = "The harbour was built long ago, and nobody remembers by whom [1]. "


def main(port: int, model: str, pace: float) -> None:
    """Answer every question with the same slow text, until killed."""
    double = OllamaDouble(replace(CHAT, name=model), port=port)
    double.otherwise = Script(TEXT * 30, pace=pace)
    with double:
        sys.stdout.write(f"{double.url}\n")
        sys.stdout.flush()
        threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]))
