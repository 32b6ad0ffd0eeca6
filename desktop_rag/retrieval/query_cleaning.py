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


def without_answer_instructions(question: str) -> str:
    """Return a question without its later sentences on how to answer; its first one stays."""
    first, *later = [span.of(question) for span in sentences(question)] or [question]
    kept = [each for each in later if not _ON_ANSWERING.match(each)]
    return question if len(kept) == len(later) else " ".join((first, *kept))
