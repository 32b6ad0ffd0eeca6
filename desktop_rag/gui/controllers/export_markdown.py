"""Conversations as Markdown: questions as quotations, answers as they are, their sources below.

Whatever reads the file must load nothing from outside because of it: pictures become links, no HTML
of an answer is HTML in the file, and links lead to the web alone. What was made of an answer is
read again as a reader would; where that finds any of these still, nothing is spared as code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from desktop_rag.generation.citation_markers import citations_into_cells
from desktop_rag.gui.controllers.export_labels import ExportLabels, incomplete_note, source_place
from desktop_rag.gui.controllers.transcript import Transcript, Turn

_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|!~$])")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_PICTURE = re.compile(r"!(?=\[)")
_OTHER_LINK = re.compile(r"\](?=\((?!https?://))")
_BEGINNING = re.compile(r"[<\[]")


def markdown(transcripts: Sequence[Transcript], words: ExportLabels) -> str:
    """Return conversations, one after the other."""
    return "\n---\n\n".join("".join(_conversation(each, words)) for each in transcripts)


def _conversation(transcript: Transcript, words: ExportLabels) -> Iterator[str]:
    yield f"# {_plain(transcript.title)}\n"
    for turn in transcript.turns:
        if turn.question:  # a note has none
            yield f"\n{_quoted(turn.question)}\n"
        if turn.text:
            yield f"\n{_tame(citations_into_cells(turn.text))}\n"
        if ended := incomplete_note(turn, words):
            yield f"\n*{_plain(ended)}*\n"
        yield from _sources(turn, words)


def _sources(turn: Turn, words: ExportLabels) -> Iterator[str]:
    """List what an answer cites, with its quotes."""
    cited = sorted(turn.cited())
    if not cited:
        return
    yield f"\n**{_plain(words.sources)}**\n\n"
    for number in cited:
        quotes = [each for each in turn.citations if each.n == number]
        source = turn.sources[number - 1] if number <= len(turn.sources) else None
        title = f"{_plain(source.title)}. " if source is not None and source.title else ""
        where = source_place(quotes[0], words)
        yield f"- \\[{number}\\] {title}{_plain(where)}\n"
        said = dict.fromkeys(each.quote for each in quotes)
        yield "  >\n".join(f"  {_quoted(quote, '  ')}\n" for quote in said)


def _quoted(text: str, indent: str = "") -> str:
    lines = text.strip().splitlines() or [""]
    return f"\n{indent}".join(f"> {_plain(line)}".rstrip() for line in lines)


def _plain(text: str) -> str:
    """Return a text that means nothing to Markdown."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


class _Credulous(MarkdownIt):
    """Markdown as the least careful program reads it."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's
        """Say that any address is one."""
        return bool(url)


def _tame(text: str) -> str:
    """Return an answer's Markdown without pictures, HTML, and links that lead elsewhere."""
    parts = _CODE.split(text.strip())
    parts[::2] = map(_tamed, parts[::2])
    made = "".join(parts)
    tokens = _Credulous("commonmark", {"html": True}).parse(made)
    if all(map(_is_harmless, _all(tokens))):
        return made
    return _BEGINNING.sub(_by_number, text.strip())


def _tamed(text: str) -> str:
    """Write by its number what begins a tag or a picture: no backslash before it undoes that."""
    for what in (_TAG, _PICTURE, _OTHER_LINK):
        text = what.sub(_by_number, text)
    return text


def _by_number(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"


def _all(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all(token.children or ())


def _is_harmless(token: Token) -> bool:
    if token.type == "link_open":
        return str(token.attrs.get("href")).startswith(("https://", "http://"))
    return token.type not in ("html_inline", "html_block", "image")
