from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.gui.theme import Theme
from tests.gui.viewer.viewer_driver import Reading


@pytest.fixture
def reading(theme: Theme, tmp_path: Path) -> Iterator[Reading]:
    made = Reading(theme, tmp_path)
    yield made
    made.close()
