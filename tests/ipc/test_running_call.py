from __future__ import annotations

import errno
from collections.abc import Iterator

import pytest

from desktop_rag.core import requests
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event, Notice
from desktop_rag.core.requests import AskRequest, KbRequest, is_repeatable
from desktop_rag.ipc.running_call import RunningCall
from desktop_rag.ipc.wire import Call

KEPT = AskRequest(("default",), "Why?", new_chat=True)
PASSING = AskRequest(("default",), "Why?")


def endless(_call: Call, token: CancelToken) -> Iterator[Event]:
    while True:
        token.check()
        yield Notice("still at it")


def moved(request: requests.Request) -> dict[str, object]:
    """The end of a call that is sent on to the next owner in the middle."""
    running = RunningCall(Call(request))
    frames = running.frames(endless)
    next(frames)
    running.move(0.0)
    return list(frames)[-1]


def test_an_answer_that_is_kept_is_not_begun_a_second_time_by_the_next_owner() -> None:
    end = moved(KEPT)
    assert end["end"] == 1
    assert "is kept" in str(end["remedy"])
    assert moved(PASSING) == {"moved": 0.0}


def test_what_is_done_when_it_is_moved_counts_as_done() -> None:
    running = RunningCall(Call(KbRequest("create", "new")))

    def create(_call: Call, _token: CancelToken) -> Iterator[Event]:
        running.move(0.0)  # between the deed and its report
        yield Notice("made")

    assert list(running.frames(create)) == [
        {"line": {"event": "notice", "code": "made", "text": "made"}},
        {"end": 0},
    ]


@pytest.mark.parametrize(
    ("request_", "is_long"),
    [
        (KbRequest("import", "a", "f"), True),
        (KbRequest("export", "a", "f"), True),
        (KbRequest("rebuild", "a"), True),
        (KbRequest("create", "a"), False),
        (requests.IndexRequest("a"), True),
        (PASSING, False),
    ],
)
def test_nobody_waits_for_what_may_take_minutes(
    request_: requests.Request, *, is_long: bool
) -> None:
    assert RunningCall(Call(request_)).long is is_long


@pytest.mark.parametrize(
    ("request_", "is_harmless"),
    [
        (requests.IndexRequest("a"), True),
        (requests.SearchRequest(("a",), "x"), True),
        (KbRequest("list"), True),
        (KbRequest("rebuild", "a"), True),
        (KbRequest("create", "a"), False),
        (KbRequest("import", "a", "f"), False),
        (requests.SetsRequest("show", "a"), True),
        (requests.SetsRequest("delete", "a"), False),
        (requests.SetsRequest("export", "a", "f"), False),
        (requests.SetsRequest("import", "a", "f"), False),
        (requests.RemoveRequest("a", ("/d",)), False),
        (PASSING, True),
        (KEPT, False),
        (AskRequest(("a",), "Why?", chat_id=1), False),
    ],
)
def test_only_what_may_be_done_twice_is_sent_again_after_a_death(
    request_: requests.Request, *, is_harmless: bool
) -> None:
    assert is_repeatable(request_) is is_harmless


def test_a_full_disk_is_said_in_a_sentence_wherever_it_is_met() -> None:
    def write(_call: Call, _token: CancelToken) -> Iterator[Event]:
        raise OSError(errno.ENOSPC, "No space left on device")
        yield

    (end,) = RunningCall(Call(PASSING)).frames(write)
    assert end == {"end": 1, "what": "The disk is full.", "remedy": "Make room and try again."}
