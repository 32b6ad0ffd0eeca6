"""What a model is sent to go on from: a chat, or a text as it stands."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.models.protocols import Message


@dataclass(frozen=True, slots=True)
class CompletionPrompt:
    """The messages of a chat, or `raw`: the very text that the model continues."""

    messages: tuple[Message, ...]
    raw: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """What is counted against the context."""
        return (self.raw,) if self.raw else tuple(each.content for each in self.messages)
