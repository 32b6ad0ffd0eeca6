"""Long texts in segments: those of an older catalog, and those that come in pieces."""

from __future__ import annotations

import shutil
from pathlib import Path

from desktop_rag.catalog import database
from desktop_rag.catalog.database import Database
from desktop_rag.catalog.documents import LONGEST_SEGMENT
from desktop_rag.catalog.facade import Catalog
from testing.narrowing import present

MIGRATIONS = Path(database.__file__).parent / "migrations"
TEXT = "".join(f"第{n:07}行 of a long text. " for n in range(110_000))  # 2.5 million characters


def test_a_long_text_of_an_older_catalog_is_put_into_segments(tmp_path: Path) -> None:
    steps, home = tmp_path / "steps", tmp_path / "home"
    steps.mkdir()
    home.mkdir()
    for file in sorted(MIGRATIONS.glob("*.sql"))[:3]:
        shutil.copy(file, steps)
    old = Database(home / "catalog.sqlite", steps)
    with old.write() as tx:
        for name, text in (("long", TEXT), ("short", "A short text.")):
            tx.execute(
                "INSERT INTO documents (content_hash, recipe, title, text, notes, chunk_count) "
                "VALUES (?, 'r', '', ?, '[]', 0)",
                (name, text),
            )
    old.close()
    catalog = Catalog.open(home)
    long, short = (catalog.documents.find(name, "r") for name in ("long", "short"))
    read = catalog.database.read()
    lengths = read.execute(
        "SELECT length(text) FROM documents UNION ALL SELECT length(text) FROM segments"
    ).fetchall()
    assert max(length for (length,) in lengths) == LONGEST_SEGMENT
    assert catalog.documents.text(present(long)) == TEXT
    assert catalog.document_queries.length(present(long)) == len(TEXT)
    for start in (0, 999_990, 1_500_000, 1_999_999, len(TEXT) - 7):
        assert catalog.documents.text(present(long), start, start + 20) == TEXT[start : start + 20]
    assert catalog.documents.text(present(long), 5, 5) == ""
    assert catalog.documents.text(present(short)) == "A short text."
    with catalog.database.write() as tx:
        tx.execute("DELETE FROM documents WHERE id = ?", (long,))
    assert read.execute("SELECT count(*) FROM segments").fetchone()[0] == 0
    catalog.close()


def test_a_text_that_comes_in_pieces_is_one(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    document_id = catalog.long_texts.begin()
    for start in range(0, len(TEXT), 300_000):
        catalog.long_texts.append(document_id, TEXT[start : start + 300_000], (), {}, "model")
    assert catalog.documents.text(document_id) == TEXT
    assert catalog.documents.text(document_id, 299_990, 900_010) == TEXT[299_990:900_010]
    catalog.long_texts.discard(document_id)
    assert catalog.documents.text(document_id) == ""
    catalog.close()
