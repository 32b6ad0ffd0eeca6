"""With what answers are measured: model, server, settings, computer, program, questions."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from desktop_rag.core import version
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.ollama_records import InstalledModel, total_memory
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings_file import setting_declarations, value_of
from desktop_rag.evaluation.builtin_questions import builtin_checksum
from desktop_rag.models.model_server import ModelServer, find_server
from desktop_rag.models.ollama.model_info import require_model_consent
from desktop_rag.workspace import Workspace

_OF_ANSWERS = ("retrieval.", "chunking.", "models.", "ollama.", "answering.")
_NOT_OF_ANSWERS = (
    "models.threads",
    "ollama.host",
    "ollama.model",  # its digest counts
    "ollama.keep_alive",
    "answering.strategy",  # each way is named
)
_DIGITS = 12
_GIGABYTE = 1 << 30


@dataclass(frozen=True, slots=True)
class AnswersSetup:
    """The setup of a run; `model` is empty where none is needed. `figures` can be shown to anybody:
    no path and no name of a user or a computer is in it.
    """

    model: str
    server: ModelServer | None
    figures: Mapping[str, Any]
    settings: Mapping[str, str]

    def key(self, *, with_model: bool) -> dict[str, str]:
        """Return what an answer depends on, beside its question and its way."""
        names = ("program", "set", "embedder_version", *(("model", "digest") * with_model))
        chosen = self.settings.items()
        made = {key: value for key, value in chosen if with_model or not key.startswith("ollama.")}
        return made | {name: str(self.figures[name]) for name in names}

    def require_model(self, token: CancelToken) -> None:
        """Raise `ModelUnavailable` where the model or its server is gone."""
        if self.server is not None:
            self.server.show(self.model, token)


def answers_setup(
    workspace: Workspace,
    named: str,
    consent: Consent,
    token: CancelToken,
    *,
    needs_model: bool,
) -> AnswersSetup:
    """Return the setup; `ModelUnavailable` where a model is needed and there is none, `NotAllowed`
    where it runs elsewhere and nobody has agreed to that.
    """
    settings = workspace.settings
    server: ModelServer | None = None
    model, about = "", dict.fromkeys(("model", "digest", "parameters", "quantization", "server"))
    if needs_model:
        server = find_server(settings, consent, token)
        found = _model(workspace, server, named, consent, token)
        model = found.name
        about |= {
            "model": found.name,
            "digest": found.digest.removeprefix("sha256:")[:_DIGITS],
            "parameters": found.parameters,
            "quantization": found.quantization,
            "server": server.version(token) or server.title,
        }
    figures = about | {
        "program": version.installed(),
        "set": builtin_checksum(),
        "day": datetime.now().astimezone().date().isoformat(),
        "num_ctx": settings.ollama.num_ctx,
        "temperature": settings.ollama.temperature,
        "answer_tokens": settings.ollama.answer_tokens,
        "think": settings.ollama.think,
        "embedder": _short(settings.models.embedder),
        "embedder_version": workspace.models.embedder.fingerprint,
        "reranker": _short(settings.retrieval.reranker),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count() or 1,
        "memory_gb": round(total_memory() / _GIGABYTE),
    }
    keys = [each.key for each in setting_declarations() if each.key.startswith(_OF_ANSWERS)]
    kept = {key: str(value_of(settings, key)) for key in keys if key not in _NOT_OF_ANSWERS}
    return AnswersSetup(model, server, figures, kept)


def _model(
    workspace: Workspace,
    server: ModelServer,
    named: str,
    consent: Consent,
    token: CancelToken,
) -> InstalledModel:
    """Return what the server says of the model."""
    found = server.show(workspace.chat_model(named, consent).name, token)
    require_model_consent(found, consent)
    return found


def _short(model: str) -> str:
    """Return a model's name; of a folder its last part alone."""
    return Path(model).name if any(each in model for each in "\\/") else model
