"""The models that a double has installed, as `/api/tags` and `/api/show` describe them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from testing.ollama_double.versions import Behaviour

_FOR_GOOD = 1e9  # seconds

OPEN_TEMPLATE = (
    "{{- range $i, $_ := .Messages }}{{- $last := eq (len (slice $.Messages $i)) 1 -}}"
    "<|im_start|>{{ .Role }}\n{{ .Content }}"
    '{{ if or (ne .Role "assistant") (not $last) }}<|im_end|>\n{{ end }}'
    '{{- if and (ne .Role "assistant") $last }}<|im_start|>assistant\n{{ end }}{{- end }}'
)
CLOSED_TEMPLATE = (
    "{{- range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}"
    "<|im_start|>assistant\n"
)


@dataclass(frozen=True, slots=True)
class DoubleModel:
    """An installed model.

    `refuses_think` answers 400 to any `think`, as some servers do for models that cannot think;
    without it only `think: true` is refused. `has_parser` is a thinking model whose replies Ollama
    itself takes apart. `template` is what `/api/show` gives out; lists begin with the model that
    was `modified` last. A model with a `remote_host` or a `remote_model` is one that Ollama passes
    on to its cloud. Other `weights` give it another digest.
    """

    name: str
    capabilities: tuple[str, ...] = ("completion",)
    context_length: int = 131072
    family: str = "llama"
    parameters: str = "3.2B"
    size: int = 2_019_393_189
    dimensions: int = 384
    refuses_think: bool = False
    has_parser: bool = False
    template: str = OPEN_TEMPLATE
    remote_host: str = ""
    remote_model: str = ""
    weights: str = ""
    modified: str = "2026-11-01T10:00:00.000000000Z"

    @property
    def can_think(self) -> bool:
        """Whether it may be told to think."""
        return "thinking" in self.capabilities

    @property
    def is_remote(self) -> bool:
        """Whether it runs elsewhere."""
        return bool(self.remote)

    @property
    def remote(self) -> dict[str, str]:
        """What lists and replies say of where it runs."""
        told = {"remote_host": self.remote_host, "remote_model": self.remote_model}
        return {name: value for name, value in told.items() if value}

    @property
    def digest(self) -> str:
        """What stands for the weights."""
        return hashlib.sha256((self.name + self.weights).encode()).hexdigest()

    @property
    def details(self) -> dict[str, Any]:
        """Return the part that all listings share."""
        return {
            "parent_model": "",
            "format": "gguf",
            "family": self.family,
            "families": [self.family],
            "parameter_size": self.parameters,
            "quantization_level": "Q4_K_M",
        }

    def listed(self, behaviour: Behaviour | None = None) -> dict[str, Any]:
        """Return this model's row of `/api/tags`."""
        sizes = {"context_length": self.context_length, "embedding_length": self.dimensions}
        row: dict[str, Any] = {
            "name": self.name,
            "model": self.name,
            "modified_at": self.modified,
            "size": self.size,
            "digest": self.digest,
            "details": self.details,
        }
        if behaviour and behaviour.lists_capabilities:
            row["details"] = self.details | sizes
            row["capabilities"] = list(self.capabilities)
        return row | self.remote

    def running(self, context: int, stays: float) -> dict[str, Any]:
        """Return this model's row of `/api/ps`; it `stays` for seconds."""
        until = datetime.now(UTC) + timedelta(seconds=min(stays, _FOR_GOOD))
        return {
            "name": self.name,
            "model": self.name,
            "size": self.size,
            "digest": self.digest,
            "details": self.details,
            "expires_at": until.isoformat().replace("+00:00", "Z"),
            "size_vram": 0,
            "context_length": context,
        }

    def shown(self) -> dict[str, Any]:
        """Return the answer of `/api/show`."""
        return {  # without what is empty
            "modelfile": f"FROM {self.name}",
            "template": self.template,
            "details": self.details,
            "model_info": {
                "general.architecture": self.family,
                f"{self.family}.context_length": self.context_length,
                f"{self.family}.embedding_length": self.dimensions,
                f"{self.family}.block_count": 28,
                f"{self.family}.attention.head_count": 24,
                f"{self.family}.attention.head_count_kv": 8,
                f"{self.family}.attention.key_length": 128,
            },
            "capabilities": list(self.capabilities),
            "modified_at": self.modified,
        } | self.remote


CHAT = DoubleModel("llama3.2:3b")
SMALL = DoubleModel("smollm2:135m", context_length=8192, parameters="134.52M", dimensions=576)
"""What the real language model of `testing.llama_server` is listed as."""

EMBEDDING = DoubleModel(
    "all-minilm:latest", ("embedding",), 256, "bert", "23M", size=45_960_996, dimensions=384
)


def full_name(name: str) -> str:
    """Return a model's name with its tag, as Ollama completes it."""
    return name if ":" in name.rsplit("/", 1)[-1] else f"{name}:latest"
