"""Take out of the program's lines what differs from run to run; all else is to stay the same."""

from __future__ import annotations

import json
import re
from typing import Any

_TIMES = ("seconds", "ms_p50", "ms_p95", "created", "elapsed", "finished", "started", "eta")
_RATES = ("chunks_per_second",)
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")
_DIGITS = 4  # of a score: what is summed in another order differs behind them


def plain(line: str) -> str:
    """Return a line of JSON with sorted keys and without times."""
    return json.dumps(_plain(json.loads(line)), ensure_ascii=False)


def without_numbers(line: str) -> str:
    """Return a line of which every number is a matter of this machine (free space, versions)."""
    return _NUMBERS.sub("#", plain(line))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _plain(each)
            for key, each in sorted(value.items())
            if key not in _TIMES and key not in _RATES
        }
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return round(value, _DIGITS) if isinstance(value, float) else value
