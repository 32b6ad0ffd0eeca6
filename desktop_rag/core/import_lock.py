"""Imports of heavy packages, one thread at a time.

Packages that import in a circle (pydantic, under Chroma and under Ollama's client) may hand half a
module to a second thread: Python breaks the deadlock of two such imports so.
"""

from __future__ import annotations

import threading

IMPORT_LOCK = threading.RLock()
"""Held by whoever imports `chromadb` or `ollama` for the first time."""
