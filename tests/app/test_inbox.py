"""What the ingest lane has to do."""

from __future__ import annotations

from desktop_rag.app.inbox import Inbox
from desktop_rag.core.requests import IndexRequest, RemoveRequest


def test_requests_come_out_in_the_order_they_came_in() -> None:
    inbox = Inbox()
    first, second = IndexRequest("a"), RemoveRequest("a", ("/x",))
    inbox.put(first)
    inbox.put(second)
    assert (inbox.take(), inbox.take(), inbox.take()) == (first, second, None)


def test_a_request_wakes_who_sleeps() -> None:
    inbox = Inbox()
    sleep = inbox.sleep()
    assert not sleep.cancelled
    inbox.put(IndexRequest("a"))
    assert sleep.cancelled


def test_nobody_falls_asleep_while_something_waits() -> None:
    inbox = Inbox()
    inbox.put(IndexRequest("a"))
    assert inbox.sleep().cancelled


def test_stop_ends_what_is_done_and_forgets_what_waits() -> None:
    inbox = Inbox()
    current = inbox.begin()
    inbox.put(IndexRequest("a"))
    inbox.stop_current()
    assert current.cancelled
    assert inbox.take() is None
