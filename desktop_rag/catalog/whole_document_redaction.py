"""Takes removed documents out of kept answers over whole documents.

Those name the documents: as headings, in the legend of a comparison, in the rows of a table. A
table loses the rows of what was removed, and keeps the others. What was quoted before an answer was
stopped goes as a whole.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from desktop_rag.core.catalog_records import REMOVED_TITLE
from desktop_rag.core.document_table import lines_of_sentences, plain, shown_quote, without_rows
from desktop_rag.core.unicode import valid_text

Payload = dict[str, Any]


def action_of(payload: Mapping[str, Any]) -> str:
    """Return what was done with whole documents, "" where it was a question."""
    task = payload.get("task")
    return str(task.get("action", "")) if isinstance(task, dict) else ""


def removed_places(
    payload: Mapping[str, Any], paths: Collection[str], documents: Collection[int]
) -> list[int]:
    """Return which documents of an answer are gone, by their places in it."""
    return [at for at, each in enumerate(_documents(payload)) if _is_gone(each, paths, documents)]


def names_gone(
    payload: Mapping[str, Any], paths: Collection[str], documents: Collection[int]
) -> list[str]:
    """Return the file names of an answer's documents that are gone, the longest first."""
    read = list(_documents(payload))
    gone = removed_places(payload, paths, documents)
    names = {valid_text(PurePath(str(read[at][0])).name) for at in gone}
    return sorted(names, key=len, reverse=True)


def rename_question(tx: sqlite3.Connection, answer: int, names: Collection[str]) -> None:
    """Take names out of what was asked, and out of the title that was made of it."""
    row = tx.execute(
        "SELECT asked.id, asked.text, chats.id, chats.title FROM messages AS answer "
        "JOIN messages AS asked ON asked.id = answer.parent "
        "JOIN chats ON chats.id = answer.chat_id WHERE answer.id = ?",
        (answer,),
    ).fetchone()
    if row is None:
        return
    asked, text, chat, title = row
    for name in names:
        text, title = text.replace(name, REMOVED_TITLE), title.replace(name, REMOVED_TITLE)
    tx.execute("UPDATE messages SET text = ? WHERE id = ?", (text, asked))
    tx.execute("UPDATE chats SET title = ? WHERE id = ?", (title, chat))


def without_documents(
    text: str,
    made: Payload,
    payload: Mapping[str, Any],
    paths: Collection[str],
    documents: Collection[int],
) -> str:
    """Return an answer's text without removed documents; `made` loses what it keeps of them."""
    gone = removed_places(payload, paths, documents)
    read, names = list(_documents(payload)), names_gone(payload, paths, documents)
    made["task"] = _without(payload["task"], read, gone, paths)
    if not gone:
        return text
    if action_of(payload) == "each":
        before, text = text, without_rows(text, gone, REMOVED_TITLE)
        made["citations"] = list(_moved(made["citations"], before, text))
        return text
    if payload.get("mode") in ("running", "stopped", "failed"):
        return ""
    before = text
    lost = [each for each in payload.get("citations", ()) if each not in made["citations"]]
    quotes = {f"“{shown_quote(str(each.get('quote', '')))}”" for each in lost}
    for quote in sorted(quotes, key=len, reverse=True):
        text = text.replace(quote, f"“{REMOVED_TITLE}”")
    for name in names:
        text = text.replace(plain(name), REMOVED_TITLE).replace(name, REMOVED_TITLE)
    made["citations"] = list(_moved(made["citations"], before, text))
    return text


def _documents(payload: Mapping[str, Any]) -> Iterator[list[Any]]:
    task = payload.get("task")
    if isinstance(task, dict):
        yield from (each for each in task.get("documents", ()) if len(each) == 2)


def _is_gone(each: list[Any], paths: Collection[str], documents: Collection[int]) -> bool:
    return valid_text(str(each[0])) in paths or each[1] in documents


def _without(
    task: Mapping[str, Any], read: list[list[Any]], gone: list[int], paths: Collection[str]
) -> Payload:
    """Return what was asked, without the paths of what is gone; its places stay."""
    left = [["", 0] if at in gone else each for at, each in enumerate(read)]
    asked = [each for each in task.get("paths", ()) if valid_text(str(each)) not in paths]
    return {**task, "documents": left, "paths": asked}


def _moved(citations: list[Payload], before: str, after: str) -> Iterator[Payload]:
    """Yield citations by the sentences of a table that lost some rows' text."""
    old, new = lines_of_sentences(before), lines_of_sentences(after)
    first_old, first_new = _firsts(old), _firsts(new)
    for each in citations:
        line = old.get(int(each.get("sentence", 0)))
        if line is not None and line in first_new:
            at = first_new[line] + int(each["sentence"]) - first_old[line]
            yield {**each, "sentence": at}


def _firsts(lines: Mapping[int, int]) -> dict[int, int]:
    """Return each line's first sentence."""
    made: dict[int, int] = {}
    for number, line in lines.items():
        made.setdefault(line, number)
    return made
