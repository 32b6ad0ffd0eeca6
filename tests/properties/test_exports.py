"""Whatever a model or a document said, a conversation's file runs nothing and loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from desktop_rag.gui.controllers.export_html import page
from desktop_rag.gui.controllers.export_labels import ExportLabels
from desktop_rag.gui.controllers.export_markdown import markdown
from desktop_rag.gui.controllers.transcript import Transcript, fold
from testing.sample_answers import answer

PIECES = (
    "<script>", "</script>", "<img src=//e.example onerror=x>", "![a](", "https://e.example/p.png",
    ")", "[b](", "javascript:x", "[1]", "](", "]", "[", "<", ">", "`", "```\n", "\n\n", "\n", "|",
    "|---|\n", "<!--", "-->", "<svg/onload=x>", "&lt;img&gt;", "&#60;", "\\", "!", "<a href=", '"',
    "[c]: file:///etc/passwd\n", "[c]", "![c]", "<https://e.example>", "<file:///x>",
    "data:text/html,", "    ", "> ", "- ", "@body", "@title", "<?php ?>", "<![CDATA[", "\0",
    "\u2028", "~~~\n", "   ```",
)  # fmt: skip
said = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=14).map("".join)


class Elements(HTMLParser):
    """Notes a page's elements and the addresses that they name."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in {"src", "srcset", "data", "poster", "background", "action", "style"}:
                self.loaded.append(f"{tag} {name}={value}")
            if name == "href":
                self.links.append(value or "")
            if name.startswith("on"):
                self.handlers.append(name)


class Credulous(MarkdownIt):
    """Markdown as the least careful program reads it."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's
        return bool(url)


def conversation(question: str, text: str) -> Transcript:
    return fold(Transcript(title=question).begun(question, "single_pass"), answer(text, 1, 2))


@settings(max_examples=100)
@example("", "[a](<javascript:x> 'https://e.example')")
@given(said, said)
def test_a_web_page_runs_nothing_and_loads_nothing(question: str, text: str) -> None:
    seen = Elements()
    seen.feed(page([conversation(question, text)], ExportLabels()))
    assert seen.loaded == []
    assert seen.handlers == []
    assert seen.tags.isdisjoint(
        {"script", "img", "svg", "iframe", "object", "form", "base", "link"}
    )
    assert all(link.startswith(("#s1-1-", "http://", "https://")) for link in seen.links)


@settings(max_examples=100)
@given(said, said)
def test_markdown_brings_no_html_no_picture_and_no_link_but_to_the_web(
    question: str, text: str
) -> None:
    made = markdown([conversation(question, text)], ExportLabels())
    for token in tokens(Credulous("commonmark", {"html": True}).enable("table").parse(made)):
        assert token.type not in ("html_inline", "html_block", "image")
        if token.type == "link_open":
            assert str(token.attrs["href"]).startswith(("http://", "https://"))


def tokens(found: list[Token]) -> Iterator[Token]:
    for token in found:
        yield token
        yield from tokens(token.children or [])
