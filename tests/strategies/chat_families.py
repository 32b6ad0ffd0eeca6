"""The chat templates of three model families, as Jinja, and what a rendered prompt says read back.

They are written here after what the families publish: llama3.1 has a system turn in which a date
stands, qwen3 an empty block of thought where thinking is off, gemma3 no system turn, and roles that
must alternate. The published ones can be put in their place: `--chat-templates FOLDER`, with files
`llama3.1.jinja`, `qwen3.jinja` and `gemma3.jinja` (as `tokenizer.chat_template` is published).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from jinja2.sandbox import ImmutableSandboxedEnvironment

Turn = tuple[str, str]
"""A role and its text."""

_LLAMA = """\
{{- bos_token }}{%- set told = messages[0].content | trim if messages[0].role == 'system' else '' %}
{{- '<|start_header_id|>system<|end_header_id|>\\n\\n' }}
{{- 'Cutting Knowledge Date: December 2023\\nToday Date: ' + strftime_now('%d %b %Y') + '\\n\\n' }}
{{- told + '<|eot_id|>' }}
{%- for each in messages if each.role != 'system' %}
{{- '<|start_header_id|>' + each.role + '<|end_header_id|>\\n\\n' }}
{{- (each.content | trim) + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
"""
_QWEN = """\
{%- for each in messages %}
{{- '<|im_start|>' + each.role + '\\n' + each.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}
{%- if enable_thinking is defined and not enable_thinking %}
{{- '<think>\\n\\n</think>\\n\\n' }}
{%- endif %}
{%- endif %}
"""
_GEMMA = """\
{{- bos_token }}{%- set first = messages[0].role == 'system' %}
{%- set told = messages[0].content + '\\n\\n' if first else '' %}
{%- for each in (messages[1:] if first else messages) %}
{%- if (each.role == 'user') != (loop.index0 % 2 == 0) %}
{{- raise_exception('Roles must alternate.') }}
{%- endif %}
{{- '<start_of_turn>' + ('model' if each.role == 'assistant' else each.role) + '\\n' }}
{{- (told if loop.first else '') + (each.content | trim) + '<end_of_turn>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<start_of_turn>model\\n' }}{% endif %}
"""


class TemplateRefused(Exception):
    """A template called `raise_exception`."""


@dataclass(frozen=True, slots=True)
class Family:
    """A family: its template, how a turn of it reads in a prompt, and what ends a prompt.

    `turn` finds role and text of each turn; `generation` ends a prompt after which the model
    writes, where it is not to think.
    """

    name: str
    template: str
    turn: re.Pattern[str]
    generation: str
    bos: str = ""

    def render(self, messages: Sequence[dict[str, str]], *, thinks: bool = False) -> str:
        """Return the prompt of a chat; a beginning stands behind where the model would begin."""
        begun = messages[-1]["content"] if messages[-1]["role"] == "assistant" else ""
        asked = messages[:-1] if begun else messages
        template = _environment().from_string(self.template)
        prompt = template.render(
            messages=list(asked),
            add_generation_prompt=True,
            enable_thinking=thinks,
            bos_token=self.bos,
        )
        return prompt + begun

    def turns(self, prompt: str) -> list[Turn]:
        """Return the turns of a prompt, the last one open: what the model takes them for."""
        return [(found[1], found[2]) for found in self.turn.finditer(prompt)]

    def expected(self, messages: Sequence[dict[str, str]]) -> list[Turn]:
        """Return what turns messages are to be, before what the family itself adds to them."""
        turns = [(each["role"], each["content"].strip()) for each in messages]
        if self.name == "gemma3":
            turns = [("model" if role == "assistant" else role, text) for role, text in turns]
            if turns[0][0] == "system":
                (_, told), (role, text), *rest = turns
                turns = [(role, f"{told}\n\n{text}"), *rest]
        if self.name == "llama3.1" and turns[0][0] != "system":
            turns = [("system", ""), *turns]
        return turns


def families(folder: Path | None) -> list[Family]:
    """Return the families, with the published templates where a folder has them."""
    return [
        Family(each.name, _published(folder, each), each.turn, each.generation, each.bos)
        for each in FAMILIES
    ]


def _published(folder: Path | None, family: Family) -> str:
    file = folder / f"{family.name}.jinja" if folder else None
    return file.read_text(encoding="utf-8") if file and file.is_file() else family.template


def _environment() -> ImmutableSandboxedEnvironment:
    """Return what Hugging Face's transformers render templates in, as far as these need it."""
    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    made.globals["raise_exception"] = _refuse
    made.globals["strftime_now"] = lambda form: datetime(2026, 1, 2, tzinfo=UTC).strftime(form)
    return made


def _refuse(why: Any) -> NoReturn:
    raise TemplateRefused(why)


FAMILIES = (
    Family(
        "llama3.1",
        _LLAMA,
        re.compile(
            r"<\|start_header_id\|>(.*?)<\|end_header_id\|>\n\n"
            r"(?:Cutting Knowledge Date: [^\n]*\nToday Date: [^\n]*\n\n)?(.*?)(?:<\|eot_id\|>|\Z)",
            re.DOTALL,
        ),
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<|begin_of_text|>",
    ),
    Family(
        "qwen3",
        _QWEN,
        re.compile(
            r"<\|im_start\|>(.*?)\n(?:<think>\n\n</think>\n\n)?(.*?)(?:<\|im_end\|>\n|\Z)",
            re.DOTALL,
        ),
        "<|im_start|>assistant\n<think>\n\n</think>\n\n",
    ),
    Family(
        "gemma3",
        _GEMMA,
        re.compile(r"<start_of_turn>(.*?)\n(.*?)(?:<end_of_turn>\n|\Z)", re.DOTALL),
        "<start_of_turn>model\n",
        "<bos>",
    ),
)
