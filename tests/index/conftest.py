"""The catalog's fixtures: an index is made from one."""

from __future__ import annotations

from tests.catalog.conftest import catalog, home, indexes, kb

__all__ = ["catalog", "home", "indexes", "kb"]
