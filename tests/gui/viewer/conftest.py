from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gui.viewer.viewer_driver import Reading


@pytest.fixture
def reading(theme, tmp_path: Path) -> Iterator[Reading]:
    made = Reading(theme, tmp_path)
    yield made
    made.close()
