"""The list of conversations under its headings."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from desktop_rag.core.catalog_records import Conversation
from desktop_rag.core.types import ChatId
from desktop_rag.gui.controllers.conversation_groups import (
    GroupHeading,
    Period,
    conversations_of,
    group_by_period,
)

NOW = datetime(2026, 11, 21, 9, 30)


def talk(number: int, changed: datetime, *, pinned: bool = False) -> Conversation:
    return Conversation(ChatId(number), f"talk {number}", (), 0.0, changed.timestamp(), pinned)


def test_each_conversation_stands_under_its_time() -> None:
    talks = [
        talk(1, datetime(2020, 1, 5), pinned=True),
        talk(2, NOW),
        talk(3, datetime(2026, 11, 21)),
        talk(4, datetime(2026, 11, 20, 23, 59)),
        talk(5, datetime(2026, 11, 19, 12)),
        talk(6, datetime(2026, 11, 15)),
        talk(7, datetime(2026, 11, 14, 23)),
        talk(8, datetime(2026, 10, 31)),
        talk(9, datetime(2026, 10, 1)),
        talk(10, datetime(2025, 10, 1)),
    ]
    told = [
        row.id if isinstance(row, Conversation) else (row.period, row.month)
        for row in group_by_period(talks, NOW)
    ]
    assert told == [
        (Period.PINNED, None), 1,
        (Period.TODAY, None), 2, 3,
        (Period.YESTERDAY, None), 4,
        (Period.WEEK, None), 5, 6,
        (Period.MONTH, date(2026, 11, 1)), 7,
        (Period.MONTH, date(2026, 10, 1)), 8, 9,
        (Period.MONTH, date(2025, 10, 1)), 10,
    ]  # fmt: skip
    assert conversations_of(group_by_period(talks, NOW)) == tuple(talks)


def test_a_conversation_from_the_future_is_todays() -> None:
    (heading, _talk) = group_by_period([talk(1, NOW + timedelta(days=3))], NOW)
    assert heading == GroupHeading(Period.TODAY)


def test_no_conversation_has_no_heading() -> None:
    assert group_by_period([], NOW) == ()
