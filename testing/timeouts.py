"""How long a test waits for what comes at once on an idle machine."""

from __future__ import annotations

SOON = 15.0
"""Seconds that a busy machine may take for what happens at once. What is waited for must not come
by itself before: whatever is stopped would go on for longer. How quick it really is stands in
`python -m benchmarks stopping`."""
