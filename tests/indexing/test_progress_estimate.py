from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import FileDone
from desktop_rag.core.filesystem import LocalFileSystem
from desktop_rag.core.types import FileStatus
from desktop_rag.indexing import progress_estimate
from desktop_rag.indexing.progress_estimate import ProgressEstimator

SIZES = partial(LocalFileSystem().sizes, token=CancelToken())


def test_outcomes_are_counted_by_state_and_chunks_of_ready_files(tmp_path: Path) -> None:
    tally = ProgressEstimator(SIZES)
    tally.count(FileDone("/a", FileStatus.UNCHANGED, chunks=5))
    tally.count(FileDone("/b", FileStatus.READY, chunks=7))
    tally.count(FileDone("/c", FileStatus.EMPTY))
    done = tally.finished()
    assert done.files == {"unchanged": 1, "ready": 1, "empty": 1}
    assert done.chunks == 7


def test_time_left_goes_by_bytes_and_is_unknown_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(progress_estimate, "time", SimpleNamespace(monotonic=lambda: clock.now))
    for name, size in (("small", 1000), ("large", 9000)):
        (tmp_path / name).write_bytes(bytes(size))
    tally = ProgressEstimator(SIZES)
    tally.expect([str(tmp_path / "small"), str(tmp_path / "large")])
    assert tally.progress("parse").eta is None
    assert tally.progress("parse").total == 2
    clock.now += 1.05
    tally.count(FileDone(str(tmp_path / "small"), FileStatus.READY, chunks=3))
    state = tally.progress("embed", "large", ahead=4)
    assert (state.done, state.total, state.current, state.chunks) == (1, 2, "large", 7)
    assert state.eta == pytest.approx(9.45)
    tally.count(FileDone(str(tmp_path / "large"), FileStatus.READY))
    assert tally.progress("store").eta == 0
