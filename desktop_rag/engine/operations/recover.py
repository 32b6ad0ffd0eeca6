"""Brings a damaged catalog back, before the data folder is opened, and says what is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import CatalogDamaged, full_disk
from desktop_rag.core.events import Event, IndexProgress, Notice, Row
from desktop_rag.engine.ingest.chunk import embed_key
from desktop_rag.store import soundness
from desktop_rag.store.catalog import FILE_NAME
from desktop_rag.store.database import scripts
from desktop_rag.store.recovery.recover import Count, Outcome, Recovery, damage, finish

_NOUNS = {
    "knowledge_bases": "knowledge bases",
    "sources": "followed folders",
    "exclusions": "files left out",
    "consents": "consents",
    "files": "files",
    "documents": "documents",
    "chunks": "chunks",
    "chats": "conversations",
    "messages": "messages",
    "drafts": "drafts",
    "question_sets": "question sets",
    "saved_questions": "saved questions",
    "gold_passages": "places of answers",
    "measured_runs": "measured runs",
    "embeddings": "vectors",
}
_ALWAYS = ("knowledge_bases", "files", "documents", "chats")


def run(data_dir: Path, token: CancelToken) -> Iterator[Event]:
    """Yield progress, then a row `kind`, `kept`, `lost`, `from_copy`, `exact` for each kind.

    The last row is named `recovered`: false where the catalog is sound, and nothing was changed.
    Raises a `CatalogDamaged` where nothing can be made of what is there.
    """
    path, known = data_dir / FILE_NAME, scripts()
    finish(path)
    token.check()
    yield IndexProgress(0, 0, "", "check", 0, 0.0, None)
    if not damage(path, known, embed_key, token.check):
        soundness.trust(path)
        yield Row({"recovered": False, "aside": "", "renamed": 0, "short": 0})
        return
    outcome: Outcome | None = None
    try:
        for step in Recovery(path, known, embed_key).run(token.check):
            if isinstance(step, Outcome):
                outcome = step
            else:
                named = _NOUNS.get(step, step)
                yield IndexProgress(0, 0, named, "recover", 0, 0.0, None)
    except OSError as error:
        raise full_disk(error) or CatalogDamaged(path) from error
    if outcome is not None:
        soundness.trust(path)
        yield from _told(outcome)


def _told(outcome: Outcome) -> Iterator[Event]:
    for count in outcome.counts:
        if count.kept or count.lost or count.kind in _ALWAYS:
            yield Row(_row(count))
    if any(count.lost for count in outcome.counts if count.kind in ("documents", "chunks")):
        yield Notice(
            "Files whose text was lost are read again by the next `index` where their folder is "
            "followed."
        )
    yield Notice(
        f"The damaged catalog still holds text. It is kept as {outcome.aside}; delete it when you "
        "do not need it. It goes by itself when you remove something from a knowledge base."
    )
    yield Row(
        {
            "recovered": True,
            "aside": str(outcome.aside),
            "renamed": outcome.renamed,
            "short": outcome.short,
        }
    )


def _row(count: Count) -> dict[str, object]:
    """Return a kind's figures; `exact` says that no more than `lost` can have gone."""
    return {
        "kind": _NOUNS.get(count.kind, count.kind),
        "kept": count.kept,
        "lost": count.lost,
        "from_copy": count.from_copy,
        "exact": count.is_exact,
    }
