"""The double's tokenizer: about four Latin letters a token, one Chinese character a token."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"<\|\w+\|>"  # the template's marks
    r"|[぀-ヿ㐀-鿿豈-﫿가-힯]"  # one CJK character
    r"| ?[^\W\d_぀-ヿ㐀-鿿豈-﫿가-힯]{1,6}"  # letters, with the space before
    r"| ?\d{1,3}"
    r"|\s+?(?=\S)|\s+"
    r"|.",
    re.DOTALL,
)


def tokenize(text: str) -> list[str]:
    """Cut a text into tokens; joined they are the text again."""
    return _TOKEN.findall(text)


def count(text: str) -> int:
    """Return how many tokens a text takes."""
    return len(tokenize(text))
