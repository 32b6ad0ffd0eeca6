from __future__ import annotations

from tests.engine.ingest.conftest import library

__all__ = ["library"]
