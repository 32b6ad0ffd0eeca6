"""Conversations as one web page: nothing in it is loaded, nothing in it runs.

Everything that was said is text here, answers are Markdown without HTML and pictures, and links
lead to the web or to a source below the answer. The page's own policy forbids the rest once more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape

from markdown_it import MarkdownIt

from desktop_rag.core.paths import resources
from desktop_rag.generation.citation_markers import citations_into_cells
from desktop_rag.gui.controllers.export_labels import ExportLabels, incomplete_note, source_place
from desktop_rag.gui.controllers.transcript import Transcript, Turn

_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)
_NUMBER = re.compile(r"\[(\d{1,3})\](?!\()")
_TOKEN = re.compile(r"@(language|title|body)")
_LINK = re.compile(r"#s\d+-\d+-\d+|https?://.*", re.DOTALL)


class _Careful(MarkdownIt):
    """Markdown whose links lead where `links` says: to the web or to a source of the page."""

    links = _LINK

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's
        """Say whether a link may be one."""
        return self.links.fullmatch(url) is not None


def page(transcripts: Sequence[Transcript], words: ExportLabels) -> str:
    """Return conversations, one after the other, as one page."""
    title = transcripts[0].title if len(transcripts) == 1 else "Desktop RAG"
    whole = body(transcripts, words)
    said = {"language": escape(words.language), "title": escape(title), "body": whole}
    empty = (resources() / "export" / "page.html").read_text(encoding="utf-8")
    return _TOKEN.sub(lambda found: said[found.group(1)], empty)


def body(transcripts: Sequence[Transcript], words: ExportLabels) -> str:
    """Return what the page says, without what stands around it."""
    return "".join(
        "".join(_conversation(each, number, words)) for number, each in enumerate(transcripts, 1)
    )


def _conversation(transcript: Transcript, number: int, words: ExportLabels) -> Iterator[str]:
    written = renderer()
    yield f"<article>\n<h1>{escape(transcript.title)}</h1>\n"
    for place, turn in enumerate(transcript.turns, 1):
        prefix = f"s{number}-{place}"
        if turn.question:  # a note has none
            yield f'<p class="question">{escape(turn.question)}</p>\n'
        if turn.text:
            text = linked(citations_into_cells(turn.text), turn.cited(), prefix)
            said = written.render(text)
            yield f'<div class="answer">\n{said}</div>\n'
        if ended := incomplete_note(turn, words):
            yield f'<p class="ended">{escape(ended)}</p>\n'
        yield from _sources(turn, prefix, words)
    yield "</article>\n"


def _sources(turn: Turn, prefix: str, words: ExportLabels) -> Iterator[str]:
    """List what an answer cites, with its quotes."""
    cited = sorted(turn.cited())
    if not cited:
        return
    yield f'<section class="sources">\n<strong>{escape(words.sources)}</strong>\n<ul>\n'
    for number in cited:
        quotes = [each for each in turn.citations if each.n == number]
        source = turn.sources[number - 1] if number <= len(turn.sources) else None
        title = escape(source.title) if source is not None else ""
        where = source_place(quotes[0], words)
        yield f'<li id="{prefix}-{number}">[{number}] {title} '
        yield f'<span class="where">{escape(where)}</span>\n'
        for quote in dict.fromkeys(each.quote for each in quotes):
            yield f"<blockquote>{escape(quote)}</blockquote>\n"
        yield "</li>\n"
    yield "</ul>\n</section>\n"


def linked(text: str, cited: Sequence[int], prefix: str) -> str:
    """Make an answer's numbers links to its sources."""

    def link(found: re.Match[str]) -> str:
        number = int(found.group(1))
        if number not in cited:
            return found.group(0)
        return rf"[\[{number}\]](#{prefix}-{number})"

    return replace_numbers(text, link)


def replace_numbers(text: str, told: Callable[[re.Match[str]], str]) -> str:
    """Put something in place of an answer's numbers of sources; those in code are none."""
    parts = _CODE.split(text)
    parts[::2] = [_NUMBER.sub(told, part) for part in parts[::2]]
    return "".join(parts)


def renderer(links: re.Pattern[str] = _LINK) -> MarkdownIt:
    """Return what reads an answer's Markdown: no HTML, no pictures, no links to elsewhere."""
    made = _Careful("commonmark", {"html": False})
    made.links = links
    return made.enable("table").disable("image")
