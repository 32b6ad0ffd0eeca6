"""A model's choice as an object: asked for by a JSON schema, checked, and repaired once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from desktop_rag.core.phrases import Phrase
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.strategies.base import Generated, Steps

Schema = Mapping[str, Any]
Generate = Callable[[Sequence[Message], str, GenerationOptions], Steps[Generated]]

_TOKENS = 400  # of a decision: short, and without thinking


def generate_object(
    generate: Generate, messages: Sequence[Message], purpose: str, schema: Schema, prompts: Prompts
) -> Steps[dict[str, Any] | None]:
    """Return the object that a model replies with, None where it twice breaks the form.

    Servers hold a model to the schema, but not all do, and a reply can be cut off.
    """
    options = GenerationOptions(_TOKENS, schema=dict(schema))
    reply = yield from generate(messages, purpose, options)
    found = _object(reply.text, schema)
    if found is None:
        said = Message("assistant", reply.text or "{}")
        wrong = Message("user", prompts.text("structured_output/repair", form=json.dumps(schema)))
        reply = yield from generate(
            [*messages, said, wrong], Phrase("{0}, again", purpose), options
        )
        found = _object(reply.text, schema)
    return found


def _object(text: str, schema: Schema) -> dict[str, Any] | None:
    """Return the first object in a text, if it fits."""
    from jsonschema import Draft202012Validator

    begin = text.find("{")
    if begin < 0:
        return None
    try:
        found, _ = json.JSONDecoder().raw_decode(text[begin:])
    except ValueError:
        return None
    return found if Draft202012Validator(schema).is_valid(found) else None
