"""What the double was sent, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from desktop_rag.models.ollama.turn_continuation import GO_ON


@dataclass(slots=True)
class Recorded:
    """One request.

    `prompt` is what is left for the model after truncation, `prompt_tokens` its true length and
    `dropped` the number of messages that did not fit. `remote` is what its reply says of where it
    was made, if elsewhere. `lacks_room` says that a language model was asked for more tokens than
    the context had left. `abandoned` says that the client went away before the reply was whole,
    `sent` is the text that it got until then.
    """

    method: str
    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    prompt: str = ""
    prompt_tokens: int = 0
    dropped: int = 0
    lacks_room: bool = False
    sent: str = ""
    abandoned: bool = False
    finished: bool = False
    remote: dict[str, str] = field(default_factory=dict)
    seen: list[dict[str, str]] = field(default_factory=list)

    @property
    def model(self) -> str:
        """The model's name as it was asked for."""
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages of a chat, as sent."""
        return list(self.body.get("messages") or [])

    @property
    def options(self) -> dict[str, Any]:
        """The options: num_ctx, temperature, stop …"""
        return dict(self.body.get("options") or {})

    @property
    def prefill(self) -> str:
        """The beginning that the model is to continue, in its turn or the user's; "" for none."""
        last = self.messages[-1:]
        if not last or last[0]["role"] == "assistant":
            return last[0]["content"] if last else ""
        behind = [last[0]["content"].partition(asked.lstrip())[2] for asked in GO_ON.values()]
        return next(filter(None, behind), "")

    def said(self, role: str) -> str:
        """Return the last message of a role, empty where there is none."""
        return next((m["content"] for m in reversed(self.messages) if m["role"] == role), "")
