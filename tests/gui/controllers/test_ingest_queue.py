"""What the ingest lane has to do."""

from __future__ import annotations

from desktop_rag.core.requests import IndexRequest, RemoveRequest
from desktop_rag.gui.controllers.ingest_queue import IngestQueue, Pause


def test_requests_come_out_in_the_order_they_came_in() -> None:
    ingest_queue = IngestQueue()
    first, second = IndexRequest("a"), RemoveRequest("a", ("/x",))
    ingest_queue.put(first)
    ingest_queue.put(second)
    assert (ingest_queue.take(), ingest_queue.take(), ingest_queue.take()) == (first, second, None)


def test_a_look_that_waits_already_waits_once_and_at_the_end() -> None:
    ingest_queue = IngestQueue()
    for chore in (IndexRequest("a"), RemoveRequest("a", ("/x",)), IndexRequest("a")):
        ingest_queue.put(chore)
    assert ingest_queue.take() == RemoveRequest("a", ("/x",))
    assert ingest_queue.take() == IndexRequest("a")
    assert ingest_queue.take() is None


def test_a_request_wakes_who_sleeps() -> None:
    ingest_queue = IngestQueue()
    sleep = ingest_queue.sleep()
    assert not sleep.cancelled
    ingest_queue.put(IndexRequest("a"))
    assert sleep.cancelled


def test_nobody_falls_asleep_while_something_waits() -> None:
    ingest_queue = IngestQueue()
    ingest_queue.put(IndexRequest("a"))
    assert ingest_queue.sleep().cancelled


def test_stop_ends_what_is_done_and_forgets_what_waits() -> None:
    ingest_queue = IngestQueue()
    current = ingest_queue.begin()
    ingest_queue.put(IndexRequest("a"))
    ingest_queue.stop_current()
    assert current.cancelled
    assert ingest_queue.take() is None


def test_during_a_pause_files_are_looked_for_and_not_read() -> None:
    ingest_queue = IngestQueue()
    current = ingest_queue.begin(IndexRequest("a"))
    ingest_queue.put(IndexRequest("b"))
    ingest_queue.set_pause(Pause.USER)
    assert current.cancelled
    assert ingest_queue.take() == IndexRequest("b", only_look=True)
    ingest_queue.set_pause(Pause.NONE)
    ingest_queue.put(IndexRequest("c"))
    assert ingest_queue.take() == IndexRequest("c")


def test_a_look_is_not_ended_by_a_pause() -> None:
    ingest_queue = IngestQueue()
    current = ingest_queue.begin(IndexRequest("a", only_look=True))
    ingest_queue.set_pause(Pause.BATTERY)
    assert not current.cancelled


def test_what_was_for_a_deleted_knowledge_base_is_forgotten() -> None:
    ingest_queue = IngestQueue()
    current = ingest_queue.begin(IndexRequest("a"))
    for name in ("a", "b", "a"):
        ingest_queue.put(IndexRequest(name))
    ingest_queue.forget("b")
    assert not current.cancelled
    ingest_queue.forget("a")
    assert current.cancelled
    assert ingest_queue.take() is None


def test_what_waits_goes_with_a_new_name() -> None:
    ingest_queue = IngestQueue()
    ingest_queue.put(IndexRequest("old", ("/x",)))
    ingest_queue.rename("old", "new")
    assert ingest_queue.take() == IndexRequest("new", ("/x",))


def test_a_pause_that_comes_just_before_a_run_begins_ends_it() -> None:
    ingest_queue = IngestQueue()
    ingest_queue.put(IndexRequest("a"))
    taken = ingest_queue.take()
    ingest_queue.set_pause(Pause.USER)
    assert ingest_queue.begin(taken).cancelled
    assert not ingest_queue.begin(IndexRequest("a", only_look=True)).cancelled
