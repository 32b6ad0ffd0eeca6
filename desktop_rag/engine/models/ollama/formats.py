"""Raw prompts: the marks that the common model families put around messages.

A raw prompt goes to the model as it is, so a half-written answer at its end is always continued.
The family is told from the model's own template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.engine.models.protocols import Message


@dataclass(frozen=True, slots=True)
class Format:
    """One family's marks. `sign` is what its template holds; `system` False folds it into user."""

    sign: str
    before: str
    after: str
    start: str = ""
    assistant: str = "assistant"
    system: bool = True

    def render(self, messages: Sequence[Message]) -> str:
        """Return the prompt, its last message left open."""
        made = self.start
        for index, message in enumerate(self._folded(messages)):
            role = self.assistant if message.role == "assistant" else message.role
            made += self.before.format(role=role) + message.content
            made += "" if index == self._last(messages) else self.after
        return made

    def _folded(self, messages: Sequence[Message]) -> list[Message]:
        if self.system or not messages or messages[0].role != "system":
            return list(messages)
        first, second, *rest = messages
        return [Message(second.role, f"{first.content}\n\n{second.content}"), *rest]

    def _last(self, messages: Sequence[Message]) -> int:
        return len(self._folded(messages)) - 1


_FORMATS = (
    Format("<|start_header_id|>", "<|start_header_id|>{role}<|end_header_id|>\n\n", "<|eot_id|>"),
    Format("<|im_start|>", "<|im_start|>{role}\n", "<|im_end|>\n"),
    Format(
        "<start_of_turn>", "<start_of_turn>{role}\n", "<end_of_turn>\n", "", "model", system=False
    ),
    Format("<|end|>", "<|{role}|>\n", "<|end|>\n"),
)


def format_of(template: str) -> Format | None:
    """Return the format of a model's template, None for a family that is not known here."""
    return next((each for each in _FORMATS if each.sign in template), None)


def keeps_open(template: str) -> bool:
    """Whether a template leaves a last message of the assistant open, so far as it shows.

    Templates over `.Messages` must ask for the last one to do so; the older kind, with
    `.Response`, is cut there by the server; a template with neither is drawn by the server itself.
    """
    return ".Messages" not in template or "$last" in template or "slice $.Messages" in template
