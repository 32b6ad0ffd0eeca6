"""Lists the models that are there, built in or in Ollama, and those that can be had."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Event, Row
from desktop_rag.core.requests import DescribeRequest
from desktop_rag.engine.models.ollama import InstalledModel, OllamaServer, resolve_host
from desktop_rag.engine.models.ollama.suggested import SUGGESTED
from desktop_rag.engine.models.registry import OLLAMA, available
from desktop_rag.engine.operations.consent import any_consent
from desktop_rag.engine.workspace import Workspace

_ANY_EMBEDDER = "any sentence-transformers model"


def run(
    workspace: Workspace,
    request: DescribeRequest,  # noqa: ARG001 (every operation is called alike)
    token: CancelToken,
) -> Iterator[Event]:
    """Yield a row for each model: `kind`, `name`, `title`, `there`, `remedy`, and its facts."""
    for row in available():
        yield _row(**row)
    yield _extra()
    yield from _of_ollama(workspace, token)


def _row(kind: str, name: str, title: str, *, there: bool, remedy: str = "", **more: Any) -> Row:
    made = {"kind": kind, "name": name, "title": title, "there": there, "remedy": remedy}
    return Row(made | more)


def _extra() -> Row:
    """Tell whether models that a user names can be loaded."""
    is_there = find_spec("sentence_transformers") is not None
    remedy = "" if is_there else "Install the extra: desktop-rag[sentence-transformers]."
    title = "A folder or a name, with --set models.embedder=…"
    return _row("embedder", _ANY_EMBEDDER, title, there=is_there, remedy=remedy)


def _of_ollama(workspace: Workspace, token: CancelToken) -> Iterator[Event]:
    """Yield what Ollama has; and what would do, where it has nothing that answers."""
    try:
        server = OllamaServer(resolve_host(workspace.settings), any_consent(workspace))
        models = server.models(token)
    except ModelUnavailable as problem:
        yield _row("language", "ollama", problem.what, there=False, remedy=problem.remedy)
        return
    for model in models:
        yield _installed(model)
    if not any(model.can_chat for model in models):
        for each in SUGGESTED:
            remedy = f"Run `ollama pull {each.name}`."
            title = f"{each.title}; {each.size / 1e9:.1f} GB"
            yield _row(each.kind, each.name, title, there=False, remedy=remedy, memory=each.memory)


def _installed(model: InstalledModel) -> Row:
    title = " ".join(filter(None, (model.family, model.parameters, model.quantization)))
    facts: dict[str, Any] = {"size": model.size, "server": "ollama"}
    if model.can_chat:
        return _row("language", model.name, title, there=True, **facts)
    return _row("embedder", model.name, title, there=True, setting=f"{OLLAMA}{model.name}", **facts)
