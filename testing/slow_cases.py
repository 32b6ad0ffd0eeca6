"""Cases of a test that only the whole suite runs: where one or two tell nearly as much."""

from __future__ import annotations

import pytest


def slow(*values: object) -> list[pytest.ParameterSet]:
    """Return cases for `pytest.mark.parametrize` that bear the marker of slow tests."""
    return [pytest.param(each, marks=pytest.mark.slow) for each in values]
