"""What servers of OpenAI's protocol tell about their models, each in its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from desktop_rag.core.ollama_records import InstalledModel
from desktop_rag.models.ollama.reply_values import count, mapping, one_line

_MOST_MODELS = 500


class ServerProduct(Enum):
    """Which program a server is; its value is what it is called."""

    LLAMA_CPP = "llama.cpp"
    LM_STUDIO = "LM Studio"
    VLLM = "vLLM"
    OTHER = "OpenAI-compatible server"


_OWNERS = {
    "llamacpp": ServerProduct.LLAMA_CPP,
    "vllm": ServerProduct.VLLM,
    "organization_owner": ServerProduct.LM_STUDIO,
    "organization-owner": ServerProduct.LM_STUDIO,
}


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model that a server offers.

    `context` is the context in force in tokens, None where the server does not tell or the model is
    not loaded; `is_loaded` is None where it does not tell that.
    """

    facts: InstalledModel
    context: int | None = None
    is_loaded: bool | None = None


def product_of(rows: Sequence[Mapping[str, Any]]) -> ServerProduct:
    """Return which program lists models so."""
    owners = (one_line(row.get("owned_by")).lower() for row in rows)
    return next((_OWNERS[each] for each in owners if each in _OWNERS), ServerProduct.OTHER)


def lists_as_ollama(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether a model is of Ollama's own library, which it names as the owner."""
    return any(row.get("owned_by") == "library" for row in rows)


def rows_of(told: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the rows of `/v1/models`; `TypeError` or `KeyError` for what is no such list."""
    rows = told["data"]
    if not isinstance(rows, list):
        message = "data is no list"
        raise TypeError(message)
    kept = rows[:_MOST_MODELS]
    if not all(isinstance(row, dict) and _is_name(row.get("id")) for row in kept):
        message = "a model has no name"
        raise TypeError(message)
    return kept


def read_model(row: Mapping[str, Any]) -> ServedModel:
    """Read a row of `/v1/models`, with what llama.cpp and vLLM add to it."""
    meta = mapping(row.get("meta"))
    window = count(row.get("max_model_len")) or None
    parameters = count(meta.get("n_params"))
    facts = InstalledModel(
        name=one_line(row["id"]),
        size=count(meta.get("size")) or 0,
        digest="",
        family="",
        parameters=_parameter_text(parameters) if parameters else "",
        quantization=one_line(meta.get("ftype")),
        context_length=count(meta.get("n_ctx_train")) or window,
    )
    return ServedModel(facts, window, True if window else None)


def with_slot(model: ServedModel, props: Mapping[str, Any]) -> ServedModel:
    """Add the context that llama.cpp gives one request, as its `/props` tell it."""
    slot = count(mapping(props.get("default_generation_settings")).get("n_ctx"))
    return replace(model, context=slot or model.context, is_loaded=True)


def studio_rows(told: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the rows of LM Studio's own list, `/api/v0/models`, by model."""
    rows = told.get("data")
    kept = map(mapping, rows[:_MOST_MODELS] if isinstance(rows, list) else ())
    return {one_line(row.get("id")): row for row in kept if "state" in row}


def with_studio(model: ServedModel, rows: Mapping[str, Mapping[str, Any]]) -> ServedModel:
    """Add what LM Studio's own list tells of a model."""
    row = rows.get(model.facts.name)
    if row is None:
        return model
    is_embedder = row.get("type") == "embeddings"
    facts = replace(
        model.facts,
        family=one_line(row.get("arch")),
        quantization=one_line(row.get("quantization")),
        capabilities=frozenset({"embedding"} if is_embedder else {"completion"}),
        context_length=count(row.get("max_context_length")) or None,
    )
    is_loaded = row.get("state") == "loaded"
    context = (count(row.get("loaded_context_length")) or None) if is_loaded else None
    return ServedModel(facts, context, is_loaded)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _parameter_text(parameters: int) -> str:
    """Return a count as lists of models have it, `134.5M`."""
    for size, sign in ((10**9, "B"), (10**6, "M"), (10**3, "K")):
        if parameters >= size:
            return f"{parameters / size:.1f}{sign}"
    return str(parameters)
