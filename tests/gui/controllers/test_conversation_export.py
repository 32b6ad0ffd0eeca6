"""Conversations as files."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.commands.conversation_recorder import ConversationLog
from desktop_rag.core import temp_files
from desktop_rag.core.errors import UserError
from desktop_rag.gui.controllers.conversation_export import (
    ConversationExport,
    write_atomically,
    written,
)
from desktop_rag.gui.controllers.export_labels import ExportLabels
from desktop_rag.strategies.research_context import ResearchState
from testing.sample_answers import answer

HOSTILE = """Look <script>alert(1)</script> ![x](https://evil.example/p.png) [1]

<img src=https://evil.example/q.png onerror=alert(2)>

[go](javascript:alert(3)) [file](file:///etc/passwd) [web](https://example.org/a)

| a | b |
|---|---|
| 1 | 2 |

```
<b>code</b> [1]
```
"""


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = Catalog.open(tmp_path / "home")
    yield opened
    opened.close()


def hostile(catalog: Catalog) -> int:
    chat = catalog.chats.create("<b>Fuel</b> & “power” 燃料", ("default",))
    record = ConversationLog(catalog, chat).asked("Why <script>alert(0)</script>?\nAnd # this?")
    record.answered(answer(HOSTILE, 1))
    return int(chat)


class Reader(HTMLParser):
    """Notes every element and attribute of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.handlers: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]
        self.handlers += [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    return reader


def test_a_web_page_runs_nothing_and_loads_nothing(catalog: Catalog) -> None:
    page = written(catalog, ConversationExport((hostile(catalog),), Path("x.html"), "html"))
    reader = read(page)
    assert not {"script", "img", "iframe", "link", "object", "b"} & set(reader.tags)
    assert reader.handlers == []
    links = {"#s1-1-1", "https://example.org/a", "https://evil.example/p.png"}
    assert set(reader.addresses) == links, "a picture is a link at most"
    assert "default-src 'none'" in page


def test_a_web_page_has_everything_that_was_said_and_its_sources(catalog: Catalog) -> None:
    page = written(
        catalog,
        ConversationExport((hostile(catalog),), Path("x.html"), "html", ExportLabels("Quellen")),
    )
    reader = read(page)
    for said in (
        "<b>Fuel</b> & “power” 燃料",
        "Why <script>alert(0)</script>?\nAnd # this?",
        "<script>alert(1)</script>",
        "<b>code</b> [1]",
        "Quellen",
        "Report 1",
        "/tmp/report.pdf, page 1",
        "quote 1",
    ):
        assert said in reader.text
    assert {"table", "blockquote"} <= set(reader.tags)
    assert 'id="s1-1-1"' in page


def test_markdown_has_questions_answers_and_sources_and_no_pictures(catalog: Catalog) -> None:
    text = written(catalog, ConversationExport((hostile(catalog),), Path("x.md"), "markdown"))
    assert "> Why \\<script\\>" in text
    assert "](https://evil.example/p.png)" in text
    assert "&#33;[x]" in text
    assert "\n&#60;img src" in text
    assert "<b>code</b> [1]" in text
    assert "- \\[1\\] Report 1. /tmp/report.pdf, page 1\n  > quote 1" in text


def test_markdown_reads_back_without_html_or_pictures(catalog: Catalog) -> None:
    from markdown_it import MarkdownIt

    text = written(catalog, ConversationExport((hostile(catalog),), Path("x.md"), "markdown"))
    reader = read(MarkdownIt("commonmark", {"html": True}).render(text))
    assert not {"script", "img", "b"} & set(reader.tags)
    assert reader.handlers == []


@pytest.mark.parametrize(
    "said",
    [
        "\\<img src=https://evil.example/p.png>",
        "\\![p](https://evil.example/p.png)",
        "A ``` that opens nothing\n\n<img src=https://evil.example/p.png>",
        "\\``` and ![p](https://evil.example/p.png)",
        "`` ` <img src=x> ` ``` <img src=https://evil.example/p.png>",
        "> [p]: file:////evil.example/p.png\n\n![p] and [p]",
        "[open](file:///etc/passwd), [run](javascript:alert(1)), <javascript:alert(2)>",
        r"[share](\\\\evil.example\\share)",
    ],
)
def test_no_trick_brings_a_picture_html_or_another_link_into_markdown(
    catalog: Catalog, said: str
) -> None:
    from markdown_it import MarkdownIt

    chat = catalog.chats.create("Trick", ("default",))
    ConversationLog(catalog, chat).asked("Why?").answered(answer(f"So [1].\n\n{said}", 1))
    text = written(catalog, ConversationExport((int(chat),), Path("x.md"), "markdown"))
    page = MarkdownIt("commonmark", {"html": True})
    page.validateLink = lambda _: True  # type: ignore[method-assign,assignment]
    reader = read(page.render(text))
    assert "img" not in reader.tags
    assert [each for each in reader.addresses if not each.startswith("https://")] == []
    assert "evil.example" in text or "etc/passwd" in text, "it is said, and does nothing"


def test_a_citation_behind_a_row_of_an_earlier_version_stands_in_its_last_cell(
    catalog: Catalog,
) -> None:
    chat = catalog.chats.create("cost", ("default",))
    table = "| Item | Cost |\n|---|---|\n| `fuel` | 41 | [1]\n\n```\n| a | b | [1]\n```"
    ConversationLog(catalog, chat).asked("What?").answered(answer(table, 1))
    made = written(catalog, ConversationExport((chat,), Path("a.md"), "markdown"))
    assert "| `fuel` | 41 [1] |\n" in made
    assert "| a | b | [1]\n" in made
    shown = read(written(catalog, ConversationExport((chat,), Path("a.html"), "html")))
    assert shown.tags.count("td") == 2
    assert "#s1-1-1" in shown.addresses


def test_json_has_every_branch_with_its_sources(catalog: Catalog) -> None:
    chat = catalog.chats.create("Fuel", ("default",))
    ConversationLog(catalog, chat).asked("Why?").answered(answer("So [1].", 1))
    ConversationLog(catalog, chat, 0).asked("Why really?").answered(answer("Thus [2].", 2))
    whole = json.loads(written(catalog, ConversationExport((int(chat),), Path("x.json"), "json")))
    (kept,) = whole["conversations"]
    assert (kept["title"], kept["knowledge_bases"]) == ("Fuel", ["default"])
    first, _, second, told = kept["messages"]
    assert (first["parent"], second["parent"]) == (None, None)
    assert [each["shown"] for each in kept["messages"]] == [False, False, True, True]
    assert told["text"] == "Thus [2]."
    assert told["citations"][0]["quote"] == "quote 2"
    assert (told["sources"][1]["n"], told["sources"][1]["path"]) == (2, "/tmp/report.pdf")
    assert told["sources"][1]["locator"]["kind"] == "page"


def test_several_conversations_stand_in_one_file(catalog: Catalog) -> None:
    chats = [catalog.chats.create(name, ()) for name in ("one", "two")]
    for chat in chats:
        ConversationLog(catalog, chat).asked("Why?").answered(answer("So [1].", 1))
    text = written(catalog, ConversationExport(tuple(chats), Path("x.md"), "markdown"))
    page = written(catalog, ConversationExport(tuple(chats), Path("x.html"), "html"))
    assert text.index("# one") < text.index("---") < text.index("# two")
    assert page.count("<article>") == 2
    assert 'id="s2-1-1"' in page


def test_an_answer_that_is_not_whole_says_so(catalog: Catalog) -> None:
    chat = catalog.chats.create("Fuel", ())
    ConversationLog(catalog, chat).asked("Why?").stopped(
        ResearchState(written="Because"), "single_pass"
    )
    words = ExportLabels(stopped="Angehalten")
    text = written(catalog, ConversationExport((int(chat),), Path("x.md"), "markdown", words))
    assert "Because\n\n*Angehalten*" in text


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    there = tmp_path / "there.md"
    write_atomically(there, "first", tmp_path)
    write_atomically(there, "second 燃料", tmp_path)
    assert there.read_text(encoding="utf-8") == "second 燃料"
    assert [each.name for each in tmp_path.iterdir()] == ["there.md"]


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise there")
def test_what_a_killed_export_had_written_goes_at_the_next_start(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    killed = (
        "import os, sys; from pathlib import Path;"
        "from desktop_rag.gui.controllers import conversation_export as exporting;"
        "os.fsync = lambda _: os.kill(os.getpid(), 9);"
        "exporting.write_atomically(Path(sys.argv[1]), 'said', Path(sys.argv[2]))"
    )
    words = [sys.executable, "-c", killed, str(other / "said.md"), str(home)]
    assert subprocess.run(words, check=False).returncode == -9
    (left,) = other.iterdir()
    temp_files.delete_leftovers(home)
    assert not left.exists()
    assert list(home.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="folders are closed otherwise there")
def test_a_folder_that_does_not_take_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="could not be written"):
        write_atomically(tmp_path / "no" / "file.md", "text", tmp_path)
    (tmp_path / "is-a-folder.md").mkdir()
    with pytest.raises(UserError, match="is-a-folder"):
        write_atomically(tmp_path / "is-a-folder.md", "text", tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["is-a-folder.md"]


def test_an_answer_whose_rest_cannot_be_read_is_written_with_its_text(catalog: Catalog) -> None:
    chat = catalog.chats.create("Fuel", ())
    asked = catalog.chats.append(chat, "user", "Why?")
    catalog.chats.append(chat, "assistant", "Because.", '{"sources": [', asked)
    whole = json.loads(written(catalog, ConversationExport((int(chat),), Path("x.json"), "json")))
    assert whole["conversations"][0]["messages"][1]["text"] == "Because."
