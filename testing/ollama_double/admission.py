"""Which requests are admitted, and with what words others are refused, as `server/routes.go` does.

Names are read, and models found, as `cloud` does.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from testing.ollama_double import cloud
from testing.ollama_double.generator import GenerationFailed
from testing.ollama_double.models import DoubleModel

if TYPE_CHECKING:
    from testing.ollama_double.recorded import Recorded
    from testing.ollama_double.server import OllamaDouble

LEVELS = ("low", "medium", "high", "max")
"""How hard a model may be told to think."""

_LEVELS = '"high", "medium", "low", "max", true, or false'
_MOST_ALTERNATIVES = 20


def admitted(double: OllamaDouble, record: Recorded) -> DoubleModel:
    """Return the model that is asked; `GenerationFailed` where it can't be used, or not so."""
    _check_think_value(record.body.get("think"))
    if not 0 <= int(record.body.get("top_logprobs") or 0) <= _MOST_ALTERNATIVES:
        raise GenerationFailed(400, "top_logprobs must be between 0 and 20")
    is_chat = record.path == "/api/chat"
    if is_chat and not record.model.strip():
        raise GenerationFailed(400, "model is required")
    model = cloud.find(double, record)
    if model is None:
        raise GenerationFailed(404, f"model '{record.model}' not found")
    if record.remote and double.cloud_is_off:
        raise GenerationFailed(403, cloud.DISABLED)
    _check_ability(double, record, model)
    return model


def checked_form(form: Any) -> Any:
    """Return a `format` to hold a reply to; the error for a wrong one comes late, so as a 500."""
    if form in (None, "", "json") or isinstance(form, dict):
        return form
    told = json.dumps(json.dumps(form))
    wanted = 'expected "json" or a valid JSON Schema object'
    raise GenerationFailed(500, f"invalid format: {told}; {wanted}")


def _check_ability(double: OllamaDouble, record: Recorded, model: DoubleModel) -> None:
    think = record.body.get("think")
    if model.can_think:
        begun = record.messages[-1:] and record.messages[-1]["role"] == "assistant"
        if begun and think is not False and double.refuses_prefill:
            told = "Assistant response prefill is incompatible with enable_thinking."
            raise GenerationFailed(400, told)
    elif think or (think is False and model.refuses_think):
        raise GenerationFailed(400, f'"{record.model}" does not support thinking')
    if "completion" not in model.capabilities:
        what = "chat" if record.path == "/api/chat" else "generate"
        raise GenerationFailed(400, f'"{record.model}" does not support {what}')


def _check_think_value(think: Any) -> None:
    if isinstance(think, str) and think not in LEVELS:
        raise GenerationFailed(400, f"invalid think value: {json.dumps(think)} (must be {_LEVELS})")
    if think is not None and not isinstance(think, (bool, str)):
        raise GenerationFailed(400, f"think must be a boolean or string ({_LEVELS})")
