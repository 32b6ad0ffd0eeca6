"""Lists the models that are there, built in or in Ollama, and those that can be had."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from desktop_rag.commands.consent_check import any_consent
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, NotAllowed
from desktop_rag.core.events import Event, IndexProgress, ListingRow, Notice
from desktop_rag.core.ollama_records import InstalledModel
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import DescribeRequest
from desktop_rag.models.hugging_face import fetch, install_hint
from desktop_rag.models.model_loader import OLLAMA_PREFIX, available_models
from desktop_rag.models.model_server import find_server
from desktop_rag.models.ollama import OllamaServer
from desktop_rag.models.ollama.model_suggestions import SUGGESTED
from desktop_rag.workspace import Workspace

_ANY_EMBEDDER = "any bi-encoder of sentence-transformers"
_ANY_RERANKER = "any cross-encoder of sentence-transformers"
_TITLE = "A folder or a name, with --set {setting}=…; --get NAME fetches it"


def run(
    workspace: Workspace,
    request: DescribeRequest,
    token: CancelToken,
) -> Iterator[Event]:
    """Yield a row for each model: `kind`, `name`, `title`, `there`, `remedy`, and its facts.

    A model that is to be got is fetched first.
    """
    if request.get:
        yield from _fetched(workspace, request.get, token)
    for row in available_models():
        yield _row(**row)
    yield _extra("embedder", _ANY_EMBEDDER, "models.embedder")
    yield _extra("reranker", _ANY_RERANKER, "retrieval.reranker")
    yield from _of_server(workspace, token)


def _row(
    kind: str, name: str, title: str, *, there: bool, remedy: str = "", **more: Any
) -> ListingRow:
    made = {"kind": kind, "name": name, "title": title, "there": there, "remedy": remedy}
    return ListingRow(made | more)


def _extra(kind: str, name: str, setting: str) -> ListingRow:
    """Tell whether models that a user names can be loaded."""
    is_there = _has_extra()
    how = "" if is_there else install_hint()
    return _row(kind, name, _TITLE.format(setting=setting), there=is_there, remedy=how)


def _has_extra() -> bool:
    return find_spec("sentence_transformers") is not None


def _fetched(workspace: Workspace, name: str, token: CancelToken) -> Iterator[Event]:
    """Fetch a model that the user named, who so agrees to it: nothing of theirs is sent."""
    if workspace.settings.privacy.block_remote:
        raise NotAllowed(
            Phrase("The model “{0}” is on another computer, and those are blocked.", name),
            "Allow them on the settings' page “Privacy”, or copy the model's folder here.",
        )
    if not _has_extra():
        what = "sentence-transformers, which loads such models, is missing."
        raise ModelUnavailable(what, install_hint())
    done = total = 0
    for done, total in fetch(name, token):
        yield IndexProgress(done, total, name, "fetch", 0, 0.0, None)
    yield Notice(Phrase("The model “{0}” is here.", name))


def _of_server(workspace: Workspace, token: CancelToken) -> Iterator[Event]:
    """Yield what the server has; and what would do, where Ollama has nothing that answers."""
    try:
        server = find_server(workspace.settings, any_consent(workspace), token)
        models = server.models(token)
    except ModelUnavailable as problem:
        yield _row("language", "ollama", problem.what, there=False, remedy=problem.remedy)
        return
    is_ollama = isinstance(server, OllamaServer)
    for model in models:
        if is_ollama or model.can_chat:  # of others none embeds here
            yield _installed(model, server.title)
    if is_ollama and not any(model.can_chat for model in models):
        for each in SUGGESTED:
            remedy = Phrase("Run `ollama pull {0}`.", each.name)
            title = Phrase("{0}; {1} GB", each.title, f"{each.size / 1e9:.1f}")
            yield _row(each.kind, each.name, title, there=False, remedy=remedy, memory=each.memory)


def _installed(model: InstalledModel, server: str) -> ListingRow:
    title = " ".join(filter(None, (model.family, model.parameters, model.quantization)))
    facts: dict[str, Any] = {"size": model.size, "server": server.lower(), "place": model.cloud}
    if model.runs_elsewhere:
        title = Phrase("{0} runs at {1}", title, model.cloud).strip()
    if model.can_chat:
        return _row("language", model.name, title, there=True, **facts)
    return _row(
        "embedder", model.name, title, there=True, setting=f"{OLLAMA_PREFIX}{model.name}", **facts
    )
