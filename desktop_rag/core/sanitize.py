"""Names and texts of others, shown as they are: nothing in them moves what stands around it.

A file's name may hold a character that turns the direction of what follows, so that a program looks
like a PDF, and a text may hold what a terminal takes for a command to it.
"""

from __future__ import annotations

import re

_UNSEEN = "\ufffd"
# Control characters, separators of lines, and what turns the direction of what follows.
_IN_A_NAME = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_IN_A_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_BUT_COLOURS = re.compile("(?!\x1b\\[[0-9]{1,2}m)" + _IN_A_TEXT.pattern)


def sanitize_name(name: str) -> str:
    """Return a name on one line, a � for each character that is not seen itself."""
    return _IN_A_NAME.sub(_UNSEEN, name)


def sanitize_text(text: str, *, colours: bool = False) -> str:
    """Return a text that commands a terminal to nothing, save to other `colours`."""
    return (_BUT_COLOURS if colours else _IN_A_TEXT).sub(_UNSEEN, text)
