from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from desktop_rag.core.disk_space import require_disk_space
from desktop_rag.core.errors import UserError


class Drive(NamedTuple):
    total: int
    used: int
    free: int


@pytest.mark.parametrize(
    ("total", "free", "is_enough"),
    [
        (2_000_000_000_000, 201_000_000, True),
        (2_000_000_000_000, 199_000_000, False),
        (1_000_000_000, 21_000_000, True),
        (1_000_000_000, 19_000_000, False),
    ],
)
def test_indexing_stops_before_a_drive_is_full(
    monkeypatch: pytest.MonkeyPatch, total: int, free: int, *, is_enough: bool
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Drive(total, total - free, free))
    if is_enough:
        require_disk_space(Path())
        return
    with pytest.raises(UserError, match="are free on the drive") as told:
        require_disk_space(Path())
    assert "goes on where it stopped" in told.value.remedy
    assert told.value.retryable
