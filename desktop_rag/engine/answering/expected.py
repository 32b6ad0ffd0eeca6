"""What kind of answer a question expects, and whether a sentence has one."""

from __future__ import annotations

import re

_BONUS = 0.08
_MONTH = (
    r"January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|"
    r"million|billion|dozen|half)\b|[一二三四五六七八九十百千万亿两]",
    re.IGNORECASE,
)
_TIME = re.compile(
    rf"\b(?:1\d|20)\d\d\b|\b(?:{_MONTH})\b|\d+\s*[年月日]|\b\d+ (?:days?|weeks?|months?|years?)\b"
)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+")
_REASON = re.compile(
    r"\b(?:because|since|due to|in order to|so that|as a result)\b|因为|由于|为了|因此|原因"
)
_KINDS = (
    (
        r"\bhow (?:many|much|long|old|far|large|big|often)\b|多少|几[个种次名人年]|多大|多长",
        _NUMBER,
    ),
    (r"\bwhen\b|\b(?:what|which) (?:year|date|day|month)\b", _TIME),
    (r"何时|什么时候|哪一?年|哪天|日期", _TIME),
    (r"\bwho(?:m|se)?\b", _NAME),
    (r"\bwhy\b|为什么|为何", _REASON),
)


def bonus(question: str, sentence: str) -> float:
    """Return what it is worth that a sentence has the number, date, name or reason asked for."""
    asked = question.casefold()
    kinds = [kind for wanted, kind in _KINDS if re.search(wanted, asked)]
    return _BONUS if any(kind.search(sentence) for kind in kinds) else 0.0
