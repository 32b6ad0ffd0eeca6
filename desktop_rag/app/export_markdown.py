"""Conversations as Markdown: questions as quotations, answers as they are, their sources below.

Whatever reads the file must load nothing from outside because of it: pictures become links, and no
HTML of an answer is HTML in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from desktop_rag.app.exporting import Words
from desktop_rag.app.transcript import Failed, Stopped, Transcript, Turn

_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|!~$])")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")


def markdown(transcripts: Sequence[Transcript], words: Words) -> str:
    """Return conversations, one after the other."""
    return "\n---\n\n".join("".join(_conversation(each, words)) for each in transcripts)


def _conversation(transcript: Transcript, words: Words) -> Iterator[str]:
    yield f"# {_plain(transcript.title)}\n"
    for turn in transcript.turns:
        yield f"\n{_quoted(turn.question)}\n"
        if turn.text:
            yield f"\n{_tame(turn.text)}\n"
        if ended := ending(turn, words):
            yield f"\n*{_plain(ended)}*\n"
        yield from _sources(turn, words)


def _sources(turn: Turn, words: Words) -> Iterator[str]:
    """List what an answer cites, with its quotes."""
    cited = sorted(turn.cited())
    if not cited:
        return
    yield f"\n**{_plain(words.sources)}**\n\n"
    for number in cited:
        quotes = [each for each in turn.citations if each.n == number]
        source = turn.sources[number - 1] if number <= len(turn.sources) else None
        title = f"{_plain(source.title)}. " if source is not None and source.title else ""
        where = words.place(quotes[0].locator)
        yield f"- \\[{number}\\] {title}{_plain(quotes[0].path)}, {_plain(where)}\n"
        for quote in dict.fromkeys(each.quote for each in quotes):
            yield f"  {_quoted(quote, '  ')}\n"


def ending(turn: Turn, words: Words) -> str:
    """Return how an answer ended that is not whole, empty for one that is."""
    if isinstance(turn.outcome, Failed):
        return f"{turn.outcome.what} {turn.outcome.remedy}".strip()
    return words.stopped if isinstance(turn.outcome, Stopped) else ""


def _quoted(text: str, indent: str = "") -> str:
    lines = text.strip().splitlines() or [""]
    return f"\n{indent}".join(f"> {_plain(line)}".rstrip() for line in lines)


def _plain(text: str) -> str:
    """Return a text that means nothing to Markdown."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _tame(text: str) -> str:
    """Return an answer's Markdown without pictures and HTML."""
    parts = _CODE.split(text.strip())
    parts[::2] = [_TAG.sub(r"\\<", part.replace("![", r"\![")) for part in parts[::2]]
    return "".join(parts)
