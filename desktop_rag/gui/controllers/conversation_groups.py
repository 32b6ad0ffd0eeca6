"""The list of conversations in its parts: pinned, today, yesterday, the last days, month by month.

Pure values and functions; how the parts are called is the window's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from desktop_rag.core.catalog_records import Conversation


class Period(StrEnum):
    """A part of the list."""

    PINNED = "pinned"
    TODAY = "today"
    YESTERDAY = "yesterday"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class GroupHeading:
    """Stands over a part of the list; `month` is a month's first day."""

    period: Period
    month: date | None = None


ConversationRow = GroupHeading | Conversation


def group_by_period(
    conversations: Sequence[Conversation], now: datetime
) -> tuple[ConversationRow, ...]:
    """Return conversations, the pinned first and the others newest first, under their headings.

    `now` is in local time. A conversation from the future (the clock was set back) is today's.
    """
    today = datetime.combine(now.date(), datetime.min.time())
    bounds = [
        (today.timestamp(), GroupHeading(Period.TODAY)),
        ((today - timedelta(days=1)).timestamp(), GroupHeading(Period.YESTERDAY)),
        ((today - timedelta(days=6)).timestamp(), GroupHeading(Period.WEEK)),
    ]
    rows: list[ConversationRow] = []
    over: GroupHeading | None = None
    for each in conversations:
        heading = GroupHeading(Period.PINNED) if each.pinned else _heading(each.changed, bounds)
        if heading != over:
            rows.append(heading)
            over = heading
        rows.append(each)
    return tuple(rows)


def conversations_of(rows: Sequence[ConversationRow]) -> tuple[Conversation, ...]:
    """Return the conversations of a list, without its headings."""
    return tuple(row for row in rows if isinstance(row, Conversation))


def _heading(changed: float, bounds: Sequence[tuple[float, GroupHeading]]) -> GroupHeading:
    for start, heading in bounds:
        if changed >= start:
            return heading
    return GroupHeading(Period.MONTH, datetime.fromtimestamp(changed).date().replace(day=1))
