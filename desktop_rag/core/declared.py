"""How one setting is declared: a dataclass's field with its name, effect and bounds."""

from __future__ import annotations

from dataclasses import field
from typing import Any


def declare(default: Any, title: str, effect: str, **limits: Any) -> Any:
    """Declare one setting.

    `limits` may hold `low`, `high` (inclusive) and `choices` (`others`: these are not all); a
    `pattern` that a text must match, with an `example`; `restart`, where it takes effect when the
    data folder is next opened; and `run_only`, where it is for `--set` alone and never kept.
    """
    return field(default=default, metadata={"title": title, "effect": effect, **limits})


def advanced(default: Any, title: str, effect: str, **limits: Any) -> Any:
    """Declare a setting that hardly anybody needs: its page shows it behind the others, folded."""
    return declare(default, title, effect, advanced=True, **limits)
