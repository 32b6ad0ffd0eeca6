"""A model's choice as an object: asked for by a JSON schema, checked, and repaired once.

What is asked for may be how probable each value of a field was, instead of the likeliest alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop_rag.core.phrases import Phrase
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.strategies.base import Generated, Steps, ValueProbabilities
from desktop_rag.strategies.choice_probabilities import choice_probabilities

Schema = Mapping[str, Any]
Generate = Callable[[Sequence[Message], str, GenerationOptions], Steps[Generated]]

_TOKENS = 400  # of a decision: short, and without thinking
_BOUNDS: Mapping[str, dict[str, Any]] = {
    "object": {"additionalProperties": False},
    "array": {"maxItems": 32},
    "string": {"maxLength": 600},
}
_ALTERNATIVES = 20  # as many as a server tells


def generate_object(
    generate: Generate, messages: Sequence[Message], purpose: str, schema: Schema, prompts: Prompts
) -> Steps[dict[str, Any] | None]:
    """Return the object that a model replies with, None where it twice breaks the form.

    Servers hold a model to the schema, but not all do, and a reply can be cut off: of a list that
    was, what was finished is kept. What a schema leaves open is bounded for the server.
    """
    options = GenerationOptions(_TOKENS, schema=dict(schema))
    found, _ = yield from _fitting(generate, messages, purpose, options, prompts)
    return found


def weigh_values(
    generate: Generate, messages: Sequence[Message], purpose: str, schema: Schema, prompts: Prompts
) -> Steps[ValueProbabilities | None]:
    """Return how probable each value of each field was, by the tokens that could stand there.

    Every field must be required. Its value is weighed with what was chosen for those before it.
    None as `generate_object`.
    """
    options = GenerationOptions(
        _TOKENS, logprobs=True, alternatives=_ALTERNATIVES, schema=dict(schema)
    )
    found, reply = yield from _fitting(generate, messages, purpose, options, prompts)
    if found is None:
        return None
    fields = schema["properties"]
    return {each: _weighed(each, found[each], fields[each], reply) for each in fields}


def _bounded(schema: Any) -> Any:
    """Return a schema in which lists and texts have an end, and objects no other fields."""
    if not isinstance(schema, Mapping):
        return schema
    made: dict[str, Any] = {
        key: {name: _bounded(each) for name, each in value.items()}
        if key == "properties"
        else _bounded(value)
        for key, value in schema.items()
    }
    kind = {} if "enum" in made else _BOUNDS.get(str(made.get("type")), {})
    return made | {key: value for key, value in kind.items() if key not in made}


def _fitting(
    generate: Generate,
    messages: Sequence[Message],
    purpose: str,
    options: GenerationOptions,
    prompts: Prompts,
) -> Steps[tuple[dict[str, Any] | None, Generated]]:
    """Return the object that fits, None for none, and the last reply."""
    schema = options.schema or {}
    options = replace(options, schema=_bounded(schema))
    reply = yield from generate(messages, purpose, options)
    found = _object(reply.text, schema)
    if found is None:
        said = Message("assistant", reply.text or "{}")
        wrong = Message("user", prompts.text("structured_output/repair", form=json.dumps(schema)))
        reply = yield from generate(
            [*messages, said, wrong], Phrase("{0}, again", purpose), options
        )
        found = _object(reply.text, schema)
    return found, reply


def _weighed(name: str, chosen: Any, field: Schema, reply: Generated) -> dict[Any, float]:
    """Return the probability of each value that a field may have; 1.0 for one of which no more
    is known.
    """
    written = {json.dumps(value).strip('"'): value for value in _values(field)}
    text = "".join(token for token, _ in reply.tokens)
    place = re.search(rf'"{re.escape(name)}"\s*:\s*"?(?P<value>[^"\s,}}]+)', text)
    found = choice_probabilities(reply, place.span("value"), tuple(written)) if place else {}
    return {written[each]: p for each, p in found.items()} or {chosen: 1.0}


def _values(field: Schema) -> Sequence[Any]:
    """Return the values that a field may have, none where they are not told."""
    if "enum" in field:
        return list(field["enum"])
    if field.get("type") == "boolean":
        return [True, False]
    is_bounded = "minimum" in field and "maximum" in field
    return range(field["minimum"], field["maximum"] + 1) if is_bounded else ()


def _object(text: str, schema: Schema) -> dict[str, Any] | None:
    """Return the first object in a text, if it fits; of a broken list what was finished."""
    from jsonschema import Draft202012Validator

    begin = text.find("{")
    if begin < 0:
        return None
    try:
        found, _ = json.JSONDecoder().raw_decode(text[begin:])
    except ValueError:
        found = _finished_items(text[begin:], schema)
    return found if Draft202012Validator(schema).is_valid(found) else None


def _finished_items(text: str, schema: Schema) -> dict[str, Any] | None:
    """Return an object of one list with the items that stand whole in a text, None without any."""
    (name, *others) = schema.get("properties", {}) or ("",)
    opening = re.match(rf'\{{\s*"{re.escape(name)}"\s*:\s*\[', text)
    if others or opening is None:
        return None
    items: list[Any] = []
    at = opening.end()
    while True:
        at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n,"))
        try:
            item, at = json.JSONDecoder().raw_decode(text, at)
        except ValueError:
            return {name: items} if items else None
        items.append(item)
