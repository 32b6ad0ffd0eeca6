"""Raw prompts: the marks that the common model families put around messages.

A raw prompt goes to the model as it is, so a half-written answer at its end is always continued.
The family is told from the model's own template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.models.protocols import Message

_SYSTEM, _USER, _ASSISTANT = "system", "user", "assistant"


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """One family: what its template holds, and the marks before and after each role's text.

    A family without marks for the system's text gets it before the user's.
    """

    sign: str
    user: tuple[str, str]
    assistant: tuple[str, str]
    system: tuple[str, str] | None = None

    def render(self, messages: Sequence[Message]) -> str:
        """Return the prompt, its last message left open."""
        marks = {_USER: self.user, _ASSISTANT: self.assistant, _SYSTEM: self.system or self.user}
        parts = [(marks[each.role], each.content) for each in self._folded(messages)]
        closed = "".join(before + text + after for (before, after), text in parts)
        return closed.removesuffix(parts[-1][0][1]) if parts else ""

    def _folded(self, messages: Sequence[Message]) -> list[Message]:
        if self.system or len(messages) < 2 or messages[0].role != _SYSTEM:
            return list(messages)
        first, second, *rest = messages
        return [Message(second.role, f"{first.content}\n\n{second.content}"), *rest]


def _alike(sign: str, before: str, after: str) -> ChatTemplate:
    """Return a format whose marks differ only in the role's name."""
    user, assistant, system = (
        (before.format(role=role), after) for role in (_USER, _ASSISTANT, _SYSTEM)
    )
    return ChatTemplate(sign, user, assistant, system)


_FORMATS = (
    _alike("<|start_header_id|>", "<|start_header_id|>{role}<|end_header_id|>\n\n", "<|eot_id|>"),
    _alike("<|im_start|>", "<|im_start|>{role}\n", "<|im_end|>\n"),
    ChatTemplate(
        "<start_of_turn>",
        ("<start_of_turn>user\n", "<end_of_turn>\n"),
        ("<start_of_turn>model\n", "<end_of_turn>\n"),
    ),
    ChatTemplate("[INST]", ("[INST] ", "[/INST]"), (" ", "</s>")),
    ChatTemplate(
        "<｜User｜>", ("<｜User｜>", ""), ("<｜Assistant｜>", "<｜end▁of▁sentence｜>"), ("", "")
    ),
    _alike("<|end|>", "<|{role}|>\n", "<|end|>\n"),
)


def template_family(template: str) -> ChatTemplate | None:
    """Return the format of a model's template, None for a family that is not known here."""
    return next((each for each in _FORMATS if each.sign in template), None)


def continues_last_message(template: str) -> bool:
    """Whether a template leaves a last message of the assistant open, so far as it shows.

    Templates over `.Messages` must ask for the last one to do so; the older kind, with
    `.Response`, is cut there by the server; a template with neither is drawn by the server itself.
    """
    return ".Messages" not in template or "$last" in template or "slice $.Messages" in template
