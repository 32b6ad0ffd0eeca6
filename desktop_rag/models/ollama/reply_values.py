"""Single values out of a server's replies: whatever it sends becomes what can be kept and shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.unicode import valid_text

_LABEL = 300  # characters of what is shown on one line
_MOST = 2**53  # bytes, tokens: beyond it a number is none that was counted
_SURE = 1e-3  # what a rounded logarithm of a probability may lie above 0


def one_line(value: object) -> str:
    """Return what is shown on one line, empty for nothing."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else str(value)
    return sanitize_name(valid_text(text[:_LABEL]))


def count(value: object) -> int | None:
    """Return a whole number from 0 on, None for everything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if 0 <= value <= _MOST else None  # which no NaN is


def mapping(value: object) -> Mapping[str, Any]:
    """Return an object's members, none for what is no object."""
    return value if isinstance(value, dict) else {}


def probability(logarithm: float) -> float:
    """Return the probability of a token; `ValueError` for what is no logarithm of one."""
    if math.isnan(logarithm) or logarithm > _SURE:
        message = "no logarithm of a probability"
        raise ValueError(message)
    return math.exp(min(0.0, logarithm))
