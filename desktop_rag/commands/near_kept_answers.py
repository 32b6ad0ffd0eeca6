"""Tell a question of kept answers to questions that are near it.

They are told of as what they are, earlier answers: never among the passages, never cited, and no
support of a sentence. A person opens them (after Selfmem, Cheng et al. 2023, arXiv 2305.02437,
whose model reads its own output as memory: here that output is the user's to judge).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import numpy as np

from desktop_rag.catalog.cited_documents import CitedDocument
from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.kept_answers import KeptAnswer
from desktop_rag.catalog.stored_answer import StoredAnswer, read_answer
from desktop_rag.core.events import EarlierAnswer
from desktop_rag.models.protocols import Vectors
from desktop_rag.strategies.base import Question
from desktop_rag.workspace import Workspace

NEAR = 0.7
"""The cosine of two questions at which one is told of the other's answer, of the built-in embedder:
90 % of paraphrases in English and 85 % in Chinese reach it, 12 % and 8 % of questions about
something else among 50 that are alike (`python -m benchmarks.earlier_answers`)."""
_MOST = 2  # answers that are told of


def earlier_answers(
    workspace: Workspace, question: Question, kbs: tuple[str, ...], chat_id: int | None
) -> Iterator[EarlierAnswer]:
    """Yield the kept answers of these knowledge bases to near questions, the nearest first.

    Those of the conversation itself are left out. Of another embedder than the built-in one it is
    not known what a cosine means: nothing is told.
    """
    if workspace.settings.models.embedder != "builtin":
        return
    kept = [
        each
        for each in workspace.catalog.kept.all()
        if each.chat_id != chat_id and set(each.kbs) <= set(kbs)
    ]
    if not kept:
        return
    asked = np.asarray(workspace.models.embedder.embed_query(question.text)).ravel()
    vectors = _vectors(workspace, kept)
    near = [(float(vectors[each.message_id] @ asked), each) for each in kept]
    found = sorted((each for each in near if each[0] >= NEAR), key=lambda each: -each[0])
    for _, each in found[:_MOST]:
        yield told_of(workspace.catalog, each)


def told_of(catalog: Catalog, kept: KeptAnswer) -> EarlierAnswer:
    """Return what is told of a kept answer, with what became of its documents."""
    day = datetime.fromtimestamp(kept.asked).astimezone().strftime("%Y-%m-%d %H:%M")
    return EarlierAnswer(
        chat_id=kept.chat_id,
        answer_id=kept.message_id,
        question=" ".join(kept.question.split()),
        asked=day,
        documents=documents_now(catalog, read_answer(kept.payload)),
    )


def documents_now(catalog: Catalog, stored: StoredAnswer) -> str:
    """Return `same`, `changed` or `gone`: what became of the documents that an answer cites.

    Of one that cites none, of those that it read.
    """
    by_chunk = {each.chunk_id: each for each in stored.sources}
    cited = [by_chunk[each.chunk_id] for each in stored.citations if each.chunk_id in by_chunk]
    passages = cited or list(stored.sources)
    if any(not each.path for each in passages):
        return "gone"
    documents = {CitedDocument(each.document_id, each.path, each.content_hash) for each in passages}
    found = [catalog.cited.find(each) for each in documents]
    if any(each is None for each in found):
        return "gone"
    return "same" if all(each.is_same for each in found if each is not None) else "changed"


def _vectors(workspace: Workspace, kept: list[KeptAnswer]) -> dict[int, Vectors]:
    """Return the vectors of all these questions; those that are missing are made."""
    embedder, answers = workspace.models.embedder, workspace.catalog.kept
    known = answers.vectors(embedder.fingerprint)
    missing = {
        each.message_id: np.asarray(embedder.embed_query(each.question)).ravel()
        for each in kept
        if each.message_id not in known
    }
    if missing:
        answers.add_vectors(missing, embedder.fingerprint)
    return known | missing
