"""What a new note is made of: its text, and its own copy of the sources that this cites.

Sources keep what they were in the answer; only their numbers begin anew where a part of it is
taken.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from desktop_rag.catalog.cited_documents import CitedDocument
from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.stored_answer import passage_row, payload_of, read_answer
from desktop_rag.core.catalog_records import ChatMessage
from desktop_rag.core.document_table import plain
from desktop_rag.core.errors import UserError
from desktop_rag.core.note_records import NewNote, NoteKind
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import NoteRequest
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import (
    ChatId,
    ChunkId,
    Citation,
    DocumentId,
    Locator,
    LocatorKind,
    Passage,
)
from desktop_rag.generation.citation_markers import numbers_in, strip_citations

_TITLE = 80  # characters
_MARKER = re.compile(r"\[\s*(\d{1,3})\s*\]")
_TAKEN = ("generated", "extracted", "stopped")
_COLUMNS = ("mode", "sources", "citations", "from_model", "task")
_MARKUP = re.compile(r"^[\s>#*|-]+")


class _Answer(NamedTuple):
    """An answer of a conversation, and what was asked."""

    question: str
    text: str
    payload: dict[str, Any]
    kbs: tuple[str, ...]


def new_note(catalog: Catalog, request: NoteRequest) -> NewNote:
    """Return the note that is to be added; a UserError where there is nothing to save."""
    if request.chat_id:
        answer = _answer(catalog, request)
        if request.chunk_id:
            return _passage(answer, ChunkId(request.chunk_id), request.text or "")
        return _selection(answer, request.text) if request.text else _whole(answer)
    if request.document_id or request.path:
        return _quote(catalog, request)
    text = request.text or ""
    title = " ".join((request.title or "").split()) or shortened(text)
    return NewNote(NoteKind.OWN, title, text, kbs=request.kbs)


def shortened(text: str) -> str:
    """Return how a text begins, as a title: without markup and citations."""
    lines = (_MARKUP.sub("", line) for line in strip_citations(text).splitlines())
    first = next((" ".join(line.split()) for line in lines if line.strip()), "")
    if len(first) <= _TITLE:
        return first
    cut = first[:_TITLE]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut else cut}…"


def _answer(catalog: Catalog, request: NoteRequest) -> _Answer:
    """Return the answer that is meant; one that says something."""
    chat = catalog.chats.get(ChatId(request.chat_id))
    shown = catalog.chats.messages(chat.id)
    wanted = request.answer_id or next(
        (each.id for each in reversed(shown) if each.role == "assistant"), 0
    )
    every = {each.id: each for each in catalog.chats.every_message(chat.id)}
    found = every.get(wanted)
    if found is None or found.role != "assistant" or not _says_something(found):
        raise UserError(
            Phrase("Conversation {0} has no such answer.", request.chat_id),
            "Name one of its answers that says something, or none for the last one.",
        )
    asked = every.get(found.parent)
    question = " ".join(asked.text.split()) if asked is not None else chat.title
    return _Answer(question, found.text, payload_of(found.payload), chat.kbs)


def _says_something(message: ChatMessage) -> bool:
    return bool(message.text.strip()) and read_answer(message.payload).mode in _TAKEN


def _whole(answer: _Answer) -> NewNote:
    kept = {name: answer.payload[name] for name in _COLUMNS if name in answer.payload}
    title = shortened(answer.question)
    return NewNote(NoteKind.ANSWER, title, answer.text, _packed(kept), answer.kbs)


def _selection(answer: _Answer, selected: str) -> NewNote:
    """Take a part of an answer: with the sources that it cites, or that its sentences rest on."""
    text = _MARKER.sub(r"[\1]", selected).strip()
    marked = numbers_in(text)
    sources, citations = answer.payload.get("sources", []), answer.payload.get("citations", [])
    resting = [int(each["n"]) for each in citations if each["sentence"] in _touched(answer, text)]
    added = [each for each in dict.fromkeys(resting) if each not in marked]
    text += "".join(f" [{number}]" for number in added)
    order = [each for each in (*marked, *added) if 1 <= each <= len(sources)]
    kept = {
        "mode": answer.payload.get("mode", ""),
        "sources": [sources[number - 1] for number in order],
        "citations": [
            each | {"n": order.index(each["n"]) + 1, "sentence": -1}
            for each in citations
            if each["n"] in order
        ],
    }
    said = _renumbered(text, order)
    return NewNote(NoteKind.SELECTION, shortened(said), said, _packed(kept), answer.kbs)


def _touched(answer: _Answer, selected: str) -> set[int]:
    """Return the sentences of an answer that a selection lies in."""
    said, wanted = _letters(answer.text), _letters(selected)
    begin = said.find(wanted)
    if not wanted or begin < 0:
        return set()
    found, at = set(), 0
    for number, span in enumerate(sentences(answer.text)):
        length = len(_letters(span.of(answer.text)))
        if at < begin + len(wanted) and begin < at + length:
            found.add(number)
        at += length
    return found


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, _MARKER.sub("", text)))


def _renumbered(text: str, order: list[int]) -> str:
    """Return a text whose sources are numbered in this order; other numbers stay as they are."""

    def number(found: re.Match[str]) -> str:
        old = int(found[1])
        return f"[{order.index(old) + 1}]" if old in order else found[0]

    return _MARKER.sub(number, text)


def _passage(answer: _Answer, chunk_id: ChunkId, quote: str) -> NewNote:
    """Quote a passage that an answer found: what the answer cites of it, else what matched."""
    rows = (*answer.payload.get("sources", ()), *answer.payload.get("retrieved", ()))
    row = next((each for each in rows if int(each["chunk_id"]) == chunk_id), None)
    read = read_answer(_packed(answer.payload))
    passages = {each.chunk_id: each for each in (*read.sources, *read.retrieved)}
    if row is None or not passages[chunk_id].path:
        raise UserError(
            "This passage is not among what the answer found.", "Ask the question again."
        )
    passage = passages[chunk_id]
    cited = (each for each in read.citations if each.chunk_id == chunk_id and each.quote == quote)
    found = next(cited, None)
    said = found.quote if found is not None else passage.matched
    place = found.locator if found is not None else passage.place_of(*passage.match)
    return _quoting(said, row, Citation(1, chunk_id, passage.path, place, said, -1), answer.kbs)


def _quote(catalog: Catalog, request: NoteRequest) -> NewNote:
    """Quote what was selected in a document, with its place as far as it can be told."""
    text = (request.text or "").strip()
    if not text:
        raise UserError("There is nothing to save: no text is selected.", "Select some first.")
    passage = _selected(catalog, request, text)
    row = passage_row(passage)
    place = passage.locator
    citation = Citation(1, passage.chunk_id, passage.path, place, passage.text, -1)
    return _quoting(text, row, citation, request.kbs)


def _selected(catalog: Catalog, request: NoteRequest, text: str) -> Passage:
    """Return what is selected in a document as a passage of it."""
    cited = CitedDocument(DocumentId(request.document_id), request.path)
    found = catalog.cited.find(cited)
    if found is None:
        raise UserError(
            Phrase("{0} is not in a knowledge base.", request.path), "Add it, then select again."
        )
    number = found.document_id
    at = catalog.cited.find_text(number, text, request.near)
    locator, match = Locator(LocatorKind.PART, ""), (0, len(text))
    if at is not None:
        locator = catalog.documents.locator_for(number, at.start, at.end)
        text, match = catalog.documents.text(number, at.start, at.end), (at.start, at.end)
    return Passage(
        rank=1,
        chunk_id=ChunkId(0),
        document_id=number,
        path=found.path,
        locator=locator,
        title=found.title,
        section="",
        text=text,
        match=match,
        score=0.0,
        content_hash=catalog.documents.content_hashes([number]).get(number, ""),
    )


def _quoting(said: str, row: dict[str, Any], citation: Citation, kbs: tuple[str, ...]) -> NewNote:
    """Return a note that is one quote with its source."""
    cells = said.strip().replace("\t", "; ")  # of a table
    lines = [f"> {plain(line)}".rstrip() for line in cells.splitlines()]
    text = "\n".join([*lines[:-1], f"{lines[-1]} [1]"])
    kept = {"mode": "extracted", "sources": [row], "citations": [citation.as_json()]}
    return NewNote(NoteKind.QUOTE, shortened(said), text, _packed(kept), kbs)


def _packed(payload: dict[str, Any]) -> str:
    return json.dumps(payload, ensure_ascii=False)
