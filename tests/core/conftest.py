from __future__ import annotations

from tests.catalog.conftest import home

__all__ = ["home"]
