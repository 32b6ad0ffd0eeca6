from __future__ import annotations

from desktop_rag.core.types import KbId
from desktop_rag.indexing.run_coordinator import RunCoordinator

ONE, OTHER = KbId(1), KbId(2)


def test_a_file_is_one_runs_until_it_is_given_back() -> None:
    turns = RunCoordinator()
    assert turns.claim(ONE, "/a")
    assert not turns.claim(ONE, "/a")
    turns.release(ONE, ["/a"])
    assert not turns.is_claimed(ONE, "/a")
    assert turns.claim(ONE, "/a")


def test_knowledge_bases_do_not_wait_for_each_other() -> None:
    turns = RunCoordinator()
    assert turns.claim(ONE, "/a")
    assert turns.claim(OTHER, "/a")
    turns.release(ONE, ["/a"])
    assert turns.is_claimed(OTHER, "/a")
