"""What performance claims rest on: `python -m benchmarks` measures and prints one table."""

import desktop_rag  # noqa: F401 - it says, before numpy loads, how many threads that may take
