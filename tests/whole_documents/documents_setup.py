"""A data folder with a few small documents that were really read, and what is asked of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer, Event
from desktop_rag.core.requests import DocumentsRequest, IndexRequest, RemoveRequest
from desktop_rag.core.sentences import sentences
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.core.types import ChatId
from desktop_rag.workspace import Workspace

FIRST = """# Lease agreement

This lease is made between Anna Berg (the Landlord) and Karl Weiss (the Tenant).

## Rent

The monthly rent is 1,200 EUR, due on the 3rd day of each month.
Late payments bear interest of 5 percent a year.

## Term

The lease begins on 1 March 2024 and runs for three years.
Either party may terminate it with a notice of 30 days in writing.
Pets are allowed with the Landlord's written consent.
"""
SECOND = """# Lease agreement

This lease is made between Anna Berg (the Landlord) and Karl Weiss (the Tenant).

## Rent

The monthly rent is 1,350 EUR, due on the 3rd day of each month.
Late payments bear interest of 5 percent a year.

## Term

The lease begins on 1 March 2024 and runs for five years.
Either party may terminate it with a notice of 60 days in writing.
Smoking is forbidden in the stairwell and in the cellar.
"""
CHINESE = """# 房屋租赁合同

## 租金

月租金为人民币5000元，每月3日前支付。
逾期付款按每日万分之五支付违约金。

## 租期

租赁期限为三年，自2024年3月1日起算。
任何一方可提前30天书面通知对方解除合同。
承租人应当保持房屋清洁并妥善维护。
"""
GARDEN = """# Garden society

The garden society met on 4 May and planted twelve apple trees behind the old chapel.
The members thanked the gardener for the roses along the northern wall.
"""
HEAD = "Harbour works, annual report of the board"
_THINGS = ("crane", "quay", "ferry", "pilot", "lighthouse", "dredger", "buoy", "dock", "tug")


def long_report(sections: int) -> str:
    """Return a report of many sections, each with a line that stands on every page."""
    made = ["# Harbour report\n"]
    for n in range(sections):
        thing = _THINGS[n % len(_THINGS)]
        made.append(f"## Part {n + 1}: the {thing}\n\n{HEAD}\n")
        made.append(
            f"In year {1900 + n} the {thing} number {n} was repaired for {100 + 7 * n} crowns. "
            f"The {thing} had carried {20 + n} loads of timber in the month before the storm. "
            f"Its keeper number {n} asked the council for {3 + n % 5} new ropes and a lamp.\n"
        )
        made.append(
            f"The council of section {n} decided to keep the {thing} open through the winter. "
            f"Nobody in quarter {n} objected to the toll of {n + 2} pence a ton.\n"
        )
    return "\n".join(made)


@dataclass
class DocumentsSetup:
    """An open workspace over a folder of documents."""

    folder: Path
    workspace: Workspace

    @classmethod
    def opened(cls, home: Path, folder: Path, host: str) -> DocumentsSetup:
        """Open a data folder whose language model is at an address."""
        settings = Settings(ollama=Ollama(host=host, model="llama3.2:3b"))
        return cls(folder, open_workspace(home, settings))

    def path(self, name: str) -> str:
        """Return the path of a document."""
        return str(self.folder / name)

    def request(self, action: str, *names: str, **more: Any) -> DocumentsRequest:
        """Return what is asked of documents by their names; of none, of the whole folder."""
        paths = tuple(map(self.path, names)) or (str(self.folder),)
        return DocumentsRequest(action, ("default",), paths, **more)

    def start(self, action: str, *names: str, **more: Any) -> Iterator[Event]:
        """Begin what is asked."""
        return perform(self.workspace, self.request(action, *names, **more), CancelToken())

    def events(self, action: str, *names: str, **more: Any) -> list[Event]:
        """Return all that happens."""
        return list(self.start(action, *names, **more))

    def answer(self, action: str, *names: str, **more: Any) -> Answer:
        """Return what comes of it."""
        last = self.events(action, *names, **more)[-1]
        assert isinstance(last, Answer)
        return last

    def remove(self, name: str) -> None:
        """Take a document out."""
        request = RemoveRequest("default", (self.path(name),), quotes="lose")
        list(perform(self.workspace, request, CancelToken()))

    def kept(self, chat_id: int | None) -> tuple[str, str, str]:
        """Return question, answer and payload of a conversation's last answer."""
        assert chat_id is not None
        *_, asked, answer = self.workspace.catalog.chats.messages(ChatId(chat_id))
        return asked.text, answer.text, answer.payload


def write_documents(folder: Path) -> None:
    """Write the documents."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "first.md": FIRST,
        "second.md": SECOND,
        "合同.md": CHINESE,
        "garden.md": GARDEN,
        "long.md": long_report(60),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def read_documents(home: Path, folder: Path, host: str) -> None:
    """Have the documents read into a data folder."""
    made = DocumentsSetup.opened(home, folder, host)
    list(perform(made.workspace, IndexRequest("default", (str(folder),)), CancelToken()))
    made.workspace.close()


def assert_cited(answer: Answer, workspace: Workspace) -> None:
    """Every sentence has a citation, and every citation's quote stands in its passage."""
    spans = sentences(answer.text)
    cited = {each.sentence for each in answer.citations}
    bare = [
        span.of(answer.text)
        for n, span in enumerate(spans)
        if n not in cited and not span.of(answer.text).startswith(("#", "|", "**", "("))
    ]
    assert bare == []
    assert answer.citations
    for each in answer.citations:
        source = answer.sources[each.n - 1]
        assert each.quote in source.text
        assert each.chunk_id == source.chunk_id
        assert each.path == source.path
        chunk = workspace.catalog.documents.get_chunks([source.chunk_id])[source.chunk_id]
        assert (chunk.locator.start, chunk.locator.end) == source.match
        assert (each.locator.start, each.locator.end) != (None, None)
        documents = workspace.catalog.documents
        stands = documents.text(source.document_id, each.locator.start or 0, each.locator.end)
        assert stands == each.quote
        assert f"[{each.n}]" in spans[each.sentence].of(answer.text)
