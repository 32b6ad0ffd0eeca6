"""References made whole again: what lost its parent gets one, or goes; what is short is marked."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from desktop_rag.catalog.documents import LONGEST_SEGMENT
from desktop_rag.catalog.integrity import (
    documents_with_gaps,
    has_segments,
    text_parts_sql,
    with_chunk_texts,
)
from desktop_rag.catalog.provenance import original

DAMAGED_RECIPE = " damaged"
"""Marks a document that is not whole: no file is taken to have it, so that it is read again."""

LOST_TEXT_REASON = (
    "Its text was lost when the catalog was damaged. Add the file again where it is here."
)
_BASE, _CHAT, _SET = "Recovered {}", "Recovered conversation {}", "Recovered questions {}"
_LONGEST = 1 << 29  # characters of a text
_TITLE = 60  # characters of a question that becomes a conversation's title

_OF_CHUNKS = "SELECT text, start, stop, big_stop FROM chunks WHERE document_id = ?"
_PART = (("documents", "id = ?1 AND ?2 = 0"), ("segments", "document_id = ?1 AND start = ?2"))
"""Where the beginning of a text stands, and where the rest."""

_PARTS: dict[str, tuple[str, ...]] = {
    "knowledge_bases": ("name",),
    "question_sets": ("name",),
    "exclusions": ("kb", "path"),
    "files": ("kb", "path"),
}
"""Tables of which indexes may hold enough of a row to go on with, and what is needed for it."""


class Counted(Protocol):
    """What this asks of a table's tally."""

    known: set[int]


@dataclass(frozen=True, slots=True)
class RepairCounts:
    """How much was made up or marked: parents that have new names, documents that are not whole.

    `missing` are the chunks that documents say they had, and have not.
    """

    renamed: int = 0
    short: int = 0
    missing: int = 0


def from_parts(table: str, known: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a row made of what indexes know of it; None where that is too little."""
    if table not in _PARTS or any(not known.get(name) for name in _PARTS[table]):
        return None
    row = dict(known)
    if table in ("knowledge_bases", "question_sets"):
        row["created"] = time.time()
    if table == "files":
        row = {"status": "queued", **row, "changed_at": time.time(), "size": 0, "mtime_ns": 0}
    return row


def repair_references(new: sqlite3.Connection, tallies: Mapping[str, Counted]) -> RepairCounts:
    """Repair every reference, parents first."""
    _learn_parents(new, tallies)
    renamed = _name_bases(new) + _name_sets(new) + _name_chats(new)
    _mend_messages(new)
    _remake_documents(new)
    new.execute("DELETE FROM chunks WHERE document_id NOT IN (SELECT id FROM documents)")
    new.execute("DELETE FROM drafts WHERE chat_id <> 0 AND chat_id NOT IN (SELECT id FROM chats)")
    missing = _missing_chunks(new)
    _patch_texts(new)
    short = _mark_documents(new)
    _mend_files(new)
    _drop_orphans(new)
    _drop_half_prepared(new)
    _drop_vectors(new)
    _forget_reuse(new)
    return RepairCounts(renamed, short, missing)


def _learn_parents(new: sqlite3.Connection, tallies: Mapping[str, Counted]) -> None:
    """Note parents that only their children still name: they were there, too."""
    for child, column, parent in (
        ("files", "kb", "knowledge_bases"),
        ("sources", "kb", "knowledge_bases"),
        ("messages", "chat_id", "chats"),
        ("saved_questions", "set_id", "question_sets"),
        ("files", "document_id", "documents"),
        ("chunks", "document_id", "documents"),
    ):
        rows = new.execute(
            f"SELECT DISTINCT {column} FROM {child} WHERE {column} IS NOT NULL "  # noqa: S608
            f"AND {column} NOT IN (SELECT id FROM {parent})"
        )
        tallies[parent].known |= {row[0] for row in rows}


def _missing(new: sqlite3.Connection, parent: str, children: Mapping[str, str]) -> list[int]:
    """Return the numbers of parents that children name and that are not there."""
    asked = " UNION ".join(
        f"SELECT {column} FROM {child}"  # noqa: S608
        for child, column in children.items()
    )
    rows = new.execute(
        f"SELECT * FROM ({asked}) "  # noqa: S608
        f"EXCEPT SELECT id FROM {parent} ORDER BY 1"
    )
    return [row[0] for row in rows if row[0] is not None]


def _name_bases(new: sqlite3.Connection) -> int:
    """Give knowledge bases that lost their row a name, for their files' sake."""
    lost = _missing(new, "knowledge_bases", {"files": "kb", "sources": "kb"})
    for number in lost:
        _insert(new, "knowledge_bases", number, _BASE)
    return len(lost)


def _name_sets(new: sqlite3.Connection) -> int:
    lost = _missing(new, "question_sets", {"saved_questions": "set_id"})
    for number in lost:
        _insert(new, "question_sets", number, _SET)
    return len(lost)


def _insert(new: sqlite3.Connection, table: str, number: int, form: str) -> None:
    """Insert a named row under its old number, with a name that is free."""
    taken = {row[0] for row in new.execute(f"SELECT name FROM {table}")}  # noqa: S608
    count = number
    while (name := form.format(count)) in taken:
        count += 1
    new.execute(
        f"INSERT INTO {table} (id, name, created) VALUES (?, ?, ?)",  # noqa: S608
        (number, name, time.time()),
    )


def _name_chats(new: sqlite3.Connection) -> int:
    """Make conversations anew whose messages are there, called by their first question."""
    lost = _missing(new, "chats", {"messages": "chat_id"})
    kbs = json.dumps([row[0] for row in new.execute("SELECT name FROM knowledge_bases")])
    for number in lost:
        first = new.execute(
            "SELECT text FROM messages WHERE chat_id = ? AND role = 'user' ORDER BY id", (number,)
        ).fetchone()
        title = first[0][:_TITLE] if first else _CHAT.format(number)
        new.execute(
            "INSERT INTO chats (id, title, kbs, created, changed) "
            "SELECT ?1, ?2, ?3, min(created), max(created) FROM messages WHERE chat_id = ?1",
            (number, title, kbs),
        )
    return len(lost)


def _mend_messages(new: sqlite3.Connection) -> None:
    """Hang messages below the one before, where theirs is lost; show each branch's last one."""
    new.execute(
        "UPDATE messages SET parent = (SELECT max(before.id) FROM messages AS before "
        "WHERE before.chat_id = messages.chat_id AND before.id < messages.id) "
        "WHERE parent IS NOT NULL AND NOT EXISTS (SELECT 1 FROM messages AS above "
        "WHERE above.id = messages.parent AND above.chat_id = messages.chat_id "
        "AND above.id < messages.id)"
    )
    new.execute(
        "UPDATE chats SET head = (SELECT max(id) FROM messages WHERE chat_id = chats.id) "
        "WHERE head IS NULL OR NOT EXISTS "
        "(SELECT 1 FROM messages WHERE id = head AND chat_id = chats.id)"
    )


def _remake_documents(new: sqlite3.Connection) -> None:
    """Make the texts of documents anew from their chunks.

    A long text lies on many pages, of which one is enough to lose it; its chunks are elsewhere.
    What no chunk has is blank.
    """
    rows = new.execute(
        "SELECT document_id, min(path), max(content_hash) FROM files WHERE document_id IN "
        "(SELECT document_id FROM chunks EXCEPT SELECT id FROM documents) GROUP BY document_id"
    ).fetchall()
    for number, path, content_hash in rows:
        chunks = new.execute(_OF_CHUNKS, (number,)).fetchall()
        (key,) = new.execute(
            "SELECT embed_key FROM chunks WHERE document_id = ? LIMIT 1", (number,)
        ).fetchone()
        text = _joined(chunks)
        named = hashlib.blake2b(text.encode(), digest_size=20).hexdigest()
        recipe = key[len(original(key)) :] + DAMAGED_RECIPE  # an import's stays known as that
        title = path.replace("\\", "/").rpartition("/")[2]
        new.execute(
            "INSERT INTO documents (id, content_hash, recipe, title, text, notes, chunk_count) "
            "VALUES (?, ?, ?, ?, ?, '[]', ?)",
            (number, content_hash or named, recipe, title, text, len(chunks)),
        )
        if has_segments(new):
            _cut(new, number, text)


def _cut(new: sqlite3.Connection, number: int, text: str) -> None:
    """Put a long text where it belongs: its beginning in its own row, the rest in segments."""
    new.execute("DELETE FROM segments WHERE document_id = ?", (number,))
    new.executemany(
        "INSERT INTO segments (document_id, start, text) VALUES (?, ?, ?)",
        (
            (number, start, text[start : start + LONGEST_SEGMENT])
            for start in range(LONGEST_SEGMENT, len(text), LONGEST_SEGMENT)
        ),
    )
    new.execute("UPDATE documents SET text = ? WHERE id = ?", (text[:LONGEST_SEGMENT], number))


def _joined(chunks: Iterable[tuple[str, int | None, int | None, int]]) -> str:
    """Return the text of which these chunks are parts."""
    known = [chunk for chunk in chunks if chunk[1] is not None and chunk[2] is not None]
    length = max((big for *_, big in known), default=0)
    made = [" "] * min(length, _LONGEST)
    for text, start, stop, _ in known:
        if start is not None and stop is not None and 0 <= start <= stop <= len(made):
            made[start:stop] = text[: stop - start].ljust(stop - start)
    return "".join(made)


def _patch_texts(new: sqlite3.Connection) -> None:
    """Put chunks' texts, which have a hash, where a document's text is another; mark it.

    One between whose segments text is missing is marked, too.
    """
    mark = (
        "UPDATE documents SET recipe = CASE WHEN recipe LIKE '%' || ?1 THEN recipe "
        "ELSE recipe || ?1 END WHERE id = ?2"
    )
    places = [(number, start) for number, start, _ in new.execute(text_parts_sql(new))]
    for number, start in places:
        table, where = _PART[start > 0]
        (text,) = new.execute(
            f"SELECT text FROM {table} WHERE {where}",  # noqa: S608
            (number, start),
        ).fetchone()
        chunks = new.execute(
            "SELECT start, stop, text FROM chunks WHERE document_id = ?1 AND stop > ?2 "
            "AND start < ?3",
            (number, start, start + len(text)),
        )
        right = with_chunk_texts(text, chunks, start)
        if right != text:
            new.execute(
                f"UPDATE {table} SET text = ?3 WHERE {where}",  # noqa: S608
                (number, start, right.replace("\0", " ")),
            )
            new.execute(mark, (DAMAGED_RECIPE, number))
    for number in documents_with_gaps(new):
        _join(new, number)
        new.execute(mark, (DAMAGED_RECIPE, number))


def _join(new: sqlite3.Connection, number: int) -> None:
    """Put what chunks have of a text where a part of it is missing."""
    text = _joined(new.execute(_OF_CHUNKS, (number,)))
    parts = new.execute(f"SELECT * FROM ({text_parts_sql(new)}) WHERE id = ?", (number,))  # noqa: S608
    for _, start, part in parts.fetchall():
        text = f"{text[:start].ljust(start)}{part}{text[start + len(part) :]}"
    _cut(new, number, text)


def _missing_chunks(new: sqlite3.Connection) -> int:
    found = new.execute(
        "SELECT coalesce(sum(max(0, chunk_count - (SELECT count(*) FROM chunks "
        "WHERE document_id = documents.id))), 0) FROM documents"
    )
    return int(found.fetchone()[0])


def _mark_documents(new: sqlite3.Connection) -> int:
    """Drop documents without a chunk or a file, and mark those that are short of chunks."""
    new.execute(
        "DELETE FROM documents WHERE id NOT IN (SELECT document_id FROM chunks) "
        "OR id NOT IN (SELECT document_id FROM files WHERE document_id IS NOT NULL)"
    )
    new.execute("DELETE FROM chunks WHERE document_id NOT IN (SELECT id FROM documents)")
    if has_segments(new):
        new.execute("DELETE FROM segments WHERE document_id NOT IN (SELECT id FROM documents)")
    held = "(SELECT count(*) FROM chunks WHERE document_id = documents.id)"
    new.execute(
        f"UPDATE documents SET chunk_count = {held}, recipe = CASE WHEN recipe LIKE '%' || ?1 "  # noqa: S608
        f"THEN recipe ELSE recipe || ?1 END WHERE chunk_count <> {held}",
        (DAMAGED_RECIPE,),
    )
    marked = "SELECT count(*) FROM documents WHERE recipe LIKE '%' || ?"
    return int(new.execute(marked, (DAMAGED_RECIPE,)).fetchone()[0])


def _mend_files(new: sqlite3.Connection) -> None:
    """Let files without their whole document be read again where a folder of theirs is followed.

    The others, as of an import, keep what is there: their files may not be on this computer.
    """
    new.execute(
        "UPDATE files SET document_id = NULL WHERE document_id NOT IN (SELECT id FROM documents)"
    )
    unread = (
        "document_id IS NULL AND status = 'ready' OR document_id IN "
        "(SELECT id FROM documents WHERE substr(recipe, -?1) = ?2)"
    )
    followed = (
        "EXISTS (SELECT 1 FROM sources WHERE sources.kb = files.kb AND (sources.path = files.path "
        "OR substr(files.path, 1, length(sources.path) + 1) IN "
        "(sources.path || '/', sources.path || '\\', sources.path || substr(sources.path, -1))))"
    )
    mark = (len(DAMAGED_RECIPE), DAMAGED_RECIPE)
    new.execute(f"UPDATE files SET status = 'queued' WHERE ({unread}) AND {followed}", mark)  # noqa: S608
    gone = "document_id IS NULL AND status IN ('ready', 'queued')"
    new.execute(
        f"UPDATE files SET status = 'failed', reason = ? WHERE {gone} AND NOT {followed}",  # noqa: S608
        (LOST_TEXT_REASON,),
    )


def _drop_orphans(new: sqlite3.Connection) -> None:
    """Drop what still names a parent that is not there, and then what named that.

    Which tables do is asked of the catalog, as each version has further ones.
    """
    tables = new.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    orphans = [
        f"DELETE FROM {child} WHERE {column} IS NOT NULL AND "  # noqa: S608
        f"{column} NOT IN (SELECT {key or 'rowid'} FROM {parent})"
        for (child,) in tables
        for _, _, parent, column, key, *_ in new.execute(f"PRAGMA foreign_key_list({child})")
    ]
    while sum(new.execute(each).rowcount for each in orphans):
        pass


def _drop_half_prepared(new: sqlite3.Connection) -> None:
    """Drop what was derived from documents of which some of that is lost: it is made again."""
    if not new.execute("SELECT 1 FROM sqlite_master WHERE name = 'prepared_documents'").fetchone():
        return  # a catalog of an earlier version
    new.execute(
        "DELETE FROM derived_texts WHERE id NOT IN (SELECT derived_id FROM derived_sources)"
    )
    new.execute(
        "DELETE FROM prepared_documents WHERE texts <> (SELECT count(*) FROM derived_texts "
        "WHERE derived_texts.document_id = prepared_documents.document_id "
        "AND derived_texts.way = prepared_documents.way)"
    )
    new.execute(
        "DELETE FROM derived_texts WHERE NOT EXISTS (SELECT 1 FROM prepared_documents "
        "WHERE prepared_documents.document_id = derived_texts.document_id "
        "AND prepared_documents.way = derived_texts.way)"
    )
    _drop_orphans(new)


def _forget_reuse(new: sqlite3.Connection) -> None:
    """Give no earlier answer again: what the documents were when it was made is not certain."""
    if new.execute("SELECT 1 FROM sqlite_master WHERE name = 'reusable_answers'").fetchone():
        new.execute("DELETE FROM reusable_answers")


def _drop_vectors(new: sqlite3.Connection) -> None:
    """Drop vectors that no chunk has, or of another length than their model's."""
    new.execute("DELETE FROM embeddings WHERE embed_key NOT IN (SELECT embed_key FROM chunks)")
    lengths = new.execute(
        "SELECT fingerprint, length(vector) FROM embeddings GROUP BY 1, 2 ORDER BY count(*)"
    )
    for fingerprint, length in dict(lengths.fetchall()).items():  # of each the commonest comes last
        new.execute(
            "DELETE FROM embeddings WHERE fingerprint = ? AND length(vector) <> ?",
            (fingerprint, length),
        )
