"""Make special tokens of chat templates harmless where they stand in a text.

A server reads a rendered prompt with its special tokens: text of a document, or of a question, that
spells one would end its turn and begin another. A space behind its first sign makes plain text of
it, which a reader still understands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.models.protocols import Message

_NAMES = (
    "s|bos|eos|pad|unk|mask|think|start_of_turn|end_of_turn|start_of_image|end_of_image"
    "|image_soft_token|tool_call|tool_response|unused\\d{1,5}"
)
_SPECIAL = re.compile(
    r"<(?=[|\uff5c][^<>\s][^<>\n]{0,60}[|\uff5c]?>)"  # <|im_start|>, <|turn>, and DeepSeek's
    r"|<(?=[^<>\s|]{1,60}\|>)"  # <turn|>
    rf"|<(?=/?(?:{_NAMES})>)"
    r"|<(?=</?SYS>>)"
    r"|\[(?=/?(?:INST|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|CALL_ID"
    r"|SYSTEM_PROMPT|THINK|IMG|IMG_END|IMG_BREAK)\])"
)


def without_special_tokens(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return messages in which nothing is a special token of a chat template."""
    return tuple(replace(each, content=plain_text(each.content)) for each in messages)


def plain_text(text: str) -> str:
    """Return a text in which nothing is a special token of a chat template."""
    return _SPECIAL.sub(r"\g<0> ", text)
