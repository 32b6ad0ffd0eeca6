"""An answer's Markdown made safe, its [n] made links; and what a link may do. Pure functions.

An answer is untrusted: a document may have put words into the model's mouth. So no picture is
loaded, no HTML is read, and of links only citations and web addresses are left. What is done here
to the text is for its looks; `gui/chat/markdown_writer.py` checks every link that Qt made of it.
"""

from __future__ import annotations

import re
from collections.abc import Container

CITE = "cite:"
STEPS = "steps:"

# Code, and formulas in LaTeX: a sum of money (`$5 and $6`) is none.
_AS_WRITTEN = re.compile(
    r"(```.*?(?:```|\Z)|`[^`\n]+`|\$\$[^$\n]+\$\$|\$(?![\s$])(?:\\.|[^$\n\\])+(?<!\s)\$(?!\d))",
    re.DOTALL,
)
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]*)[^)]*\)")
_AUTOLINK = re.compile(r"<(?!https?://)([a-zA-Z][a-zA-Z0-9+.-]*:[^>\s]*)>")
_MAIL = re.compile(r"<(?=[^<>\s@]+@[^<>\s@]+>)")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s*\S+.*$", re.MULTILINE)
_NUMBERS = re.compile(r"\[(\d{1,3}(?:\s*[,;、]\s*\d{1,3})*)\](?!\()")
_UNIT = re.compile(r"(\d) ([%€$£¥‰])")
_DIGITS = re.compile(r"\d+")


def sanitize_markdown(text: str, known: Container[int], cite: str = CITE) -> str:
    """Return Markdown whose only links are web addresses and `cite:n` for known numbers.

    `cite` is what a citation's address begins with: something that no answer can guess, where what
    an answer forged is told from it later.
    """
    parts = _AS_WRITTEN.split(text)
    parts[::2] = [_tame(part, known, cite) for part in parts[::2]]
    parts[1::2] = [_literal(part) if part[0] == "$" else part for part in parts[1::2]]
    return "".join(parts)


def _literal(formula: str) -> str:
    """Return a formula so that none of its signs are Markdown's, nor its numbers citations."""
    return _PUNCTUATION.sub(r"\\\g<0>", formula)


def _tame(text: str, known: Container[int], cite: str) -> str:
    text = _UNIT.sub("\\1\u00a0\\2", text)
    text = _PICTURE.sub(r"\1", text)
    text = _DEFINITION.sub("", text)
    text = _AUTOLINK.sub(r"\1", text)
    text = _MAIL.sub(r"\<", text)  # else Markdown takes the brackets for a link's
    text = _LINK.sub(_web_only, text)
    return _NUMBERS.sub(lambda found: _cited(found, known, cite), text)


def _web_only(found: re.Match[str]) -> str:
    return found.group(0) if is_web(found.group(2)) else found.group(1)


def _cited(found: re.Match[str], known: Container[int], cite: str) -> str:
    numbers = [int(digits) for digits in _DIGITS.findall(found.group(1))]
    if not all(n in known for n in numbers):
        return found.group(0)
    return "".join(f"[\u2009{n}\u2009]({cite}{n})" for n in numbers)


def is_web(address: str) -> bool:
    """Return whether an address may be offered to the system's browser."""
    return address.startswith(("https://", "http://"))
