"""What documents say of themselves: kept, found by a filter, gone with the document."""

from __future__ import annotations

import dataclasses

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.metadata_filter import parse_filter
from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.core.types import DocumentId, KbId
from tests.catalog.stored_documents import MODEL, document, put

_SAID = DocumentMetadata(
    authors=("Marie Curie", "皮埃尔"),
    recipients=("to@example.org",),
    keywords=("radium",),
    subject="Letters",
    created=1_600_000_000.0,
    modified=1_684_000_000.0,
    language="fr",
)


def test_what_a_document_says_is_kept_and_goes_with_it(catalog: Catalog, kb: KbId) -> None:
    said = put(catalog, kb, "/d/a", dataclasses.replace(document("one"), metadata=_SAID))
    silent = put(catalog, kb, "/d/b", document("two"))
    assert catalog.metadata.of(said) == _SAID
    assert catalog.metadata.of(silent) == NO_METADATA
    assert catalog.metadata.dates([said, silent]) == {said: _SAID.modified}
    catalog.files.remove(kb, ["/d/a"])
    assert catalog.metadata.of(said) == NO_METADATA
    rows = catalog.database.read().execute("SELECT count(*) FROM document_metadata")
    assert rows.fetchone()[0] == 0


def test_text_that_is_none_is_kept_as_text(catalog: Catalog, kb: KbId) -> None:
    odd = DocumentMetadata(authors=("A\ud800",), subject="\ud800")
    number = put(catalog, kb, "/d/a", dataclasses.replace(document("one"), metadata=odd))
    kept = catalog.metadata.of(number)
    assert kept.authors[0].startswith("A")
    kept.subject.encode()


def test_a_filter_finds_documents_by_what_they_say(catalog: Catalog, kb: KbId) -> None:
    said = put(catalog, kb, "/d/a", dataclasses.replace(document("one"), metadata=_SAID))
    silent = put(catalog, kb, "/d/b", document("two", "three"))

    def select(text: str) -> set[DocumentId] | None:
        return catalog.documents.select([kb], parse_filter(text))

    assert select("author:curie language:fr") == {said}
    assert select("written-after:2023 written-before:2024") == {said}
    assert select("author:nobody") == set()
    assert select("min-pages:2") == {silent}
    assert select("min-pages:1") == {said, silent}


def test_a_long_document_says_it_as_well(catalog: Catalog, kb: KbId) -> None:
    head = dataclasses.replace(document("long"), chunks=(), metadata=_SAID)
    number = catalog.long_texts.begin()
    catalog.long_texts.append(number, "long", document("long").chunks, {}, MODEL)
    read = FileRead(kb, "/d/long", FileStamp(4, 1, head.content_hash), 0.1)
    catalog.long_texts.finish(number, read, head)
    assert catalog.metadata.of(number) == _SAID
