"""Count the tokens of every prompt, as the program estimates them before a model has counted.

`python -m testing.prompt_lengths` writes the table of docs/prompts.md anew.
"""

from __future__ import annotations

import re
from pathlib import Path

from desktop_rag.core.paths import resources
from desktop_rag.models.ollama.token_estimate import TokenEstimate

PAGE = Path(__file__).resolve().parent.parent / "docs" / "prompts.md"
_TABLE = re.compile(r"(?<=<!-- measured -->\n).*?(?=<!-- end -->)", re.DOTALL)
_LANGUAGES = ("en", "zh")


def prompt_names() -> list[str]:
    """Return every prompt's name, as `answer/rules`."""
    folder = resources() / "prompts" / "en"
    return sorted(str(each.relative_to(folder).with_suffix("")) for each in folder.rglob("*.txt"))


def lengths(name: str) -> tuple[int, ...]:
    """Return a prompt's tokens in English and in Chinese, its `$names` not filled in."""
    estimate = TokenEstimate()
    files = (resources() / "prompts" / each / f"{name}.txt" for each in _LANGUAGES)
    return tuple(estimate.of(file.read_text(encoding="utf-8").strip()) for file in files)


def table() -> str:
    """Return a table of all prompts with their lengths."""
    rows = [(name, *lengths(name)) for name in prompt_names()]
    lines = [f"| {name} | {english} | {chinese} |" for name, english, chinese in rows]
    return "\n".join(
        ("| prompt | tokens, English | tokens, Chinese |", "| --- | --- | --- |", *lines)
    )


def write_table() -> None:
    """Put the table into its place on the page."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_TABLE.sub(lambda _: f"{table()}\n", page), encoding="utf-8")


if __name__ == "__main__":
    write_table()
