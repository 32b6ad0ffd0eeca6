"""How long a test waits for what comes at once on an idle machine."""

from __future__ import annotations

import time
from collections.abc import Callable

SOON = 15.0
"""Seconds that a busy machine may take for what happens at once. How quick it really is stands in
`python -m benchmarks stopping`."""

NEVER = 3600.0
"""Seconds that no test lasts: what would go on for so long was ended, if the test comes to its end.
"""


def eventually(is_so: Callable[[], object], seconds: float = 2 * SOON) -> bool:
    """Wait until something is so; say whether it came to that in time."""
    until = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True
