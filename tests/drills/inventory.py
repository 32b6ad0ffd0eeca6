"""Counts all that a data folder holds: `python -m tests.drills.inventory SCORES HOME [QUERY …]`.

A process of its own opens the folder as any start does, compares catalog, Chroma and tantivy row
by row, answers the searches, and prints one JSON object. Where the settings let Chroma be asked of
however small a knowledge base, a few that its graph misses are put in.

What the second stage thinks of a question and a passage depends on nothing else: it is remembered
in SCORES from one census to the next, where reading the same pairs again took most of the time.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from desktop_rag.bootstrap import with_settings
from desktop_rag.commands import search
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.requests import SearchRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.index import flat
from desktop_rag.index.knowledge_base_index import KnowledgeBaseIndex
from desktop_rag.ipc.ownership import FolderLock
from desktop_rag.models.protocols import Reranker
from desktop_rag.retrieval.query_cleaning import without_answer_instructions
from desktop_rag.runtime import Runtime
from desktop_rag.workspace import Workspace

Ask = Callable[[str, Any, int, Any], flat.Hits | None]
Score = Callable[..., list[float]]

_ORPHANS = {
    "documents without a file": "SELECT count(*) FROM documents WHERE id NOT IN "
    "(SELECT document_id FROM files WHERE document_id IS NOT NULL)",
    "chunks without a document": "SELECT count(*) FROM chunks WHERE document_id NOT IN "
    "(SELECT id FROM documents)",
    "embeddings without a chunk": "SELECT count(*) FROM embeddings WHERE embed_key NOT IN "
    "(SELECT embed_key FROM chunks)",
    "outbox entries of no knowledge base": "SELECT count(*) FROM outbox WHERE kb NOT IN "
    "(SELECT id FROM knowledge_bases)",
    "files of no knowledge base": "SELECT count(*) FROM files WHERE kb NOT IN "
    "(SELECT id FROM knowledge_bases)",
    "answers given again of no message": "SELECT count(*) FROM reusable_answers "
    "WHERE message_id NOT IN (SELECT id FROM messages)",
    "kept answers of no message": "SELECT count(*) FROM kept_answers "
    "WHERE message_id NOT IN (SELECT id FROM messages)",
    "vectors of answers that are not kept": "SELECT count(*) FROM kept_answer_vectors "
    "WHERE message_id NOT IN (SELECT message_id FROM kept_answers)",
    "transactions' leavings": "SELECT count(*) FROM outbox",
}
_MISSING = {
    "chunks without an embedding": "SELECT count(*) FROM chunks WHERE embed_key NOT IN "
    "(SELECT embed_key FROM embeddings)",
    "documents short of chunks": "SELECT count(*) FROM documents WHERE chunk_count <> "
    "(SELECT count(*) FROM chunks WHERE document_id = documents.id)",
    "ready files without a document": "SELECT count(*) FROM files WHERE status = 'ready' "
    "AND document_id IS NULL",
}
_SCORE = "SELECT score FROM scores WHERE pair = ?"
# All candidates are read: how many the time would allow is another folder's measurement.
_SETTINGS = {"ollama.host": "http://127.0.0.1:9", "retrieval.rerank_milliseconds": "0"}
_MISSED = 0.2  # of the nearest vectors: more than a sound graph of a few hundred leaves out
_EVERY = 500  # candidates: of chunks that match equally well none is left out
_SUMS = 1e-5  # more than the order of adding makes in single precision
_HOME = {
    "catalog.sqlite",
    "indexes",
    "logs",
    "chroma.lock",
    "owner.key",
    "owner.lock",
    "reranker-speed-pair-reader.json",
    "settings.json",
    "window.ini",
}


def main(scores: Path, home: Path, queries: list[str]) -> None:
    """Print what the folder holds, what is lost or doubled in it, and what searches find.

    `answers` are as a user gets them, `by_scores` with the other fusion and every candidate. `cut`
    says of which queries the last candidate by words matches as well as the first left out.
    """
    lock = FolderLock(home)
    if not lock.acquire():
        sys.exit("the folder is owned by another process")
    house = Runtime(home, _SETTINGS)
    space = house.workspace
    by_scores = _joining_by_scores(space)
    for reranker in (*space.models.rerankers, *by_scores.models.rerankers):
        reranker.score = _remembering(reranker, scores)  # type: ignore[method-assign]
    told: dict[str, Any] = {
        "mended": {kb: each.text for kb, each in space.indexes.open_all().items()}
    }
    kbs = space.catalog.kbs.all()
    told["behind"] = [kb.name for kb in kbs if space.indexes.of(kb.id).replica.is_behind()]
    told["lost"], told["doubled"] = _complete(space), []
    for kind, found in _findings(space):
        told[kind].append(found)
    told["contents"] = {kb.name: _contents(space, kb) for kb in kbs}
    told["answers"] = {kb.name: [_answer(space, kb, each) for each in queries] for kb in kbs}
    told["cut"] = {kb.name: [_cuts_equals(space, kb, each) for each in queries] for kb in kbs}
    told["by_scores"] = {kb.name: [_answer(by_scores, kb, each) for each in queries] for kb in kbs}
    by_scores.release()
    house.close()
    lock.release()
    told["doubled"] += _leavings(home, {str(kb.id) for kb in kbs})
    sys.stdout.write(json.dumps(told))


def _remembering(reranker: Reranker, path: Path) -> Score:
    """Return a way to score that reads those pairs alone which no census has read."""
    read, kept = reranker.score, sqlite3.connect(path)
    kept.execute("CREATE TABLE IF NOT EXISTS scores (pair TEXT PRIMARY KEY, score REAL)")

    def score(query: str, texts: Sequence[str], token: CancelToken | None = None) -> list[float]:
        pairs = {text: _hash([reranker.name, query, text]) for text in texts}
        known = {text: kept.execute(_SCORE, (pair,)).fetchone() for text, pair in pairs.items()}
        new = [text for text, row in known.items() if row is None]
        known |= {text: (one,) for text, one in zip(new, read(query, new, token), strict=True)}
        with kept:
            rows = [(pairs[text], *known[text]) for text in new]
            kept.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", rows)
        return [known[text][0] for text in texts]

    return score


def _complete(space: Workspace) -> list[str]:
    """Put in what Chroma misses; return where searches from now on note that it is much.

    A graph that it has not written, of less than 1,000 vectors, it makes at each start, in several
    threads: each time another one leaves out another vector, or the few Chinese ones together.
    """
    short: list[str] = []
    for kb in space.catalog.kbs.all():
        index = space.indexes.of(kb.id)
        index.replica.nearest = _completed(kb, index, short)  # type: ignore[method-assign, assignment]
    return short


def _completed(kb: KnowledgeBase, index: KnowledgeBaseIndex, short: list[str]) -> Ask:
    """Return a way to ask Chroma that puts in what its graph misses, and notes if that is much."""
    ask = index.replica.nearest

    def asked(model: str, vector: Any, k: int, documents: Any) -> flat.Hits | None:
        if (hits := ask(model, vector, k, documents)) is None:
            return None
        found = {chunk for chunk, _ in hits}
        best = flat.nearest_in_blocks(index._vectors.blocks(), vector, k, documents)
        missed = [hit for hit in best if hit[0] not in found]
        if index._vector_file.knows_nearer(hits, vector, k, documents):
            return hits  # the search sees it, too, and compares all: that is looked at
        if len(missed) > _MISSED * len(best):
            short.append(f"{kb.name}: Chroma misses {len(missed)} of {len(best)} vectors")
        return sorted([*hits, *missed], key=lambda hit: (-hit[1], hit[0]))[:k]

    return asked


def _joining_by_scores(space: Workspace) -> Workspace:
    rules = replace(space.settings.retrieval, fusion="weighted", candidates=_EVERY)
    return with_settings(space, replace(space.settings, retrieval=rules))


def _findings(space: Workspace) -> Iterator[tuple[str, str]]:
    connection = space.catalog.database.read()
    for kind, queries in (("doubled", _ORPHANS), ("lost", _MISSING)):
        for name, query in queries.items():
            if count := connection.execute(query).fetchone()[0]:
                yield kind, f"{count} {name}"
    if (sound := connection.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
        yield "lost", f"the catalog is damaged: {sound}"
    for kb in space.catalog.kbs.all():
        yield from _index_findings(space, kb)


def _index_findings(space: Workspace, kb: KnowledgeBase) -> Iterator[tuple[str, str]]:
    """Compare every id and every vector that the indexes hold with the catalog's."""
    index = space.indexes.of(kb.id)
    if problem := index.check():
        yield "lost", f"{kb.name}: {problem.text}"
    rows = space.catalog.embeddings.of_chunks(kb.id, space.models.embedder.fingerprint)
    vectors = {int(chunk): np.asarray(vector, np.float32) for chunk, _, vector in rows}
    held = Counter(int(chunk) for chunk in space.catalog.documents.chunk_ids(kb.id))
    opened = index.open()
    words = Counter(int(chunk) for chunk in _every_word_row(opened.bm25))
    yield from _compared(f"words of {kb.name}", words, held)
    index.feed()
    if index.is_large():
        yield from _vector_file_findings(index, vectors)
    if problem := index.replica.check():
        yield "lost", f"{kb.name}: {problem.text}"
    if (chroma := index.replica._opened_soon()) is None:
        return
    got = chroma.vectors(list(chroma.ids()))
    yield from _compared(f"vectors of {kb.name}", Counter(map(int, got)), held)
    others = [
        chunk
        for chunk, vector in got.items()
        if chunk in vectors and not np.allclose(vector, vectors[chunk], atol=1e-5)
    ]
    if others:
        yield "lost", f"{kb.name}: {len(others)} vectors are not the catalog's"


def _vector_file_findings(
    index: KnowledgeBaseIndex, vectors: dict[int, Any]
) -> Iterator[tuple[str, str]]:
    """Compare the rows of a large base's vector file with the catalog's vectors."""
    manifest = index._vector_file._current()
    if manifest is None:
        yield "lost", "there is no vector file"
        return
    rows = [
        (int(chunk), vector)
        for block in index._vector_file._read(manifest, ())
        for chunk, vector in zip(block.chunks, block.vectors, strict=True)
    ]
    yield from _compared("rows", Counter(chunk for chunk, _ in rows), Counter(list(vectors)))
    others = [chunk for chunk, row in rows if not np.array_equal(row, vectors.get(chunk, ()))]
    if others:
        yield "lost", f"{len(others)} rows of the vector file are not the catalog's"


def _every_word_row(lexical: Any) -> list[int]:
    import tantivy

    found = lexical._best(tantivy.Query.all_query(), lexical.count() or 1)
    return [chunk for chunk, _ in found]


def _compared(name: str, found: Counter[int], wanted: Counter[int]) -> Iterator[tuple[str, str]]:
    if missing := wanted - found:
        yield "lost", f"{missing.total()} {name}"
    if extra := found - wanted:
        yield "doubled", f"{extra.total()} {name}"


def _contents(space: Workspace, kb: KnowledgeBase) -> dict[str, list[Any]]:
    """Return, for each path, its state and a hash for each of its chunks."""
    made: dict[str, list[Any]] = {}
    for row in space.catalog.files.under(kb.id):
        status = row.status if row.status is not FileStatus.UNCHANGED else FileStatus.READY
        chunks = space.catalog.documents.chunks(row.document_id) if row.document_id else []
        told = [[c.text, c.context, c.kind.value, str(c.locator.as_json())] for c in chunks]
        made[row.path] = [status.value, *(_hash(each) for each in told)]
    return made


def _hash(value: Any) -> str:
    return hashlib.blake2b(json.dumps(value).encode(), digest_size=8).hexdigest()


def _answer(space: Workspace, kb: KnowledgeBase, query: str) -> list[dict[str, Any]]:
    """Return the lines that `search --json` prints."""
    events = search.run(space, SearchRequest((kb.name,), query), CancelToken())
    return [json.loads(json.dumps(asdict(event)["values"])) for event in events]


def _cuts_equals(space: Workspace, kb: KnowledgeBase, query: str) -> bool:
    most = space.settings.retrieval.candidates
    hits = space.indexes.of(kb.id).lexical(without_answer_instructions(query), most + 1)
    scores = [score for _, score in hits]
    return len(hits) > most and math.isclose(scores[-2], scores[-1], rel_tol=_SUMS)


def _leavings(home: Path, kbs: set[str]) -> list[str]:
    """Return what a clean end should not have left in the folder."""
    found = [f"{each.name} in the data folder" for each in home.iterdir() if _is_odd(each)]
    for folder in (home / "indexes").glob("*") if (home / "indexes").is_dir() else ():
        if folder.name not in kbs:
            found.append(f"indexes/{folder.name} of no knowledge base")
            continue
        used = json.loads((folder / "in-use.json").read_text(encoding="utf-8"))
        expected = {"in-use.json", "sealed.json", used["lexical"]}
        if (folder / "chroma.json").exists():
            held = json.loads((folder / "chroma.json").read_text(encoding="utf-8"))
            expected |= {"chroma.json", "chroma-sealed.json", held["folder"]}
        if (folder / "vectors.json").exists():
            rows = json.loads((folder / "vectors.json").read_text(encoding="utf-8"))
            expected |= {"vectors.json", rows["folder"]}
        found += [
            f"indexes/{folder.name}/{e.name}" for e in folder.iterdir() if e.name not in expected
        ]
    return found


def _is_odd(entry: Path) -> bool:
    is_copy = ".before-" in entry.name or ".copy-" in entry.name
    return entry.name not in _HOME and not is_copy


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
