"""What of a question to search for: not the sentences that say how to answer.

“If it is not there, return N/A. Answer in one word.” names nothing that a document would say, and
its words lead astray: without them the gold page of report questions stands clearly higher.
"""

from __future__ import annotations

import re

from desktop_rag.core.sentences import sentences

_ANSWER = r"(?:answer|return|reply|respond|output|say so|say that|write|tell me|state)\b"
_ON_ANSWERING = re.compile(
    rf"(?:please\s+)?(?:{_ANSWER}|give (?:me|only|just)\b|if\b.*\b{_ANSWER}|"
    r"(?:use|be|keep)\b.*\b(?:answer|concise|brief|short)\b|do not\b.*\bmake up\b)"
    r"|(?:请|請)(?:用|以|只|直接|简要|簡要)?.{0,12}(?:回答|作答|返回|输出|輸出)|如果.{0,40}(?:回答|返回|输出)",
    re.IGNORECASE | re.DOTALL,
)
_COMMAND = re.compile(
    r"\s*(?:please\s+|kindly\s+)?(?:compare|count|define|describe|discuss|enumerate|explain|find|"
    r"identify|list|look up|mention|name|outline|search for|summari[sz]e)(?:\s+out)?\s+(?=\S)"
    r"|\s*(?:请|請)?(?:帮我|幫我|给我|給我)?(?:(?:列出|列举|列舉|找出|数一数|數一數)(?:一下)?|"
    # As a part of longer words these are nouns: the statistics office, the manual.
    r"(?:统计|統計|概括|总结|總結|归纳|歸納|描述|说明|說明|解释|解釋|介绍|介紹|比较|比較)"
    r"(?:一下|(?=所有|全部|各|每|这|這|该|該|本|上述|以下)))",
    re.IGNORECASE,
)


def without_command(question: str) -> str:
    """Return a question without the word at its beginning that says what is to be done.

    No document need say “list” to hold what is to be listed.
    """
    found = _COMMAND.match(question)
    return question if found is None else question[found.end() :]


def without_answer_instructions(question: str) -> str:
    """Return a question without its later sentences on how to answer; its first one stays."""
    first, *later = [span.of(question) for span in sentences(question)] or [question]
    kept = [each for each in later if not _ON_ANSWERING.match(each)]
    return question if len(kept) == len(later) else " ".join((first, *kept))
