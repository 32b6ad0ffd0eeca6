"""Finds what kept conversations quote from documents that are removed, and takes it out.

An answer's steps and notices lose what was copied from those documents. Steps that a model wrote
stay as they are. A query that was asked after such a document was found may have its words, whoever
wrote it: it goes whole. So do summaries, which say what passages say.

An answer keeps its words where a language model wrote them. What was copied from the document goes:
quotes, passages, titles and paths, and the whole text of an answer that was made of quotes. A
removed source leaves its number, so that the others keep theirs. A saved question that the document
answers goes whole. A note is treated as an answer is; of one that was made of quotes the lines that
say what the document says go, and what the user wrote around them stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from desktop_rag.catalog.chats import Chats
from desktop_rag.catalog.database import Database
from desktop_rag.catalog.evaluation_questions import EvaluationQuestions
from desktop_rag.catalog.provenance import IS_OWN
from desktop_rag.catalog.stored_answer import payload_of
from desktop_rag.catalog.whole_document_redaction import (
    action_of,
    names_gone,
    removed_places,
    rename_question,
    without_documents,
)
from desktop_rag.core.catalog_records import REMOVED_TITLE, Conversation
from desktop_rag.core.events import ResultTable, TableQuery
from desktop_rag.core.phrases import SourceName, dump, load, map_source_names
from desktop_rag.core.types import ChatId
from desktop_rag.core.unicode import shown_path, stored_path, valid_text

_OLD_NOTICES = ("From your knowledge base “", "Not everything fits the model's context")
"""How notices of version 0.1 begin that have names of documents in their text."""

TraceLine = dict[str, Any]
_BY_NUMBER = '"document_id"'  # in a sentence that names a document by it
_PASSAGE = "This document was taken out, and its quotes were removed from this conversation."
_NOTICE = "A source of this answer was taken out, and its quotes with it."
_ANSWER = "This answer was made of quotes from a document that was taken out. They were removed."
_NOWHERE: dict[str, Any] = {
    "kind": "part",
    "value": "",
    "start": None,
    "end": None,
    "boxes": [],
    "cells": None,
}
_PATHS_GONE = f"""
    SELECT value FROM json_each(:paths) WHERE value NOT IN (
        SELECT path FROM files JOIN documents ON documents.id = document_id
        WHERE kb <> :kb AND {IS_OWN}
    )
"""  # noqa: S608
_DOCUMENTS_GONE = """
    SELECT value FROM json_each(:documents) WHERE value NOT IN (
        SELECT document_id FROM files WHERE document_id IS NOT NULL
        AND NOT (kb = :kb AND path IN (SELECT value FROM json_each(:paths)))
    )
"""
_NUMBER = re.compile(r"\[(\d{1,3})\]")
_SHORT = 5  # letters that stand in any text
Payload = dict[str, Any]


_OF_TABLES = (TableQuery.event, ResultTable.event)
"""Steps with names of columns and cells, of whichever of the tables that they are about."""


@dataclass(frozen=True, slots=True)
class RemovedPassages:
    """The passages that an answer loses, by their numbers, and what their documents are called.

    `documents` are the numbers of all that go, also of those without a passage in the answer.
    """

    chunks: frozenset[str]
    titles: frozenset[str]
    files: frozenset[str]
    documents: frozenset[int] = frozenset()

    @classmethod
    def of(
        cls, passages: Sequence[Mapping[str, Any]], documents: frozenset[int] = frozenset()
    ) -> RemovedPassages:
        """Gather it from the passages, and from citations of them, as they are kept."""
        files = (PurePath(str(each.get("path", ""))).name for each in passages)
        return cls(
            chunks=frozenset(str(each["chunk_id"]) for each in passages),
            titles=frozenset(str(each["title"]) for each in passages if each.get("title")),
            files=frozenset(" ".join(each.split()) for each in files if each),
            documents=documents,
        )

    def without(self, name: SourceName) -> str:
        """Return what stands for a document's name in a sentence."""
        is_gone = str(name.chunk_id) in self.chunks or name.document_id in self.documents
        return REMOVED_TITLE if is_gone else name


def redact_trace(trace: Sequence[TraceLine], lost: RemovedPassages) -> list[TraceLine]:
    """Return an answer's steps without these passages and without the words of their documents."""
    queries = _queries(trace, lost)
    return [
        _without_names(line, lost, queries)
        for line in trace
        if line.get("name") != "summary"
        and str(line.get("chunk_id")) not in lost.chunks
        and not (lost.chunks and line.get("event") in _OF_TABLES)
    ]


def redact_sentence(kept: str, lost: RemovedPassages) -> str:
    """Return a stored sentence that names none of these documents."""
    return dump(map_source_names(load(kept), lost.without))


def _notices(kept: Iterable[str], lost: RemovedPassages) -> list[str]:
    """Return the notices without these documents; of version 0.1, those that name none."""
    named = [each for each in kept if each.startswith(_OLD_NOTICES)]
    return [redact_sentence(each, lost) for each in kept if each not in named]


def _queries(trace: Iterable[TraceLine], lost: RemovedPassages) -> dict[str, str]:
    """Return what stands for each query that may have words of these documents.

    A search that follows a passage is the question and its title. What was searched for before
    anything of them was found has none of their words.
    """
    known: set[str] = set()
    instead: dict[str, str] = {}
    is_found = False
    for line in trace:
        if "query" in line:
            query, why = str(line["query"]), load(str(line.get("why", "")))
            named = {title for title in lost.titles if f"“{title}”" in why}
            if named:
                instead[query] = _replaced(query, named, REMOVED_TITLE)
            elif not is_found:
                known.add(query)
            elif query not in known:
                instead.setdefault(query, REMOVED_TITLE)
        is_found |= any(str(row[0]) in lost.chunks for row in line.get("passages", ()))
    return instead


def _without_names(line: TraceLine, lost: RemovedPassages, queries: Mapping[str, str]) -> TraceLine:
    """Return a step without these passages; `queries` has what stands for those that go."""
    made = dict(line)
    if "follows" in line:
        made["follows"] = [
            each for each in line["follows"] if str(each["chunk_id"]) not in lost.chunks
        ]
    if "why" in line:
        made["why"] = _why(str(line["why"]), lost)
    if "dropped" in line:
        made["dropped"] = [_dropped(str(each), lost) for each in line["dropped"]]
    if line.get("event") == "notice":
        made["text"] = (*_notices([str(line["text"])], lost), _NOTICE)[0]
    if line.get("event") == "step":
        made["text"] = redact_sentence(str(line["text"]), lost)
    if line.get("name") == "chain":  # as versions before this one told it
        made["text"] = _replaced(str(line["text"]), lost.titles, REMOVED_TITLE)
    if line.get("query") in queries:
        made["query"] = queries[line["query"]]
    return made


def _why(kept: str, lost: RemovedPassages) -> str:
    """Return why something was searched for; version 0.1 kept it as one text."""
    if type(load(kept)) is str:
        return _replaced(kept, {f"“{title}”" for title in lost.titles}, f"“{REMOVED_TITLE}”")
    return redact_sentence(kept, lost)


def _dropped(kept: str, lost: RemovedPassages) -> str:
    """Return what did not fit a model's context; version 0.1 kept it as one text."""
    if type(load(kept)) is str and any(f"({file}" in kept for file in lost.files):
        return f"{kept.partition(' (')[0]} ({REMOVED_TITLE})"
    return redact_sentence(kept, lost)


def _replaced(text: str, what: Iterable[str], by: str) -> str:
    for each in sorted(what, key=len, reverse=True):
        text = text.replace(each, by)
    return text


@dataclass(frozen=True, slots=True)
class RemovedDocuments:
    """Documents that are taken out: by the paths that had them, and by their numbers."""

    paths: frozenset[str]
    documents: frozenset[int] = frozenset()

    @classmethod
    def of(cls, paths: Iterable[str], documents: Iterable[int] = ()) -> RemovedDocuments:
        """Name documents as conversations spell their paths."""
        return cls(frozenset(map(valid_text, paths)), frozenset(map(int, documents)))

    def __contains__(self, passage: object) -> bool:
        if not isinstance(passage, dict):
            return False
        return passage.get("path") in self.paths or passage.get("document_id") in self.documents


class CitationRedaction:
    """What the catalog's conversations have copied from documents."""

    def __init__(self, database: Database, chats: Chats, questions: EvaluationQuestions) -> None:
        self._database = database
        self._chats = chats
        self._questions = questions
        self._lost: list[RemovedDocuments] = []

    @property
    def lost(self) -> int:
        """How often something was taken out since the start; for `forget_in`."""
        return len(self._lost)

    def quoting(self, taken: RemovedDocuments) -> list[Conversation]:
        """Return the conversations that hold text of these documents, the last changed first."""
        found = {chat for chat, _, _, payload in self._answers() if _holds(payload, taken)}
        return [each for each in self._chats.all() if each.id in found]

    def forget(self, paths: Iterable[str], documents: Iterable[int] = (), kb: int = 0) -> int:
        """Take the text of documents that no knowledge base has any more out of conversations.

        `kb` is one that lets go of these paths, now or as soon as it can. Return how many answers
        were changed.
        """
        gone = self._gone(paths, documents, kb)
        self._questions.forget(*gone)
        taken = RemovedDocuments.of(*gone)
        self._lost.append(taken)  # before looking: an answer that is being written looks here
        found = [each for _, each, _, payload in self._answers() if _holds(payload, taken)]
        changed = sum([self._take_from(message, taken) for message in found])
        noted = [each for each, payload in self._notes() if _holds(payload, taken)]
        for each in noted:
            self._take_from_note(each, taken)
        if changed or noted:
            self._database.forget()
        return changed

    def notes_quoting(self, taken: RemovedDocuments) -> int:
        """Count the notes that hold text of these documents."""
        return sum(_holds(payload, taken) for _, payload in self._notes())

    def forget_in(self, message: int, since: int) -> None:
        """Take out of an answer what was lost while it was written, `lost` having been `since`."""
        if sum([self._take_from(message, taken) for taken in self._lost[since:]]):
            self._database.forget()

    def _take_from(self, message: int, taken: RemovedDocuments) -> bool:
        """Take documents out of an answer as it is now; say whether it held any."""
        with self._database.write() as tx:
            rows = tx.execute("SELECT text, payload FROM messages WHERE id = ?", (message,))
            text, raw = rows.fetchone() or ("", "")
            payload = payload_of(raw)
            if not _holds(payload, taken):
                return False
            text, payload = _without(text, payload, taken)
            tx.execute(
                "UPDATE messages SET text = ?, payload = ? WHERE id = ?",
                (text, valid_text(json.dumps(payload, ensure_ascii=False)), message),
            )
            if gone := names_gone(payload_of(raw), taken.paths, taken.documents):
                rename_question(tx, message, gone)
        return True

    def _take_from_note(self, note: int, taken: RemovedDocuments) -> None:
        """Take documents out of a note as it is now."""
        with self._database.write() as tx:
            rows = tx.execute("SELECT title, text, payload FROM notes WHERE id = ?", (note,))
            title, text, raw = rows.fetchone() or ("", "", "")
            payload = payload_of(raw)
            if not _holds(payload, taken):
                return
            title, text, payload = _note_without(title, text, payload, taken)
            tx.execute(
                "UPDATE notes SET title = ?, text = ?, payload = ? WHERE id = ?",
                (title, text, valid_text(json.dumps(payload, ensure_ascii=False)), note),
            )

    def _notes(self) -> Iterator[tuple[int, Payload]]:
        rows = self._database.read().execute(
            "SELECT id, payload FROM notes WHERE length(payload) > 2"
        )
        for note, raw in rows:
            yield int(note), payload_of(raw)

    def _gone(
        self, paths: Iterable[str], documents: Iterable[int], kb: int
    ) -> tuple[list[str], list[int]]:
        """Leave out what is still there elsewhere."""
        read = self._database.read()
        named = {
            "paths": json.dumps([stored_path(path) for path in paths]),
            "documents": json.dumps(list(documents)),
            "kb": kb,
        }
        gone = [shown_path(path) for (path,) in read.execute(_PATHS_GONE, named)]
        return gone, [int(number) for (number,) in read.execute(_DOCUMENTS_GONE, named)]

    def _answers(self) -> Iterator[tuple[ChatId, int, str, Payload]]:
        rows = self._database.read().execute(
            "SELECT chat_id, id, text, payload FROM messages "
            "WHERE role = 'assistant' AND length(payload) > 2"
        )
        for chat, message, text, raw in rows:
            payload = payload_of(raw)
            if payload:
                yield ChatId(chat), int(message), text, payload


def _holds(payload: Payload, taken: RemovedDocuments) -> bool:
    found = any(
        passage in taken or not taken.paths.isdisjoint(passage.get("other_paths", ()))
        for passage in _passages(payload)
    )
    found = found or not taken.documents.isdisjoint(_named_documents(payload))
    return found or bool(removed_places(payload, taken.paths, taken.documents))


def _named_documents(payload: Payload) -> set[int]:
    """Return the documents whose names or headings the steps tell by their numbers."""
    found: set[int] = set()

    def note(name: SourceName) -> str:
        found.add(name.document_id)
        return name

    for line in payload.get("trace", ()):
        text = str(line.get("text", ""))
        if line.get("event") == "step" and _BY_NUMBER in text:
            map_source_names(load(text), note)
    return found


def _passages(payload: Payload) -> Iterator[dict[str, Any]]:
    for kind in ("sources", "retrieved", "citations"):
        yield from payload.get(kind, ())


def _without(text: str, payload: Payload, taken: RemovedDocuments) -> tuple[str, Payload]:
    """Return an answer's text and payload without what was copied from these documents."""
    passages = [each for each in _passages(payload) if each in taken]
    lost = RemovedPassages.of(passages, taken.documents)
    sources, retrieved = payload.get("sources", ()), payload.get("retrieved", ())
    cited = payload.get("citations", ())
    made = payload | {
        "sources": [_left(each, taken) for each in sources],
        "retrieved": [_elsewhere(each, taken) for each in retrieved if each not in taken],
        "citations": [each for each in cited if str(each["chunk_id"]) not in lost.chunks],
        "trace": redact_trace(payload.get("trace", ()), lost),
        "notices": _notices([*map(str, payload.get("notices", ()))], lost),
    }
    if len(made["citations"]) < len(cited):
        made["notices"].append(_NOTICE)
        if payload.get("mode") == "extracted" and action_of(payload) != "each":
            text, made["citations"], made["from_model"] = _ANSWER, [], []
    if "task" in payload:
        text = without_documents(text, made, payload, taken.paths, taken.documents)
    if "text" in payload:
        made["text"] = text
    return text, made


def _note_without(
    title: str, text: str, payload: Payload, taken: RemovedDocuments
) -> tuple[str, str, Payload]:
    """Return a note's title, text and payload without what was copied from these documents."""
    lost = [each for each in payload.get("sources", ()) if each in taken]
    numbers = {n for n, each in enumerate(payload.get("sources", ()), 1) if each in taken}
    cited = [each for each in payload.get("citations", ()) if each["n"] in numbers]
    texts = (*(each.get("quote", "") for each in cited), *(each.get("text", "") for each in lost))
    said = [_bare(str(each)) for each in texts]
    names = {_bare(str(each.get("title", ""))) for each in lost}
    text, made = _without(text, payload | {"mode": ""}, taken)
    if payload.get("mode") == "extracted":
        lines = [each for each in text.splitlines() if not _is_quote(each, numbers, said)]
        text = "\n".join(lines).strip()
        title = REMOVED_TITLE if _bare(title) in names or _is_quote(title, set(), said) else title
    for name in names_gone(payload, taken.paths, taken.documents):
        title = title.replace(name, REMOVED_TITLE)
    return title, text, made | {"mode": payload.get("mode", "")}


def _is_quote(line: str, numbers: set[int], said: Iterable[str]) -> bool:
    """Say whether a line of a note cites one of these sources, or says what they say."""
    bare = _bare(line)
    if line.lstrip().startswith(">") or any(int(each) in numbers for each in _NUMBER.findall(line)):
        return True
    return len(bare) > _SHORT and any(bare in each or each in bare for each in filter(None, said))


def _bare(text: str) -> str:
    """Return the letters and digits of a text, by which it is known however it is set."""
    return "".join(filter(str.isalnum, _NUMBER.sub("", text))).casefold()


def _left(source: dict[str, Any], taken: RemovedDocuments) -> dict[str, Any]:
    """Return a numbered source; of one that is gone, the place that its number holds."""
    if source not in taken:
        return _elsewhere(source, taken)
    nothing = {"path": "", "section": "", "other_paths": [], "locator": _NOWHERE, "match": [0, 0]}
    return source | nothing | {"title": REMOVED_TITLE, "text": _PASSAGE, "content_hash": ""}


def _elsewhere(passage: dict[str, Any], taken: RemovedDocuments) -> dict[str, Any]:
    others = [path for path in passage.get("other_paths", ()) if path not in taken.paths]
    return passage | {"other_paths": others}
