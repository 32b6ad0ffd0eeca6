from __future__ import annotations

import dataclasses
import sqlite3

import numpy as np
import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.metadata_filter import parse_filter
from desktop_rag.catalog.outbox import Reader
from desktop_rag.core.catalog_records import FileRead, FileStamp, MetadataFilter, NewChunk
from desktop_rag.core.types import BlockKind, Box, ChunkId, DocumentId, KbId, Locator, LocatorKind
from tests.catalog.stored_documents import MODEL, document, many, put, vectors


def embeddings(catalog: Catalog) -> int:
    return catalog.database.read().execute("SELECT count(*) FROM embeddings").fetchone()[0]


def test_a_document_comes_back_as_it_was_stored(catalog: Catalog, kb: KbId) -> None:
    new = document("First line.", "Second líne 数据.", title="Report")
    document_id = put(catalog, kb, "/d/a.pdf", new)
    chunks = catalog.documents.chunks(document_id)
    assert [c.text for c in chunks] == ["First line.", "Second líne 数据."]
    assert [c.locator for c in chunks] == [c.locator for c in new.chunks]
    assert {c.title for c in chunks} == {"Report"}
    assert catalog.documents.get_chunks([chunks[1].chunk_id, ChunkId(999)]) == {
        chunks[1].chunk_id: chunks[1]
    }
    assert catalog.documents.find(new.content_hash, "r1") == document_id
    assert catalog.documents.find(new.content_hash, "r2") is None


def test_any_range_of_the_text_can_be_read(catalog: Catalog, kb: KbId) -> None:
    document_id = put(catalog, kb, "/d/a", document("0123456789"))
    assert catalog.documents.text(document_id) == "0123456789"
    assert catalog.documents.text(document_id, 2, 5) == "234"
    assert catalog.documents.text(document_id, 8) == "89"
    assert catalog.documents.text(document_id, 5, 5) == ""
    assert catalog.documents.text(DocumentId(999)) == ""


def test_offsets_hold_for_text_that_is_not_valid_unicode(catalog: Catalog, kb: KbId) -> None:
    document_id = put(catalog, kb, "/d/a", document("a\ud800b\udce9c"))
    assert catalog.documents.text(document_id, 4, 5) == "c"


def test_one_content_at_two_paths_is_stored_once(catalog: Catalog, kb: KbId) -> None:
    new = document("one", "two")
    first, second = put(catalog, kb, "/d/a", new), put(catalog, kb, "/d/b", new)
    assert first == second
    assert len(catalog.outbox.pending(kb, Reader.WORDS)) == 2
    assert catalog.documents.paths([first], [kb]) == {first: ("/d/a", "/d/b")}
    assert catalog.kbs.get("default").chunks == 2
    assert embeddings(catalog) == 2


def test_the_chunks_stay_until_the_last_file_of_their_content_goes(
    catalog: Catalog, kb: KbId
) -> None:
    new = document("one", "two")
    document_id = put(catalog, kb, "/d/a", new)
    put(catalog, kb, "/d/b", new)
    catalog.outbox.done(kb, Reader.WORDS, catalog.outbox.last(kb))
    catalog.files.remove(kb, ["/d/a"])
    told = [entry.action for entry in catalog.outbox.pending(kb, Reader.WORDS)]
    assert told == ["update", "update"]
    assert len(catalog.documents.chunks(document_id)) == 2
    catalog.files.remove(kb, ["/d/b"])
    told = [entry.action for entry in catalog.outbox.pending(kb, Reader.WORDS)]
    assert told[2:] == ["delete", "delete"]
    assert catalog.documents.chunks(document_id) == []
    assert embeddings(catalog) == 0


def test_two_knowledge_bases_share_a_document_and_each_tells_its_own_indexes(
    catalog: Catalog, kb: KbId
) -> None:
    other = catalog.kbs.create("other").id
    new = document("one")
    document_id = put(catalog, kb, "/d/a", new)
    catalog.documents.attach(
        FileRead(other, "/x/a", FileStamp(1, 1, new.content_hash)), document_id
    )
    assert [e.action for e in catalog.outbox.pending(other, Reader.WORDS)] == ["add"]
    catalog.files.remove(kb, ["/d/a"])
    assert [e.action for e in catalog.outbox.pending(kb, Reader.WORDS)] == ["add", "delete"]
    assert [e.action for e in catalog.outbox.pending(other, Reader.WORDS)] == ["add"]
    assert len(catalog.documents.chunks(document_id)) == 1
    assert catalog.documents.paths([document_id], [kb, other]) == {document_id: ("/x/a",)}
    catalog.kbs.delete("other")
    assert catalog.documents.chunks(document_id) == []


def test_a_changed_file_lets_go_of_its_former_document(catalog: Catalog, kb: KbId) -> None:
    old = put(catalog, kb, "/d/a", document("shared", "old"))
    new = put(catalog, kb, "/d/a", document("shared", "new"))
    assert catalog.documents.chunks(old) == []
    assert len(catalog.documents.chunks(new)) == 2
    adds = [
        entry.chunk_id
        for entry in catalog.outbox.pending(kb, Reader.WORDS)
        if entry.action == "add"
    ]
    assert len(set(adds)) == 4, "no chunk's number is used twice"
    assert embeddings(catalog) == 2, "the shared text's vector stays"


def test_a_document_is_stored_wholly_or_not_at_all(catalog: Catalog, kb: KbId) -> None:
    new = document("one", "two")
    twice = dataclasses.replace(new, chunks=(new.chunks[0], new.chunks[0]))
    with pytest.raises(sqlite3.IntegrityError):
        put(catalog, kb, "/d/a", twice)
    assert catalog.files.under(kb) == []
    assert catalog.documents.find(new.content_hash, "r1") is None
    assert catalog.outbox.pending(kb, Reader.WORDS) == []


def test_known_vectors_come_back_as_they_were_stored(catalog: Catalog, kb: KbId) -> None:
    new = document("one", "two")
    put(catalog, kb, "/d/a", new)
    wanted = vectors(new)
    known = catalog.embeddings.known([*wanted, "unknown"], MODEL)
    assert known.keys() == wanted.keys()
    for key, each in wanted.items():
        np.testing.assert_array_equal(known[key], each)
    assert catalog.embeddings.known(wanted, "another model") == {}


def test_another_model_finds_what_it_still_has_to_embed(catalog: Catalog, kb: KbId) -> None:
    new = document("one", "two")
    put(catalog, kb, "/d/a", new)
    missing = catalog.embeddings.missing(kb, "another")
    assert missing == {c.embed_key: f"{c.context}\n{c.text}" for c in new.chunks}
    catalog.embeddings.add(vectors(new, "another"), "another")
    assert catalog.embeddings.missing(kb, "another") == {}
    assert len(list(catalog.embeddings.of_chunks(kb, "another"))) == 2


def test_a_vector_that_no_chunk_refers_to_is_not_kept(catalog: Catalog) -> None:
    catalog.embeddings.add({"nobody's": np.ones(4, np.float16)}, MODEL)
    assert embeddings(catalog) == 0


def test_texts_and_vectors_are_read_in_pages_to_the_last(catalog: Catalog, kb: KbId) -> None:
    put(catalog, kb, "/d/a", many("a", 4100))
    put(catalog, kb, "/d/b", many("b", 7))
    texts = list(catalog.documents.texts(kb))
    assert len(texts) == 4107
    assert [t[0] for t in texts] == catalog.documents.chunk_ids(kb)
    assert [v[0] for v in catalog.embeddings.of_chunks(kb, MODEL)] == catalog.embeddings.ids(
        kb, MODEL
    )
    some = catalog.documents.chunk_ids(kb)[::2000]
    assert [t[0] for t in catalog.documents.texts(kb, some)] == some
    assert list(catalog.documents.texts(kb, [])) == []


def test_a_locator_of_a_range_gathers_the_boxes_that_it_touches(catalog: Catalog, kb: KbId) -> None:
    page = LocatorKind.PAGE
    base = document("aaaa", "bbbb", "cccc").chunks
    places = [(1, base[0]), (1, base[1]), (2, base[2])]
    chunks = tuple(
        dataclasses.replace(c, locator=dataclasses.replace(c.locator, value=n)) for n, c in places
    )
    document_id = put(
        catalog, kb, "/d/a", dataclasses.replace(document("aaaa", "bbbb", "cccc"), chunks=chunks)
    )
    both = catalog.documents.locator_for(document_id, 2, 14)
    assert (both.kind, both.value, both.start, both.end) == (page, 1, 2, 14)
    assert [box.start for box in both.boxes] == [0, 5], "no box of page 2"
    second = catalog.documents.locator_for(document_id, 6, 7)
    assert [box.start for box in second.boxes] == [5]
    gap = catalog.documents.locator_for(document_id, 9, 10)
    assert (gap.value, gap.boxes) == (1, ())


def test_a_box_on_another_page_than_its_chunk_keeps_that_page(catalog: Catalog, kb: KbId) -> None:
    new = document("aaaa bbbb")
    far = Box(10.0, 20.0, 90.0, 30.0, 5, 9, page=2)
    place = dataclasses.replace(new.chunks[0].locator, boxes=(Box(1, 2, 3, 4, 0, 4), far))
    chunk = dataclasses.replace(new.chunks[0], locator=place)
    document_id = put(catalog, kb, "/d/a", dataclasses.replace(new, chunks=(chunk,)))
    assert catalog.documents.locator_for(document_id, 0, 9) == place
    rest = catalog.documents.locator_for(document_id, 5, 9)
    assert (rest.value, rest.boxes) == (1, (far,))
    assert place.as_json()["boxes"] == [[1, 2, 3, 4]]
    assert place.as_json()["other_boxes"] == [[10.0, 20.0, 90.0, 30.0, 2]]


def test_a_locator_of_rows_spans_their_cells(catalog: Catalog, kb: KbId) -> None:
    def row(n: int) -> NewChunk:
        place = Locator(LocatorKind.SHEET, "Sales", n * 10, n * 10 + 9, cells=f"A{n}:F{n}")
        return NewChunk(n, BlockKind.TABLE, f"row {n}", "", "", place, (0, 40), f"k{n}")

    new = dataclasses.replace(document("x" * 40), chunks=(row(1), row(2), row(3)))
    document_id = put(catalog, kb, "/d/a.xlsx", new)
    assert catalog.documents.locator_for(document_id, 10, 29).cells == "A1:F2"
    assert catalog.documents.locator_for(document_id, 10, 19).cells == "A1:F1"


def test_a_filter_picks_documents_by_path_kind_title_and_date(catalog: Catalog, kb: KbId) -> None:
    old = FileRead(kb, "/docs/Reports/annual 2023.PDF", FileStamp(1, 1_600_000_000 * 10**9, "a"))
    new = FileRead(kb, "/docs/notes.md", FileStamp(1, 1_700_000_000 * 10**9, "b"))
    first = catalog.documents.store(old, document("one", title="Some report"), {}, MODEL)
    second = catalog.documents.store(new, document("two", title="My notes"), {}, MODEL)

    def select(text: str) -> set[DocumentId] | None:
        return catalog.documents.select([kb], parse_filter(text))

    assert catalog.documents.select([kb], MetadataFilter()) is None
    assert select("ext:pdf") == {first}
    assert select("path:reports/*") == {first}
    assert select("path:docs") == {first, second}
    assert select('title:"REPORT annual"') == {first}
    assert select("after:2022") == {second}
    assert select("before:2022-01 ext:pdf,md") == {first}
    assert select("ext:docx") == set()


def test_notes_are_kept_with_the_document(catalog: Catalog, kb: KbId) -> None:
    new = dataclasses.replace(document("one"), notes=("2 of 9 pages are pictures.",))
    document_id = put(catalog, kb, "/d/a", new)
    assert catalog.documents.notes(document_id) == new.notes
