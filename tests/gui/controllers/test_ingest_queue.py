"""What the ingest lane has to do."""

from __future__ import annotations

from desktop_rag.core.requests import IndexRequest, RemoveRequest
from desktop_rag.gui.controllers.ingest_queue import IngestQueue, Pause


def test_requests_come_out_in_the_order_they_came_in() -> None:
    inbox = IngestQueue()
    first, second = IndexRequest("a"), RemoveRequest("a", ("/x",))
    inbox.put(first)
    inbox.put(second)
    assert (inbox.take(), inbox.take(), inbox.take()) == (first, second, None)


def test_a_look_that_waits_already_waits_once_and_at_the_end() -> None:
    inbox = IngestQueue()
    for chore in (IndexRequest("a"), RemoveRequest("a", ("/x",)), IndexRequest("a")):
        inbox.put(chore)
    assert inbox.take() == RemoveRequest("a", ("/x",))
    assert inbox.take() == IndexRequest("a")
    assert inbox.take() is None


def test_a_request_wakes_who_sleeps() -> None:
    inbox = IngestQueue()
    sleep = inbox.sleep()
    assert not sleep.cancelled
    inbox.put(IndexRequest("a"))
    assert sleep.cancelled


def test_nobody_falls_asleep_while_something_waits() -> None:
    inbox = IngestQueue()
    inbox.put(IndexRequest("a"))
    assert inbox.sleep().cancelled


def test_stop_ends_what_is_done_and_forgets_what_waits() -> None:
    inbox = IngestQueue()
    current = inbox.begin()
    inbox.put(IndexRequest("a"))
    inbox.stop_current()
    assert current.cancelled
    assert inbox.take() is None


def test_during_a_pause_files_are_looked_for_and_not_read() -> None:
    inbox = IngestQueue()
    current = inbox.begin(IndexRequest("a"))
    inbox.put(IndexRequest("b"))
    inbox.set_pause(Pause.USER)
    assert current.cancelled
    assert inbox.take() == IndexRequest("b", only_look=True)
    inbox.set_pause(Pause.NONE)
    inbox.put(IndexRequest("c"))
    assert inbox.take() == IndexRequest("c")


def test_a_look_is_not_ended_by_a_pause() -> None:
    inbox = IngestQueue()
    current = inbox.begin(IndexRequest("a", only_look=True))
    inbox.set_pause(Pause.BATTERY)
    assert not current.cancelled


def test_what_was_for_a_deleted_knowledge_base_is_forgotten() -> None:
    inbox = IngestQueue()
    current = inbox.begin(IndexRequest("a"))
    for name in ("a", "b", "a"):
        inbox.put(IndexRequest(name))
    inbox.forget("b")
    assert not current.cancelled
    inbox.forget("a")
    assert current.cancelled
    assert inbox.take() is None


def test_what_waits_goes_with_a_new_name() -> None:
    inbox = IngestQueue()
    inbox.put(IndexRequest("old", ("/x",)))
    inbox.rename("old", "new")
    assert inbox.take() == IndexRequest("new", ("/x",))


def test_a_pause_that_comes_just_before_a_run_begins_ends_it() -> None:
    inbox = IngestQueue()
    inbox.put(IndexRequest("a"))
    taken = inbox.take()
    inbox.set_pause(Pause.USER)
    assert inbox.begin(taken).cancelled
    assert not inbox.begin(IndexRequest("a", only_look=True)).cancelled
