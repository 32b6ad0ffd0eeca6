"""Brings a damaged catalog back, before the data folder is opened, and says what is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from desktop_rag.catalog import integrity
from desktop_rag.catalog.database import migration_scripts
from desktop_rag.catalog.recovery.coordinator import (
    Recovery,
    RecoveryOutcome,
    TableCount,
    finish_replacement,
    is_damaged,
)
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import CatalogDamaged, CatalogMissing, full_disk
from desktop_rag.core.events import Event, IndexProgress, ListingRow, Notice
from desktop_rag.core.paths import CATALOG
from desktop_rag.core.phrases import Phrase
from desktop_rag.indexing.chunker import embed_key

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
    "notes": "notes",
    "embeddings": "vectors",
}
_VECTORS = "embeddings"
_END = {"aside": "", "renamed": 0, "short": 0, "empty": False, "exact": True}


def run(data_dir: Path, token: CancelToken) -> Iterator[Event]:
    """Yield progress, then a row `kind`, `kept`, `lost`, `from_copy`, `exact` for each kind.

    Vectors also have `made_again`. The last row is named `recovered`: false where the catalog is
    sound, and nothing was changed; `empty` where nothing could be read, `exact` where no more than
    the rows say can be lost. Raises a `CatalogMissing` where there is nothing to make one of, and a
    `CatalogDamaged` where nothing can be made of it.
    """
    path, known = data_dir / CATALOG, migration_scripts()
    finish_replacement(path)
    token.check()
    recovery = Recovery(path, known, embed_key)
    if not recovery.has_source():
        raise CatalogMissing(data_dir)
    yield IndexProgress(0, 0, "", "check", 0, 0.0, None)
    if not is_damaged(path, known, embed_key, token.check):
        integrity.clear_damage_mark(path)
        yield ListingRow({"recovered": False, **_END})
        return
    outcome: RecoveryOutcome | None = None
    try:
        for step in recovery.run(token.check):
            if isinstance(step, RecoveryOutcome):
                outcome = step
            elif step in _NOUNS:
                yield IndexProgress(0, 0, _NOUNS[step], "recover", 0, 0.0, None)
    except OSError as error:
        raise full_disk(error) or CatalogDamaged(path) from error
    if outcome is not None:
        integrity.clear_damage_mark(path)
        yield from _told(outcome)


def _told(outcome: RecoveryOutcome) -> Iterator[Event]:
    is_exact = all(each.is_exact for each in outcome.counts if each.kind != _VECTORS)
    is_empty = not is_exact and not any(each.kept for each in outcome.counts)
    for count in outcome.counts:
        is_unknown = not (count.is_exact or is_empty or count.kind == _VECTORS)
        if count.kind in _NOUNS and (count.kept or count.lost or count.made_again or is_unknown):
            yield ListingRow(_row(count))
    if is_empty or any(map(_is_folder_less, outcome.counts)):
        yield Notice("No followed folder is kept: add the folders again with `index`.")
    elif any(count.lost for count in outcome.counts if count.kind in ("documents", "chunks")):
        yield Notice(
            "Files whose text was lost are read again by the next `index` where their folder is "
            "followed."
        )
    if outcome.aside is not None:
        yield Notice(
            Phrase(
                "The damaged catalog still holds text. It is kept as {0}; delete it when "
                "you do not need it. It goes by itself when you remove something from a "
                "knowledge base.",
                outcome.aside,
            )
        )
    yield ListingRow(
        {
            "recovered": True,
            "aside": str(outcome.aside or ""),
            "renamed": outcome.renamed,
            "short": outcome.short,
            "empty": is_empty,
            "exact": is_exact,
        }
    )


def _is_folder_less(count: TableCount) -> bool:
    """Say whether folders were followed, as far as is known, of which none is kept."""
    gone = bool(count.lost) or not count.is_exact
    return count.kind == "sources" and not count.kept and gone


def _row(count: TableCount) -> dict[str, object]:
    """Return a kind's figures; `exact` says that no more than `lost` can have gone."""
    row = {
        "kind": _NOUNS[count.kind],
        "kept": count.kept,
        "lost": count.lost,
        "from_copy": count.from_copy,
        "exact": count.is_exact,
    }
    return row | ({"made_again": count.made_again} if count.kind == _VECTORS else {})
