"""The peers that are compared, and where each one's pipeline and environment are."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers import environments

OURS = "this_program"


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer; its pipeline is `benchmarks/peers/MODULE.py`, run in the environment `key`."""

    key: str
    name: str
    module: str

    @property
    def is_ours(self) -> bool:
        """Whether it is this program, which runs where the benchmark runs."""
        return self.key == OURS

    def command(self, folder: Path) -> list[str | Path]:
        """Return what starts its pipeline; its environment in `folder` is made where needed."""
        here = Path(sys.executable)
        python = here if self.is_ours else environments.python_of(self.key, folder)
        return [python, "-m", f"benchmarks.peers.{self.module}"]

    def description(self) -> str:
        """Return what its pipeline does, as its module says; the module is not imported."""
        source = Path(__file__).with_name(f"{self.module}.py").read_text(encoding="utf-8")
        return ast.get_docstring(ast.parse(source)) or ""


PEERS = {
    peer.key: peer
    for peer in (
        Peer(OURS, "this program", "this_program"),
        Peer("langchain", "LangChain", "langchain_pipeline"),
        Peer("llamaindex", "LlamaIndex", "llamaindex_pipeline"),
        Peer("haystack", "Haystack", "haystack_pipeline"),
        Peer("txtai", "txtai", "txtai_pipeline"),
        Peer("openwebui", "Open WebUI", "openwebui_pipeline"),
    )
}
