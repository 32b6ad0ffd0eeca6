"""What Ollama tells about its models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from desktop_rag.core.errors import NotAllowed
from desktop_rag.core.ollama_records import CLOUD, InstalledModel, RunningModel, is_cloud_name
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.unicode import valid_text
from desktop_rag.models.ollama.address import remote_blocked
from desktop_rag.models.ollama.reply_values import count, mapping, one_line

_KNOWS_LOCAL = (0, 18)
_Kind = TypeVar("_Kind", dict[str, Any], list[Any], str)


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far a download has come: bytes of the current `layer`, None between layers."""

    status: str
    completed: int | None = None
    total: int | None = None
    layer: str = ""


def full_name(name: str) -> str:
    """Return a model's name with its tag, as Ollama completes it."""
    return name if ":" in name.rsplit("/", 1)[-1] else f"{name}:latest"


def require_model_consent(model: InstalledModel, consent: Consent) -> None:
    """Raise `NotAllowed` for a model that runs elsewhere, unless the user has agreed."""
    if model.runs_elsewhere:
        _require_consent(
            model.name,
            model.cloud,
            consent,
            "Choose another model, or allow it for the knowledge base on the settings' page "
            "“Privacy” (allow_remote=true on the command line).",
        )


def require_pull_consent(name: str, consent: Consent) -> None:
    """Raise `NotAllowed` for the name of a model in the cloud, unless the user has agreed."""
    if is_cloud_name(name):
        _require_consent(
            name,
            CLOUD,
            consent,
            "Choose a model that runs on this computer, or allow this one where a language model "
            "is set up step by step.",
        )


def _require_consent(name: str, place: str, consent: Consent, remedy: str) -> None:
    if consent.covers(place):
        return
    if consent.blocked:
        raise remote_blocked(place)
    raise NotAllowed(
        Phrase(
            "{0} runs at {1}, not on this computer: questions and passages of your "
            "documents would be sent there.",
            name,
            place,
        ),
        remedy,
    )


def local_name(model: InstalledModel, version: str) -> str:
    """Return the name to ask for a model by, so that the server itself refuses to pass it on.

    Servers from 0.18 on know `NAME:local`; what is meant to run elsewhere keeps its name.
    """
    numbers = re.match(r"(\d+)\.(\d+)", version)
    knows = numbers is not None and (int(numbers[1]), int(numbers[2])) >= _KNOWS_LOCAL
    return f"{model.name}:local" if knows and not model.runs_elsewhere else model.name


def read_listed(row: dict[str, Any]) -> InstalledModel:
    """Read a row of the list of models."""
    details = mapping(row.get("details"))
    return InstalledModel(
        name=_name(row),
        size=count(row.get("size")) or 0,
        digest=one_line(row.get("digest")),
        family=one_line(details.get("family")),
        parameters=one_line(details.get("parameter_size")),
        quantization=one_line(details.get("quantization_level")),
        remote_host=_told(row, "remote_host"),
        remote_model=_told(row, "remote_model"),
    )


def read_running(row: dict[str, Any]) -> RunningModel:
    """Read a row of the list of loaded models."""
    return RunningModel(
        name=_name(row),
        size=count(row.get("size")) or 0,
        context_length=count(row.get("context_length")) or None,
    )


def _name(row: dict[str, Any]) -> str:
    """Return a model's name on one line: what Ollama itself would refuse as one is not seen."""
    name = row.get("model") or row["name"]
    if not isinstance(name, str):
        message = "a model's name is no text"
        raise TypeError(message)
    return one_line(name)


def _told(row: Mapping[str, Any], field: str) -> str:
    """Return a field on one line, empty where there is none."""
    return one_line(row.get(field) or "")


def with_details(model: InstalledModel, told: Mapping[str, Any]) -> InstalledModel:
    """Add what the server's `show` tells; `TypeError` where a part is not of its kind."""
    info = _of_kind(told, "model_info", dict)
    lengths = [value for key, value in info.items() if key.endswith(".context_length")]
    return replace(
        model,
        capabilities=frozenset(map(one_line, _of_kind(told, "capabilities", list))),
        context_length=(count(lengths[0]) or None) if lengths else None,
        template=valid_text(_of_kind(told, "template", str)),
        token_bytes=_token_bytes(info),
        remote_host=_told(told, "remote_host") or model.remote_host,
        remote_model=_told(told, "remote_model") or model.remote_model,
    )


def _of_kind(told: Mapping[str, Any], name: str, kind: type[_Kind]) -> _Kind:
    """Return a part of a reply, empty where there is none."""
    value = told.get(name)
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise TypeError(f"{name} is no {kind.__name__}")
    return value


def _token_bytes(info: Mapping[str, Any]) -> int | None:
    """Return what keys and values of one token take in 16 bits, over all layers."""
    facts = {key.partition(".")[2]: value for key, value in info.items()}
    heads = count(facts.get("attention.head_count"))
    layers, width = count(facts.get("block_count")), count(facts.get("embedding_length"))
    if heads is None or layers is None or width is None:
        return None
    kept = count(facts.get("attention.head_count_kv") or heads)
    head = count(facts.get("attention.key_length") or width // max(1, heads))
    if kept is None or head is None:
        return None  # some models have a list of them
    return count(2 * 2 * layers * kept * head)
